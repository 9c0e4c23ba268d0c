"""Damage: logs whose bytes have changed, and content that is no longer there."""

import random
from collections.abc import Callable
from typing import Any

import attrs
import pytest

from protocol import messages
from protocol.archive import load
from protocol.common import events
from protocol.common.table import Stage
from tests.kit.every_run import half_of
from tests.kit.servers.failing import FailingHouse
from tests.kit.servers.house import House
from tests.kit.servers.tables import (
    assert_same,
    come_back,
    get_ready,
    happened,
    room_id_of,
    room_of,
    seat_all,
    start_all,
    start_at_vote,
)


@pytest.fixture
def house() -> FailingHouse:
    """Return an empty server whose store can be damaged."""
    return FailingHouse()


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _: b"",
    "short": lambda data: data[: len(data) // 2],
    "long": lambda data: data + b"\x00",
    "zero": lambda data: bytes(len(data)),
    "other": lambda data: b"\xff" * len(data),
}


@pytest.mark.parametrize(("name", "sequence"), half_of([*DAMAGES], (0, 1, 7, -1)))
def test_a_damaged_room_is_refused_and_the_others_go_on(
    house: FailingHouse, name: str, sequence: int
) -> None:
    ada, _ = start_all(house, ["Ada", "Ben"])
    cleo, _ = start_all(house, ["Cleo", "Dan"])
    broken, sound = room_id_of(ada), room_id_of(cleo)
    house.store.damage(broken, sequence, DAMAGES[name])
    house.store._values.clear()

    house.restart()
    ada, cleo = come_back(house, "Ada", broken), come_back(house, "Cleo", sound)
    cleo.port.chat("all is well")
    house.settle()

    assert ada.session.last(messages.Refusal).code == "table/unreadable"
    assert not ada.session.all(messages.Records)
    assert len(happened(house, sound, events.Chatted)) == 1
    assert_same(house, [cleo])


def test_a_log_without_its_end_is_refused(house: FailingHouse) -> None:
    ada, _ = start_all(house, ["Ada", "Ben"])
    room_id = room_id_of(ada)
    del house.store._logs[room_id][-1:]

    house.restart()

    assert (
        come_back(house, "Ada", room_id).session.last(messages.Refusal).code == "table/unreadable"
    )


def test_a_log_with_a_hole_is_refused(house: FailingHouse) -> None:
    ada, _ = start_all(house, ["Ada", "Ben"])
    room_id = room_id_of(ada)
    del house.store._logs[room_id][5]

    house.restart()

    assert (
        come_back(house, "Ada", room_id).session.last(messages.Refusal).code == "table/unreadable"
    )


@pytest.mark.parametrize("seed", range(12))
def test_a_flipped_bit_hangs_nobody(house: FailingHouse, seed: int) -> None:
    rng = random.Random(seed)
    ada, _ = start_all(house, ["Ada", "Ben"])
    cleo, _ = seat_all(house, ["Cleo", "Dan"])
    broken, sound = room_id_of(ada), room_id_of(cleo)

    def flip(data: bytes) -> bytes:
        at, bit = rng.randrange(len(data)), 1 << rng.randrange(8)
        return data[:at] + bytes([data[at] ^ bit]) + data[at + 1 :]

    house.store.damage(broken, rng.randrange(len(house.store._logs[broken])), flip)
    house.restart()
    ada, cleo = come_back(house, "Ada", broken), come_back(house, "Cleo", sound)
    ada.send(messages.Chat(2000, broken, "is this on?"))
    cleo.port.chat("all is well")
    house.settle()

    assert len(happened(house, sound, events.Chatted)) == 1
    assert any(getattr(message, "serial", 0) == 2000 for message in ada.session.sent)


def test_a_damaged_room_can_be_mended_while_the_server_runs(house: FailingHouse) -> None:
    (ada,) = seat_all(house, ["Ada"])
    room_id = room_id_of(ada)
    kept = house.store._logs[room_id][1]
    house.store.damage(room_id, 1, DAMAGES["zero"])
    house.restart()
    assert (
        come_back(house, "Ada", room_id).session.last(messages.Refusal).code == "table/unreadable"
    )

    house.store._logs[room_id][1] = kept

    assert_same(house, [come_back(house, "Ada", room_id)])


# Content that is gone


@attrs.define(eq=False)
class UpdatedHouse(House):
    """A server whose content can be replaced, so that the old content is lost."""

    is_new: bool = False

    def content(self) -> Any:
        known: Any = super().content()
        return attrs.evolve(known, digest=b"n" * 32) if self.is_new else known


@pytest.fixture
def updated() -> UpdatedHouse:
    """Return an empty server whose content can be lost."""
    return UpdatedHouse()


def lose_content(house: UpdatedHouse) -> None:
    """Restart the server with other content only."""
    house.is_new = True
    house.restart()


def test_a_game_without_its_content_is_shown_and_stands_still(updated: UpdatedHouse) -> None:
    ada, _ = start_at_vote(updated, ["Ada", "Ben"])
    room_id = room_id_of(ada)
    lose_content(updated)
    ada = come_back(updated, "Ada", room_id)
    assert_same(updated, [ada])
    assert [notice.code for notice in ada.session.all(messages.Notice)] == ["table/halted"]

    ada.port.chat("what now?")
    ask = room_of(updated, ada).ask
    assert ask is not None
    ada.port.vote(ask.ask_id, ask.questions[0].value.default)
    ada.send(messages.ExportTable(2000, room_id))
    updated.settle()

    assert ada.session.last(messages.Refusal).code == "table/halted"
    assert len(happened(updated, room_id, events.Chatted)) == 1
    archive = load(b"".join(part.data for part in ada.session.all(messages.ExportPart)))
    assert archive.cuts == tuple(ada.model.view.cuts if ada.model.view else ())


def test_a_game_whose_content_comes_back_plays_on(updated: UpdatedHouse) -> None:
    ada, _ = start_all(updated, ["Ada", "Ben"])
    room_id = room_id_of(ada)
    lose_content(updated)
    come_back(updated, "Ada", room_id).port.chat("what now?")
    updated.settle()

    updated.is_new = False
    updated.restart()
    ada, ben = come_back(updated, "Ada", room_id), come_back(updated, "Ben", room_id)
    players = [updated.bot(ada, 1), updated.bot(ben, 2)]
    updated.settle(60)

    assert all(player.model.view is not None for player in players)
    assert len(happened(updated, room_id, events.Settled)) > 3
    assert_same(updated, [ada, ben])


def test_a_table_without_its_content_can_play_the_new_one(updated: UpdatedHouse) -> None:
    ada, ben = seat_all(updated, ["Ada", "Ben"])
    get_ready(updated, [ada, ben])
    room_id = room_id_of(ada)
    lose_content(updated)
    ada, ben = come_back(updated, "Ada", room_id), come_back(updated, "Ben", room_id)

    ada.port.choose_scenario(updated.scenario_id())
    updated.settle()
    get_ready(updated, [ada, ben])
    ada.port.start()
    updated.settle()
    assert room_of(updated, ada).stage is Stage.PLAYING
    updated.bot(ada, 1)
    updated.bot(ben, 2)
    updated.settle(60)

    assert len(happened(updated, room_id, events.Settled)) > 3
    assert_same(updated, [ada, ben])


def test_a_table_without_its_content_answers_what_it_cannot_do(updated: UpdatedHouse) -> None:
    ada, _ = seat_all(updated, ["Ada", "Ben"])
    room_id = room_id_of(ada)
    lose_content(updated)
    ada = come_back(updated, "Ada", room_id)
    before = updated.host_of(ada).room.head

    ada.port.claim((next(iter(updated.content().investigators)),))
    updated.settle()

    assert not ada.model.sent
    assert ada.session.last(messages.Refusal).code in {"rule/failed", "table/no_such_piece"}
    assert updated.host_of(ada).room.head == before
