"""A game handle and a table that suffice for the shared parts of rules."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

from protocol.event import Sealed

VERSION = 5


@attrs.frozen
class Written:
    """The event by which the memory is written to the log."""

    is_whole: bool
    numbers: Sealed[Mapping[str, int]]


@attrs.frozen
class Changed:
    """The event of a single change, on logs of version 1."""

    name: str
    to: Sealed[int]


@attrs.define
class Handle:
    """A stand-in for `server.kernel.game.Game` and its table. Chance takes the first entry."""

    version: int = VERSION
    noted: dict[str, int] = attrs.field(factory=dict)
    under_way: set[str] = attrs.field(factory=set)
    memory: tuple[Sealed[Mapping[str, int]], ...] = ()
    emitted: list[Any] = attrs.field(factory=list)
    drawn: list[tuple[str, int]] = attrs.field(factory=list)
    """Purpose of each draw, and number of entries."""
    pauses: int = 0

    @property
    def table(self) -> "Handle":
        return self

    def remembered(self, name: str) -> int | None:
        """Return the number that was last written under a name."""
        found = [part.value[name] for part in self.memory if name in part.value]
        return found[-1] if found else None

    def emit(self, event: Any) -> None:
        self.emitted.append(event)
        if isinstance(event, Written):
            self.memory = (event.numbers,) if event.is_whole else (*self.memory, event.numbers)

    async def pause(self) -> None:
        self.pauses += 1

    def pick(self, purpose: str, options: Sequence[Any]) -> Any:
        """Draw in public."""
        self.drawn.append((purpose, len(options)))
        return options[0]

    def pick_secretly(self, purpose: str, options: Sequence[Any]) -> Any:
        """Draw in secret."""
        return self.pick(purpose, options)

    def deal(self, purpose: str, options: Sequence[Any], name: Callable[[Any], str] = str) -> Any:
        assert len({name(option) for option in options}) == len(options)
        return self.pick(purpose, options)
