"""
Followers of a room: sends each of them new records, with its delay, and lets newcomers catch up.

`server.lobby.views.viewer` decides what a follower sees, and `server.lobby.views.showing` makes the
messages. Records that are no longer in memory come from the store, in parts.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping

import attrs
from twisted.internet.defer import Deferred
from twisted.logger import Logger

from protocol.common.table import Stage
from protocol.common.text import Catalog, Text
from protocol.messages import Notice, ServerMessage, Words
from server.kernel.kept_log import KeptLog
from server.kernel.room import Room
from server.lobby.services.run_detached import run_detached
from server.lobby.services.seams import LobbyServices, Shelf
from server.lobby.views.presence import Follower
from server.lobby.views.reading import Reading
from server.lobby.views.showing import Showing, Shown
from server.lobby.views.spectator_delay import SpectatorDelay
from server.lobby.views.streams import taken
from server.lobby.views.viewer import Viewer
from server.lobby.views.words import Wordsmith, result_subjects
from server.net.handler import Session
from server.storage import LogDamaged, StorageError

RECORDS_AT_ONCE = 256
"""Number of older records read at once, a few milliseconds of work."""


@attrs.define(eq=False)
class Followers:
    """The sessions that follow one room."""

    _services: LobbyServices
    _room: Callable[[], Room]
    _is_stopped: Callable[[], bool]
    """Returns True if the room has stopped, because nothing can be stored."""
    _now: Callable[[], int]
    """Returns the time of the room, in milliseconds since 1970."""
    by_session: dict[Session, Follower] = attrs.field(factory=dict, init=False)
    delay: SpectatorDelay = attrs.field(init=False)
    reading: Reading = attrs.field(init=False)
    _showing: Showing | None = attrs.field(default=None, init=False)
    """Rendering of the batch that is being shown, shared by all followers."""
    _is_unloaded: bool = attrs.field(default=False, init=False)
    _log = Logger()

    def __attrs_post_init__(self) -> None:
        self.delay = SpectatorDelay(self._services.clock, self._now, self.show)
        self.reading = Reading(self._services.clock, self._room, self.seated)

    @property
    def has_people(self) -> bool:
        """True if anybody but bots follows the room."""
        seats = self._room().table.room.seats
        bots = {seat.seat for seat in seats.values() if seat.is_bot}
        return any(one.seat not in bots for one in self.by_session.values())

    def stop(self) -> None:
        """Stop all timers, when the room is unloaded."""
        self._is_unloaded = True
        self.delay.stop()
        self.reading.stop()

    def tell_all(self, code: str) -> None:
        """Send all followers a notice with this code."""
        for follower in list(self.by_session.values()):
            self.tell(follower, code)

    def tell_undelayed(self, code: str, report: str = "") -> None:
        """Send a notice that reveals somebody's act to the followers without a delay."""
        for follower in list(self.by_session.values()):
            if not self._delay_of(follower.viewer):
                self.tell(follower, code, report)

    def tell(self, follower: Follower, code: str, report: str = "") -> None:
        """Send one follower a notice with this code, and the number of a report if there is one."""
        follower.session.send(Notice(self._room().room_id, code, Text(f"refusal/{code}"), report))

    def end_for(self, viewer: Viewer) -> int:
        """Return the sequence of the first record that a viewer cannot see yet."""
        return self.delay.end(self._room(), self._delay_of(viewer))

    def _delay_of(self, viewer: Viewer) -> int:
        return viewer.delay_seconds(self._room().table.room.settings)

    def follow(self, session: Session, viewer: Viewer, after: int, language: str) -> None:
        """Let a session follow the room from the record after `after`, with words in a language."""
        seat = viewer.seat
        key = self._room().table.room.seats[seat].key if seat is not None else b""
        follower = Follower(session, viewer, key, Wordsmith(language), after + 1)
        self.by_session[session] = follower
        self._catch_up(follower)
        if self._is_stopped():
            if not self._delay_of(viewer):
                self.tell(follower, "table/stopped")
        elif self._room().halted is not None and seat is not None:
            # Seats alone can propose to go back, and nothing else shows that the game has halted.
            self.tell(follower, "table/halted")
        if seat is not None:
            self.reading.joined(session)
        self._watch_delays()

    def change_language(self, session: Session, language: str) -> Iterator[Words]:
        """Change a follower's language; return the words sent so far, in it, lazily."""
        follower = self.by_session.get(session)
        if follower is None:
            return iter(())
        told = follower.words.change(language)
        return follower.words.for_subjects(catalogs_of(self._services.shelf, self._room()), told)

    def keys(self) -> frozenset[bytes]:
        return frozenset(session.account.key for session in self.by_session)

    def seated(self) -> Mapping[Session, int]:
        """Return the sessions that follow by a seat, with the seat."""
        return {s: one.seat for s, one in self.by_session.items() if one.seat is not None}

    def unfollow(self, session: Session) -> None:
        follower = self.by_session.pop(session, None)
        if follower is not None:
            self._caught_up(follower)
        self.reading.left(session)
        self._watch_delays()

    def _watch_delays(self) -> None:
        waiting = () if self._is_unloaded else tuple(self.by_session.values())
        delays = {self._delay_of(follower.viewer) for follower in waiting}
        self.delay.wait(self._room(), sorted(delays - {0}))

    def making_ready(self, showing: Showing, sequences: range) -> Iterator[int]:
        """
        Render a batch in steps, for the followers to whom all of it is sent at once.

        This runs while the batch is being stored, and sends nothing. Steps that are left out are
        done when the batch is shown.

        Args:
            showing: the rendering of the batch.
            sequences: the sequences of its records.
        """
        seats = self._room().table.room.seats
        # Followers who are behind or delayed get other records when the batch is shown.
        followers = [
            one
            for one in self.by_session.values()
            if one.next_sequence == sequences.start
            and not (one.is_behind or self._delay_of(one.viewer))
            and (one.seat is None or one.seat in seats)
        ]
        if followers:
            for sequence in sequences:
                showing.prepare(sequence)
                yield sequence
            for one in followers:
                showing.of_batch(one.viewer, self._since(one.viewer), sequences)
                yield sequences.stop

    def show(self, ready: Showing | None = None) -> None:
        """
        Send all followers the records that they may see by now.

        Args:
            ready: the rendering of the last batch, perhaps unfinished; None if there is none.
        """
        showing = ready or Showing(self._room().room_id, self._room().log)
        # Rendering began on the batch alone; by now the log of the room has the batch.
        showing.log = self._room().log
        self._showing = showing
        for follower in list(self.by_session.values()):
            try:
                self._show_one(follower)
            except Exception:  # noqa: BLE001 (one session's fault must not stop the room)
                self._log.failure("room {room}: showing", room=self._room().room_id)
                self.unfollow(follower.session)
                follower.session.close("server/error", "the server made a mistake")
        self._showing = None
        self.reading.grew()
        self._watch_delays()

    def _show_one(self, follower: Follower) -> None:
        room = self._room().table.room
        is_out = follower.seat is not None and (
            follower.seat not in room.seats or room.seats[follower.seat].key != follower.key
        )
        if is_out:
            # The seat has another owner now, whose secrets this session must not see.
            follower.until, follower.viewer = self.end_for(follower.viewer), Viewer()
        if follower.is_behind:
            return
        # Some records that the follower lacks are in the store alone.
        if follower.next_sequence < self._room().log.first:
            self._catch_up(follower)
            return
        fresh = range(follower.next_sequence, self._end_of(follower))
        follower.next_sequence = fresh.stop
        for message in self._shown(follower, fresh, self._room().log):
            follower.session.send(message)
        self._unfollow_if_seat_lost(follower)

    def _end_of(self, follower: Follower) -> int:
        """Return the sequence of the first record that a follower may not see yet."""
        return self.end_for(follower.viewer) if follower.until is None else follower.until

    def _unfollow_if_seat_lost(self, follower: Follower) -> None:
        """Remove a follower who has been shown the loss of their seat."""
        if follower.until is not None:
            self.unfollow(follower.session)
            if self._room().table.room.stage is not Stage.LOBBY:
                self.tell(follower, "table/no_seat")

    def _since(self, viewer: Viewer) -> int:
        """Return the sequence since which a viewer's seat has its owner; 0 without a seat."""
        return self._room().table.room.seats[viewer.seat].since if viewer.seat is not None else 0

    def _shown(self, follower: Follower, sequences: range, log: KeptLog) -> Iterator[ServerMessage]:
        """Yield the records of these sequences as messages, after the words they need."""
        # Rendered now: a slow reader must not see more because it reads late.
        viewer, words = follower.viewer, follower.words
        since = self._since(viewer)
        catalogs = catalogs_of(self._services.shelf, self._room())
        is_now = self._showing is not None and log is self._room().log
        if self._showing is not None and is_now:
            shown: Iterable[Shown] = self._showing.of_batch(viewer, since, sequences)
        else:
            shown = Showing(self._room().room_id, log).one_by_one(viewer, since, sequences)

        # No record names the sides and the scores: the rules work them out from the table.
        is_last = sequences.stop == len(self._room().log)
        result = result_subjects(self._room().table) if is_last else ()

        def messages() -> Iterator[ServerMessage]:
            if result:
                yield from words.for_subjects(catalogs, result)
            for one in shown:
                needed = one.needed(catalogs, words.language)
                if is_now:
                    yield from words.shared(catalogs, needed, one.told)
                else:
                    yield from words.for_subjects(catalogs, needed)
                yield one.records

        return messages()

    # Older records

    async def older(self, first: int, end: int) -> KeptLog:
        """
        Return records from one sequence up to another, from memory or the store.

        Raises:
            StorageError: they cannot be read, or are not what was stored.
        """
        if first >= self._room().log.first:
            return KeptLog(self._room().log[first:end], first=first)
        records = await self._services.store.read(self._room().room_id, first, end)
        if len(records) < end - first:
            raise LogDamaged(self._room().room_id, first + len(records), "the log ends here")
        return KeptLog(records, first=first)

    async def shown(self, session: Session) -> None:
        """Wait until a session has been sent every record so far, or no longer follows the room."""
        follower = self.by_session.get(session)
        if follower is not None and follower.is_behind:
            waiting: Deferred[None] = Deferred()
            follower.when_shown.append(waiting)
            await waiting

    def _caught_up(self, follower: Follower) -> None:
        follower.is_behind = False
        waiting, follower.when_shown = follower.when_shown, []
        for one in waiting:
            one.callback(None)

    def _catch_up(self, follower: Follower) -> None:
        """Stream a follower all records that it lacks, read in parts as the session takes them."""
        follower.is_behind = True
        run_detached(self._show_older(follower))

    async def _show_older(self, follower: Follower) -> None:
        session = follower.session
        try:
            while self.by_session.get(session) is follower:
                first, end = follower.next_sequence, self._end_of(follower)
                if first >= end:
                    self._caught_up(follower)
                    self._unfollow_if_seat_lost(follower)
                    return
                log = await self.older(first, min(end, first + RECORDS_AT_ONCE))
                # The session may have left, or entered again, while the store was read.
                if self.by_session.get(session) is follower:
                    follower.next_sequence = len(log)
                    part = self._shown(follower, range(first, len(log)), log)
                    await taken(session, part, self._services.clock)
        except StorageError as error:
            self._log.error("room {room}: {why}", room=self._room().room_id, why=str(error))
            self.unfollow(session)
            self.tell(follower, "table/unreadable")
        except Exception:  # noqa: BLE001 (one session's fault must not stop the room)
            self._log.failure("room {room}: showing", room=self._room().room_id)
            self.unfollow(session)
            session.close("server/error", "the server made a mistake")

    async def recall_delay(self) -> None:
        """Note, for a room just loaded, which records spectators must not see yet."""
        await self.delay.recall(self._room(), self.older)


def catalogs_of(shelf: Shelf, room: Room) -> Mapping[str, Catalog]:
    """Return the words of a room's content, by language; none if the content is missing."""
    try:
        return shelf.catalogs(room.table.room.content_hash)
    except KeyError:
        # The pack of an old room may be gone; its records are shown without words.
        return {}
