"""Pack with Spells and two-sided Items, which the introductory scenario lacks.

It is the core pack with a few more cards, dealt as starting possessions.
"""

import functools

import attrs

from content.games.second_edition.schema.cards import (
    Attack,
    ComponentAction,
    ItemBack,
    ItemCard,
    Powers,
    Reach,
    SpellBack,
    SpellCard,
    WeaponKind,
)
from content.games.second_edition.schema.effects import (
    Amount,
    DiscardThis,
    FlipThis,
    GainClues,
    GainSpell,
    Suffer,
)
from content.games.second_edition.schema.pack import Pack
from tests.games.second_edition.simulate import core, scenario_id

WARD, BOLT, LAMP = "spell/ward", "spell/bolt", "item/carbide-lamp"
CAST = ComponentAction((FlipThis(),))


def _again(spell: str) -> tuple[DiscardThis, GainSpell]:
    return DiscardThis(), GainSpell(spell)


SPELLS = (
    SpellCard(
        WARD,
        (
            SpellBack("back/ward-quiet", 2, _again(WARD)),
            SpellBack("back/ward-clear", 2, (GainClues(), *_again(WARD))),
            SpellBack("back/ward-price", 1, (Suffer(horror=Amount(1)), *_again(WARD))),
            SpellBack("back/ward-linger", 1, powers=Powers(action=CAST)),
        ),
        powers=Powers(action=CAST),
    ),
    SpellCard(
        BOLT,
        (
            SpellBack("back/bolt-true", 2, _again(BOLT)),
            SpellBack("back/bolt-wild", 2, (Suffer(damage=Amount(1)), *_again(BOLT))),
            SpellBack("back/bolt-spent", 1, (DiscardThis(),)),
        ),
        attack=Attack(Reach.RANGED, WeaponKind.SPELL, 2, after=(FlipThis(),)),
    ),
)
ITEM = ItemCard(
    LAMP,
    "common",
    2,
    powers=Powers(action=CAST),
    back=ItemBack("back/lamp-lit", traits=("light_source",), powers=Powers(action=CAST)),
)


@functools.cache
def spellbook() -> Pack:
    """Return the core pack with these cards among the starting possessions."""
    scenario = core().scenarios[scenario_id()]
    dealt = attrs.evolve(
        scenario,
        starting_items=(*scenario.starting_items, LAMP),
        starting_spells=(WARD, WARD, WARD, BOLT, BOLT),
    )
    named = [
        LAMP,
        "back/lamp-lit",
        *(s.id for s in SPELLS),
        *(b.id for s in SPELLS for b in s.backs),
    ]
    words = {
        subject: {"name": subject.title(), "text": f"What {subject} does."} for subject in named
    }
    return attrs.evolve(
        core(),
        items={**core().items, LAMP: ITEM},
        spells={spell.id: spell for spell in SPELLS},
        scenarios={dealt.id: dealt},
        catalogs={language: {**words, **known} for language, known in core().catalogs.items()},
        digest=bytes(32),
    )
