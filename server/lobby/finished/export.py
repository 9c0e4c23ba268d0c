"""
Exports: the log of a room for one asker, in parts that fit a message.

While the game goes on, each asker gets only what they may see. Once the result is final, everybody
with a seat gets the whole log if the settings publish it; chat still goes only to the people who
heard it. A delayed spectator gets the records that the delay has released. An observer gets the
same file as a spectator, since the verifiers know no files of observers. The log of a fixed setup
stays closed until the setup is opened, since other tables still play the same board.

The content is fixed when the request comes. Records are read from the store a few at a time, and
further ones only once the asker has taken the earlier parts. So neither a long log nor a slow
reader holds memory, and no step takes long.
"""

from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence

import attrs

from protocol.archive import MAGIC, Header, WordsOf, write
from protocol.bounds import MAX_PART_BYTES
from protocol.common.events import Chatted
from protocol.common.table import RoomTable, Stage
from protocol.common.text import Catalog, subjects_in
from protocol.event import Cut, Stored, cut, everything, read
from protocol.event_contents import shown_strings
from server.kernel.room import Room
from server.lobby.views.words import Wordsmith, result_subjects
from server.storage import LogDamaged, Store

PART_BYTES = 6 * 1024
"""Bytes rendered and sent per step, about 1 ms of work."""
RECORDS_AT_ONCE = 64
"""Maximum number of records read from the store at once."""

assert PART_BYTES <= MAX_PART_BYTES

Part = tuple[bool, bytes]
"""A part of a file: True for the last part, and the bytes."""


@attrs.frozen
class ExportRequest:
    """The content of an export, fixed when the asker requests it."""

    room_id: str
    seat: int | None
    """Seat of the asker; None for a spectator."""
    since: int
    """Sequence from which on the asker has owned the seat; 0 without a seat."""
    is_whole: bool
    end: int
    """Sequence of the first record that the file leaves out."""
    result: tuple[str, ...] = ()
    """Subjects whose words show the result; empty if the file ends before the game does."""

    @classmethod
    def of(cls, room: Room, seat: int | None, end: int) -> "ExportRequest":
        """Return the request of a seat, or of a spectator, for the records before `end`."""
        table = room.table.room
        is_whole = seat is not None and may_be_whole(table)
        since = table.seats[seat].since if seat is not None else 0
        result = result_subjects(room.table) if end == len(room.log) else ()
        return cls(room.room_id, seat, since, is_whole, end, result)

    @classmethod
    def whole(cls, room: Room) -> "ExportRequest":
        """
        Return the request for the whole log, without chat, by somebody without a seat.

        The caller has checked `may_be_whole`.
        """
        result = result_subjects(room.table)
        return cls(room.room_id, None, 0, True, len(room.log), result)

    def header(self, now: int, public: bytes) -> Header:
        """Return the header of a file that this server makes at the time `now`."""
        shown = -1 if self.is_whole or self.seat is None else self.seat
        since = 0 if self.is_whole else self.since
        return Header(MAGIC, self.room_id, self.is_whole, shown, since, now, public, self.end)

    def cut(self, stored: Stored) -> Cut:
        """Return the part of a record that the asker may read."""
        mine = cut(stored, self.seat, since=self.since)
        if not self.is_whole:
            return mine
        whole = everything(stored)
        # Of a line of chat, only what the asker heard.
        return mine if isinstance(read(self.room_id, whole).event, Chatted) else whole


class ArchiveMaker:
    """Makes one file, from records that are added a few at a time."""

    def __init__(
        self,
        asked: ExportRequest,
        catalogs: Mapping[str, Catalog],
        *,
        now: int,
        sign: Callable[[bytes], bytes],
        public: bytes,
    ) -> None:
        """
        Prepare the file.

        Args:
            asked: what the file may contain.
            catalogs: the words of the game's content, by language.
            now: milliseconds since 1970.
            sign: signs with the identity of the server.
            public: public half of that identity.
        """
        self._asked = asked
        self._catalogs = catalogs
        self._records: deque[Stored] = deque()
        self._subjects: dict[str, None] = dict.fromkeys(asked.result)
        """
        Subjects that the records name, in order of appearance. The file ends with their words.
        """
        self._frames = write(asked.header(now, public), self._cuts(), self._words(), sign=sign)
        # The first frame is the header.
        self._waiting = next(self._frames)

    def add(self, records: Sequence[Stored]) -> Iterator[Part]:
        """Add the next records; yield each part that is full. The caller exhausts the iterator."""
        self._records.extend(records)
        # After the header, each frame takes the next record.
        for _ in records:
            self._waiting += next(self._frames)
            yield from self._full()

    def finish(self) -> Iterator[Part]:
        """Yield the remaining parts, after all records were added."""
        for frame in self._frames:
            self._waiting += frame
            yield from self._full()
        yield True, self._waiting

    def _full(self) -> Iterator[Part]:
        # A full rest waits, too: only `finish` knows which part is the last.
        while len(self._waiting) > PART_BYTES:
            yield False, self._waiting[:PART_BYTES]
            self._waiting = self._waiting[PART_BYTES:]

    def _cuts(self) -> Iterator[Cut]:
        for _ in range(self._asked.end):
            mine = self._asked.cut(self._records.popleft())
            self._subjects.update(dict.fromkeys(subjects_in(shown_strings(mine))))
            yield mine

    def _words(self) -> Iterator[WordsOf]:
        for language in sorted(self._catalogs):
            for words in Wordsmith(language).for_subjects(self._catalogs, self._subjects):
                yield WordsOf(words.language, words.subjects)


def export_parts(maker: ArchiveMaker, log: Sequence[Stored]) -> Iterator[Part]:
    """Yield all parts of a file whose records are all in memory."""
    yield from maker.add(log)
    yield from maker.finish()


async def send_parts(
    maker: ArchiveMaker,
    asked: ExportRequest,
    store: Store,
    send: Callable[[Iterator[Part]], Awaitable[None]],
) -> None:
    """
    Make a file from the records in the store, and send it.

    Args:
        maker: a maker without any records.
        asked: the request for which the maker was made.
        store: holds the records.
        send: sends parts, and completes once the asker has taken them.

    Raises:
        StorageError: the records cannot be read, or are not what was stored.
    """
    for first in range(0, asked.end, RECORDS_AT_ONCE):
        last = min(asked.end, first + RECORDS_AT_ONCE)
        records = await store.read(asked.room_id, first, last)
        if len(records) < last - first:
            raise LogDamaged(asked.room_id, first + len(records), "the log ends here")
        await send(maker.add(records))
    await send(maker.finish())


def may_be_whole(table: RoomTable) -> bool:
    """Return True if the whole log of a room may be given out: published, and its result final."""
    # Before a fixed setup is opened, the whole log would give away games still played with it.
    is_pending = table.fixed_setup is not None and table.opened_setup is None
    return table.settings.publish and table.stage is Stage.OVER and not is_pending
