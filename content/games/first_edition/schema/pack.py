"""A pack: the content of one folder, checked and ready for the rules."""

from collections.abc import Mapping
from typing import Any

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
    puzzles: Mapping[str, Any] = attrs.field(factory=dict)


@attrs.frozen
class Content:
    """The content of one game, as rules read it: a pack and the story that is played."""

    pack: Pack
    story: Story
