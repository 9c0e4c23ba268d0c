"""A pack: the content of one folder, checked and ready for the rules."""

from collections.abc import Collection, Mapping
from typing import Any, TypeVar

import attrs

from content.games.first_edition.schema.cards import (
    ActionCard,
    AllyCard,
    CharacterCard,
    CombatCard,
    ItemCard,
    LockCard,
    MonsterCard,
    MythosCard,
    ObstacleCard,
    PitMarker,
    SpellCard,
    TraitCard,
    TraumaCard,
)
from content.games.first_edition.schema.effects import Gain, Ritual
from content.games.first_edition.schema.products import Product
from content.games.first_edition.schema.puzzles import Layout, PieceSupply
from content.games.first_edition.schema.story import Story
from content.language.walk import parts_in
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
    pits: Mapping[str, PitMarker] = attrs.field(factory=dict)
    allies: Mapping[str, AllyCard] = attrs.field(factory=dict)
    products: Mapping[str, Product] = attrs.field(factory=dict)
    """Products by id. A table can switch a product off. W-DECIDE-55."""

    def product_of(self, component: str) -> str:
        """Return the id of the product that holds a component; empty if none does. W-CARD-14."""
        found = (one.id for one in self.products.values() if component in one.holds)
        return next(found, "")

    def without(self, off: Collection[str]) -> "Pack":
        """Return the pack without the components of these products. W-DECIDE-55."""
        gone = {c for one in self.products.values() if one.id in off for c in one.holds}
        # Most tables switch nothing off, and then nothing is copied.
        if not any(product in off for product in self.products):
            return self
        return attrs.evolve(
            self,
            scenarios=_without(self.scenarios, gone),
            characters=_without(self.characters, gone),
            traits=_without(self.traits, gone),
            items=_without(self.items, gone),
            spells=_without(self.spells, gone),
            monsters=_without(self.monsters, gone),
            combat=_without(self.combat, gone),
            traumas=_without(self.traumas, gone),
            mythos=_without(self.mythos, gone),
            actions=_without(self.actions, gone),
            locks=_without(self.locks, gone),
            obstacles=_without(self.obstacles, gone),
            puzzles=_without(self.puzzles, gone),
            pits=_without(self.pits, gone),
            allies=_without(self.allies, gone),
            products=_without(self.products, off),
        )

    def puzzles_of(self, story: Story) -> tuple[Layout, ...]:
        """Return the puzzles that locks, obstacles and rituals of a story ask for, each once."""
        laid = {card for row in story.placement for card in row.cards}
        locks = {row.lock for row in story.locks}
        openings = [
            *(card.opening for card in self.locks.values() if card.id in locks),
            *(card.opening for card in self.obstacles.values() if card.id in laid),
        ]
        asked = {opening.puzzle for opening in openings}
        named = {*story.all_actions, *story.mythos}
        cards: Mapping[str, Any] = {**self.actions, **self.mythos}
        of_keeper = tuple(cards[id_] for id_ in cards if id_ in named)
        asked |= {one.puzzle for one in parts_in((story, of_keeper)) if isinstance(one, Ritual)}
        return tuple(layout for layout in self.puzzles.values() if layout.id in asked)


T = TypeVar("T")


def _without(cards: Mapping[str, T], gone: Collection[str]) -> Mapping[str, T]:
    return {id_: card for id_, card in cards.items() if id_ not in gone}


@attrs.frozen
class Content:
    """The content of one game, as rules read it: a pack and the story that is played."""

    pack: Pack
    story: Story

    def puzzles(self) -> tuple[Layout, ...]:
        """Return the puzzles of all locks and obstacles of the story, whatever the answers are."""
        return self.pack.puzzles_of(self.story)

    def spells(self) -> tuple[SpellCard, ...]:
        """
        Return the spells whose copies are laid out, in the order of the pack. K-DECIDE-58.

        An outdoor story has all of them. A base story has a spell of a product only if somebody can
        get it there: from a trait, or by a card that can come into the story. W-USE-2 to W-USE-5.
        """
        pack, story = self.pack, self.story
        held = {component for one in pack.products.values() for component in one.holds}
        if story.outdoor or not held:
            return tuple(pack.spells.values())
        people = [pack.characters[who] for who in story.investigators or pack.characters]
        box = (pack.items, pack.spells, pack.monsters, pack.mythos, pack.actions)
        waiting: list[Any] = [
            *(pack.traits[trait] for one in people for trait in (*one.physical, *one.mental)),
            *(*pack.traumas.values(), *pack.combat.values(), story),
            *(_without(part, held) for part in (*box, pack.locks, pack.obstacles)),
        ]
        given = dict[str, None]()
        while waiting:
            for part in parts_in(waiting.pop()):
                if isinstance(part, TraitCard | Gain):
                    for id_ in (part.item, part.spell):
                        if id_ in held and id_ not in given:
                            given[id_] = None
                            waiting.append(pack.items.get(id_) or pack.spells[id_])
        return tuple(one for one in pack.spells.values() if one.id not in held or one.id in given)
