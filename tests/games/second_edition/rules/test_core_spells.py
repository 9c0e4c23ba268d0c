"""Spells that the core pack adds to those of the box: effect, and fate of the card."""

from typing import Any

import attrs
import pytest

from content.games.second_edition.schema.cards import WeaponKind
from content.games.second_edition.schema.effects import (
    Amount,
    DamageMonster,
    EffectChoice,
    GainSpell,
    PlaceFeature,
    Suffer,
    Way,
)
from content.games.second_edition.schema.requirements import Enabled
from content.language.walk import parts_in
from protocol.games.second_edition.events import HarmTurnedFacedown, MonsterDamaged
from protocol.games.second_edition.table import FeatureKind, Harm
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    DROWNED,
    entry,
    monster_card,
    proceed,
    where,
    world,
)
from tests.games.second_edition.rules.worlds_effects import (
    KNIFE,
    facedown_count,
    items_of,
    person,
    resolve,
)
from tests.games.second_edition.simulate import core

LEAVES = core().products["product/lost-leaves"].holds
CAST = {
    "spell/red-hand": ("choice/attack_with",),
    "spell/second-skin": ("choice/component", "ben"),
    "spell/come-to-me": ("choice/component", "ben"),
}
"""Choices that cast each Spell which needs more than its action."""
EVERY_BACK = [(name, back.id) for name in LEAVES for back in core().spells[name].backs]


def ready(name: str, back: str | None = None) -> Bench:
    """Return a bench on which Ada has the copy of a Spell with this back, by default the first."""
    spell = core().spells[name]
    backs = tuple(sorted(spell.backs, key=lambda one: one.id != back))
    struck = {kind: (entry(DamageMonster(weapon=True)),) for kind in WeaponKind}
    bench = world(
        at={ADA: "house/a", BEN: "house/c"},
        spells=(attrs.evolve(spell, backs=backs),),
        items=(KNIFE,),
        conditions=tuple(core().conditions.values()),
        has={ADA: [name]},
        monsters=[(DROWNED, "house/a")],
        monster_cards=[monster_card(attacks=struck, health=Amount(9))],
    )
    bench.give_dice("B" * 8)
    return bench


def cast(bench: Bench, name: str, *answers: Any) -> Bench:
    """Have Ada cast the Spell, with these answers to its questions."""
    proceed(bench, *CAST.get(name, ("choice/component",)), *answers)
    return bench


def becomes_of(bench: Bench) -> tuple[str, str | None] | None:
    """Return the Spell that Ada has at the end, with the back that is up; None for no Spell."""
    spells = [has for has in person(bench).possessions if has.card in LEAVES]
    return (spells[0].card, spells[0].turned_to) if spells else None


@pytest.mark.rule("SPELL-3")
@pytest.mark.parametrize(("name", "back"), EVERY_BACK)
def test_what_becomes_of_a_card_is_what_its_back_says(name: str, back: str) -> None:
    """The card returns with its front up, is lost, or stays with its back up."""
    (side,) = (one for one in core().spells[name].backs if one.id == back)

    bench = cast(ready(name, back), name)

    kept = (name, None) if GainSpell(name) in side.effect else None
    assert becomes_of(bench) == (kept if side.effect else (name, back))


def test_the_red_hand_strikes_for_four_damage() -> None:
    bench = cast(ready("spell/red-hand"), "spell/red-hand")

    assert bench.happened(MonsterDamaged) == [MonsterDamaged("m1", 4)]


def test_the_drowned_bell_hurts_the_nearest_monster() -> None:
    bench = cast(ready("spell/drowned-bell"), "spell/drowned-bell")

    assert bench.happened(MonsterDamaged) == [MonsterDamaged("m1", 2)]


def test_second_skin_turns_two_damage_of_whoever_is_chosen_facedown() -> None:
    bench = ready("spell/second-skin")
    resolve(bench, Suffer(damage=Amount(3)), actor=BEN)

    cast(bench, "spell/second-skin", 0, 0)

    assert [one.investigator for one in bench.happened(HarmTurnedFacedown)] == [BEN, BEN]
    assert facedown_count(bench, Harm.DAMAGE, BEN) == 2


def test_what_was_lost_is_a_common_item() -> None:
    assert KNIFE.id in items_of(cast(ready("spell/what-was-lost"), "spell/what-was-lost"))


def test_come_to_me_brings_whoever_is_chosen() -> None:
    assert where(cast(ready("spell/come-to-me"), "spell/come-to-me"))[BEN] == "house/a"


def test_cold_hearth_puts_out_every_fire() -> None:
    bench = ready("spell/cold-hearth")
    resolve(bench, PlaceFeature(FeatureKind.FIRE, "house/b"))

    cast(bench, "spell/cold-hearth")

    assert not bench.game_table.features


@pytest.mark.rule("APP-19")
def test_a_table_can_leave_the_leaves_out() -> None:
    """Without the product `lost-leaves`, its Spells are gone and no tome offers them."""
    off = "product/lost-leaves"
    left = core().without([off])
    offers = [
        part
        for item in left.items.values()
        for part in parts_in(item)
        if isinstance(part, Way | EffectChoice)
        if any(isinstance(step, GainSpell) and step.spell in LEAVES for step in part.effect)
    ]

    assert set(left.spells) == set(core().spells) - set(LEAVES)
    assert len(offers) == len(LEAVES)
    assert {offer.when for offer in offers} == {Enabled(off)}
