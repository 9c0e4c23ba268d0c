"""Marks of this game: the parts of a story that are counted, and their counts on a table."""

from collections.abc import Collection, Mapping
from typing import Any

import attrs

from content.games.first_edition.loader import cards_of, lists_of
from content.games.first_edition.schema.cards import ActionCard, MythosCard, TraumaCard
from content.games.first_edition.schema.effects import EffectChoice, Tally
from content.games.first_edition.schema.pack import Content, Pack
from content.games.first_edition.schema.story import (
    Counter,
    Deed,
    Story,
    StoryCard,
    StoryClue,
    StoryEvent,
    Tale,
)
from content.language.marks import Marker
from content.plugs.kind import GameOutcome, Mark
from protocol.common.table import GameEvent, GameTable
from protocol.common.text import Text
from protocol.games.first_edition.events import Told
from protocol.games.first_edition.table import FirstEditionTable

_KINDS: Mapping[type, str] = {
    MythosCard: "mythos card",
    ActionCard: "keeper action",
    StoryEvent: "event",
    StoryClue: "clue",
    TraumaCard: "trauma card",
    Deed: "action of the story",
    Tale: "story card of an ally",
    StoryCard: "card of the story",
    EffectChoice: "choice",
}


@attrs.define
class Marked:
    """A story with a counter for each part."""

    content: Content
    counters: dict[str, Mark]
    """Marks by the name of their counter."""
    others: tuple[Mark, ...]
    """Marks of items, combat cards and objectives, which are read off the table."""

    @property
    def everything(self) -> tuple[Mark, ...]:
        """Every part, each once: those with an effect in the order of writing, then the others."""
        return tuple(dict.fromkeys([*self.counters.values(), *self.others]))

    def seen(self, table: GameTable) -> dict[Mark, int]:
        """Return how often a game resolved each part; parts that it never reached are left out."""
        assert isinstance(table, FirstEditionTable)
        found: dict[Mark, int] = {}
        for name, mark in self.counters.items():
            if name in table.counters and table.counters[name].amount:
                found[mark] = found.get(mark, 0) + table.counters[name].amount
        for item in table.spent_items:
            found[Mark("item", item)] = found.get(Mark("item", item), 0) + 1
        if table.revealed is not None:
            found[Mark("objective", table.revealed)] = 1
        return found

    def on_table(self, table: GameTable) -> Collection[Mark]:
        """Return the marks of the items in play and of the combat cards that lie face up."""
        assert isinstance(table, FirstEditionTable)
        held = [item for who in table.investigators.values() for item in who.items]
        lying = [item for items in table.lying.values() for item in items]
        combat = self.content.pack.combat
        drawn = [card for cards in table.discards.values() for card in cards if card in combat]
        return {
            *(Mark("item", item.card) for item in (*held, *lying)),
            *(Mark("combat card", card) for card in drawn),
        }

    def outcome(self, table: GameTable) -> GameOutcome:
        """Return the result of the game so far, and its rounds."""
        assert isinstance(table, FirstEditionTable)
        end = table.came_out()
        if table.ending is None or end is None:
            return GameOutcome(rounds=table.round_number)
        goal = table.objective
        plot = goal.value if goal is not None and goal.is_open else ""
        return GameOutcome(end.winners, table.ending.reason.subject, end.rounds, plot=plot)

    def told(self, event: GameEvent) -> Text | None:
        """Return the text of the story that an event shows to all; None if it shows none."""
        return event.text if isinstance(event, Told) else None


def mark(pack: Pack, story: Story) -> Marked:
    """Return a story that plays like `story` and counts each of its parts."""
    marker = Marker(_KINDS, {}, _name, Tally)
    cards = set(cards_of(lists_of(pack), story))

    def those(entries: Mapping[str, Any]) -> dict[str, Any]:
        # The others stay unmarked: a counter that never counts would look like an unused card.
        return {id_: marker.marked(card) if id_ in cards else card for id_, card in entries.items()}

    told = marker.marked(story)
    marked_pack = attrs.evolve(
        pack,
        mythos=those(pack.mythos),
        actions=those(pack.actions),
        traumas=those(pack.traumas),
    )
    counters = (*story.counters, *(Counter(name) for name in marker.counters))
    marks = {name: Mark(*mark) for name, mark in marker.counters.items()}
    classes = {pack.monsters[id_].class_ for id_ in cards if id_ in pack.monsters}
    others = [
        *(Mark("item", item) for item in pack.items if item in cards),
        *(Mark("combat card", c.id) for c in pack.combat.values() if c.class_ in classes),
        *(Mark("objective", objective.id) for objective in story.objectives),
    ]
    content = Content(marked_pack, attrs.evolve(told, counters=counters))
    return Marked(content, marks, tuple(others))


def _name(part: Any, within: str) -> str:
    """Return the id of a part's mark; a choice is named by its text."""
    return f"{within}: {part.text}" if isinstance(part, EffectChoice) else str(part.id)
