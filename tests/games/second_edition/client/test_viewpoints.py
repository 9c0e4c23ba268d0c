"""Each viewpoint of a finished game shows what its seat was shown at the time."""

import functools

import pytest

from client.model.viewpoints import (
    EVERYTHING,
    TABLE,
    Viewpoint,
    reveals_in,
    seen_from,
    viewpoints_of,
)
from protocol.archive import MAGIC, Archive, Header, load, write
from protocol.common import events
from protocol.common.table import Settings, Table, fold
from protocol.event import Record, cut, read
from protocol.event_contents import secrets_of
from server.kernel.room import Room
from tests.games.second_edition.simulate import finished_game
from tests.kernel.test_give_seat import given
from tests.kit.tables.playing import Policy, begin, play
from tests.verifying.files import FORGER
from tests.verifying.logs import file_of, recorded, short_logs

pytestmark = pytest.mark.issue(17)


@functools.cache
def game() -> tuple[Room, Archive]:
    """Return a finished game of three, and its complete archive."""
    room = finished_game()
    return room, load(file_of(room))


def shown(room: Room, seat: int | None) -> tuple[Record, ...]:
    """Return the records as the server cut them for a seat."""
    return tuple(read(room.room_id, cut(stored, seat)) for stored in room.log)


@pytest.mark.parametrize("seat", [0, 1, 2, None])
def test_a_seats_view_is_what_that_seat_was_sent(seat: int | None) -> None:
    room, archive = game()

    seen = seen_from(archive, Viewpoint(seat))

    assert seen.records == shown(room, seat)
    assert seen.tables[-1] == functools.reduce(fold, shown(room, seat), Table())


def test_everything_is_all_that_the_file_opens() -> None:
    _, archive = game()

    assert seen_from(archive, EVERYTHING).records == archive.records


def test_each_viewpoint_hides_what_others_show() -> None:
    _, archive = game()

    open_secrets = [
        sum(
            s.is_open
            for record in seen_from(archive, one).records
            for s in secrets_of(record.event)
        )
        for one in (EVERYTHING, Viewpoint(0), TABLE)
    ]

    assert open_secrets == sorted(open_secrets, reverse=True)
    assert len(set(open_secrets)) == 3


def test_viewpoints_of_a_whole_file_are_all_seats_and_the_table() -> None:
    _, archive = game()

    assert viewpoints_of(archive) == (EVERYTHING, *map(Viewpoint, range(3)), TABLE)


@pytest.mark.parametrize("seat", [0, None])
def test_a_file_of_a_running_game_shows_its_own_view_and_nothing_else(seat: int | None) -> None:
    room = recorded(10, 2).room
    archive = load(file_of(room, 0)) if seat == 0 else load(_watchers(room))

    points = viewpoints_of(archive)

    assert points == ((Viewpoint(0), TABLE) if seat == 0 else (TABLE,))
    for point in points:
        for record, whole in zip(seen_from(archive, point).records, archive.records, strict=True):
            opened = {s.ref for s in secrets_of(record.event) if s.is_open}
            assert opened <= {s.ref for s in secrets_of(whole.event) if s.is_open}


def _watchers(room: Room) -> bytes:
    """Return the archive that a spectator gets of a running game."""
    cuts = [cut(stored, None) for stored in room.log]
    header = Header(MAGIC, room.room_id, False, -1, 0, 1, FORGER.public, len(cuts))
    return b"".join(write(header, cuts, (), sign=FORGER.sign))


def test_who_takes_over_a_seat_knows_nothing_from_before() -> None:
    room = play(given(begin(3, settings=Settings(secrets_go_along=False))), Policy(3), seats=3).room
    archive = load(file_of(room))
    handover = next(r.sequence for r in archive.records if isinstance(r.event, events.SeatGiven))

    seen = seen_from(archive, Viewpoint(2))

    known, new = shown(room, 2), shown(room, None)
    before = functools.reduce(fold, known[:handover], Table())
    since = seen.tables[-1].room.seats[2].since
    after = functools.reduce(fold, (*new[:since], *known[since:]), Table())
    assert since >= handover
    assert seen.tables[handover] == before
    assert seen.tables[-1] == after
    assert seen.tables[-1] != functools.reduce(fold, known, Table())


def test_a_reveal_says_who_knew_it_and_since_when() -> None:
    for data in (file_of(game()[0]), *short_logs()):
        archive = load(data)
        for record in archive.records:
            for reveal in reveals_in(record, archive.records):
                made = archive.records[reveal.sequence]
                assert made.sequence < record.sequence
                assert reveal.seats in {s.audience for s in secrets_of(made.event)}
                return
    raise AssertionError("no log opens a secret")
