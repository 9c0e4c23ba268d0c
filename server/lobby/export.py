"""
Exports: a room's log as the asker may have it, in parts that fit a message.

While the game goes on everybody gets their own cut. Once the result is final, and if the settings
say so, everybody with a seat gets the whole log; only the words of the table's talk are left to
those who heard them. A spectator who is behind the seats gets no more than they were shown by then;
an observer gets a spectator's file, which both verifiers know, of what they were shown.
As long as a fixed setup is not opened the whole log stays shut: its house is that of other tables.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from protocol.archive import MAGIC, Header, WordsOf, write
from protocol.bounds import MAX_PART_BYTES
from protocol.common.events import Chatted
from protocol.common.table import RoomTable, Stage
from protocol.common.text import Catalog
from protocol.event import Cut, Stored, cut, everything, read
from server.kernel.room import Room
from server.lobby.words import Wordsmith


def export_parts(
    room: Room,
    log: Sequence[Stored],
    catalogs: Mapping[str, Catalog],
    seat: int | None,
    *,
    now: int,
    sign: Callable[[bytes], bytes],
    public: bytes,
) -> Iterator[tuple[bool, bytes]]:
    """
    Yield the parts of an archive, each with whether it is the last.

    Each is made when it is taken.

    Args:
        room: as it is now.
        log: its records, up to the first that the asker may not have.
        catalogs: the words of its content, by language.
        seat: who asks; None for a spectator.
        now: milliseconds since 1970.
        sign: signs with the server's identity, whose public half is `public`.
    """
    table = room.table.room
    is_whole = seat is not None and may_be_whole(table)
    since = table.seats[seat].since if seat is not None else 0
    cuts: list[Cut] = []

    def made() -> Iterator[Cut]:
        for stored in log:
            mine = cut(stored, seat, since=since)
            cuts.append(_opened(room.room_id, stored, mine) if is_whole else mine)
            yield cuts[-1]

    shown = -1 if is_whole or seat is None else seat
    header = Header(
        MAGIC, room.room_id, is_whole, shown, 0 if is_whole else since, now, public, len(log)
    )
    return _in_parts(write(header, made(), _words(catalogs, cuts), sign=sign))


def whole_parts(
    room: Room,
    log: Sequence[Stored],
    catalogs: Mapping[str, Catalog],
    *,
    now: int,
    sign: Callable[[bytes], bytes],
    public: bytes,
) -> Iterator[tuple[bool, bytes]]:
    """
    Yield the parts of the whole archive of a room, as `export_parts`, for the operator.

    Nothing is sealed but the words of the table's talk. `may_be_whole` has to hold.
    """
    cuts = [_opened(room.room_id, stored, cut(stored, None)) for stored in log]
    header = Header(MAGIC, room.room_id, True, -1, 0, now, public, len(log))
    return _in_parts(write(header, cuts, _words(catalogs, cuts), sign=sign))


def may_be_whole(table: RoomTable) -> bool:
    """Return whether the whole log of a room may be given away."""
    return table.settings.publish and _is_final(table)


def _is_final(table: RoomTable) -> bool:
    """Whether nothing on the log of a table is a secret of a game that may still be played."""
    is_pending = table.fixed_setup is not None and table.opened_setup is None
    return table.stage is Stage.OVER and not is_pending


def _opened(room_id: str, stored: Stored, mine: Cut) -> Cut:
    """Return a record of a finished game with all that its asker may have."""
    whole = everything(stored)
    return mine if isinstance(read(room_id, whole).event, Chatted) else whole


def _words(catalogs: Mapping[str, Catalog], cuts: Sequence[Cut]) -> Iterator[WordsOf]:
    """Yield the words of all cuts; there may be none yet before the first is asked for."""
    for language in sorted(catalogs):
        for words in Wordsmith(language).for_cuts(catalogs, cuts):
            yield WordsOf(words.language, words.subjects)


def _in_parts(frames: Iterable[bytes]) -> Iterator[tuple[bool, bytes]]:
    waiting = b""
    for frame in frames:
        waiting += frame
        while len(waiting) > MAX_PART_BYTES:
            yield False, waiting[:MAX_PART_BYTES]
            waiting = waiting[MAX_PART_BYTES:]
    yield True, waiting
