"""
Rolls: the dice thrown at a table, and the animation of their fall.

The records have the results. The animation depends on the clock alone, changes no result, and
delays no answer.
"""

from collections.abc import Sequence

import attrs

from protocol.common.events import TakenBack
from protocol.event import Record
from protocol.games.second_edition import events as se
from protocol.games.second_edition.table import Face, Skill

FALL_SECONDS = 0.7
"""Seconds from a throw until the last die stops."""
STAY_SECONDS = 5.0
"""Seconds for which dice stay visible after they have stopped."""
FRAME_SECONDS = 0.08
"""Seconds for which a falling die shows a face."""
_FIRST_FALL_SECONDS = 0.3
"""Seconds until the first of several dice stops."""
_WHEEL = (
    *(Face.SUCCESS, Face.BLANK, Face.SUCCESS, Face.BLANK),
    *(Face.INVESTIGATION, Face.SUCCESS, Face.BLANK, Face.INVESTIGATION),
)
"""Faces that a falling die shows in turn. No two adjacent faces are the same."""


@attrs.define(eq=False)
class Roll:
    """A throw of dice, with its purpose and its result."""

    investigator: str | None = None
    """The investigator who makes the test; None if the roll is not for a test."""
    skill: Skill | None = None
    pool: int = 0
    needed: int | None = None
    """The number of successes that passes the test; None if the number is unknown or there is
    none."""
    monster: str | None = None
    """The monster that assaults a Barricade; None if the roll is not for an assault."""
    faces: tuple[Face, ...] = ()
    converted: frozenset[int] = frozenset()
    successes: int | None = None
    """The final number of successes; None before the end of a test, and for an assault."""
    has_worked: bool | None = None
    """Whether the test was passed or the Barricade broken; None if not known."""
    changed: float = 0.0
    """The time of the last visible change, in seconds."""
    fresh: tuple[int, ...] = ()
    """Positions of the dice that were thrown at the time `changed`."""

    @property
    def settled_at(self) -> float:
        """The time at which the last die stops, in seconds."""
        return self.changed + (FALL_SECONDS if self.fresh else 0.0)

    def falling(self, now: float, touched: float) -> frozenset[int]:
        """
        Return the positions of the dice that still fall; the dice stop one after the other.

        Args:
            now: the current time in seconds.
            touched: the time of the last key in seconds. A key after the throw stops all dice.
        """
        if not self.fresh or touched > self.changed:
            return frozenset()
        gap = (FALL_SECONDS - _FIRST_FALL_SECONDS) / len(self.fresh)
        falls = (
            (at, _FIRST_FALL_SECONDS + gap * (place + 1)) for place, at in enumerate(self.fresh)
        )
        return frozenset(at for at, fall in falls if now < self.changed + fall)

    def faces_at(self, falling: frozenset[int], now: float) -> tuple[Face, ...]:
        """Return the visible faces while the dice at the positions `falling` still fall."""
        # Each die begins at another face, or all would show the same one while they fall.
        turn = int((now - self.changed) / FRAME_SECONDS)
        return tuple(
            _WHEEL[(turn + 3 * at) % len(_WHEEL)] if at in falling else face
            for at, face in enumerate(self.faces)
        )


@attrs.define(eq=False)
class Rolls:
    """The rolls to show at one table, updated from its records."""

    shown: list[Roll] = attrs.field(factory=list)
    """Visible rolls, the latest last."""
    test: Roll | None = None
    _next: int = attrs.field(default=0, init=False)
    """The index of the first record that was not read yet."""

    def update(
        self,
        records: Sequence[Record],
        first_live: int,
        now: float,
        touched: float,
        *,
        is_still: bool = False,
    ) -> None:
        """
        Remove rolls that were visible long enough, and add the rolls of new records.

        Args:
            records: all records of the table.
            first_live: the sequence of the first record that arrived while the player watched.
                Older dice are not shown.
            now: the current time in seconds.
            touched: the time of the last key in seconds; a key removes dice that have stopped.
            is_still: whether dice stop at once, without falling.
        """
        if touched > self.last_settled or now >= self.last_settled + STAY_SECONDS:
            self.shown.clear()
        thrown: set[Roll] = set()
        for record in records[self._next :]:
            roll = self._process(record, thrown)
            if roll is None:
                continue
            # Dice fall only if they were thrown now, before the eyes of the player.
            if is_still or roll not in thrown or record.sequence < first_live:
                roll.fresh = ()
            if roll.faces and record.sequence >= first_live:
                roll.changed = now
                if roll not in self.shown:
                    self.shown.append(roll)
        self._next = len(records)

    @property
    def last_settled(self) -> float:
        """The time at which the last visible die stops, in seconds."""
        return max((roll.settled_at for roll in self.shown), default=0.0)

    def next_look(self, now: float, touched: float) -> float | None:
        """Return the seconds until the shown dice change or disappear; None if none are shown."""
        if not self.shown:
            return None
        if any(roll.falling(now, touched) for roll in self.shown):
            return FRAME_SECONDS
        return max(FRAME_SECONDS, self.last_settled + STAY_SECONDS - now)

    def _process(self, record: Record, thrown: set[Roll]) -> Roll | None:
        """Process a record; return the roll that it changes, or None.

        Add the roll to `thrown` if its dice were thrown.
        """
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
                roll, self.test = self.test, None
                if roll is not None:
                    roll.successes, roll.has_worked = finished.successes, finished.is_passed
                return roll
            case se.OppositionRolled() as opposed:
                roll = Roll(successes=opposed.faces.count(Face.SUCCESS))
                return _thrown(roll, opposed.faces, thrown)
            case se.BarricadeAssaulted() as assault:
                roll = Roll(monster=assault.monster, has_worked=assault.is_broken)
                return _thrown(roll, assault.faces, thrown)
            case se.BarricadeRerolled() as again:
                roll = Roll(monster=again.monster, has_worked=again.is_broken)
                return _thrown(roll, again.faces, thrown, again.rerolled)
            # Going back undoes every roll that was in view.
            case TakenBack():
                self.test = None
                self.shown.clear()
                return None
            case _:
                return None
        return self.test


def _thrown(
    roll: Roll, faces: tuple[Face, ...], thrown: set[Roll], again: tuple[int, ...] = ()
) -> Roll:
    """Update a roll after a throw of the dice at positions `again` (empty for all dice); return it.

    Add the roll to `thrown`.
    """
    # Two throws in one batch look like one: both sets of dice fall.
    fresh = {*(again or range(len(faces))), *(roll.fresh if roll in thrown else ())}
    roll.faces, roll.fresh = faces, tuple(sorted(fresh))
    roll.converted -= fresh
    thrown.add(roll)
    return roll
