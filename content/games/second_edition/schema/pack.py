"""A pack: the content of one folder, checked and ready for the rules."""

from collections.abc import Collection, Mapping
from typing import TypeVar

import attrs

from content.games.second_edition.schema.box import Box
from content.games.second_edition.schema.campaigns import Campaign
from content.games.second_edition.schema.cards import (
    ConditionCard,
    HarmCard,
    InsaneBack,
    InvestigatorCard,
    ItemCard,
    SpellCard,
)
from content.games.second_edition.schema.monsters import Ability, MonsterCard
from content.games.second_edition.schema.products import Product
from content.games.second_edition.schema.scenario import Scenario
from content.games.second_edition.schema.shared import PackTile, Person, SharedEvent
from protocol.common.templates import placeholders
from protocol.common.text import Catalog
from protocol.games.second_edition.table import RULESET


@attrs.frozen
class Pack:
    """Content of a pack: components by id, and words by language."""

    game = RULESET

    id: str
    investigators: Mapping[str, InvestigatorCard]
    items: Mapping[str, ItemCard]
    harms: Mapping[str, HarmCard]
    conditions: Mapping[str, ConditionCard]
    insane: Mapping[str, InsaneBack]
    monsters: Mapping[str, MonsterCard]
    abilities: Mapping[str, Ability]
    scenarios: Mapping[str, Scenario]
    catalogs: Mapping[str, Catalog]
    """The words of each language, by language code: `en` and `fr`."""
    digest: bytes
    """SHA-256 over all files of the pack, in the order of their names."""
    box: Box = attrs.field(factory=Box)
    """Numbers of tokens and tiles. Rule LIMIT-3."""
    spells: Mapping[str, SpellCard] = attrs.field(factory=dict)
    products: Mapping[str, Product] = attrs.field(factory=dict)
    """Products by id. A table can switch a product off. Rule APP-18."""
    tiles: Mapping[str, PackTile] = attrs.field(factory=dict)
    events: Mapping[str, SharedEvent] = attrs.field(factory=dict)
    """Mythos events that scenarios share, by id."""
    persons: Mapping[str, Person] = attrs.field(factory=dict)
    campaigns: Mapping[str, Campaign] = attrs.field(factory=dict)

    def campaign_of(self, scenario: str) -> Campaign | None:
        """Return the campaign of a scenario; None if it has none."""
        return next((c for c in self.campaigns.values() if scenario in c.scenarios), None)

    def events_of(self, scenario: Scenario) -> tuple[SharedEvent, ...]:
        """Return the shared events that a scenario uses, in the order of the pack."""
        taken = scenario.shared_events
        if taken is None:
            return ()
        return tuple(event for event in self.events.values() if taken.takes(event))

    def speaks_of_actor(self, subject: str) -> bool:
        """Return whether a text names the investigator whom it concerns, in any language."""
        words = (catalog.get(subject, {}) for catalog in self.catalogs.values())
        return any("0" in placeholders(text) for own in words for text in own.values())

    def product_of(self, component: str) -> str:
        """Return the id of the product that holds a component; empty if there is none."""
        found = (product.id for product in self.products.values() if component in product.holds)
        return next(found, "")

    def without(self, off: Collection[str]) -> "Pack":
        """Return the pack without the components of these products. Rule APP-19."""
        gone = {c for p in self.products.values() if p.id in off for c in p.holds}
        # Most tables switch nothing off, and then nothing is copied.
        if not any(product in off for product in self.products):
            return self
        return attrs.evolve(
            self,
            investigators=_without(self.investigators, gone),
            items=_without(self.items, gone),
            harms=_without(self.harms, gone),
            conditions=_without(self.conditions, gone),
            insane=_without(self.insane, gone),
            spells=_without(self.spells, gone),
            monsters=_without(self.monsters, gone),
            events=_without(self.events, gone),
            scenarios=_without(self.scenarios, gone),
            products=_without(self.products, off),
        )


T = TypeVar("T")


def _without(cards: Mapping[str, T], gone: Collection[str]) -> Mapping[str, T]:
    return {id_: card for id_, card in cards.items() if id_ not in gone}


@attrs.frozen
class Content:
    """The content of one game, as rules read it: a pack and the scenario that is played."""

    pack: Pack
    scenario: Scenario
    carried: Mapping[str, int] = attrs.field(factory=dict)
    """Values carried over from the previous scenario of the campaign, by counter."""
