"""Marks of this game: the parts of a scenario that are counted, and their counts on a table."""

from collections.abc import Collection, Mapping
from typing import Any

import attrs

from content.games.second_edition.schema.counters import Counter
from content.games.second_edition.schema.decks import DeckCard
from content.games.second_edition.schema.effects import Count, Effect, EffectChoice, End
from content.games.second_edition.schema.pack import Content, Pack
from content.games.second_edition.schema.scenario import (
    MythosEvent,
    Scenario,
    TokenOption,
    Trigger,
)
from content.games.second_edition.schema.shared import SharedEvent
from content.games.second_edition.schema.timers import Timer
from content.language.marks import Marker
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
}


@attrs.define
class Marked:
    """A scenario with a counter for each part."""

    content: Content
    counters: dict[str, Mark]
    """Marks by the name of their counter."""

    @property
    def everything(self) -> tuple[Mark, ...]:
        """Every part, each once, in the order of writing; tiles and tokens last."""
        scenario = self.content.scenario
        tiles = [Mark("tile", tile.id) for tile in scenario.tiles]
        tokens = [Mark("token", token.id) for token in scenario.tokens]
        return tuple(dict.fromkeys([*self.counters.values(), *tiles, *tokens]))

    def seen(self, table: GameTable) -> dict[Mark, int]:
        """Return how often a game resolved each part; parts that it never reached are left out."""
        assert isinstance(table, SecondEditionTable)
        order = list(self.content.scenario.counters)
        found: dict[Mark, int] = {}
        for name, mark in self.counters.items():
            # The table knows the counters of a scenario by their numbers, from 1.
            kept = table.remembered(f"c{order.index(name) + 1}")
            if kept is not None:
                found[mark] = found.get(mark, 0) + kept
        return found

    def on_table(self, table: GameTable) -> Collection[Mark]:
        """Return the marks of the tiles and tokens on the board."""
        assert isinstance(table, SecondEditionTable)
        tiles = {Mark("tile", placed.tile) for placed in table.tiles}
        return tiles | {Mark("token", token) for token in table.tokens}

    def outcome(self, table: GameTable) -> GameOutcome:
        """Return the result of the game so far, and its rounds."""
        assert isinstance(table, SecondEditionTable)
        if table.ending is None:
            return GameOutcome(rounds=table.round_number)
        end = table.came_out()
        winners = () if end is None else end.winners
        return GameOutcome(winners, table.ending.epilogue.subject, table.round_number)

    def told(self, event: GameEvent) -> Text | None:
        """Return the story text that an event shows to players; None if it shows none."""
        return event.text if isinstance(event, Told) else None


def mark(pack: Pack, scenario: Scenario) -> Marked:
    """Return a scenario that plays like `scenario` and counts each of its parts."""
    marker = Marker(_KINDS, {End: "ending"}, _name, lambda counter: Count(counter, add=1))
    # The others stay unmarked: a counter that never counts would look like an unused event.
    shared = {
        **pack.events,
        **{event.id: marker.marked(event) for event in pack.events_of(scenario)},
    }
    # Named effects come last, counted by their names. Counters, tiles and rooms hold no effects.
    # The order of the fields is the order of the marks in reports.
    changes: dict[str, Any] = {
        field.name: marker.marked(getattr(scenario, field.name))
        for field in attrs.fields(Scenario)
        if field.name not in {"effects", "counters", "tiles", "rooms"}
    }
    effects: dict[str, Effect] = {
        name: (marker.count("named effect", name), *marker.marked(effect))
        for name, effect in scenario.effects.items()
    }
    counters = {**scenario.counters, **{name: Counter() for name in marker.counters}}
    marked = attrs.evolve(scenario, **changes, effects=effects, counters=counters)
    marks = {name: Mark(*mark) for name, mark in marker.counters.items()}
    return Marked(Content(attrs.evolve(pack, events=shared), marked), marks)


def _name(part: Any, within: str) -> str:
    """Return the id of a part's mark, named after the token, deck or timer that holds the part."""
    match part:
        case TokenOption():
            return f"{within}: {part.text}"
        case Timer():
            return within
        case DeckCard():
            return f"{within}: {part.id}"
        case EffectChoice():
            return part.text
        case End():
            return part.epilogue
    return str(part.id)
