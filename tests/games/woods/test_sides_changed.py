"""Sides changed: two groups play one fixed setup, and each once gives the keeper."""

import pytest

from client.locale import LANGUAGES
from client.screens.lobby.result_words import beside_lines, players_of
from protocol import messages
from protocol.common import events
from protocol.common.table import Stage
from tests.games.woods.content.schema import Content
from tests.games.woods.protocol.events import SnareLaid
from tests.games.woods.protocol.table import ANIMAL, KEEPER
from tests.games.woods.results import play_on
from tests.games.woods.table import Party, a_party, told
from tests.games.woods.test_results import asked, speaking
from tests.kit.servers.house import Client
from tests.kit.servers.tables import happened, room_id_of, room_of, seat_all

pytestmark = pytest.mark.issue(40)

BADGER, CRANE = "animal/badger", "animal/crane"
BARRED = "setup/known_seat"
ELSEWHERE = "setup/other_game"


def fix(client: Client, code: str) -> None:
    """Fix a setup at the table of its host."""
    asked(client, messages.FixSetup(client.next_serial(), room_id_of(client), code))


def make(party: Party) -> tuple[Client, str]:
    """Return the owner and the code of a new setup."""
    owner = party.house.client("Owner")
    reply = asked(owner, messages.MakeSetup(owner.next_serial()))
    assert isinstance(reply, messages.SetupMade)
    return owner, reply.code


def first_game(content: Content | None = None) -> tuple[Party, Client, str]:
    """Return a game of a fixed setup that Kim keeps against Ann and Ben."""
    party = a_party(content=content)
    owner, code = make(party)
    fix(party.kim, code)
    begin(party)
    return party, owner, code


def begin(party: Party) -> None:
    party.get_ready(party.kim)
    for client, animal in zip(party.others, (BADGER, CRANE), strict=False):
        party.get_ready(client, animal)
    party.start()


def second(party: Party, names: list[str], code: str) -> Party:
    """Return a table of the same house with the setup; the first one named is its keeper."""
    keeper, *others = seat_all(party.house, names)
    keeper.port.claim_role(KEEPER)
    party.house.settle()
    fix(keeper, code)
    return Party(party.house, keeper, tuple(others))


def readied(party: Party, client: Client, *characters: str) -> str:
    """Return the code with which readiness is refused; empty if it is not."""
    count = len(client.session.all(messages.Refusal))
    if characters:
        client.port.claim(characters)
        party.house.settle()
    view = client.model.view
    assert view is not None
    client.port.set_ready(is_ready=True)
    party.house.settle()
    refused = client.session.all(messages.Refusal)[count:]
    return refused[-1].code if refused else ""


def vacated(party: Party, seat: int, giver: Client) -> str:
    """Give a seat away by everybody's agreement; return the code of the invitation to it."""
    giver.port.propose_give_seat(seat, to_bot=False)
    party.house.settle(0.2)
    for client in (party.kim, *party.others):
        proposal = room_of(party.house, giver).proposal
        if proposal is not None and client is not giver:
            client.port.consent(proposal.proposal_id, is_agreed=True)
            party.house.settle(0.2)
    return giver.session.last(messages.InvitationMade).code


def accept(client: Client) -> messages.ServerMessage:
    """Say that the owner of a seat plays a setup that they know."""
    fixed = room_of(client.house, client).fixed_setup
    assert fixed is not None
    room = room_id_of(client)
    return asked(client, messages.AcceptSetup(client.next_serial(), room, fixed.commitment))


# What the lot decides ----------------------------------------------------------------------------


@pytest.mark.rule("WOODS-10")
def test_in_a_fixed_setup_the_first_snare_is_the_lots_and_the_keeper_alone_is_told() -> None:
    party, _, code = first_game()
    other = second(party, ["Zoe", "Yan", "Xen"], code)
    begin(other)

    laid = []
    for table in (party, other):
        (known,) = told(table.kim, SnareLaid)
        (sealed,) = told(table.others[0], SnareLaid)
        assert not sealed.clearing.is_open
        laid.append(known.clearing.value)
    assert laid[0] == laid[1]
    assert party.kim.model.view is not None
    assert party.kim.model.view.my_question() is None


# Who may take which seat -------------------------------------------------------------------------


def test_who_kept_the_house_may_not_walk_in_it() -> None:
    party, _, code = first_game()
    again = second(party, ["Zoe", "Kim"], code)
    kim = again.others[0]

    assert readied(again, kim, BADGER) == BARRED
    reply = accept(kim)
    assert isinstance(reply, messages.Refusal)
    assert reply.code == BARRED
    assert not happened(party.house, room_id_of(kim), events.SetupAccepted)


def test_who_walked_in_the_house_may_keep_it_once_the_table_knows() -> None:
    party, _, code = first_game(Content(rounds=9))
    play_on(party, KEEPER)
    again = second(party, ["Ann", "Dan", "Eve"], code)

    assert readied(again, again.kim) == "setup/known"
    accept(again.kim)
    assert readied(again, again.kim) == ""
    for client, animal in zip(again.others, (BADGER, CRANE), strict=True):
        assert readied(again, client, animal) == ""
    again.start()
    assert again.game.animals
    assert room_of(party.house, again.kim).seats[0].knows_setup


def test_who_still_walks_in_the_house_may_not_keep_it_elsewhere() -> None:
    party, _, code = first_game()
    again = second(party, ["Ann", "Dan", "Eve"], code)

    assert readied(again, again.kim) == ELSEWHERE
    reply = accept(again.kim)
    assert isinstance(reply, messages.Refusal)
    assert reply.code == ELSEWHERE
    assert not happened(party.house, room_id_of(again.kim), events.SetupAccepted)


def test_who_begins_to_walk_after_getting_ready_to_keep_is_unready_and_told_why() -> None:
    party = a_party()
    _, code = make(party)
    again = second(party, ["Ann", "Dan"], code)
    assert readied(again, again.kim) == ""
    assert readied(again, again.others[0], BADGER) == ""
    fix(party.kim, code)
    begin(party)

    again.start()

    assert [one.code for one in again.kim.session.all(messages.Notice)] == [ELSEWHERE]
    assert room_of(party.house, again.kim).stage is Stage.LOBBY


def test_a_vacated_seat_of_the_keeper_is_refused_to_who_walks_elsewhere() -> None:
    party, _, code = first_game()
    other = second(party, ["Zoe", "Yan", "Xen"], code)
    begin(other)
    invitation = vacated(other, 0, other.kim)

    for wanted in (messages.JoinTable, messages.JoinKnownTable):
        ann = party.others[0]
        reply = asked(ann, wanted(ann.next_serial(), invitation))
        assert isinstance(reply, messages.Refusal)
        assert reply.code == ELSEWHERE


def test_who_left_to_sit_at_the_other_table_does_not_come_back() -> None:
    party, _, code = first_game()
    invitation = vacated(party, 1, party.kim)
    ann = party.others[0]
    again = second(party, ["Ann", "Dan", "Eve"], code)
    assert readied(again, again.kim) == "setup/known"
    accept(again.kim)
    assert readied(again, again.kim) == ""
    for client, animal in zip(again.others, (BADGER, CRANE), strict=True):
        assert readied(again, client, animal) == ""
    again.start()
    assert again.game.animals

    reply = asked(ann, messages.JoinKnownTable(ann.next_serial(), invitation))

    assert isinstance(reply, messages.Refusal)
    assert reply.code == BARRED


@pytest.mark.parametrize("restarts", [False, True])
def test_a_keeper_who_gave_the_seat_up_does_not_walk_at_the_other_table(restarts: bool) -> None:
    """The other table has no seat of theirs any more, which would say that they know the setup."""
    party, _, code = first_game()
    ann, cat = party.others[0], party.house.client("Cat")
    invitation = vacated(party, 1, party.kim)
    again = second(party, ["Zoe", "Dan", "Eve"], code)
    begin(again)
    keeps = vacated(again, 0, again.kim)
    joins = messages.JoinKnownTable(ann.next_serial(), keeps)
    assert isinstance(asked(ann, joins), messages.Joined)
    ann.port.enter(room_id_of(again.kim))
    party.house.settle()
    left = vacated(Party(party.house, ann, again.others), 0, ann)
    assert isinstance(asked(cat, messages.JoinTable(cat.next_serial(), left)), messages.Joined)
    if restarts:
        party.house.restart()
        ann.connect()

    reply = asked(ann, messages.JoinKnownTable(ann.next_serial(), invitation))

    assert isinstance(reply, messages.Refusal)
    assert reply.code == BARRED


def test_a_role_changed_after_that_is_refused() -> None:
    party, _, code = first_game(Content(rounds=9))
    play_on(party, KEEPER)
    again = second(party, ["Ann", "Dan"], code)
    readied(again, again.kim)
    accept(again.kim)
    again.kim.port.claim_role(ANIMAL)
    party.house.settle()

    assert readied(again, again.kim, BADGER) == BARRED


def test_who_met_the_setup_after_getting_ready_is_unready_and_told_why() -> None:
    party = a_party()
    _, code = make(party)
    again = second(party, ["Zoe", "Ann"], code)
    (ann,) = again.others
    assert readied(again, ann, BADGER) == ""
    fix(party.kim, code)
    begin(party)

    assert readied(again, again.kim) == ""
    again.start()

    assert [one.code for one in ann.session.all(messages.Notice)] == [BARRED]
    assert not room_of(party.house, ann).seats[1].is_ready


def test_a_vacated_seat_is_refused_to_who_knows_the_setup_but_for_its_own_players() -> None:
    party, _, code = first_game()
    other = second(party, ["Zoe", "Yan", "Xen"], code)
    begin(other)
    yan = other.others[0]
    invitation = vacated(other, 1, other.kim)

    for wanted in (messages.JoinTable, messages.JoinKnownTable):
        kim = party.kim
        reply = asked(kim, wanted(kim.next_serial(), invitation))
        assert isinstance(reply, messages.Refusal)
        assert reply.code == BARRED
    reply = asked(yan, messages.JoinKnownTable(yan.next_serial(), invitation))
    assert isinstance(reply, messages.Joined)


# Results side by side ----------------------------------------------------------------------------

BESIDE = {
    "en": [
        "Side by side: A Night in the Woods",
        "                Table 1   Table 2",
        "Keeper          Kim       Zoe",
        "Animal          Ann, Ben  Yan, Xen",
        "Winner          Keeper    Keeper",
    ],
    "fr": ["Garde", "Vainqueur", "Manche"],
}


def both_played() -> tuple[Party, Client, str, messages.SetupResults]:
    """Return the results of two games of one setup, as Kim reads them, with owner and code."""
    party, owner, code = first_game(Content(rounds=9))
    other = second(party, ["Zoe", "Yan", "Xen"], code)
    begin(other)
    for table in (party, other):
        play_on(table, KEEPER)
    asked(owner, messages.CloseSetup(owner.next_serial(), code))
    party.house.settle()
    found = asked(party.kim, messages.ListResults(party.kim.next_serial(), code))
    assert isinstance(found, messages.SetupResults)
    return party, owner, code, found


def test_results_name_the_players_of_each_side() -> None:
    *_, found = both_played()

    assert [players_of(line) for line in found.lines] == [
        {KEEPER: ["Kim"], ANIMAL: ["Ann", "Ben"]},
        {KEEPER: ["Zoe"], ANIMAL: ["Yan", "Xen"]},
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_two_games_stand_side_by_side_in_columns(language: str) -> None:
    party, _, code, found = both_played()
    speaking(party.kim, language)
    asked(party.kim, messages.ListResults(party.kim.next_serial(), code))

    lines = list(beside_lines(party.kim.model, found))

    assert len(lines) == 8
    if language == "en":
        assert lines[1:5] == BESIDE["en"][1:]
    else:
        assert all(any(line.startswith(one) for line in lines) for one in BESIDE["fr"])


def test_one_game_alone_stands_beside_nothing() -> None:
    party, _, _, found = both_played()
    alone = messages.SetupResults(found.serial, found.lines[:1], table_count=1)

    assert list(beside_lines(party.kim.model, alone)) == []
