"""
The clock of one room: it times out a start or a question, and says so as an input.

The open question's time is counted from the log, so that it goes on where it was after a restart.
"""

from collections.abc import Awaitable, Callable, Mapping

import attrs
from twisted.internet.defer import Deferred

from protocol.common import events
from protocol.common.asks import Settle
from protocol.common.patience import away, goes_by_calendar, is_nobody_here, limit_seconds
from protocol.common.table import OpenAsk, RoomTable, Stage, Table
from protocol.event import CLOCK, Event
from server.kernel.errors import Refused, RuleFailed
from server.kernel.room import Room
from server.lobby.services.alarm import Alarm, ms_waited
from server.lobby.services.run_detached import run_detached
from server.lobby.services.seams import LobbyServices
from server.storage import StorageError

START_SECONDS = 30
"""How long a start waits for everybody's share of chance."""


@attrs.define(eq=False)
class RoomClock:
    """Waits with one alarm for what the room waits for with a limit, and then acts by the clock."""

    services: LobbyServices
    room: Callable[[], Room]
    """Returns the room as it is now: one that was read again is another object."""
    submit: Callable[[Event, int], Deferred[Table]]
    """Gives the room an input, and who gives it."""
    when_done: Callable[[], Awaitable[None]]
    """Called after the room took an input of the clock."""
    _alarm: Alarm = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        """Prepare the alarm, which waits for nothing yet."""
        self._alarm = Alarm(self.services.clock, self._time_is_up)

    def watch(self) -> None:
        """Set the alarm, if the room waits for anything with a limit."""
        room = self.room().table.room
        if room.stage is Stage.STARTING and room.source is not None:
            # A branch waits for its player, who keeps nobody else waiting.
            self._alarm.stop()
        elif room.stage is Stage.STARTING and room.play_seed is not None:
            self._alarm.wait_for(room.play_seed.ref, lambda: START_SECONDS)
        elif room.ask is None or not limit_seconds(room) or self._stands_still(room):
            self._alarm.stop()
        else:
            # Its time may have stood still: it is counted from the log whenever it runs again.
            self._alarm.wait_for(_what_is_open(room.ask), self._seconds_left_by_the_log)

    def stop(self) -> None:
        """Wait for nothing."""
        self._alarm.stop()

    def seconds_left(self) -> float | None:
        """Return how long the room still waits for what it waits for; None for ever."""
        return self._alarm.left()

    def _time_is_up(self) -> None:
        room = self.room().table.room
        if room.stage is Stage.STARTING and room.ceremony is not None:
            self._act(events.StartFailed(missing_at_start(room)))
        elif room.ask is not None and (left := self._ms_left_by_the_log(room)) > 0:
            # The clock of the log was put back meanwhile: by its times, all have their whole time.
            self._alarm.wait_for(_what_is_open(room.ask), lambda: left / 1000)
        elif room.ask is not None and room.ask.settle is Settle.WINDOW:
            self._act(self.room().closing())
        elif room.ask is not None:
            self._act(events.TimedOut(room.ask.ask_id))

    def _stands_still(self, room: RoomTable) -> bool:
        """Return whether no time runs: the game stands still, or who is waited for is away."""
        if room.stands_still or self.room().halted is not None:
            return True
        return not goes_by_calendar(room) and (is_nobody_here(room) or bool(away(room)))

    def _seconds_left_by_the_log(self) -> float:
        """Return how long the open question may still wait, from the end of the log on."""
        room = self.room().table.room
        limit = limit_seconds(room)
        if room.ask is not None and room.ask.settle is Settle.WINDOW:
            # Whatever was said in the window by now, or who is here. Where a room was loaded
            # from its log, the limit begins anew.
            return limit
        since = self._ms_since_last() if goes_by_calendar(room) else 0
        return limit - (ms_waited(self.room()) + since) / 1000

    def _ms_since_last(self) -> int:
        return max(0, self.services.now() - self.room().last_time)

    def _ms_left_by_the_log(self, room: RoomTable) -> int:
        """Return for how long a question that says so is still open by the times on the log."""
        if room.ask is None or not room.ask.settle.has_seconds:
            return 0
        return room.ask.seconds * 1000 - ms_waited(self.room()) - self._ms_since_last()

    def _act(self, happened: Event) -> None:
        run_detached(self._submit(happened))

    async def _submit(self, happened: Event) -> None:
        try:
            await self.submit(happened, CLOCK)
        except Refused:
            # Somebody was faster than the clock.
            return
        except RuleFailed:
            if not isinstance(happened, events.PausedSet):
                # Trying again for ever would be the alternative; people have to look at it.
                self._act(events.PausedSet(is_paused=True))
        except StorageError:
            return
        else:
            await self.when_done()


def _what_is_open(ask: OpenAsk) -> object:
    """Return what is waited for: a question, or as long as the same seats may object to it."""
    if ask.settle is Settle.UNLESS_OBJECTED:
        return ask.ask_id, ask.waiting_for
    return ask.ask_id


def missing_at_start(room: RoomTable) -> tuple[int, ...]:
    """Return the seats for which a start waits: to commit, or once all have, to open."""
    assert room.ceremony is not None
    given: Mapping[int, bytes] = room.ceremony.commitments
    if len(given) == len(room.seats):
        given = room.ceremony.shares
    return tuple(seat for seat in room.seats if seat not in given)
