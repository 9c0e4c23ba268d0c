"""Marks of this game: the cards of a scenario, and how often a game brought each into the open."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping

import attrs

from content.games.cards.schema.pack import AnyFace, Content, type_of
from content.plugs.kind import GameOutcome, Mark
from protocol.common.table import GameEvent, GameTable
from protocol.common.text import Text
from protocol.games.cards.events import Told
from protocol.games.cards.table import CardsTable


@attrs.frozen
class Marked:
    """A scenario whose open cards are counted off the table."""

    content: Content

    @property
    def everything(self) -> tuple[Mark, ...]:
        """Every card that can come into the open in this scenario, each once."""
        others = {face.id for face in self._of_other_scenarios()}
        return tuple(
            Mark(type_of(face).value, id_)
            for id_, face in self.content.faces.items()
            if id_ not in others
        )

    def _of_other_scenarios(self) -> Iterator[AnyFace]:
        pack, scenario = self.content.pack, self.content.scenario
        named = {
            *(*scenario.acts, *scenario.agendas, *scenario.locations, *scenario.aside),
            *scenario.reference.values(),
            *(act for versions in scenario.act_versions.values() for act in versions),
            *(place for choice in scenario.random for place in choice.among),
            *(place for deck in scenario.decks for place in deck.locations),
        }
        sets = {*scenario.sets, *(one for deck in scenario.decks for one in deck.sets)}
        story = (*pack.acts.values(), *pack.agendas.values(), *pack.references.values())
        yield from (card for card in story if card.id not in named)
        for location in pack.locations.values():
            if location.id not in named:
                faces = (location, location.face, *location.versions, location.other)
                yield from (face for face in faces if face is not None)
        for card in (*pack.enemies.values(), *pack.treacheries.values(), *pack.stories.values()):
            if card.set_ is not None and card.set_ not in sets and card.id not in named:
                yield card

    def seen(self, table: GameTable) -> Mapping[Mark, int]:
        """Return how many open cards of each kind there are."""
        assert isinstance(table, CardsTable)
        faces = self.content.faces
        return Counter(
            Mark(type_of(faces[card.shown]).value, card.shown)
            for card in table.cards.values()
            if card.shown in faces
        )

    def on_table(self, table: GameTable) -> Collection[Mark]:
        """Return the marks of the cards that are open now."""
        return self.seen(table).keys()

    def outcome(self, table: GameTable) -> GameOutcome:
        """Return the result of the game so far, and its rounds."""
        assert isinstance(table, CardsTable)
        end = table.came_out()
        if end is None:
            return GameOutcome(rounds=table.round_number)
        return GameOutcome(end.winners, table.resolution, end.rounds, end.scores)

    def told(self, event: GameEvent) -> Text | None:
        """Return the text that an event shows to all; None if it shows none."""
        return event.text if isinstance(event, Told) else None
