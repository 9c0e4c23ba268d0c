"""A fixed setup of the first edition: the lot answers for the keeper, and the sides can change."""

import attrs
import pytest

from content.games.first_edition.schema.pack import Content
from content.games.first_edition.schema.story import Knowers, StoryCard, StoryCards
from protocol import messages
from protocol.archive import load
from protocol.audit import SetupSource, audit
from protocol.common import events
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.table import FirstEditionTable
from protocol.games.first_edition.words import KEEPER, StoryDeck
from server.games.first_edition.rules.ruleset import FirstEdition
from tests.games.first_edition.house import SCENARIO, RoomsHouse, manor, outdoors
from tests.games.first_edition.test_lobby import answer
from tests.kit.servers.house import Client
from tests.kit.servers.tables import happened, room_id_of, room_of, seat_all

rule = pytest.mark.rule

BARRED = "setup/known_seat"
PEOPLE = ("bram-marrow", "nora-voss")


def asked(client: Client, message: messages.ClientMessage) -> messages.ServerMessage:
    """Return the reply to a message."""
    client.send(message)
    client.house.settle(0.2)
    return [m for m in client.session.sent if getattr(m, "serial", None) == message.serial][-1]


def a_setup(house: RoomsHouse) -> tuple[Client, str]:
    """Return the owner and the code of a new setup."""
    owner = house.client("Owner")
    reply = asked(owner, messages.MakeSetup(owner.next_serial()))
    assert isinstance(reply, messages.SetupMade)
    return owner, reply.code


def seated(house: RoomsHouse, code: str, *names: str) -> list[Client]:
    """Return clients at a table of a setup, the keeper first, who have claimed roles."""
    clients = seat_all(house, names)
    keeper, *others = clients
    keeper.port.claim_role(KEEPER)
    house.settle()
    asked(keeper, messages.FixSetup(keeper.next_serial(), room_id_of(keeper), code))
    for client, who in zip(others, PEOPLE, strict=False):
        client.port.claim((f"investigator/{who}",))
        house.settle()
    return clients


def begun(house: RoomsHouse, code: str, *names: str) -> list[Client]:
    """Return clients in a game of a setup, the keeper first."""
    clients = seated(house, code, *names)
    for client in clients:
        client.port.set_ready(is_ready=True)
        house.settle()
    clients[0].port.start()
    house.settle()
    return clients


def refusal_of(client: Client) -> str:
    """Return the code with which readiness is refused; empty if it is not."""
    before = len(client.session.all(messages.Refusal))
    client.port.set_ready(is_ready=True)
    client.house.settle()
    refused = client.session.all(messages.Refusal)[before:]
    return refused[-1].code if refused else ""


def played_to_round_one(house: RoomsHouse, clients: list[Client]) -> FirstEditionTable:
    """Answer by the defaults until round 1 begins; return the table."""
    for _ in range(4):
        game = game_of(house, clients[0])
        if game.round_number:
            break
        for client in clients:
            answer(house, client)
    return game_of(house, clients[0])


def game_of(house: RoomsHouse, client: Client) -> FirstEditionTable:
    game = house.host_of(client).room.table.game
    assert isinstance(game, FirstEditionTable)
    return game


@rule("K-SETUP-2", "K-DECIDE-5")
def test_two_tables_with_one_setup_have_one_objective_and_one_placement() -> None:
    house = RoomsHouse()
    _, code = a_setup(house)
    games = [
        played_to_round_one(house, begun(house, code, *names))
        for names in (("Kim", "Ann", "Ben"), ("Zoe", "Yan"))
    ]

    found = []
    for game in games:
        assert game.answers is not None
        assert game.objective is not None
        laid = {room: [c.card.value for c in cards] for room, cards in game.laid.items()}
        locks = {room: lock.card.value for room, lock in game.locks.items()}
        found.append((game.answers.value, game.objective.value, laid, locks))
    assert found[0] == found[1]


@rule("K-SETUP-2", "K-SECRET-5")
def test_setups_differ_in_their_answers() -> None:
    house = RoomsHouse()
    owner, _ = a_setup(house)
    found = set()
    for at in range(6):
        reply = asked(owner, messages.MakeSetup(owner.next_serial()))
        assert isinstance(reply, messages.SetupMade)
        game = played_to_round_one(house, begun(house, reply.code, f"Kim {at}", f"Ann {at}"))
        assert game.answers is not None
        found.add(tuple(game.answers.value.items()))

    assert len(found) > 1


@rule("K-SECRET-5", "K-SECRET-6")
def test_the_keeper_is_told_answers_and_objective_and_nobody_asks_for_them() -> None:
    house = RoomsHouse()
    _, code = a_setup(house)
    kim, ann, ben = clients = begun(house, code, "Kim", "Ann", "Ben")
    played_to_round_one(house, clients)

    for event in (fe.AnswersGiven, fe.ObjectiveSet):
        for client, is_told in ((kim, True), (ann, False), (ben, False)):
            assert client.model.view is not None
            (one,) = [r.event for r in client.model.view.records if isinstance(r.event, event)]
            secret = one.answers if isinstance(one, fe.AnswersGiven) else one.objective
            assert secret.is_open == is_told
    rows = [
        one for one in happened(house, room_id_of(kim), events.Asked) if one.rule == "K-DECIDE-4"
    ]
    assert [sorted(one.questions) for one in rows] == [[1, 2]]


@rule("K-SECRET-5")
def test_what_was_dealt_is_sealed_to_everybody_but_the_keeper_by_the_answers() -> None:
    house = RoomsHouse()
    _, code = a_setup(house)
    kim, ann = clients = begun(house, code, "Kim", "Ann")
    played_to_round_one(house, clients)

    sealed = game_of(house, kim).answers
    assert sealed is not None
    for client in (kim, ann):
        assert client.model.view is not None
        dealt = [r.event for r in client.model.view.records if isinstance(r.event, events.Dealt)]
        answers = [one for one in dealt if one.purpose == "answer"]
        assert len(answers) == len(sealed.value)
        assert not any(one.choice.is_open for one in answers)


@pytest.mark.parametrize("is_outdoors", [False, True])
def test_once_the_setup_is_closed_the_whole_game_is_checked_with_its_answers(
    is_outdoors: bool,
) -> None:
    """Outdoors the lot has answered for the investigators and taken hidden actions, too."""
    house = RoomsHouse(pack=outdoors() if is_outdoors else manor())
    owner, code = a_setup(house)
    kim, *others = clients = begun(house, code, "Kim", "Ann", "Ben")
    played_to_round_one(house, clients)
    kim.port.propose_give_up()
    house.settle(0.2)
    for client in others:
        proposal = room_of(house, kim).proposal
        if proposal is not None:
            client.port.consent(proposal.proposal_id, is_agreed=True)
            house.settle(1)
    asked(owner, messages.CloseSetup(owner.next_serial(), code))
    house.settle(1)

    asked(kim, messages.ExportTable(kim.next_serial(), room_id_of(kim)))
    parts = [p for p in kim.session.all(messages.ExportPart) if p.serial == kim.serial]
    archive = load(b"".join(part.data for part in parts))

    assert archive.header.is_whole
    report = audit(archive)
    assert (report.setup, report.has_game_laws) == (SetupSource.OPENED, True)


@rule("K-DECIDE-3")
def test_who_kept_the_house_of_a_setup_is_no_investigator_in_it() -> None:
    house = RoomsHouse()
    _, code = a_setup(house)
    begun(house, code, "Kim", "Ann")
    _, kim = seated(house, code, "Zoe", "Kim")

    assert refusal_of(kim) == BARRED


# A setup by vote ----------------------------------------------------------------------------------


def voted(*clients: Client) -> list[str]:
    """Return the objective as clients know it, empty where it is sealed."""
    found = []
    for client in clients:
        assert client.model.view is not None
        (goal,) = [
            r.event for r in client.model.view.records if isinstance(r.event, fe.ObjectiveSet)
        ]
        found.append(goal.objective.value if goal.objective.is_open else "")
    return found


@rule("W-DECIDE-47", "W-SECRET-6", "K-SETUP-2")
def test_in_a_setup_by_vote_the_lot_votes_and_tells_the_investigators_alone() -> None:
    house = RoomsHouse(pack=outdoors())
    _, code = a_setup(house)
    tables = [
        begun(house, code, *names) for names in (("Kim", "Ann", "Ben"), ("Zoe", "Yan", "Xen"))
    ]
    for clients in tables:
        played_to_round_one(house, clients)

    (first, second) = [voted(*clients) for clients in tables]
    assert first == second
    assert [bool(goal) for goal in first] == [False, True, True]


@rule("W-DECIDE-47", "W-STORY-5", "K-DECIDE-3")
@pytest.mark.parametrize("was_keeper", [True, False])
@pytest.mark.parametrize("will_be_keeper", [True, False])
def test_whoever_met_a_setup_by_vote_gets_no_seat_in_it(
    was_keeper: bool, will_be_keeper: bool
) -> None:
    """An investigator knows the objective, and the keeper what lies where."""
    house = RoomsHouse(pack=outdoors())
    _, code = a_setup(house)
    begun(house, code, *(("Kim", "Ann", "Ben") if was_keeper else ("Ann", "Kim", "Ben")))
    clients = seated(house, code, *(("Kim", "Zoe") if will_be_keeper else ("Zoe", "Kim")))
    kim, zoe = sorted(clients, key=lambda one: one.model.name)

    assert refusal_of(kim) == BARRED
    fixed = room_of(house, kim).fixed_setup
    assert fixed is not None
    accept = messages.AcceptSetup(kim.next_serial(), room_id_of(kim), fixed.commitment)
    reply = asked(kim, accept)
    assert isinstance(reply, messages.Refusal)
    assert reply.code == BARRED
    assert refusal_of(zoe) == ""


@rule("W-SECRET-10", "W-STORY-7")
@pytest.mark.parametrize("knowers", Knowers)
def test_cards_of_the_story_that_nobody_knows_are_kept_from_the_keeper_of_a_setup(
    knowers: Knowers,
) -> None:
    story = manor().scenarios[SCENARIO]
    trail = StoryCards(StoryDeck.TRAIL, (StoryCard("trail/one"),), knowers)
    content = Content(manor(), attrs.evolve(story, decks=(trail,)))

    informed = FirstEdition().informed_roles(content)

    assert informed == (() if knowers is Knowers.NOBODY else (KEEPER,))
