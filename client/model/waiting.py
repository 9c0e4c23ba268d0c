"""
The time that a question has been open and will stay open, in numbers and in words.

A `Watch` infers the server's time from the times in arriving records, and otherwise reads only the
clock that its creator passes in. Screens and plain mode share the watch.
"""

import math
from collections.abc import Callable

import attrs

from client.locale.speaker import Speaker
from client.model.off_log import HeldAnswer
from client.model.status import Status
from client.model.tables import TableStep, TableView
from protocol.common import events
from protocol.common.absence import ABSENCE_MS
from protocol.common.patience import (
    Limit,
    age_ms,
    is_running,
    least_seconds,
    limits,
    waited_ms,
)
from protocol.common.table import OpenAsk, RoomTable, Stage, Table
from protocol.common.text import Text

_MINUTE, _HOUR, _DAY = 60.0, 3600.0, 86400.0
_STEP = 5.0
"""The step in seconds of times shown below a minute."""
_LAST_SECONDS = 10.0
"""The number of seconds before the end during which each second is shown."""


@attrs.frozen
class TimeSpan:
    """A length of time, rounded for people."""

    unit: str
    """The unit: `seconds`, `minutes`, `hours` or `days`."""
    count: int
    changes_in: float | None
    """Seconds until the rounded value changes; None if the value never changes."""

    def text(self, speaker: Speaker) -> str:
        """Return the time span in words, such as `2 min`."""
        return speaker.say(f"span.{self.unit}", self.count)


def span_since(seconds: float, step: float = _STEP) -> TimeSpan:
    """Return a past time span rounded down, below a minute to a multiple of `step` seconds."""
    seconds = max(0.0, seconds)
    for unit, size in (("days", _DAY), ("hours", _HOUR), ("minutes", _MINUTE)):
        if seconds >= size:
            count = int(seconds // size)
            return TimeSpan(unit, count, (count + 1) * size - seconds)
    count = int(seconds // step * step)
    return TimeSpan("seconds", count, count + step - seconds)


def span_left(seconds: float) -> TimeSpan:
    """Return a remaining time span rounded up; the last ten seconds are exact."""
    seconds = max(0.0, seconds)
    for unit, size in (("days", _DAY), ("hours", _HOUR), ("minutes", _MINUTE)):
        if seconds > size:
            count = math.ceil(seconds / size)
            return TimeSpan(unit, count, seconds - (count - 1) * size)
    step = 1.0 if seconds <= _LAST_SECONDS else _STEP
    count = int(math.ceil(seconds / step) * step)
    return TimeSpan("seconds", count, seconds - (count - step) if count else None)


@attrs.define(eq=False)
class Watch:
    """
    An estimate of the server's time; a `client.model.model.TableFollower`.

    A record has the time at which the server wrote it, some time before the record arrives. So an
    estimate is never ahead of the server, and the record with the shortest delay gives the best
    one.
    """

    now: Callable[[], float]
    """Returns the seconds on a clock that never goes back."""
    _ahead: float | None = attrs.field(default=None, init=False)
    """Lower bound of the seconds by which the server's clock is ahead of ours; None if unknown."""
    _status: Status | None = attrs.field(default=None, init=False)
    _status_since: float = attrs.field(default=0.0, init=False)

    def begin(self, view: TableView | None) -> None:
        """Learn the server's time from the records of a table that is already followed."""
        self._ahead = None
        if view is not None and view.records:
            self._estimate(view.records[-1].time)

    def followed(self, view: TableView, steps: tuple[TableStep, ...]) -> None:  # noqa: ARG002
        """Learn the time from new records; start over if the client follows another table."""
        if not steps:
            self._ahead = None
        else:
            self._estimate(steps[-1].record.time)

    def reworded(self, view: TableView) -> None:
        """Do nothing, since a clock has no words."""

    def _estimate(self, time: int) -> None:
        ahead = time / 1000 - self.now()
        # The maximum: a record that was delayed on its way gives too small a value.
        self._ahead = ahead if self._ahead is None else max(ahead, self._ahead)

    @property
    def is_set(self) -> bool:
        """Whether the server's time is known."""
        return self._ahead is not None

    def since(self, time: int) -> float:
        """Return the seconds since a server time in milliseconds; 0 if no time is known."""
        return 0.0 if self._ahead is None else max(0.0, self.now() + self._ahead - time / 1000)

    def absence_left(self, room: RoomTable) -> TimeSpan | None:
        """Return the time until somebody may agree for absent players; None once they may."""
        left = ABSENCE_MS / 1000 - self.since(room.proposed_at)
        return span_left(left) if left > 0 else None

    def waited(self, view: TableView) -> float:
        """Return the seconds since the open question was asked; 0 if no question is open."""
        ask = view.ask
        return 0.0 if ask is None else self.since(ask.asked_at)

    def left(self, view: TableView) -> float | None:
        """Return the seconds until the open question times out; None if no time runs."""
        limit = self.limit(view)
        return None if limit is None else max(0.0, self._left_of(limit, view))

    def limit(self, view: TableView) -> Limit | None:
        """Return the limit by which the open question times out; None if no time runs."""
        room = view.table.room
        if room.ask is None or room.stands_still or room.stage is not Stage.PLAYING:
            return None
        return min(limits(room), key=lambda one: self._left_of(one, view), default=None)

    def _left_of(self, limit: Limit, view: TableView) -> float:
        room = view.table.room
        waited = waited_ms(room, reversed(view.records), timer=limit.timer) / 1000
        is_still = not is_running(room, limit.timer)
        since = 0.0 if is_still else self.since(view.records[-1].time)
        return limit.seconds - waited - since

    def least(self, view: TableView) -> float | None:
        """
        Return the seconds for which others may interrupt at least; None if nobody may.

        They follow from the records alone, so they are the same for everybody. They stand still
        while somebody who may interrupt is away.
        """
        room = view.table.room
        wanted = least_seconds(room)
        if not wanted or room.stands_still or room.stage is not Stage.PLAYING:
            return None
        latest = view.records[-1].time
        time = latest + int(1000 * self.since(latest))
        return max(0.0, wanted - age_ms(room, reversed(view.records), time) / 1000)

    def status_for(self, status: Status) -> float:
        """Return the seconds since the first call with this status object."""
        # By identity: after a reconnection an equal status starts its own time.
        if status is not self._status:
            self._status, self._status_since = status, self.now()
        return self.now() - self._status_since


@attrs.frozen
class QuestionAge:
    """The time that the open question has been open, and the time that is left."""

    since: TimeSpan | None = None
    """The time since the question was asked; None if no question is open."""
    left: TimeSpan | None = None
    """The time until the question times out; None if there is no timeout."""
    least: TimeSpan | None = None
    """The time for which others may interrupt at least; None once it is over, or if nobody may."""
    timer: Text | None = None
    """The name of the timer whose time is left; None if it is the question's own time."""

    @property
    def changes_in(self) -> tuple[float, ...]:
        """Seconds until each of the shown values changes."""
        spans = (self.since, self.left, self.least)
        return tuple(s.changes_in for s in spans if s is not None and s.changes_in is not None)


def pace_of(watch: Watch, view: TableView, *, is_asked: bool) -> QuestionAge:
    """Return the age of the open question; empty if none is open or the server's time is unknown.

    Args:
        watch: the server's time, from the records of the table.
        view: the table.
        is_asked: whether the viewer has to answer. If so, the elapsed time is in whole minutes, so
            that players do not see their thinking time in seconds.
    """
    if view.ask is None or not watch.is_set:
        return QuestionAge()
    left, least, limit = watch.left(view), watch.least(view), watch.limit(view)
    timer = view.table.room.timer if limit is not None and limit.timer != -1 else None
    since = span_since(watch.waited(view), _MINUTE if is_asked else _STEP)
    return QuestionAge(
        since,
        None if left is None else span_left(left),
        span_left(least) if least else None,
        None if timer is None else timer.name,
    )


def voters(speaker: Speaker, table: Table, ask: OpenAsk, choice_id: str) -> str:
    """Return the names of the seats whose open votes include a choice.

    If voters rank several choices, add the rank of this choice to each name.
    """
    places = {
        seat: picks.index(choice_id) + 1 for seat, picks in ask.votes.items() if choice_id in picks
    }
    if all(len(ask.votes[seat]) == 1 for seat in places):
        return speaker.seats(table, tuple(places))
    named = ((speaker.seats(table, (seat,)), place) for seat, place in places.items())
    return ", ".join(f"{name} {place}" for name, place in named)


def interrupted_line(speaker: Speaker, view: TableView, held: HeldAnswer | None) -> str:
    """
    Return a line that the viewer's held answer does not count, since somebody interrupted it.

    Empty if it counted, or if something else was answered since.
    """
    if held is None or held.room_id != view.room_id or view.may_interrupt:
        return ""
    for record in reversed(view.records):
        if isinstance(record.event, events.Answered):
            is_lost = record.event.ask_id == held.ask_id and record.event.seat != view.seat
            name = speaker.seats(view.table, (record.event.seat,))
            return speaker.say("question.interrupted", name) if is_lost else ""
        if isinstance(record.event, events.Asked) and record.event.ask_id < held.ask_id:
            break
    return ""


def done_line(speaker: Speaker, table: Table) -> str:
    """Return a line with the seats that have answered or voted already; empty if there are none."""
    ask = table.room.ask
    done = (
        () if ask is None else tuple(s for s in ask.questions if s in {*ask.answered, *ask.votes})
    )
    if ask is None or not done:
        return ""
    is_vote = ask.settle.is_vote
    key = (
        "waiting.voted"
        if is_vote
        else "waiting.passed"
        if ask.settle.can_pass
        else "waiting.answered"
    )
    return speaker.say(key, speaker.seats(table, done))
