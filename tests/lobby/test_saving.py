"""Saving: the log is the save at every step; games are left and resumed."""

import random

import pytest

from client.bots.brains import SENSIBLE
from protocol import messages
from protocol.archive import load
from protocol.common.asks import Question, Settle
from protocol.common.table import Stage, Table
from tests.kit.servers.house import Client, House
from tests.kit.servers.tables import room_id_of, room_of, seat_all, start_all

rule = pytest.mark.rule


@pytest.fixture
def house() -> House:
    """Return a server with nobody there."""
    return House()


def question_of(client: Client) -> Question | None:
    """Return the open question of a client."""
    assert client.model.view is not None
    return client.model.view.my_question()


def answer_some(house: House, clients: list[Client], count: int) -> None:
    """Let clients answer `count` questions as bots would; the game must not end."""
    chance = random.Random(count)
    for _ in range(count):
        for client in clients:
            view = client.model.view
            assert view is not None
            question, ask = view.my_question(), view.ask
            if question is None or ask is None:
                continue
            picks = SENSIBLE(view, question, chance)
            if ask.settle is Settle.AGREE:
                client.port.vote(ask.ask_id, (question.choices[0].choice_id,))
            else:
                client.port.answer(ask.ask_id, picks)
            house.settle(0.2)
    assert room_of(house, clients[0]).stage is Stage.PLAYING


def table_of(house: House, room_id: str) -> Table:
    """Return a table as the server has it."""
    return house.lobby.registry.hosts[room_id].room.table


@rule("APP-14")
@rule("APP-9")
def test_whoever_leaves_finds_the_game_again_where_it_was() -> None:
    house = House()
    ann, ben = start_all(house, ["Ann", "Ben"])
    room_id, asked = room_id_of(ann), question_of(ann)

    ann.port.leave_table()
    house.settle()
    assert ann.model.view is None
    ann.port.list_tables()
    house.settle()
    (line,) = ann.model.lobby.tables or ()
    assert (line.room_id, line.stage) == (room_id, Stage.PLAYING)

    ann.port.enter(room_id)
    house.settle()
    assert question_of(ann) == asked
    assert question_of(ben) is not None or asked is not None


@rule("APP-14")
@rule("APP-15")
@rule("DECIDE-145")
def test_what_comes_back_is_the_whole_table(house: House) -> None:
    ann, ben = start_all(house, ["Ann", "Ben"])
    for steps in (5, 12, 20):
        room_id = room_id_of(ann)
        answer_some(house, [ann, ben], steps)
        before = table_of(house, room_id)
        assert before.game is not None

        house.restart()
        ann, ben = house.client("Ann"), house.client("Ben")
        for client in (ann, ben):
            client.port.enter(room_id)
            house.settle()

        after = table_of(house, room_id)
        assert after.game == before.game
        assert after.checkpoints == before.checkpoints
        assert after.room.ask == before.room.ask


@rule("DECIDE-145")
def test_the_save_does_not_leave_the_server_while_the_game_lasts(house: House) -> None:
    """An export of a running game has only what the asker was sent."""
    ann, ben = start_all(house, ["Ann", "Ben"])
    answer_some(house, [ann, ben], 20)

    ann.send(messages.ExportTable(9_999, room_id_of(ann)))
    house.settle()

    kept = load(b"".join(part.data for part in ann.session.all(messages.ExportPart)))
    assert not kept.header.is_whole
    assert ann.model.view is not None
    assert kept.cuts == tuple(ann.model.view.cuts)
    assert kept.header.seat == 0


@rule("APP-16")
@rule("APP-17")
@rule("DECIDE-146")
def test_a_new_game_takes_nothing_from_another(house: House) -> None:
    ann, ben = start_all(house, ["Ann", "Ben"])
    first, asked = room_id_of(ann), question_of(ann)
    before = house.log_of(room_id_of(ann))

    house.open_table(ann)
    second = room_id_of(ann)
    assert second != first
    ann.port.list_tables()
    house.settle()
    assert {line.room_id for line in ann.model.lobby.tables or ()} == {first, second}

    house.restart()
    ann = house.client("Ann")
    ann.port.enter(first)
    house.settle()
    assert question_of(ann) == asked
    kept = house.log_of(room_id_of(ann))
    assert kept[: len(before)] == before
    del ben


@rule("APP-16")
@rule("APP-17")
@rule("DECIDE-146")
def test_where_a_game_is_on_no_other_can_begin(house: House) -> None:
    ann, _ = start_all(house, ["Ann", "Ben"])
    log = house.log_of(room_id_of(ann))

    ann.port.choose_scenario(house.scenario_id())
    house.settle()
    assert ann.session.last(messages.Refusal).code == "table/already_started"
    ann.port.start()
    house.settle()
    assert ann.session.last(messages.Refusal).code == "table/already_started"

    assert house.log_of(room_id_of(ann)) == log
    assert room_of(house, ann).stage is Stage.PLAYING


@rule("APP-14")
def test_a_table_that_has_not_begun_is_kept_too(house: House) -> None:
    ann, ben = seat_all(house, ["Ann", "Ben"])
    room_id = room_id_of(ann)
    del ben

    house.restart()
    again = house.client("Ben")
    again.port.enter(room_id)
    house.settle()

    assert again.model.view is not None
    assert [seat.name for seat in again.model.view.table.room.seats.values()] == ["Ann", "Ben"]
    assert ann.model.name == "Ann"
