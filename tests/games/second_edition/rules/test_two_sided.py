"""Two-sided Items: both sides are public, one is up."""

from typing import Any

import pytest

from content.games.second_edition.schema.cards import (
    Attack,
    ComponentAction,
    ItemBack,
    ItemCard,
    Modifier,
    ModifierKind,
    Powers,
    Reach,
    Reroll,
    SpellBack,
    SpellCard,
    WeaponKind,
)
from content.games.second_edition.schema.effects import DiscardThis, FlipThis, GainItem
from content.games.second_edition.schema.requirements import HasTrait
from protocol.common.text import Text
from protocol.games.second_edition.events import BacksLaidOut, PossessionDropped, PossessionFlipped
from protocol.games.second_edition.table import SecondEditionTable, Skill
from server.games.second_edition.rules import powers, requirements, setup, sides
from server.games.second_edition.rules.skill_test import make_test
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import ADA, BEN, DROWNED, give, offered, proceed, world
from tests.games.second_edition.rules.worlds_effects import (
    person,
    resolve,
    shown_to,
    spend,
    with_clues,
)
from tests.games.second_edition.rules.worlds_fire import laid

FLIP = ComponentAction((FlipThis(),))
LAMP, LIT = "item/lamp", "back/lamp-lit"
CARD = ItemCard(
    LAMP,
    "common",
    2,
    traits=("tool",),
    powers=Powers(action=FLIP),
    back=ItemBack(
        LIT,
        traits=("light_source",),
        attack=Attack(Reach.MELEE, WeaponKind.HEAVY, 2),
        powers=Powers((Modifier(ModifierKind.DICE, 1, Skill.OBSERVATION),), action=FLIP),
    ),
)
PISTOL = ItemCard(
    "item/pistol",
    "common",
    1,
    attack=Attack(Reach.RANGED, WeaponKind.FIREARM, 4, after=(FlipThis(),)),
    back=ItemBack("back/pistol-empty", powers=Powers(action=FLIP)),
)
TOGETHER = {ADA: "house/a", BEN: "house/a"}


def lamp(**parts: object) -> Bench:
    """Return a bench on which Ada has the lamp, unlit."""
    return world(items=(CARD, PISTOL), has={ADA: [LAMP]}, **parts)  # type: ignore[arg-type]


def subjects(bench: Bench) -> set[str]:
    """Return the text subjects of what is offered."""
    return {offer.split()[0] for offer in offered(bench)}


def says(subject: str, *params: str) -> Any:
    """Return the answer with exactly these words."""
    return lambda option: option.text == Text(subject, params)


def attacks(bench: Bench) -> list[Text]:
    """Return the attacks with a card that are offered."""
    offered(bench)
    assert bench.open is not None
    options = bench.open.prompts[0].options
    return [option.text for option in options if option.text.subject == "choice/attack_with"]


@pytest.mark.rule("ITEM-4")
@pytest.mark.rule("TWOSIDED-1")
def test_a_flipped_item_is_what_its_other_side_says() -> None:
    """Traits, powers, attack and name all replace those of the front."""
    bench = lamp(monsters=[(DROWNED, "house/a")])
    assert attacks(bench) == []

    proceed(bench, "choice/component")

    assert bench.happened(PossessionFlipped) == [PossessionFlipped(ADA, "p1", "", LIT)]
    assert attacks(bench) == [Text("choice/attack_with", (DROWNED, LIT, 2))]
    assert powers.dice(bench.game, ADA, Skill.OBSERVATION) == 1
    assert requirements.holds(bench.game, HasTrait("light_source"), ADA)
    assert not requirements.holds(bench.game, HasTrait("tool"), ADA)


@pytest.mark.rule("ITEM-4")
@pytest.mark.rule("DARKNESS-5")
@pytest.mark.parametrize("is_lit", [False, True])
def test_a_lamp_that_lies_there_gives_light_if_it_was_lit(*, is_lit: bool) -> None:
    """A Spell beside it gives none. The light makes Ada's Clues usable in the dark."""
    spell = SpellCard("spell/ward", (SpellBack("back/ward", 2),), powers=Powers(action=FLIP))
    bench = laid(with_clues(lamp(spells=(spell,)), 1), dark="a")
    give(bench, ADA, "spell/ward")
    if is_lit:
        resolve(bench, FlipThis(), possession="p1")
    for has in person(bench).possessions:
        bench.emit(PossessionDropped(ADA, has.possession_id, "house/a"))
    bench.give_dice("IBB")

    bench.run(make_test(bench.game, ADA, Skill.LORE), *([spend(1)] if is_lit else []))

    assert person(bench).clues == (0 if is_lit else 1)


@pytest.mark.rule("ITEM-4")
@pytest.mark.rule("ITEM-3")
def test_a_weapon_can_turn_into_none() -> None:
    """The fired pistol is empty until it is loaded again."""
    bench = lamp(monsters=[(DROWNED, "house/b")])
    give(bench, ADA, "item/pistol")

    proceed(bench, "choice/attack_with")
    assert "choice/attack_with" not in subjects(bench)

    proceed(bench, says("choice/component", "back/pistol-empty"))

    table: SecondEditionTable = bench.game_table
    assert [has.face for has in table.investigators[ADA].possessions] == [LAMP, "item/pistol"]


@pytest.mark.rule("TWOSIDED-3")
@pytest.mark.rule("DECIDE-130")
def test_an_item_keeps_its_side_until_it_is_flipped() -> None:
    """A lit lamp stays lit when dropped, picked up or given; a new one is unlit."""
    bench = lamp(at=TOGETHER)
    resolve(bench, FlipThis(), possession="p1")

    proceed(
        bench,
        "choice/trade",
        {0: says("choice/drop", ADA, LIT)},
        {0: says("choice/pick_up", ADA, LIT), 1: 0},
        {0: says("choice/give", ADA, LIT, BEN), 1: 0},
        {0: "choice/trade_close", 1: 0},
    )
    resolve(bench, GainItem(LAMP))

    assert [has.face for has in person(bench, BEN).possessions] == [LIT]
    assert [has.face for has in person(bench, ADA).possessions] == [LAMP]


@pytest.mark.rule("TWOSIDED-3")
@pytest.mark.rule("DISCARD-1")
def test_an_item_that_went_back_to_its_deck_comes_out_with_its_front_up() -> None:
    bench = lamp()
    resolve(bench, FlipThis(), DiscardThis(), GainItem(LAMP), possession="p1")

    assert [has.face for has in person(bench).possessions] == [LAMP]
    assert bench.game_table.supply[LAMP] == 1


@pytest.mark.rule("SECRET-9")
@pytest.mark.rule("TWOSIDED-2")
@pytest.mark.rule("DECIDE-129")
def test_anybody_may_read_the_back_of_any_item_at_any_time() -> None:
    spell = SpellCard("spell/ward", (SpellBack("back/ward", 2),), powers=Powers(action=FLIP))
    bench = Bench(world(items=(CARD, PISTOL), spells=(spell,)).game.content)

    setup.lay_out_decks(bench.game)

    backs = {LAMP: LIT, "item/pistol": "back/pistol-empty"}
    assert bench.happened(BacksLaidOut) == [BacksLaidOut(backs)]
    assert bench.game_table.backs == backs
    for seat in (0, None):
        assert {LIT, "back/pistol-empty"} < set(shown_to(bench, seat))
        assert "back/ward" not in set(shown_to(bench, seat))


@pytest.mark.rule("SECRET-9")
def test_without_two_sided_items_nothing_is_laid_open() -> None:
    bench = Bench(world().game.content)

    setup.lay_out_decks(bench.game)

    assert bench.happened(BacksLaidOut) == []


@pytest.mark.rule("TWOSIDED-1")
def test_every_spell_has_two_sides_and_an_item_may_have_one() -> None:
    spell = SpellCard("spell/ward", (SpellBack("back/ward", 2),), powers=Powers(action=FLIP))
    knife = ItemCard("item/knife", "common")
    bench = world(items=(knife,), spells=(spell,), has={ADA: ["item/knife", "spell/ward"]})
    knife_held, spell_held = person(bench).possessions

    resolve(bench, FlipThis(), possession=spell_held.possession_id)

    assert sides.side(bench.game.content.pack, knife_held) == knife
    assert [has.face for has in person(bench).possessions] == ["item/knife", "back/ward"]


@pytest.mark.rule("ITEM-4")
def test_the_back_of_an_item_can_help_in_tests() -> None:
    """The reroll counts while the back is up, and is offered by the back's name."""
    card = ItemCard(
        "item/charm",
        "unique",
        powers=Powers(action=FLIP),
        back=ItemBack("back/charm", powers=Powers(reroll=Reroll())),
    )
    bench = world(items=(card,), has={ADA: ["item/charm"]})
    resolve(bench, FlipThis(), possession="p1")
    bench.give_dice("BBB S")

    bench.run(make_test(bench.game, ADA, Skill.WILL), "back/charm", (0,))

    assert person(bench).used == ("p1/back/charm",)
