"""A pack: the content of one folder, checked and ready for the rules."""

from collections.abc import Mapping

import attrs

from content.games.first_edition.schema.cards import (
    ActionCard,
    CharacterCard,
    CombatCard,
    ItemCard,
    LockCard,
    MonsterCard,
    MythosCard,
    ObstacleCard,
    SpellCard,
    TraitCard,
    TraumaCard,
)
from content.games.first_edition.schema.puzzles import Layout, PieceSupply
from content.games.first_edition.schema.story import Story
from protocol.common.text import Catalog
from protocol.games.first_edition.words import RULESET


@attrs.frozen
class Pack:
    """Content of a pack: components by id, and words by language."""

    game = RULESET

    id: str
    scenarios: Mapping[str, Story]
    catalogs: Mapping[str, Catalog]
    """The words of each language, by language code: `en` and `fr`."""
    digest: bytes
    """SHA-256 over all files of the pack, in the order of their names."""
    characters: Mapping[str, CharacterCard] = attrs.field(factory=dict)
    traits: Mapping[str, TraitCard] = attrs.field(factory=dict)
    items: Mapping[str, ItemCard] = attrs.field(factory=dict)
    spells: Mapping[str, SpellCard] = attrs.field(factory=dict)
    monsters: Mapping[str, MonsterCard] = attrs.field(factory=dict)
    combat: Mapping[str, CombatCard] = attrs.field(factory=dict)
    traumas: Mapping[str, TraumaCard] = attrs.field(factory=dict)
    mythos: Mapping[str, MythosCard] = attrs.field(factory=dict)
    actions: Mapping[str, ActionCard] = attrs.field(factory=dict)
    locks: Mapping[str, LockCard] = attrs.field(factory=dict)
    obstacles: Mapping[str, ObstacleCard] = attrs.field(factory=dict)
    puzzles: Mapping[str, Layout] = attrs.field(factory=dict)
    pieces: PieceSupply = attrs.field(factory=PieceSupply)
    """All pieces of puzzles."""

    def puzzles_of(self, story: Story) -> tuple[Layout, ...]:
        """Return the puzzles that locks and obstacles of a story can ask for, each once."""
        laid = {card for row in story.placement for card in row.cards}
        locks = {row.lock for row in story.locks}
        openings = [
            *(card.opening for card in self.locks.values() if card.id in locks),
            *(card.opening for card in self.obstacles.values() if card.id in laid),
        ]
        asked = {opening.puzzle for opening in openings}
        return tuple(layout for layout in self.puzzles.values() if layout.id in asked)


@attrs.frozen
class Content:
    """The content of one game, as rules read it: a pack and the story that is played."""

    pack: Pack
    story: Story

    def puzzles(self) -> tuple[Layout, ...]:
        """Return the puzzles of all locks and obstacles of the story, whatever the answers are."""
        return self.pack.puzzles_of(self.story)
