"""Laws: declaration of invariants, and checks of a game against them.

`faults` checks a table at rest. A `Watch` follows a game event by event and checks only the laws
whose fields have changed. `invariants` declares the laws, so import these functions from there.
"""

import enum
from collections.abc import Callable, Iterator
from typing import Any

import attrs

from content.games.second_edition.schema.pack import Content
from protocol.common import events
from protocol.common.table import Table
from protocol.event import Event
from protocol.games.second_edition.table import SecondEditionTable


@attrs.frozen
class Look:
    """Input of a law: a table, and the event that produced it if known."""

    table: Table
    content: Content
    before: SecondEditionTable | None = None
    event: Event | None = None

    @property
    def game(self) -> SecondEditionTable:
        assert isinstance(self.table.game, SecondEditionTable)
        return self.table.game


class Time(enum.Enum):
    """When a law holds."""

    ALWAYS = "always"
    """After every event."""
    ASKED = "asked"
    """
    After every event that asks a question; in the middle of a rule, an invariant may be broken for
    a moment.
    """
    RESTED = "rested"
    """Between two procedures, before the next one begins."""


@attrs.frozen
class Law:
    """Invariant with the fields it reads and the time it holds."""

    name: str
    check: Callable[[Look], Iterator[str]]
    reads: tuple[str, ...]
    """Fields of the table that the law reads; empty if the law checks the event itself."""
    time: Time


LAWS: dict[str, Law] = {}
"""Laws by the name of their function."""
LAWS_OF: dict[str, list[str]] = {}
"""Names of the laws that read each field of the game."""
FIELDS = LAWS_OF.keys()
ASK = "ask"
"""Name of the open question among the fields that laws read."""

Check = Callable[[Look], Iterator[str]]


def law(*reads: str, time: Time = Time.ALWAYS) -> Callable[[Check], Check]:
    """Declare a law.

    Args:
        reads: fields of the game that the law reads, or `ask` for the open question.
        time: when it holds.
    """

    def declare(check: Check) -> Check:
        LAWS[check.__name__] = Law(check.__name__, check, reads, time)
        for field in reads:
            LAWS_OF.setdefault(field, []).append(check.__name__)
        return check

    return declare


def faults(table: Table, content: Content) -> list[str]:
    """Return the breaches in a table at rest."""
    look = Look(table, content)
    if not isinstance(table.game, SecondEditionTable) or not look.game.investigators:
        return []
    return [fault for one in LAWS.values() if one.reads for fault in one.check(look)]


@attrs.define
class Watch:
    """Follows one game and returns the breaches after each event."""

    content: Content
    _last: dict[str, Any] = attrs.field(factory=dict)
    """Values of the fields after the last event."""
    _changed: set[str] = attrs.field(factory=lambda: set(LAWS))
    """Laws of which a field has changed since they were last checked."""

    def faults(self, before: Table, event: Event, after: Table) -> list[str]:
        """Return the breaches caused by an event."""
        game = after.game
        if not isinstance(game, SecondEditionTable) or not game.investigators:
            return []
        for name in FIELDS:
            now = after.room.ask if name == ASK else getattr(game, name)
            if self._last.get(name, self) is not now:
                self._last[name] = now
                self._changed.update(LAWS_OF[name])
        was = before.game if isinstance(before.game, SecondEditionTable) else None
        look = Look(after, self.content, was, event)
        return [fault for name in _due(event, self._changed) for fault in self._ask(name, look)]

    def _ask(self, name: str, look: Look) -> list[str]:
        self._changed.discard(name)
        return [f"{name}: {fault}" for fault in LAWS[name].check(look)]


def _due(event: Event, changed: set[str]) -> list[str]:
    """Return the names of the laws to check after an event, in order."""
    if isinstance(event, events.Asked):
        times = {Time.ALWAYS, Time.ASKED}
    elif isinstance(event, events.CheckpointReached):
        times = {Time.ALWAYS, Time.RESTED}
    else:
        times = {Time.ALWAYS}
    laws = LAWS.values()
    return [w.name for w in laws if w.time in times and (not w.reads or w.name in changed)]
