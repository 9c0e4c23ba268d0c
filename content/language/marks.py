"""
Marks: which parts of a scenario a game came through.

The scenario is played with counters added to it, one for each part, which count how often that part
was resolved. Rules and kernel know nothing of it; the marks stand on the log as sealed counters do.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

import attrs

from content.games.second_edition.schema.counters import Counter
from content.games.second_edition.schema.decks import DeckCard
from content.games.second_edition.schema.effects import Count, Effect, EffectChoice, End, Step
from content.games.second_edition.schema.pack import Content, Pack
from content.games.second_edition.schema.scenario import (
    MythosEvent,
    Scenario,
    TokenCard,
    TokenOption,
    Trigger,
)
from content.games.second_edition.schema.shared import SharedEvent
from content.games.second_edition.schema.timers import Timer
from content.plugs.kind import GameOutcome, Mark
from protocol.common.table import GameEvent, GameTable
from protocol.common.text import Text
from protocol.games.second_edition.events import Told
from protocol.games.second_edition.table import SecondEditionTable

_KINDS: Mapping[type, str] = {
    MythosEvent: "mythos event",
    SharedEvent: "shared event",
    Trigger: "trigger",
    TokenOption: "token option",
    EffectChoice: "choice",
    DeckCard: "card of a deck",
    Timer: "timer",
    End: "ending",
}


@attrs.define
class Marked:
    """A scenario with a counter for each part."""

    content: Content
    counters: dict[str, Mark]
    """By the name of the counter."""

    def seen(self, table: GameTable) -> dict[Mark, int]:
        """Return how often a game came through each part; what it never reached is left out."""
        assert isinstance(table, SecondEditionTable)
        order = list(self.content.scenario.counters)
        found: dict[Mark, int] = {}
        for name, mark in self.counters.items():
            kept = table.remembered(f"c{order.index(name) + 1}")
            if kept is not None:
                found[mark] = found.get(mark, 0) + kept
        return found

    def on_table(self, table: GameTable) -> Collection[Mark]:
        """Return the tiles and tokens that lie on the table."""
        assert isinstance(table, SecondEditionTable)
        tiles = {Mark("tile", placed.tile) for placed in table.tiles}
        return tiles | {Mark("token", token) for token in table.tokens}

    def outcome(self, table: GameTable) -> GameOutcome:
        """Return how the game stands."""
        assert isinstance(table, SecondEditionTable)
        if table.ending is None:
            return GameOutcome(rounds=table.round_number)
        ending = table.ending
        return GameOutcome(ending.is_won, ending.epilogue.subject, table.round_number)

    def told(self, happened: GameEvent) -> Text | None:
        """Return what an event has somebody read aloud."""
        return happened.text if isinstance(happened, Told) else None

    @property
    def everything(self) -> tuple[Mark, ...]:
        """Every part, each once, in the order of writing; tiles and tokens last."""
        scenario = self.content.scenario
        tiles = [Mark("tile", tile.id) for tile in scenario.tiles]
        tokens = [Mark("token", token.id) for token in scenario.tokens]
        return tuple(dict.fromkeys([*self.counters.values(), *tiles, *tokens]))


def mark(pack: Pack, scenario: Scenario) -> Marked:
    """Return a scenario in which every part is counted, and that plays like the one given."""
    marker = _Marker()
    events = {event.id: event for event in pack.events_of(scenario)}
    shared = {**pack.events, **{id_: marker.part(event) for id_, event in events.items()}}
    marked: Scenario = marker.part(scenario)
    counters = {**marked.counters, **{name: Counter() for name in marker.counters}}
    return Marked(
        Content(attrs.evolve(pack, events=shared), attrs.evolve(marked, counters=counters)),
        marker.counters,
    )


class _Marker:
    """Rebuilds values with counting steps in them."""

    def __init__(self) -> None:
        self.counters: dict[str, Mark] = {}
        self._within = ""
        """The token, deck or timer that is looked at."""

    def part(self, value: Any) -> Any:
        """Return a value with every effect in it counted."""
        if isinstance(value, Scenario):
            return self._scenario(value)
        if isinstance(value, tuple):
            return tuple(self._steps(value))
        if isinstance(value, Mapping):
            return {key: self._under(key, inner) for key, inner in value.items()}
        if not attrs.has(type(value)):
            return value
        if isinstance(value, TokenCard):
            self._within = value.id
        changes = {
            field.name: self.part(getattr(value, field.name)) for field in attrs.fields(type(value))
        }
        made = attrs.evolve(value, **{_argument(name): new for name, new in changes.items()})
        kind = _KINDS.get(type(value))
        if kind is None or isinstance(value, End):
            return made
        return attrs.evolve(made, effect=(self._count(kind, self._name(value)), *made.effect))

    def _under(self, key: Any, value: Any) -> Any:
        """Return what stands under a key, which names a timer or a deck."""
        if isinstance(value, Timer) or (
            isinstance(value, tuple) and value and isinstance(value[0], DeckCard)
        ):
            self._within = str(key)
        return self.part(value)

    def _scenario(self, scenario: Scenario) -> Scenario:
        changes: dict[str, Any] = {
            field.name: self.part(getattr(scenario, field.name))
            for field in attrs.fields(Scenario)
            if field.name not in {"effects", "counters", "tiles", "rooms"}
        }
        effects: dict[str, Effect] = {
            name: (self._count("named effect", name), *self.part(effect))
            for name, effect in scenario.effects.items()
        }
        return attrs.evolve(scenario, **changes, effects=effects)

    def _steps(self, values: tuple[Any, ...]) -> Iterator[Any]:
        for value in values:
            if isinstance(value, End):
                yield self._count(_KINDS[End], value.epilogue)
            yield self.part(value)

    def _name(self, value: Any) -> str:
        if isinstance(value, TokenOption):
            return f"{self._within}: {value.text}"
        if isinstance(value, Timer):
            return self._within
        if isinstance(value, DeckCard):
            return f"{self._within}: {value.id}"
        return str(value.text if isinstance(value, EffectChoice) else value.id)

    def _count(self, kind: str, id_: str) -> Step:
        name = f"mark{len(self.counters) + 1}"
        self.counters[name] = Mark(kind, id_)
        return Count(name, add=1)


def _argument(name: str) -> str:
    return name.lstrip("_")
