"""
Rolls: the dice thrown at a table, and the animation of their fall.

The records hold the results. The animation depends on the time that has passed and on nothing
else; it decides nothing and delays nobody.
"""

from collections.abc import Sequence

import attrs

from protocol.common.events import TakenBack
from protocol.event import Record
from protocol.games.second_edition import events as se
from protocol.games.second_edition.table import Face, Skill

FALL_SECONDS = 0.7
"""Until the last die has stopped."""
STAY_SECONDS = 5.0
"""For so long after that they can be seen."""
FRAME_SECONDS = 0.08
"""Between two faces of a die that falls."""
_FIRST_FALL_SECONDS = 0.3
"""When the first of several dice has stopped, in seconds."""
_WHEEL = (
    *(Face.SUCCESS, Face.BLANK, Face.SUCCESS, Face.BLANK),
    *(Face.INVESTIGATION, Face.SUCCESS, Face.BLANK, Face.INVESTIGATION),
)
"""The faces of a die in an order in which no two that follow one another are alike."""


@attrs.define(eq=False)
class Roll:
    """One throw: whose, what for, and how the dice lie."""

    investigator: str | None = None
    """Who makes a test; None where it is not a test."""
    skill: Skill | None = None
    pool: int = 0
    needed: int | None = None
    """Successes; None where nobody knows, or none are."""
    monster: str | None = None
    """Which one assaults a Barricade."""
    faces: tuple[Face, ...] = ()
    converted: frozenset[int] = frozenset()
    successes: int | None = None
    """The final result; None while the roll is not settled."""
    has_worked: bool | None = None
    """Whether the test was passed, or the Barricade broken."""
    changed: float = 0.0
    """When it was seen to change last, in seconds."""
    fresh: tuple[int, ...] = ()
    """Positions of the dice that were thrown then."""

    @property
    def settled_at(self) -> float:
        """When the last die has stopped, in seconds."""
        return self.changed + (FALL_SECONDS if self.fresh else 0.0)

    def falling(self, now: float, touched: float) -> frozenset[int]:
        """
        Return the dice that still fall; they stop one after the other.

        Args:
            now: in seconds.
            touched: when a key was pressed last; whoever does not wait sees them lie at once.
        """
        if not self.fresh or touched > self.changed:
            return frozenset()
        gap = (FALL_SECONDS - _FIRST_FALL_SECONDS) / len(self.fresh)
        falls = (
            (at, _FIRST_FALL_SECONDS + gap * (place + 1)) for place, at in enumerate(self.fresh)
        )
        return frozenset(at for at, fall in falls if now < self.changed + fall)

    def seen(self, falling: frozenset[int], now: float) -> tuple[Face, ...]:
        """Return the faces as they are seen, while some still fall."""
        turn = int((now - self.changed) / FRAME_SECONDS)
        return tuple(
            _WHEEL[(turn + 3 * at) % len(_WHEEL)] if at in falling else face
            for at, face in enumerate(self.faces)
        )


@attrs.define(eq=False)
class Rolls:
    """All that is rolled at one table, told record by record."""

    shown: list[Roll] = attrs.field(factory=list)
    """Those that came while somebody watched and were not put away, the latest last."""
    test: Roll | None = None
    """The one that is being made."""
    _next: int = attrs.field(default=0, init=False)
    """The first record that was not looked at."""

    def take(
        self,
        records: Sequence[Record],
        first_live: int,
        now: float,
        touched: float,
        *,
        is_still: bool = False,
    ) -> None:
        """
        Put away what was seen long enough, and take over what was rolled since.

        Args:
            records: of the whole table.
            first_live: the first that came while somebody watched; older ones are not shown.
            now: in seconds.
            touched: when a key was pressed last; that removes dice that have stopped.
            is_still: whether dice lie at once, without falling.
        """
        if touched > self.last_settled or now >= self.last_settled + STAY_SECONDS:
            self.shown.clear()
        thrown: set[Roll] = set()
        for record in records[self._next :]:
            roll = self._took(record, thrown)
            if roll is None:
                continue
            if is_still or roll not in thrown or record.sequence < first_live:
                roll.fresh = ()
            if roll.faces and record.sequence >= first_live:
                roll.changed = now
                if roll not in self.shown:
                    self.shown.append(roll)
        self._next = len(records)

    @property
    def last_settled(self) -> float:
        """When the last die of all rolls shown has stopped, in seconds."""
        return max((roll.settled_at for roll in self.shown), default=0.0)

    def next_look(self, now: float, touched: float) -> float | None:
        """Return in how many seconds they look otherwise; None for never."""
        if not self.shown:
            return None
        if any(roll.falling(now, touched) for roll in self.shown):
            return FRAME_SECONDS
        return max(FRAME_SECONDS, self.last_settled + STAY_SECONDS - now)

    def _took(self, record: Record, thrown: set[Roll]) -> Roll | None:
        """Take one record over; return the roll that it is about. What is thrown is noted."""
        match record.event:
            case se.TestDeclared() as declared:
                self.test = Roll(
                    declared.investigator, declared.skill, declared.pool, declared.difficulty
                )
            case se.DiceShown() as dice if self.test is not None:
                return _thrown(self.test, dice.faces, thrown, dice.rerolled)
            case se.DiceConverted() as turned if self.test is not None:
                self.test.converted |= {*turned.dice}
            case se.TestFinished() as finished if self.test is not None:
                return self._finish(finished)
            case se.OppositionRolled() as opposed:
                roll = Roll(successes=opposed.faces.count(Face.SUCCESS))
                return _thrown(roll, opposed.faces, thrown)
            case se.BarricadeAssaulted() as assault:
                roll = Roll(monster=assault.monster, has_worked=assault.is_broken)
                return _thrown(roll, assault.faces, thrown)
            case se.BarricadeRerolled() as again:
                roll = Roll(monster=again.monster, has_worked=again.is_broken)
                return _thrown(roll, again.faces, thrown, again.rerolled)
            case TakenBack():
                self.test = None
                self.shown.clear()
                return None
            case _:
                return None
        return self.test

    def _finish(self, finished: se.TestFinished) -> Roll | None:
        roll, self.test = self.test, None
        if roll is not None:
            roll.successes, roll.has_worked = finished.successes, finished.is_passed
        return roll


def _thrown(
    roll: Roll, faces: tuple[Face, ...], thrown: set[Roll], again: tuple[int, ...] = ()
) -> Roll:
    """Lay dice down; `again` are the positions of those that were thrown, where not all were."""
    fresh = {*(again or range(len(faces))), *(roll.fresh if roll in thrown else ())}
    roll.faces, roll.fresh = faces, tuple(sorted(fresh))
    roll.converted -= fresh
    thrown.add(roll)
    return roll
