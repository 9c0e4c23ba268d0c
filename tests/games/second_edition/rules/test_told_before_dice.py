"""Texts before dice: the purpose of a test, and the effect being resolved."""

from typing import Any

import attrs
import pytest

from content.games.second_edition.schema.cards import (
    Attack,
    ComponentAction,
    ItemCard,
    Powers,
    Reach,
    WeaponKind,
)
from content.games.second_edition.schema.effects import (
    Amount,
    DamageMonster,
    DiscardThis,
    Heal,
    PlaceFeature,
    SkillTest,
    Suffer,
)
from content.games.second_edition.schema.scenario import TokenCard, TokenOption
from protocol.common.text import Text
from protocol.games.second_edition.table import FeatureKind, Harm, Skill, TokenKind
from server.games.second_edition.rules import (
    combat,
    component,
    fire_actions,
    harm,
    horror,
    powers,
    push,
    steal,
    tokens,
)
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    DROWNED,
    entry,
    monster_card,
    proceed,
    world,
)
from tests.games.second_edition.rules.worlds_effects import resolve, resolves, with_clues
from tests.games.second_edition.rules.worlds_ways import barricade, rooms

TOGETHER = {ADA: "house/a", BEN: "house/a"}
ROPE = ItemCard("item/rope", "common", 2)
SPEAR = ItemCard("item/spear", "common", 1)
PLACE_FIRE = PlaceFeature(FeatureKind.FIRE, "actor")
CHECK = SkillTest(Skill.LORE, passed=(DamageMonster(successes=True),))


def of(about: Text, stake: Text) -> Text:
    """Return the text told before the dice: purpose and stakes."""
    return Text("stakes/for", (about, stake))


def asked_about(bench: Bench) -> list[Text]:
    """Return the subjects of the questions about dice, in order."""
    return [ask.about for ask in bench.asked if ask.rule == "TEST-8"]


# What each action is for ---------------------------------------------------------------------


@pytest.mark.rule("PUSH-9")
@pytest.mark.parametrize(("dice", "clues"), [("IBB", 1), ("SSI", 1)])
def test_a_push_says_what_it_is_for_and_asks_where_a_clue_can_decide(dice: str, clues: int) -> None:
    """With brawn 2, one success is as bad as none, and three are no better than two."""
    bench = world(
        at={ADA: "house/a"},
        monsters=[(DROWNED, "house/a")],
        monster_cards=[monster_card(brawn=2)],
    )
    with_clues(bench, clues)
    bench.give_dice(dice)

    bench.run(push.push(bench.game, ADA, "m1"), *(["choice/stay"] if dice == "SSI" else []))

    assert bench.stakes() == [
        of(Text("about/push", (ADA, DROWNED)), Text("stakes/push", (DROWNED,)))
    ]
    assert asked_about(bench) == []


@pytest.mark.rule("PUSH-4")
def test_whoever_resists_a_push_reads_what_it_is_for() -> None:
    bench = world(at=TOGETHER)
    bench.give_dice("SBB BBB")

    bench.run(push.push(bench.game, ADA, BEN), "choice/resist")

    resist = of(Text("about/resist", (BEN, ADA)), Text("stakes/resist", (BEN,)))
    assert bench.stakes() == [
        resist,
        of(Text("about/push", (ADA, BEN)), Text("stakes/push", (BEN,))),
    ]


@pytest.mark.rule("STEAL-3")
def test_thief_and_victim_read_what_is_at_stake() -> None:
    """Both read the same. The victim is asked no more after reaching as many as the thief."""
    bench = with_clues(world(at=TOGETHER, items=[ROPE], has={BEN: ["item/rope"]}), 1, BEN)
    bench.give_dice("SBB SIB")

    bench.run(steal.steal(bench.game, ADA, BEN), "skill/agility")

    stake = of(Text("about/steal", (ADA, BEN)), Text("stakes/steal", (ADA, BEN)))
    assert bench.stakes() == [stake, stake]
    assert asked_about(bench) == []


@pytest.mark.rule("BARRICADE-8")
@pytest.mark.parametrize(("dice", "is_asked"), [("IBB", False), ("SIB", True)])
def test_forcing_a_barricade_says_what_it_is_for(dice: str, *, is_asked: bool) -> None:
    """One success is as bad as none, so the question comes if a Clue can make it two."""
    bench = with_clues(rooms(), 1)
    barricade(bench, "b", "house/1")
    bench.give_dice(dice)

    proceed(bench, "choice/force", *(["choice/accept"] if is_asked else []))

    (told,) = bench.stakes()
    assert told.subject == "stakes/for"
    assert told.params[1] == Text("stakes/force")
    assert bool(asked_about(bench)) is is_asked


@pytest.mark.rule("FIRE-4")
def test_fighting_fire_says_what_it_is_for() -> None:
    bench = world()
    resolve(bench, PLACE_FIRE)
    bench.give_dice("BBB")

    bench.run(fire_actions.fight(bench.game, ADA))

    assert bench.stakes() == [
        of(Text("about/fight_fire", (ADA,)), Text("stakes/fight_fire")),
    ]


# What is being resolved ----------------------------------------------------------------------


def within(bench: Bench) -> Text | str | int:
    """Return the effect named in the only question about dice."""
    (about,) = asked_about(bench)
    made = about.params[0] if about.subject == "about/stakes" else about
    assert isinstance(made, Text)
    assert made.subject == "about/test_for"
    assert made.params[:2] == (ADA, "skill/lore")
    return made.params[2]


def tempted(**parts: Any) -> Bench:
    """Return Ada with a Clue and a monster beside her; her next dice have two investigations."""
    card = monster_card(
        attacks={kind: (entry(CHECK),) for kind in WeaponKind}, horrors=(entry(CHECK),)
    )
    bench = world(monsters=[(DROWNED, "house/a")], monster_cards=[card], **parts)
    bench.give_dice("IIB")
    return with_clues(bench, 1)


@pytest.mark.rule("ATTACK-8")
def test_a_test_of_an_attack_names_the_attack() -> None:
    bench = tempted()
    (unarmed,) = combat.attack_types(bench.game, ADA)

    bench.run(combat.attack(bench.game, ADA, "m1", unarmed), "choice/accept")

    assert within(bench) == Text("within/attack_unarmed", (DROWNED,))


@pytest.mark.rule("ATTACK-8")
def test_a_test_of_an_attack_names_the_weapon() -> None:
    spear = ItemCard("item/spear", "common", attack=Attack(Reach.MELEE, WeaponKind.BLADED, 1))
    bench = tempted(items=[spear], has={ADA: ["item/spear"]})
    armed = next(one for one in combat.attack_types(bench.game, ADA) if one.card is not None)

    bench.run(combat.attack(bench.game, ADA, "m1", armed), "choice/accept")

    assert within(bench) == Text("within/attack", (DROWNED, "item/spear"))


@pytest.mark.rule("COMPONENT-1")
@pytest.mark.parametrize(
    ("effect", "discard", "does"),
    [
        ((Heal(damage=1),), False, Text("stake/damage_healed", (1,))),
        (
            (Heal(damage=Amount(1, each=1)),),
            True,
            Text("stake/and", (Text("stake/damage_healed", (2,)), Text("stake/this_discarded"))),
        ),
        # Nothing is told but what becomes of the card.
        ((DiscardThis(),), False, None),
    ],
)
def test_the_action_of_a_card_says_what_it_does(
    effect: Any, *, discard: bool, does: Text | None
) -> None:
    action = ComponentAction(effect, discard=discard)
    rope = ItemCard("item/rope", "common", powers=Powers(action=action))
    bench = world(items=[rope], has={ADA: ["item/rope"]})
    (found,) = powers.component_actions(bench.game, ADA)

    said = component.named(bench.game, ADA, found)
    plain = Text("choice/component", ("item/rope",))
    assert said == (plain if does is None else Text(plain.subject, ("item/rope", does), "does"))

    refused = attrs.evolve(found, refused=Text("refusal/requirement"))
    assert component.named(bench.game, ADA, refused) == plain
    named = attrs.evolve(found, action=attrs.evolve(action, text="item/rope.throw"))
    called = Text("choice/component", (Text("item/rope.throw"),))
    assert component.named(bench.game, ADA, named) == called


@pytest.mark.rule("HORROR-4")
def test_a_test_of_a_horror_check_names_the_monster() -> None:
    bench = tempted()

    bench.run(horror.check(bench.game), "choice/accept")

    assert within(bench) == Text("choice/horror", (DROWNED,))


@pytest.mark.rule("COMPONENT-1")
@pytest.mark.parametrize("text", [None, "item/rope.throw"])
def test_a_test_of_a_card_names_the_card_or_what_its_action_is_called(text: str | None) -> None:
    action = ComponentAction((CHECK,), text=text)
    rope = ItemCard("item/rope", "common", powers=Powers(action=action))
    bench = tempted(items=[rope], has={ADA: ["item/rope"]})
    (found,) = powers.component_actions(bench.game, ADA)

    bench.run(component.perform(bench.game, ADA, found), "choice/accept")

    called = "item/rope" if text is None else Text(text)
    assert within(bench) == Text("within/component", (called,))


@pytest.mark.rule("TOKEN-2")
def test_a_test_of_an_option_without_an_action_names_the_option() -> None:
    option = TokenOption("text/option", (CHECK,), action=False)
    bench = tempted(tokens=[TokenCard("token/it", TokenKind.SIGHT, "house/a", (option,))])

    bench.run(tokens.use_free_option(bench.game, ADA, "token/it", 0), "choice/accept")

    assert within(bench) == Text("text/option")


@pytest.mark.rule("DAMAGE-4")
def test_a_test_of_a_faceup_card_names_the_card() -> None:
    card = resolves("horror/shriek", Harm.HORROR, SkillTest(Skill.LORE, failed=(Suffer(damage=1),)))
    bench = tempted(harms=[card])

    bench.run(harm.suffer(bench.game, ADA, horror=1), "choice/accept")

    assert within(bench) == Text("horror/shriek", field="name")


def test_in_a_game_that_began_before_a_test_is_a_test() -> None:
    """In version 1 the question names only the test, not the effect behind it."""
    bench = tempted()
    bench.version = 1

    bench.run(horror.check(bench.game), "choice/accept")

    assert asked_about(bench) == [Text("about/test", (ADA, "skill/lore"))]
