"""A fixed setup of the first edition: the lot answers for the keeper, and the sides can change."""

import pytest

from protocol import messages
from protocol.archive import load
from protocol.audit import SetupSource, audit
from protocol.common import events
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.table import FirstEditionTable
from protocol.games.first_edition.words import KEEPER
from tests.games.first_edition.house import RoomsHouse
from tests.games.first_edition.test_lobby import answer
from tests.kit.servers.house import Client
from tests.kit.servers.tables import happened, room_id_of, seat_all

rule = pytest.mark.rule

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


def begun(house: RoomsHouse, code: str, *names: str) -> list[Client]:
    """Return clients in a game of a setup, the keeper first."""
    clients = seat_all(house, names)
    keeper, *others = clients
    keeper.port.claim_role(KEEPER)
    house.settle()
    asked(keeper, messages.FixSetup(keeper.next_serial(), room_id_of(keeper), code))
    for client, who in zip(others, PEOPLE, strict=False):
        client.port.claim((f"investigator/{who}",))
        house.settle()
    for client in clients:
        client.port.set_ready(is_ready=True)
        house.settle()
    keeper.port.start()
    house.settle()
    return clients


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


def test_once_the_setup_is_closed_the_whole_game_is_checked_with_its_answers() -> None:
    house = RoomsHouse()
    owner, code = a_setup(house)
    kim, ann = clients = begun(house, code, "Kim", "Ann")
    played_to_round_one(house, clients)
    kim.port.propose_give_up()
    house.settle(0.2)
    proposal = house.host_of(kim).room.table.room.proposal
    if proposal is not None:
        ann.port.consent(proposal.proposal_id, is_agreed=True)
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
    zoe, kim = seat_all(house, ("Zoe", "Kim"))
    zoe.port.claim_role(KEEPER)
    house.settle()
    asked(zoe, messages.FixSetup(zoe.next_serial(), room_id_of(zoe), code))
    kim.port.claim(("investigator/bram-marrow",))
    house.settle()
    kim.port.set_ready(is_ready=True)
    house.settle()

    assert [one.code for one in kim.session.all(messages.Refusal)] == ["setup/known_seat"]
