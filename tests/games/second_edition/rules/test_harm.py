"""Damage and Horror: suffered, prevented, healed, turned."""

from typing import Any

import attrs
import pytest

from content.games.second_edition.expressions import read_condition
from content.games.second_edition.schema import effects as steps
from content.games.second_edition.schema.effects import Amount
from protocol.common.events import Picked, Shuffled
from protocol.common.text import Text
from protocol.games.second_edition.events import (
    CluesGained,
    HarmDiscarded,
    HarmPrevented,
    HarmTaken,
    HarmTurnedFacedown,
    HarmTurnedFaceup,
    TestFinished,
    Told,
)
from protocol.games.second_edition.table import Harm, Skill, deck, facedown_pile
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.test_old_games import of
from tests.games.second_edition.rules.worlds import ADA, BEN, investigator_card, world
from tests.games.second_edition.rules.worlds_effects import (
    dice,
    facedown_count,
    faceup,
    keeps,
    person,
    resolve,
    resolves,
    suffer,
    tags,
)

rule = pytest.mark.rule

D, H = Harm.DAMAGE, Harm.HORROR
THIS = steps.TurnThisFacedown()


def cards(*names: str) -> list[Any]:
    """Return one Keep Faceup card of each name, in this order."""
    return [keeps(name, Harm(name.partition("/")[0]), copies=1) for name in names]


ABC = ("damage/a", "damage/b", "damage/c")


def with_faceup(*names: str) -> Bench:
    """Return a world in which Ada has these Damage cards faceup, with a few left in the deck."""
    bench = world(harms=[*cards(*names), keeps("damage/rest", D, copies=9)])
    suffer(bench, damage=len(names))
    return bench


def facedown_cards(bench: Bench, of: Harm = D) -> list[str]:
    """Return Ada's facedown cards, as only the server knows them."""
    table = bench.game_table
    return [table.card_of(h) for h in table.piles.get(facedown_pile(ADA, of), ())]


# Suffering ---------------------------------------------------------------------------------


@rule("DAMAGE-1")
def test_each_damage_and_each_horror_is_the_top_card_of_its_deck() -> None:
    """One Damage takes the top card of its deck, two Horror take the top two."""
    bench = world(harms=cards("damage/a", "damage/b", "horror/x", "horror/y", "horror/z"))

    suffer(bench, damage=1, horror=2)

    assert faceup(bench, D) == ["damage/a"]
    assert faceup(bench, H) == ["horror/x", "horror/y"]
    assert len(bench.game_table.piles[deck(D)]) == 1


@rule("DAMAGE-2")
@rule("SECRET-10")
def test_harm_is_taken_faceup_and_named_to_all() -> None:
    bench = world(harms=cards("damage/a"))

    suffer(bench, damage=1)

    assert [event.card for event in bench.happened(HarmTaken)] == ["damage/a"]


@rule("DAMAGE-2")
@rule("GOLDEN-1")
@rule("SECRET-2")
def test_effect_that_says_facedown_is_followed() -> None:
    bench = world(harms=cards("damage/a"))

    suffer(bench, damage=1, facedown=True)

    assert [event.card for event in bench.happened(HarmTaken)] == [None]
    assert (faceup(bench, D), facedown_count(bench, D)) == ([], 1)


@rule("DAMAGE-4")
def test_resolve_immediately_card_is_resolved_when_taken_faceup() -> None:
    """The card makes Ada suffer Horror at once, then turns facedown."""
    shock = resolves("damage/shock", D, steps.Suffer(horror=Amount(1)), THIS)
    bench = world(harms=[shock, keeps("horror/x", H)])

    suffer(bench, damage=1)

    assert faceup(bench, H) == ["horror/x"]
    assert (faceup(bench, D), facedown_count(bench, D)) == ([], 1)


@rule("DAMAGE-7")
def test_card_taken_facedown_only_counts() -> None:
    """The text of the card is not resolved, and the card changes no dice pool."""
    shock = resolves("damage/shock", D, steps.Suffer(horror=Amount(1)), copies=1)
    bench = world(harms=[shock, keeps("damage/weak", D, dice(-2), copies=1)])

    suffer(bench, damage=2, facedown=True)
    bench.give_dice("BBB")
    resolve(bench, steps.SkillTest(Skill.WILL))

    assert bench.game_table.harm_count(ADA, D) == 2
    assert bench.game_table.harm_count(ADA, H) == 0


@rule("DAMAGE-5")
@rule("DAMAGE-6")
def test_keep_faceup_card_works_until_it_is_turned_facedown() -> None:
    """The card takes a die in each test, and none once it is facedown."""
    bench = world(harms=[keeps("damage/weak", D, dice(-1))])
    suffer(bench, damage=1)

    bench.give_dice("BB BB BBB")
    resolve(bench, steps.SkillTest(Skill.WILL))
    resolve(bench, steps.SkillTest(Skill.WILL))
    resolve(bench, steps.TurnFacedown(D))
    resolve(bench, steps.SkillTest(Skill.WILL))

    assert facedown_count(bench, D) == 1


@rule("INVESTIGATOR-5")
def test_suffering_does_not_lower_health_or_sanity() -> None:
    bench = world()

    suffer(bench, damage=3, horror=3)

    assert (person(bench).health, person(bench).sanity) == (7, 7)


@rule("DECIDE-51")
def test_text_of_a_card_is_resolved_before_the_next_card_is_taken() -> None:
    """The first of two Damage cards says to suffer one Horror, which comes between them."""
    shock = resolves("damage/shock", D, steps.Suffer(horror=Amount(1)), copies=1)
    bench = world(harms=[shock, keeps("damage/b", D), keeps("horror/x", H)])

    suffer(bench, damage=2)

    taken = [event.card for event in bench.happened(HarmTaken)]
    assert taken == ["damage/shock", "horror/x", "damage/b"]


@rule("DECIDE-51")
@rule("WOUNDED-4")
def test_threshold_is_looked_at_once_when_all_of_an_effect_is_suffered() -> None:
    """Health is 2 and each of two cards adds one more: all four are taken first."""
    shock = resolves("damage/shock", D, steps.Suffer(damage=Amount(1), facedown=True), THIS)
    bench = world(investigators=[investigator_card(ADA, health=2)], harms=[shock])

    suffer(bench, damage=2)

    story = [t for t in tags(bench) if t in {"se/harm_taken", "se/became_wounded"}]
    assert story == ["se/harm_taken"] * 4 + ["se/became_wounded"]
    assert bench.game_table.harm_count(ADA, D) == 0


@rule("DECIDE-51")
def test_text_that_hurts_somebody_else_counts_for_them_when_all_is_over() -> None:
    """Ada's card deals Ben his last Damage; he is Wounded after Ada has taken all of hers."""
    scream = resolves("damage/scream", D, steps.Suffer(damage=Amount(1), who=steps.Who.OTHERS))
    harms = [attrs.evolve(scream, copies=1), keeps("damage/b", D)]
    people = [investigator_card(BEN, health=1)]
    bench = world(at={ADA: "house/a", BEN: "house/a"}, investigators=people, harms=harms)

    suffer(bench, damage=2)

    story = [t for t in tags(bench) if t in {"se/harm_taken", "se/became_wounded"}]
    assert story == ["se/harm_taken"] * 3 + ["se/became_wounded"]


@rule("DECIDE-55")
def test_nothing_is_suffered_once_the_deck_is_empty() -> None:
    """Of three Damage only two cards are left, and the journal says so."""
    bench = world(harms=cards("damage/a", "damage/b"))

    suffer(bench, damage=3)

    assert len(faceup(bench, D)) == 2
    assert [event.text for event in bench.happened(Told)] == [Text("result/no_damage_left", (ADA,))]


@rule("DECIDE-50")
def test_what_has_been_suffered_is_what_lies_there_now() -> None:
    bench = with_faceup("damage/a", "damage/b")

    resolve(bench, steps.Heal(damage=1), answers=["damage/a"])

    assert bench.game_table.harm_count(ADA, D) == 1


# Turning -----------------------------------------------------------------------------------


@rule("DAMAGE-8")
@rule("RANDOM-2")
@rule("DECIDE-56")
@pytest.mark.parametrize(
    ("picks", "found"),
    [
        ([2], ["damage/up", "damage/b"]),
        # A faceup card is as likely as any, and stays as it is.
        ([0], ["damage/up"]),
        # No card is picked twice.
        ([0, 0], ["damage/up", "damage/a"]),
        ([3, 2], ["damage/up", "damage/c", "damage/b"]),
    ],
)
def test_cards_turned_faceup_are_picked_at_random_among_all(
    picks: list[int], found: list[str]
) -> None:
    bench = world(harms=[*cards("damage/up"), *cards(*ABC)])
    suffer(bench, damage=1)
    suffer(bench, damage=3, facedown=True)

    bench.give_picks(*picks)
    resolve(bench, steps.TurnFaceup(D, count=len(picks)))

    bounds = [picked.bound for picked in bench.happened(Picked)]
    assert bounds == [4, 3][: len(picks)]
    assert faceup(bench, D) == found
    stayed = [told.text for told in bench.happened(Told)]
    assert stayed == [Text("result/faceup_already", (ADA, "damage/up"))] * (0 in picks[:1])


@rule("DECIDE-56")
def test_all_are_turned_where_there_are_too_few() -> None:
    """An effect turns three cards, but only two are there: both are turned without a draw."""
    bench = world(harms=cards(*ABC))
    suffer(bench, damage=2, facedown=True)

    resolve(bench, steps.TurnFaceup(D, count=3))

    assert sorted(faceup(bench, D)) == ["damage/a", "damage/b"]


@rule("DAMAGE-4")
def test_resolve_immediately_card_is_resolved_when_turned_faceup() -> None:
    shock = resolves("damage/shock", D, steps.Suffer(horror=Amount(1)), THIS)
    bench = world(harms=[shock, keeps("horror/x", H)])
    suffer(bench, damage=1, facedown=True)

    resolve(bench, steps.TurnFaceup(D))

    assert faceup(bench, H) == ["horror/x"]
    assert facedown_count(bench, D) == 1


@rule("DECIDE-58")
@rule("SECRET-2")
def test_card_turned_facedown_is_mixed_among_the_facedown_ones() -> None:
    """Every handle of the zone is new after the turn."""
    bench = with_faceup("damage/a")
    suffer(bench, damage=2, facedown=True)
    before = bench.game_table.piles[facedown_pile(ADA, D)]

    resolve(bench, steps.TurnFacedown(D))

    (turned,) = bench.happened(HarmTurnedFacedown)
    after = bench.game_table.piles[facedown_pile(ADA, D)]
    assert len(after) == 3
    assert not {*before, turned.handle} & {*after}
    assert isinstance(bench.log[-1], Shuffled)


@rule("DECIDE-58")
def test_card_taken_facedown_beside_others_cannot_be_told_from_them() -> None:
    """Otherwise players would know a card that they have seen by its old handle."""
    bench = with_faceup("damage/a")
    resolve(bench, steps.TurnFacedown(D))
    before = bench.game_table.piles[facedown_pile(ADA, D)]

    suffer(bench, damage=1, facedown=True)

    taken = bench.happened(HarmTaken)[-1].handle
    after = bench.game_table.piles[facedown_pile(ADA, D)]
    assert not {*before, taken} & {*after}


@rule("DAMAGE-6")
def test_owner_chooses_which_faceup_card_is_turned_down() -> None:
    bench = with_faceup("damage/a", "damage/b")

    resolve(bench, steps.TurnFacedown(D), answers=["damage/b"])

    assert faceup(bench, D) == ["damage/a"]


def test_turning_down_more_than_there_are_turns_all() -> None:
    bench = with_faceup("damage/a")

    resolve(bench, steps.TurnFacedown(D, count=2))

    assert (faceup(bench, D), facedown_count(bench, D)) == ([], 1)


# Healing -----------------------------------------------------------------------------------


@rule("DAMAGE-9")
def test_heal_offers_each_faceup_card_or_a_random_facedown_one() -> None:
    """Two faceup and two facedown cards give three choices."""
    bench = with_faceup("damage/a", "damage/b")
    suffer(bench, damage=2, facedown=True)

    resolve(bench, steps.Heal(damage=1), answers=[...])

    assert bench.offered() == [
        "choice/discard_card",
        "choice/discard_card",
        "choice/discard_facedown_damage",
    ]


@rule("DAMAGE-9")
@rule("RANDOM-2")
def test_facedown_card_is_discarded_at_random() -> None:
    bench = world(harms=cards(*ABC))
    suffer(bench, damage=2, facedown=True)
    bench.give_picks(1)

    resolve(bench, steps.Heal(damage=1))

    assert facedown_cards(bench) == ["damage/a"]
    assert bench.happened(Picked)[-1].bound == 2


@rule("DISCARD-2")
@rule("SECRET-1")
def test_discarded_card_is_shuffled_into_its_deck() -> None:
    """Every handle of the deck is new after the shuffle."""
    bench = with_faceup("damage/a")
    before = bench.game_table.piles[deck(D)]

    resolve(bench, steps.Heal(damage=1))

    after = bench.game_table.piles[deck(D)]
    (gone,) = bench.happened(HarmDiscarded)
    assert isinstance(bench.log[-1], Shuffled)
    assert "damage/a" in [bench.game_table.card_of(handle) for handle in after]
    assert not {*before, gone.handle} & {*after}


@rule("DISCARD-2")
def test_horror_goes_back_to_the_horror_deck() -> None:
    bench = world(harms=cards("damage/a", "horror/x", "horror/y"))
    suffer(bench, horror=1)

    resolve(bench, steps.Heal(horror=1))

    assert len(bench.game_table.piles[deck(H)]) == 2
    assert bench.happened(Shuffled)[-1].pile == deck(H)


def test_heal_without_anything_to_heal_does_nothing() -> None:
    bench = world()

    resolve(bench, steps.Heal(damage=1, horror=1))

    assert bench.asked == []


# Negate ------------------------------------------------------------------------------------


def negate(damage: int = 0, horror: int = 0, **more: Any) -> steps.Negate:
    """Return a test of Will whose successes negate this much Damage and Horror."""
    return steps.Negate(Skill.WILL, damage=Amount(damage), horror=Amount(horror), **more)


@rule("EX-2")
@rule("NEGATE-1")
@rule("NEGATE-2")
@rule("NEGATE-4")
@rule("TEST-4")
def test_each_success_prevents_one_and_the_rest_is_suffered() -> None:
    """Strength 2 with +1 rolls S B B against 2 Damage; one card is taken, faceup."""
    bench = world(investigators=[investigator_card(ADA, strength=2)])
    bench.give_dice("SBB")

    resolve(bench, steps.Negate(Skill.STRENGTH, modifier=1, damage=Amount(2)))

    assert bench.happened(HarmPrevented) == [HarmPrevented(ADA, D, 1)]
    assert len(faceup(bench, D)) == 1
    assert bench.happened(TestFinished)[0].is_passed is None


@rule("EX-33")
@rule("NEGATE-3")
@rule("DECIDE-57")
def test_investigator_says_what_is_prevented_before_any_card_is_taken() -> None:
    """1 Damage and 2 Horror with result 2 leave two choices; the third card is suffered."""
    bench = world()
    bench.give_dice("SSB")

    resolve(bench, negate(1, 2), answers=[...])

    assert bench.open is not None
    assert [o.text for o in bench.open.prompts[0].options] == [
        Text("choice/prevent", (1, 1)),
        Text("choice/prevent_horror", (2,)),
    ]
    assert bench.happened(HarmTaken) == []


@rule("EX-33")
@rule("NEGATE-3")
def test_what_can_be_prevented_is_named_by_its_kind() -> None:
    bench = world()
    bench.give_dice("SSB")

    resolve(bench, negate(2, 1), answers=[...])

    assert bench.open is not None
    texts = [option.text for option in bench.open.prompts[0].options]
    assert texts == [Text("choice/prevent_damage", (2,)), Text("choice/prevent", (1, 1))]


@rule("NEGATE-3")
@pytest.mark.parametrize(("answer", "left"), [((1, 1), (0, 1)), ((2,), (1, 0))])
def test_what_is_chosen_is_prevented(answer: tuple[int, ...], left: tuple[int, int]) -> None:
    """The choices are the Damage and one Horror, or both Horror."""
    bench = world()
    bench.give_dice("SSB")

    resolve(bench, negate(1, 2), answers=[lambda option: option.text.params == answer])

    assert (len(faceup(bench, D)), len(faceup(bench, H))) == left


@rule("DECIDE-57")
def test_surplus_successes_are_lost() -> None:
    """Three successes against one Damage and one Horror: nothing is suffered or asked."""
    bench = world()
    bench.give_dice("SSS")

    resolve(bench, negate(1, 1))

    assert bench.asked == []
    assert bench.happened(HarmTaken) == []
    assert [event.count for event in bench.happened(HarmPrevented)] == [1, 1]


@rule("NEGATE-4")
def test_without_a_success_all_is_suffered() -> None:
    bench = world()
    bench.give_dice("BBB")

    resolve(bench, negate(2, facedown=True))

    assert facedown_count(bench, D) == 2
    assert bench.happened(HarmPrevented) == []


@rule("DAMAGE-8")
def test_turned_up_card_names_itself_to_all() -> None:
    bench = world(harms=cards("damage/a"))
    suffer(bench, damage=1, facedown=True)

    resolve(bench, steps.TurnFaceup(D))

    assert bench.happened(HarmTurnedFaceup)[0].card == "damage/a"


@rule("CLUE-4")
@rule("TEST-8")
@rule("NEGATE-2")
@pytest.mark.parametrize("version", [2, 3])
def test_a_clue_buys_a_success_beyond_the_harm_if_the_effect_reads_the_result(
    version: int,
) -> None:
    """The effect after the negation reads the number of successes. Version 2 did not ask."""
    bench = of(version, world())
    bench.emit(CluesGained(ADA, 1))
    bench.give_dice("SIB")
    read = steps.When(read_condition("successes >= 2")[0], (steps.Say("text/two"),))

    resolve(bench, negate(1), read, answers=["choice/spend_clues"] * (version - 2))

    assert bool(bench.asked) == (version == 3)
    assert [e.text.subject for e in bench.happened(Told)][-1:] == ["text/two"] * (version - 2)
