"""
Practice: a finished game goes on otherwise, in a room of its own, and one player plays all seats.

Who may open the whole of a finished game may practise from any of its checkpoints. The log of the
new room repeats that of the game (`server.kernel.repeating`), and is stored at once or not at all.
"""

from collections import deque
from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING, Final

import attrs

from protocol import messages
from protocol.commitments import first_head, next_head
from protocol.common import events
from protocol.common.table import Branch, RoomTable, Stage
from protocol.event import Event, Record, Stored, read_own
from server.kernel.admission.by_table import answer_of
from server.kernel.errors import Refused, RuleFailed
from server.kernel.repeating import Repeater
from server.kernel.rest_point import CHECKPOINTS
from server.lobby.finished.export import may_be_whole
from server.lobby.requests.visitor import Visitor
from server.lobby.rooms.host import RoomHost

if TYPE_CHECKING:
    from server.lobby.desk import LobbyDesk

RECORDS_AT_ONCE: Final = 64
"""How many records are read and repeated at once: a few milliseconds of work."""


@attrs.frozen
class Given:
    """An answer that was given in the source behind the checkpoint."""

    seat: int
    rule: str
    """Of the question."""
    picks: tuple[str, ...]
    """Nothing for a pass."""
    kind: type[Event]


@attrs.define(eq=False)
class Practising:
    """Opens practice games."""

    desk: "LobbyDesk"
    _to_give: dict[str, deque[Given]] = attrs.field(factory=dict, init=False)
    """By practice game that has not begun, what is answered first. In memory alone: where a server
    ends before the game begins, it begins at its checkpoint."""

    async def open(
        self, visitor: Visitor, host: RoomHost, message: messages.Practise
    ) -> messages.Joined:
        """
        Open a practice game of a finished one.

        Raises:
            Refused: this key may not open the whole of the game, or has as many tables as it may;
                or there is no checkpoint.
        """
        desk, session = self.desk, visitor.session
        room = host.room.table.room
        self._refuse(room, session.account.key)
        await desk.openers.admit(session, "")
        desk.around.disk.refuse_if_low()
        await desk.setups.known.note(room, [session.account.key])
        room_id = desk.registry.new_room_id()
        with desk.openers.counted(session, room_id):
            source = await _Source.read(self.desk, host, message.event)
            records = await self._records(source, room_id, session.account.key)
            # All that took its time: an agreement to show the game may have been withdrawn.
            self._refuse(host.room.table.room, session.account.key)
            await desk.around.store.append(room_id, 0, records)
            # The summary is stored when the room is read.
            desk.registry.release(await desk.registry.load(room_id))
        self._to_give[room_id] = source.given
        return messages.Joined(message.serial, room_id, min(room.seats))

    def _refuse(self, room: RoomTable, key: bytes) -> None:
        if not self.desk.reviewing.may_open(room.room_id, key):
            raise Refused("table/no_seat" if room.stage is Stage.OVER else "table/not_over")
        if room.source is not None:
            raise Refused("table/in_practice")
        if not may_be_whole(room):
            raise Refused("table/keeps_log")
        if room.version == 1:
            raise Refused("table/too_old")
        try:
            self.desk.around.shelf.content(room)
        except LookupError:
            raise Refused("table/no_content") from None

    async def _records(self, source: "_Source", room_id: str, key: bytes) -> list[Stored]:
        """Return the log of a branch up to its ceremony, made in slices."""
        around = self.desk.around
        branch = Branch(source.host.room.room_id, source.head, source.last)
        repeater = Repeater(room_id, branch, around.entropy)
        records: list[Stored] = []
        for first in range(0, source.last + 1, RECORDS_AT_ONCE):
            end = min(source.last + 1, first + RECORDS_AT_ONCE)
            stored = await source.host.followers.older(first, end)
            await around.scheduler.time()
            records += [repeater.repeat(stored[at]) for at in range(first, end)]
        time = max(around.now(), source.time)
        seat = min(source.host.room.table.room.seats)
        return [*records, *repeater.end(seat, key, source.setup, time=time)]

    async def begin(self, host: RoomHost) -> None:
        """Answer in a practice game that has begun what was answered in its source."""
        room_id = host.room.room_id
        if host.room.table.room.stage is not Stage.PLAYING:
            return
        for given in self._to_give.pop(room_id, ()):
            happened = _again(host.room.table.room, given)
            if happened is None:
                return
            try:
                await host.submit(happened, given.seat)
            except (Refused, RuleFailed):
                # With other chance it went another way; the player goes on from there.
                return

    def forget(self, room_id: str) -> None:
        """Give nothing in a room that is removed."""
        self._to_give.pop(room_id, None)


def _again(room: RoomTable, given: Given) -> Event | None:
    """Return an answer of the source to the question that is open; None where it does not fit."""
    ask = room.ask
    if ask is None or ask.rule != given.rule or given.seat not in ask.questions:
        return None
    question = ask.questions[given.seat].value
    picks = question.passing if given.kind is events.Passed else given.picks
    if question.faults(picks) is not None:
        return None
    if given.kind is events.Voted:
        return events.Voted(given.seat, ask.ask_id, picks)
    return answer_of(room, given.seat, ask.ask_id, picks)


@attrs.define(eq=False)
class _Source:
    """What a branch takes of a finished game."""

    host: RoomHost
    last: int = -1
    """The checkpoint at which it begins."""
    head: bytes = b""
    time: int = 0
    """Of the record at the checkpoint, in milliseconds since 1970."""
    setup: events.SourceSetup | None = None
    given: deque[Given] = attrs.field(factory=deque)

    @classmethod
    async def read(cls, desk: "LobbyDesk", host: RoomHost, event: int) -> "_Source":
        """
        Read a finished game up to an event; one behind its end stands for the end.

        Raises:
            Refused: there is no checkpoint up to there.
        """
        found = cls(host)
        head, rule = first_head(host.room.room_id), ""
        async for stored, record in _records_of(desk, host, 0, event + 1):
            head = next_head(head, stored.public)
            if isinstance(record.event, CHECKPOINTS):
                found.last, found.head, found.time = record.sequence, head, record.time
                found.given.clear()
            elif isinstance(record.event, events.Asked):
                rule = record.event.rule
            else:
                found.given.extend(_given(record.event, rule))
        if found.last < 0:
            raise Refused("table/no_checkpoint")
        if host.room.table.room.fixed_setup is not None:
            found.setup = await _setup_of(desk, host, found.last)
        return found


async def _setup_of(desk: "LobbyDesk", host: RoomHost, first: int) -> events.SourceSetup | None:
    """Return how the fixed setup of a game was opened, which comes after the game's end."""
    async for _, record in _records_of(desk, host, first, len(host.room.log)):
        if isinstance(record.event, events.SetupOpened):
            return events.SourceSetup(record.event.salt, record.event.seed)
    return None


async def _records_of(
    desk: "LobbyDesk", host: RoomHost, first: int, end: int
) -> AsyncIterator[tuple[Stored, Record]]:
    """Yield records of a room, read in slices between which others are served."""
    room = host.room
    for at in range(first, min(end, len(room.log)), RECORDS_AT_ONCE):
        stop = min(end, len(room.log), at + RECORDS_AT_ONCE)
        log = await host.followers.older(at, stop)
        await desk.around.scheduler.time()
        for sequence in range(at, stop):
            yield log[sequence], read_own(room.room_id, log[sequence])


def _given(happened: Event, rule: str) -> Iterator[Given]:
    """Yield what seats said with an input that answers."""
    match happened:
        case events.Answered(seat=seat, picks=picks):
            yield Given(seat, rule, picks.value, events.Answered)
        case events.Passed(seat=seat):
            yield Given(seat, rule, (), events.Passed)
        case events.Voted(seat=seat, picks=picks):
            yield Given(seat, rule, picks, events.Voted)
