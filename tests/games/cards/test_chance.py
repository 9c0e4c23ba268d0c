"""Random results come from seeds that bind the server, and from a share of each seat."""

import functools

import pytest

from protocol.archive import load
from protocol.audit import audit
from protocol.common import events
from protocol.common.events.chance import DrawEvent
from protocol.common.table import Settings
from protocol.event import Event
from server.kernel.room import Room
from tests.games.cards.client.kit import room_of, view_of
from tests.games.cards.simulate import simulate
from tests.verifying.logs import file_of

pytestmark = pytest.mark.issue(42)


@functools.cache
def shut() -> Room:
    """Return a game that is over, at a table that keeps its seeds."""
    game = simulate(1, 2)
    game.settings = Settings(publish=False)
    return game.play().room


def seen(room: Room, seat: int | None) -> list[Event]:
    """Return the events of a game as a seat, or a spectator, was sent them."""
    return [record.event for record in view_of(room, seat).records]


@pytest.mark.rule("C-DECIDE-45", "C-SECRET-21")
def test_the_server_is_bound_before_any_seat_gives_its_share() -> None:
    kinds = [type(event) for event in seen(room_of(1), None)]
    bound, opened = kinds.index(events.SeedsCommitted), kinds.index(events.ShareOpened)
    assert kinds.count(events.ShareCommitted) == kinds.count(events.ShareOpened) == 2
    assert bound < kinds.index(events.ShareCommitted) < opened < kinds.index(events.GameStarted)
    drawn = [at for at, kind in enumerate(kinds) if issubclass(kind, DrawEvent)]
    assert kinds.index(events.GameStarted) < drawn[0]


@pytest.mark.rule("C-DECIDE-45", "C-SECRET-21")
def test_each_random_result_is_on_the_log_and_is_computed_again_after_the_end() -> None:
    room = room_of(1)
    drawn = [event for event in seen(room, None) if isinstance(event, DrawEvent)]
    purposes = {event.purpose.partition(" ")[0] for event in drawn}
    assert {"token", "shuffle"} <= purposes
    assert audit(load(file_of(room))).counts.computed.total() == len(drawn)


@pytest.mark.rule("C-DECIDE-45", "C-SECRET-21")
@pytest.mark.parametrize("seat", [0, 1, None])
def test_nobody_is_sent_a_seed_before_the_end(seat: int | None) -> None:
    (bound,) = [one for one in seen(room_of(1), seat) if isinstance(one, events.SeedsCommitted)]
    assert not bound.play_seed.is_open
    assert not bound.house_seed.is_open


@pytest.mark.rule("C-DECIDE-45", "C-SECRET-21")
def test_the_seeds_are_opened_after_the_end_unless_the_table_keeps_them() -> None:
    closed = {
        room: [event for event in seen(room, 0) if isinstance(event, events.RoomClosed)]
        for room in (room_of(1), shut())
    }
    assert [len(one.seeds) for (one,) in closed.values()] == [2, 0]
