"""
The clock of one room: submits an input when a start or a question has waited too long.

The time of an open question is counted from the log, so that it continues after a restart.
"""

from collections.abc import Awaitable, Callable, Mapping

import attrs
from twisted.internet.defer import Deferred

from protocol.common import events
from protocol.common.asks import Settle
from protocol.common.hosts import is_host_away, successor
from protocol.common.patience import (
    Limit,
    goes_by_calendar,
    is_held_up,
    is_running,
    least_seconds,
    limits,
    timer_of,
)
from protocol.common.table import OpenAsk, RoomTable, Stage, Table
from protocol.event import CLOCK, Event
from server.kernel.errors import Refused, RuleFailed
from server.kernel.room import Room
from server.lobby.services.alarm import Alarm, ms_waited
from server.lobby.services.run_detached import run_detached
from server.lobby.services.seams import LobbyServices
from server.storage import StorageError

START_SECONDS = 30
"""Seconds that a start waits for the seats' shares of chance."""
BOTS_SECONDS = 0.05
"""Seconds for which the decision of a bot waits where only bots may interrupt it."""
HOST_SECONDS = 60
"""Seconds after which somebody takes over from a host who is away before the game."""
_HOST = object()
"""First part of the alarm's key while the alarm waits for an absent host."""


@attrs.define(eq=False)
class RoomClock:
    """Alarm for the deadline of a room; submits an input when the deadline passes."""

    services: LobbyServices
    room: Callable[[], Room]
    """Returns the current room; reloading the room replaces the object."""
    now: Callable[[], int]
    """Returns the time of the room, in milliseconds since 1970."""
    submit: Callable[[Event | Callable[[RoomTable], Event], int], Deferred[Table]]
    """Submits an input with its origin."""
    when_done: Callable[[], Awaitable[None]]
    """Called after the room has processed an input of the clock."""
    tell: Callable[[str, str], None]
    """Sends a notice with a code and a report to the followers without a delay."""
    _alarm: Alarm = attrs.field(init=False)
    _window: tuple[int, int] = attrs.field(default=(-1, 0), init=False)
    """Id of the last window, and the milliseconds of its time on the log that do not count."""

    def __attrs_post_init__(self) -> None:
        self._alarm = Alarm(self.services.clock, self._time_is_up)

    def watch(self) -> None:
        """Set the alarm for the room's next deadline, or stop the alarm if there is none."""
        room = self.room().table.room
        if room.stage is Stage.STARTING and room.source is not None:
            # A practice game has no deadlines: its player keeps nobody else waiting.
            self._alarm.stop()
        elif room.stage is Stage.STARTING and room.play_seed is not None:
            # Each start commits to new seeds, so each has its full time.
            self._alarm.wait_for(room.play_seed.ref, lambda: START_SECONDS)
        elif is_host_away(room) and successor(room) is not None:
            self._alarm.wait_for((_HOST, room.host), lambda: HOST_SECONDS)
        elif room.ask is None or not (running := self._running_limits(room)):
            self._alarm.stop()
        else:
            # Its time may have been suspended, so it is counted from the log each time it resumes.
            what = (self._identity_of(room.ask), running)
            self._alarm.wait_for(what, self._seconds_left_by_the_log)

    def stop(self) -> None:
        self._alarm.stop()

    def seconds_left(self) -> float | None:
        """Return the seconds until the deadline; None if there is none."""
        return self._alarm.left()

    def seconds_without_host(self) -> float:
        """Return the seconds that people have waited for an absent host; 0 if they do not wait."""
        what, left = self._alarm.what, self._alarm.left()
        is_running = isinstance(what, tuple) and what[0] is _HOST and left is not None
        return HOST_SECONDS - left if is_running and left is not None else 0.0

    def _time_is_up(self) -> None:
        room = self.room().table.room
        if room.stage is Stage.LOBBY:
            self._submit_detached(host_passed)
        elif room.stage is Stage.STARTING and room.ceremony is not None:
            self._submit_detached(lambda room: events.StartFailed(missing_at_start(room)))
        elif room.ask is not None and (left := self._ms_left_by_the_log(room)) > 0:
            # By the times on the log, everybody has their whole time.
            what = (self._identity_of(room.ask), self._running_limits(room))
            self._alarm.wait_for(what, lambda: left / 1000)
        elif room.ask is not None:
            overdue = self._identity_of(room.ask)
            # The decision of a seat is its own input, although it was held until now.
            origin = CLOCK if self.room().decision() is None else room.ask.decides
            self._submit_detached(lambda room: self._closing(room, overdue), origin)

    def _closing(self, room: RoomTable, overdue: object) -> Event:
        """Return the input that closes the overdue question. Refused: it was answered meanwhile."""
        if room.ask is None or self._identity_of(room.ask) != overdue:
            raise Refused("answer/stale")
        if room.ask.settle is Settle.WINDOW:
            return self.room().closing()
        return self.room().decision() or events.TimedOut(room.ask.ask_id)

    def _running_limits(self, room: RoomTable) -> tuple[Limit, ...]:
        """Return the limits at whose end the clock settles the open question, if they run now."""
        if room.ask is None or room.stands_still or self.room().halted is not None:
            return ()
        if self.room().decision() is None:
            return tuple(one for one in limits(room) if is_running(room, one.timer))
        least = Limit(least_seconds(room))
        # Where nobody needs time, bots play on alone.
        is_free = not least.seconds and not is_held_up(room)
        return (least,) if is_free or is_running(room) else ()

    def _identity_of(self, ask: OpenAsk) -> object:
        """Return the identity of the clock's next act on the open question."""
        if ask.settle is Settle.UNLESS_OBJECTED:
            # An objection restarts the time.
            return ask.ask_id, ask.waiting_for
        return ask.ask_id, self.room().decision() is not None

    def close_if_all_done(self) -> None:
        """Close the open window before its time, if the table has stops and all are done in it."""
        room = self.room()
        ask = room.table.room.ask
        if ask is None or not room.holding.is_everybody_done(room.table.room):
            return

        def closing(table: RoomTable) -> Event:
            # Asked again at its turn: an answer that came meanwhile may have taken a done back.
            room = self.room()
            is_open = table.ask is not None and table.ask.ask_id == ask.ask_id
            if not is_open or not room.holding.is_everybody_done(table):
                raise Refused("answer/stale")
            return room.closing()

        self._submit_detached(closing)

    def _seconds_left_by_the_log(self) -> float:
        """Return the seconds left for the open question, by the times on the log."""
        room = self.room().table.room
        if room.ask is not None and room.ask.settle is Settle.BESIDE:
            # Else a bot that decides could be faster than those that may interrupt it.
            least = BOTS_SECONDS if room.seats[room.ask.decides].is_bot else 0
            return max(least, self._ms_left_by_the_log(room) / 1000)
        return min(self._seconds_left_of(limit) for limit in self._running_limits(room))

    def _seconds_left_of(self, limit: Limit) -> float:
        room = self.room().table.room
        waited = ms_waited(self.room(), limit)
        if room.ask is not None and room.ask.settle is Settle.WINDOW:
            # Its answers are not on the log: in a room loaded from there it has its whole time.
            ask_id, before = self._window
            before = waited if ask_id != room.ask.ask_id else min(before, waited)
            self._window = room.ask.ask_id, before
            waited -= before
        elif goes_by_calendar(room) and limit.timer == -1:
            waited += self._ms_since_last()
        return limit.seconds - waited / 1000

    def _ms_since_last(self) -> int:
        return self.now() - self.room().last_time

    def _ms_left_by_the_log(self, room: RoomTable) -> int:
        """
        Return the milliseconds left for the open question, by the times on the log.

        Return 0 if no question is open, or if a setting of the table alone limits its time.
        """
        ask = room.ask
        is_judged = ask is not None and (ask.settle.has_seconds or ask.settle is Settle.BESIDE)
        if not is_judged and timer_of(room) is None:
            return 0
        since = self._ms_since_last()
        running = self._running_limits(room)
        left = (1000 * one.seconds - ms_waited(self.room(), one) - since for one in running)
        return min(left, default=0)

    def _submit_detached(
        self, happened: Event | Callable[[RoomTable], Event], origin: int = CLOCK
    ) -> None:
        run_detached(self._submit(happened, origin))

    async def _submit(self, happened: Event | Callable[[RoomTable], Event], origin: int) -> None:
        try:
            await self.submit(happened, origin)
        except Refused:
            # An answer was faster than the clock.
            return
        except RuleFailed as failed:
            seat = self.room().table.room.seats.get(origin)
            if seat is not None and not seat.is_bot:
                # As an answer that fails at once: nothing is undone; its owner may choose again.
                self.room().holding.drop()
                self.tell("answer/dropped", failed.report)
                self.watch()
            elif not isinstance(happened, events.PausedSet):
                # Not retried, or it would fail for ever; the followers have the report.
                self._submit_detached(events.PausedSet(is_paused=True))
        except StorageError:
            return
        else:
            await self.when_done()


def host_passed(room: RoomTable) -> events.HostPassed:
    """
    Return the input by which the longest-seated person present takes over from the host.

    Raises:
        Refused: the host is present, or nobody else is.
    """
    heir = successor(room)
    if heir is None or not is_host_away(room):
        raise Refused("host/is_here")
    return events.HostPassed(heir, room.host)


def missing_at_start(room: RoomTable) -> tuple[int, ...]:
    """
    Return the seats whose share of chance a start waits for.

    First a start waits for all commitments to shares, then for the shares themselves.

    Raises:
        Refused: no start is waiting.
    """
    if room.ceremony is None:
        raise Refused("start/not_now")
    given: Mapping[int, bytes] = room.ceremony.commitments
    if len(given) == len(room.seats):
        given = room.ceremony.shares
    return tuple(seat for seat in room.seats if seat not in given)
