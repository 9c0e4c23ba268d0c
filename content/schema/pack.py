"""A pack: everything that one folder of content holds, checked and ready to be read by rules."""

from collections.abc import Mapping

import attrs

from content.schema.box import Box
from content.schema.cards import (
    ConditionCard,
    HarmCard,
    InsaneBack,
    InvestigatorCard,
    ItemCard,
    SpellCard,
)
from content.schema.monsters import Ability, MonsterCard
from content.schema.scenario import Scenario
from protocol.common.text import Words

Catalog = Mapping[str, Words]
"""Subject -> its words in one language."""


@attrs.frozen
class Pack:
    """One pack."""

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
    """By language code: `en`, `fr`."""
    digest: bytes
    """SHA-256 over the files of the pack, in the order of their names."""
    box: Box = attrs.field(factory=Box)
    """The tokens there are. Rule LIMIT-3."""
    spells: Mapping[str, SpellCard] = attrs.field(factory=dict)


@attrs.frozen
class Content:
    """What the rules of one game read: a pack and the scenario that is played."""

    pack: Pack
    scenario: Scenario
