"""
Practice games: replay a finished game from a checkpoint in a new room, one player for all seats.

Everybody who may open a whole finished game may practise from any of its checkpoints. The log of
the new room begins with the records of that game (`server.kernel.repeating`), which are stored in
one batch or not at all.
"""

import functools
from collections import deque
from collections.abc import AsyncIterator, Iterator
from typing import Final

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
from server.lobby.finished.sharing import SharedGames
from server.lobby.requests.handlers import Needs, handles
from server.lobby.requests.pace import Cost
from server.lobby.requests.visitor import RoomVisitor
from server.lobby.rooms.host import RoomHost
from server.lobby.rooms.registry import Registry
from server.lobby.services.seams import LobbyServices
from server.lobby.tables.opening import Openers
from server.lobby.tables.setups import Setups

RECORDS_AT_ONCE: Final = 64
"""Number of records read and repeated at once, a few milliseconds of work."""


@attrs.frozen
class Given:
    """An answer of the source after the checkpoint, to be repeated in the practice game."""

    seat: int
    rule: str
    """Id of the rule that asked the question."""
    picks: tuple[str, ...]
    """Choice ids; empty for a pass."""
    kind: type[Event]


@attrs.define(eq=False)
class _Source:
    """A finished game up to the checkpoint at which a branch begins."""

    host: RoomHost
    last: int = -1
    """Sequence of the checkpoint."""
    head: bytes = b""
    time: int = 0
    """Time of the checkpoint, in milliseconds since 1970."""
    setup: events.SourceSetup | None = None
    given: deque[Given] = attrs.field(factory=deque)


@attrs.define(eq=False)
class Practising:
    """Opens practice games; each repeats a finished game in a new room."""

    services: LobbyServices
    registry: Registry
    openers: Openers
    setups: Setups
    shared: SharedGames
    _to_give: dict[str, deque[Given]] = attrs.field(factory=dict, init=False)
    """
    Answers of the source to repeat first, by practice game that has not begun. They are in memory
    alone: after a restart of the server the game begins at its checkpoint.
    """

    async def open(self, visitor: RoomVisitor, message: messages.Practise) -> messages.Joined:
        """
        Open a practice game of a finished one.

        Raises:
            Refused: the visitor may not open the whole game, or may open no further table; the disk
                is nearly full; or the game is too old, its content is gone, or it has no
                checkpoint.
        """
        host, key = visitor.host, visitor.key
        self._refuse(visitor.room, key)
        # It counts like any table, but its request carries no password.
        await self.openers.admit(visitor.session, "")
        self.services.disk.refuse_if_low()
        await self.setups.known.note(visitor.room, [key])
        room_id = self.registry.new_room_id()
        with self.openers.counted(visitor.session, room_id):
            source = await self._read(host, message.event)
            records = await self._records(source, room_id, key)
            # Checked again: an agreement to share may have been withdrawn meanwhile.
            self._refuse(visitor.room, key)
            await self.services.store.append(room_id, 0, records)
            # Loading the room stores its summary.
            self.registry.release(await self.registry.load(room_id))
        self._to_give[room_id] = source.given
        return messages.Joined(message.serial, room_id, min(visitor.room.seats))

    def _refuse(self, room: RoomTable, key: bytes) -> None:
        if room.source is not None and room.seat_of(key) is not None:
            raise Refused("table/in_practice")
        self.shared.refuse_unopened(room, key)
        if room.version == 1:
            raise Refused("table/too_old")
        try:
            self.services.shelf.content(room)
        except LookupError:
            raise Refused("table/no_content") from None

    async def _read(self, host: RoomHost, event: int) -> _Source:
        """
        Read a finished game up to an event, or up to its end.

        Raises:
            Refused: the game has no checkpoint up to that event.
        """
        found = _Source(host)
        head, rule = first_head(host.room.room_id), ""
        async for stored, record in self._records_of(host, 0, event + 1):
            head = next_head(head, stored.public)
            if isinstance(record.event, CHECKPOINTS):
                found.last, found.head, found.time = record.sequence, head, record.time
                # The answers before it are in the records that the branch begins with.
                found.given.clear()
            elif isinstance(record.event, events.Asked):
                rule = record.event.rule
            else:
                found.given.extend(_answer_in(record.event, rule))
        if found.last < 0:
            raise Refused("table/no_checkpoint")
        if host.room.table.room.fixed_setup is not None:
            # A fixed setup is opened only after the end of the game.
            async for _, record in self._records_of(host, found.last, len(host.room.log)):
                if isinstance(record.event, events.SetupOpened):
                    found.setup = events.SourceSetup(record.event.salt, record.event.seed)
                    break
        return found

    async def _records_of(
        self, host: RoomHost, first: int, end: int
    ) -> AsyncIterator[tuple[Stored, Record]]:
        """Yield records of a room, read in slices between which others are served."""
        room = host.room
        for at in range(first, min(end, len(room.log)), RECORDS_AT_ONCE):
            stop = min(end, len(room.log), at + RECORDS_AT_ONCE)
            log = await host.followers.older(at, stop)
            await self.services.scheduler.time()
            for sequence in range(at, stop):
                yield log[sequence], read_own(room.room_id, log[sequence])

    async def _records(self, source: _Source, room_id: str, key: bytes) -> list[Stored]:
        """Return the log of a branch up to its ceremony of chance, made in slices."""
        services = self.services
        branch = Branch(source.host.room.room_id, source.head, source.last)
        repeater = Repeater(room_id, branch, services.entropy)
        records: list[Stored] = []
        for first in range(0, source.last + 1, RECORDS_AT_ONCE):
            end = min(source.last + 1, first + RECORDS_AT_ONCE)
            stored = await source.host.followers.older(first, end)
            await services.scheduler.time()
            records += [repeater.repeat(stored[at]) for at in range(first, end)]
        # Times on a log never decrease, and the source may be ahead of this clock.
        time = max(services.now(), source.time)
        seat = min(source.host.room.table.room.seats)
        return [*records, *repeater.end(seat, key, source.setup, time=time)]

    async def begin(self, host: RoomHost) -> None:
        """
        Repeat the answers of the source in a practice game that has started.

        Repeating stops at the first answer that the practice game does not accept.
        """
        room_id = host.room.room_id
        if host.room.table.room.stage is not Stage.PLAYING:
            return
        for given in self._to_give.pop(room_id, ()):
            try:
                await host.submit(functools.partial(_repeated_input, given), given.seat)
            except (Refused, RuleFailed):
                # Other chance has led the branch elsewhere: the player continues from here.
                return

    def forget(self, room_id: str) -> None:
        """Drop the answers of the source that wait for a room that was removed."""
        self._to_give.pop(room_id, None)


def _repeated_input(given: Given, room: RoomTable) -> Event:
    """Return the input that repeats an answer. Refused: it does not fit the open question."""
    ask = room.ask
    if ask is None or ask.rule != given.rule or given.seat not in ask.questions:
        raise Refused("answer/stale")
    question = ask.questions[given.seat].value
    picks = question.passing if given.kind is events.Passed else given.picks
    if (fault := question.faults(picks)) is not None:
        raise Refused(fault)
    if given.kind is events.Voted:
        return events.Voted(given.seat, ask.ask_id, picks)
    return answer_of(room, given.seat, ask.ask_id, picks)


def _answer_in(happened: Event, rule: str) -> Iterator[Given]:
    """Yield the answer that an event records, if it records one."""
    match happened:
        case events.Answered(seat=seat, picks=picks):
            yield Given(seat, rule, picks.value, events.Answered)
        case events.Passed(seat=seat):
            yield Given(seat, rule, (), events.Passed)
        case events.Voted(seat=seat, picks=picks):
            yield Given(seat, rule, picks, events.Voted)


@handles(
    messages.Practise,
    needs=Needs.ROOM,
    cost=Cost.STORED | Cost.MADE | Cost.LOADING | Cost.OPENED,
)
async def practise(
    visitor: RoomVisitor, message: messages.Practise, practising: Practising
) -> messages.Joined:
    return await practising.open(visitor, message)
