"""Seats outdoors that change hands: the vote, and what one seat knows of two investigators."""

import attrs
import pytest

from content.games.first_edition.schema.pack import Pack
from content.games.first_edition.schema.story import Knowers
from protocol import messages
from protocol.archive import load
from protocol.audit import audit
from protocol.common import events
from protocol.common.table import Settings
from protocol.event_contents import audiences_of
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.table import FirstEditionTable
from protocol.games.first_edition.words import KEEPER
from tests.games.first_edition.house import RoomsHouse, outdoors
from tests.games.first_edition.outing_pack import BY_THE_LAKE
from tests.games.first_edition.twins.pairs import by_the_lake
from tests.kit.servers.house import Client
from tests.kit.servers.tables import happened, room_id_of, room_of, seat_all

pytestmark = pytest.mark.issue(41)
rule = pytest.mark.rule

ADA, BRAM = "investigator/nora-voss", "investigator/bram-marrow"
DOUBT = "deed/test-doubt"
"""Deals a card of the story that the keeper and its owner know."""


def voted() -> Pack:
    """Return the outing by the lake, whose objective the investigators choose in secret."""
    found = by_the_lake(Knowers.OWNER)
    story = found.scenarios[BY_THE_LAKE]
    (purpose,) = story.questions
    made = attrs.evolve(story, questions=(attrs.evolve(purpose, by_vote=True),))
    return attrs.evolve(found, scenarios={BY_THE_LAKE: made})


def begun(
    *led: tuple[str, ...], is_ann_host: bool = False
) -> tuple[RoomsHouse, Client, list[Client], Client]:
    """
    Return a game in which Ann's first investigator got a card of the story.

    Args:
        led: the investigators of Ann, and of Ben if he plays.
        is_ann_host: True if Ann, and not the keeper, is the host, who gives seats away.

    Returns:
        The server, the keeper, the others, and a spectator.
    """
    house = RoomsHouse(pack=voted(), scenario=BY_THE_LAKE)
    settings = Settings(takebacks=False, spectators=True, least_seconds=0)
    names = ["Ann", "Kim"] if is_ann_host else ["Kim", "Ann"]
    clients = seat_all(house, [*names, "Ben"][: 1 + len(led)], settings)
    kim = clients[names.index("Kim")]
    others = [client for client in clients if client is not kim]
    kim.port.claim_role(KEEPER)
    for client, some in zip(others, led, strict=True):
        client.port.claim(some)
        house.settle()
    for client in clients:
        client.port.set_ready(is_ready=True)
        house.settle()
    clients[0].port.start()
    house.settle()
    wat = house.client("Wat")
    wat.port.watch(clients[0].session.last(messages.TableOpened).watch_code)
    for _ in range(12):
        if happened(house, room_id_of(kim), fe.StoryCardDealt)[-1:] and _doubts(house, kim):
            return house, kim, others, wat
        for client in clients:
            _answer(client)
            house.settle(0.2)
    raise AssertionError("nobody doubts")


def _doubts(house: RoomsHouse, client: Client) -> bool:
    game = house.host_of(client).room.table.game
    assert isinstance(game, FirstEditionTable)
    return any(card.owner == ADA for card in game.story_cards.values())


def _answer(client: Client) -> None:
    """Answer by the wish to doubt, or to begin the turn of who does; else by the default."""
    view = client.model.view
    question = None if view is None or client.model.sent else view.my_question()
    if view is None or view.ask is None or question is None or view.seat is None:
        return
    if view.ask.may_interrupt(view.seat):
        return
    found = [
        one.choice_id
        for one in question.choices
        if DOUBT in repr(one.text) or ADA in repr(one.text)
    ]
    is_row = bool(question.then)
    client.port.answer(
        view.ask.ask_id, (found[0],) if found and not is_row else question.row_default
    )


def known(client: Client) -> set[tuple[str, int, int]]:
    """Return the secrets that a client has read: kind of record, sequence and slot."""
    view = client.model.view
    assert view is not None
    return {
        (type(record.event).__name__, *sealed.ref)
        for record in view.records
        for sealed, _ in audiences_of(record.event)
        if sealed.is_open
    }


def give(house: RoomsHouse, seat: int, by: Client, *others: Client) -> Client:
    """Have the host give a seat to Zoe by everybody's agreement; return her client."""
    by.port.propose_give_seat(seat, to_bot=False)
    house.settle(0.2)
    for client in others:
        proposal = room_of(house, by).proposal
        if proposal is not None:
            client.port.consent(proposal.proposal_id, is_agreed=True)
            house.settle(0.2)
    zoe = house.client("Zoe")
    house.join(zoe, by.session.last(messages.InvitationMade).code)
    zoe.port.enter(room_id_of(by))
    house.settle()
    return zoe


def given_up(house: RoomsHouse, by: Client, *others: Client) -> bytes:
    """Have everybody give the game up; return its whole log."""
    by.port.propose_give_up()
    house.settle(0.2)
    for client in others:
        proposal = room_of(house, by).proposal
        if proposal is not None:
            client.port.consent(proposal.proposal_id, is_agreed=True)
            house.settle(1)
    before = len(by.session.all(messages.ExportPart))
    by.send(messages.ExportTable(by.next_serial(), room_id_of(by)))
    house.settle()
    return b"".join(part.data for part in by.session.all(messages.ExportPart)[before:])


CHOSEN = {"VoteCounted", "ObjectiveSet"}
"""Kinds of records that only investigators read while the game goes on."""


def kinds(known_secrets: set[tuple[str, int, int]]) -> set[str]:
    return {kind for kind, *_ in known_secrets}


@rule("W-DECIDE-51", "W-DECIDE-47", "W-SECRET-6", "W-SECRET-11", "K-DECIDE-3")
def test_a_seat_that_leads_two_is_given_with_both_and_all_that_it_knew() -> None:
    house, kim, (ann,), wat = begun((ADA, BRAM))
    before = known(ann)
    zoe = give(house, 1, kim, ann)

    seat = room_of(house, kim).seats[1]
    assert (seat.name, seat.characters) == ("Zoe", (ADA, BRAM))
    assert {*CHOSEN, "ToldKeeper", "StoryCardDealt", "Answered"} <= kinds(before)
    assert before <= known(zoe)
    for other in (kim, wat):
        assert not CHOSEN & kinds(known(other))


@rule("W-DECIDE-47", "W-SECRET-6", "W-SECRET-14", "K-DECIDE-3")
def test_whoever_comes_into_an_investigators_seat_later_reads_what_was_chosen() -> None:
    """And the answer of that seat, but neither that of another nor the cards of another."""
    house, kim, (ann, ben), _ = begun((ADA,), (BRAM,))
    of_ben, of_ann = known(ben), known(ann)
    zoe = give(house, 2, kim, ann, ben)

    assert kinds(of_ben) >= CHOSEN
    assert of_ben <= known(zoe)
    assert {kind for kind, *_ in of_ann - known(zoe)} >= {"Answered", "StoryCardDealt"}


@rule("W-DECIDE-47", "W-SECRET-6", "K-DECIDE-3")
def test_whoever_comes_into_the_keepers_seat_reads_what_the_keeper_knew_and_no_more() -> None:
    house, kim, (ann, ben), _ = begun((ADA,), (BRAM,), is_ann_host=True)
    of_kim = known(kim)
    zoe = give(house, 1, ann, kim, ben)

    assert of_kim <= known(zoe)
    assert not CHOSEN & kinds(known(zoe))


@rule("W-SECRET-14")
def test_that_an_investigator_has_answered_is_public_and_the_end_opens_what() -> None:
    house, kim, (ann, ben), wat = begun((ADA,), (BRAM,))
    room_id = room_id_of(kim)
    row = next(one for one in happened(house, room_id, events.Asked) if one.rule == "K-DECIDE-4")
    answered = [
        one.seat for one in happened(house, room_id, events.Answered) if one.ask_id == row.ask_id
    ]
    whole = given_up(house, kim, ann, ben)

    assert sorted(answered) == [0, 1, 2]
    assert not CHOSEN & kinds(known(wat))
    votes = [r.event for r in load(whole).records if isinstance(r.event, fe.VoteCounted)]
    assert [one.answers.is_open for one in votes] == [True]


def late(house: RoomsHouse, at: int) -> tuple[list[Client], str]:
    """Return the clients of a game in whose setup nobody answered in time, and what was chosen."""
    names = [f"{name} {at}" for name in ("Kim", "Ann", "Ben")]
    clients = seat_all(house, names, Settings(takebacks=False, time_limit_seconds=60))
    clients[0].port.claim_role(KEEPER)
    for client, who in zip(clients[1:], (ADA, BRAM), strict=True):
        client.port.claim((who,))
    for client in clients:
        client.port.set_ready(is_ready=True)
        house.settle()
    clients[0].port.start()
    house.settle(140)
    assert happened(house, room_id_of(clients[0]), events.TimedOut)
    (vote,) = happened(house, room_id_of(clients[0]), fe.VoteCounted)
    return clients, vote.answers.value["purpose"]


@rule("W-SECRET-14", "W-DECIDE-47")
def test_who_is_out_of_time_votes_by_lot_and_the_whole_log_can_be_checked() -> None:
    """Everybody reads that time was up, and would know a first option."""
    house = RoomsHouse(pack=outdoors())
    games = [late(house, at) for at in range(4)]
    whole = given_up(house, *games[0][0])

    assert len({chosen for _, chosen in games}) == 2
    assert audit(load(whole)).has_game_laws
