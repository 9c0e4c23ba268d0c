"""Attribute tests: section 8, and what stun, darkness and loss of sight take from them."""

from typing import Any

import attrs
import pytest

from content.games.first_edition.schema.cards import Modifier
from content.games.first_edition.schema.effects import Automatic, Kill, Result, Stun, Suffer
from content.games.first_edition.schema.effects import Test as Try
from content.games.first_edition.schema.targets import Who
from protocol.common.events import Rolled
from protocol.common.text import Text
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.table import TEST_FAILED
from protocol.games.first_edition.words import Attribute, FeatureKind, Keyword, TraumaKind
from protocol.games.first_edition.words import TestKind as Kind
from server.games.first_edition.rules import effects, harm, tests, turn
from server.games.first_edition.rules.play import Source
from tests.games.first_edition.rules.bench import KIM, Bench
from tests.games.first_edition.rules.worlds import (
    ADA,
    BEN,
    by_id,
    injury,
    item_card,
    traits_of,
    world,
)

rule = pytest.mark.rule
ABOUT = Text("about/fire_test", (ADA, "room/hall"))
LAMP = item_card("lamp", keywords=(Keyword.LANTERN,))


def take(
    bench: Bench,
    *answers: Any,
    attribute: Attribute = Attribute.STRENGTH,
    kind: Kind = Kind.CARD,
    modifier: int = 0,
) -> bool:
    """Have Ada take a test."""
    procedure = tests.attribute_test(
        bench.game, ADA, attribute, kind=kind, about=ABOUT, modifier=modifier
    )
    passed: bool = bench.run(procedure, *answers)
    return passed


def value(bench: Bench) -> int:
    """Return the value of the last test."""
    found: int = bench.happened(fe.TestDeclared)[-1].value
    return found


@rule("K-TEST-1")
def test_a_test_is_one_roll_of_one_ten_sided_die() -> None:
    bench = world()
    bench.give_rolls(10)

    take(bench)

    ((rolled),) = bench.happened(Rolled)
    assert (rolled.sides, rolled.faces) == (10, (9,))
    assert bench.happened(fe.TestRolled) == [fe.TestRolled(ADA, 10)]


@rule("K-TEST-2")
@pytest.mark.parametrize(("roll", "passes"), [(5, True), (6, False)])
def test_a_roll_up_to_the_attribute_passes(roll: int, passes: bool) -> None:
    bench = world()
    bench.give_rolls(roll)

    assert take(bench) is passes


@rule("K-TEST-3")
@pytest.mark.parametrize(("modifier", "roll", "passes"), [(2, 7, True), (-2, 4, False)])
def test_a_modifier_changes_what_the_roll_is_compared_with(
    modifier: int,
    roll: int,
    passes: bool,
) -> None:
    bench = world()
    bench.give_rolls(roll)

    assert take(bench, modifier=modifier) is passes


@rule("K-DECIDE-33", "K-TEST-2")
def test_neither_1_nor_10_decides_by_itself() -> None:
    bench = world()
    bench.give_rolls(1, 10)

    assert take(bench, modifier=-5) is False
    assert take(bench, modifier=5) is True


@rule("K-TEST-4", "K-TEST-5", "K-EX-4")
def test_a_skill_point_adds_luck_before_the_roll() -> None:
    bench = world()
    bench.set(ADA, skill_points=1, attributes=with_luck(bench, 3))
    bench.give_rolls(8)

    assert take(bench, "choice/spend_skill_point") is True

    kinds = [type(one) for one in bench.log]
    assert kinds.index(fe.TestPointSpent) < kinds.index(fe.TestRolled)
    assert bench.who(ADA).skill_points == 0
    (ask,) = bench.asked
    prompt = ask.prompts[1]
    assert [one.text.params for one in prompt.options] == [(5,), (8,)]


def with_luck(bench: Bench, luck: int) -> dict[Attribute, int]:
    return {**bench.who(ADA).attributes, Attribute.LUCK: luck}


@rule("K-TEST-5", "K-EX-4")
def test_after_the_roll_no_skill_point_can_be_spent() -> None:
    bench = world()
    bench.set(ADA, skill_points=1)
    bench.give_rolls(8)

    assert take(bench, "choice/roll") is False

    assert len(bench.asked) == 1
    assert bench.who(ADA).skill_points == 1


@rule("K-TEST-6", "K-EX-5")
def test_no_skill_point_helps_in_a_test_of_luck() -> None:
    bench = world()
    bench.set(ADA, skill_points=1)
    bench.give_rolls(6)

    assert take(bench, attribute=Attribute.LUCK) is False

    assert bench.asked == []


@rule("K-TEST-7")
def test_one_skill_point_counts_for_one_test() -> None:
    bench = world()
    bench.set(ADA, skill_points=3)
    bench.give_rolls(10)

    take(bench, "choice/spend_skill_point")

    assert (len(bench.asked), bench.who(ADA).skill_points) == (1, 2)
    assert bench.game_table.test is not None
    assert bench.game_table.test.value == 10


@rule("K-TEST-8", "K-TEST-9")
def test_whoever_has_spent_all_skill_points_is_asked_no_more() -> None:
    bench = world()
    bench.set(ADA, skill_points=1)
    bench.give_rolls(10, 10)

    take(bench, "choice/spend_skill_point")
    bench.emit(fe.TurnEnded(1))
    bench.emit(fe.RoundBegan(2))
    take(bench)

    assert len(bench.asked) == 1
    assert bench.who(ADA).skill_points == 0


@rule("K-TEST-10", "K-STUN-3", "K-EX-6")
def test_all_modifiers_add_up() -> None:
    strong = item_card("belt", modifiers=(Modifier(Attribute.STRENGTH, 2),))
    other = item_card("cap", modifiers=(Modifier(Attribute.LORE, 4),))
    calm = item_card("ring", modifiers=(Modifier(amount=1, tests=(Kind.CARD,)),))
    bench = world(items={one.id: one for one in (strong, other, calm)})
    for item in (strong, other, calm):
        bench.emit(fe.ItemGained(ADA, item.id, (), None))
    bench.set(ADA, stun=1)
    bench.give_rolls(10, 10)

    take(bench, modifier=-1)
    assert value(bench) == 5 + 2 + 1 - 2 - 1

    take(bench, kind=Kind.HORROR)
    assert value(bench) == 5 + 2 - 2


@rule("K-STUN-1", "K-STUN-3", "K-STUN-4")
@pytest.mark.parametrize("kind", list(Kind))
def test_stun_takes_2_from_every_test_however_many_tokens(kind: Kind) -> None:
    bench = world()
    bench.give_rolls(10, 10, 10)

    take(bench, kind=kind)
    assert value(bench) == 5
    harm.stun(bench.game, ADA, 1)
    take(bench, kind=kind)
    assert value(bench) == 3
    harm.stun(bench.game, ADA, 2)
    take(bench, kind=kind)
    assert value(bench) == 3
    assert bench.who(ADA).stun == 3


@rule("K-DARK-2", "K-DECIDE-55")
@pytest.mark.parametrize("kind", list(Kind))
def test_darkness_takes_2_from_tests_in_combat_alone(kind: Kind) -> None:
    bench = world(features=[(FeatureKind.DARKNESS, "room/hall")])
    bench.give_rolls(10)

    take(bench, kind=kind)

    assert value(bench) == (3 if kind is Kind.COMBAT else 5)


@rule("K-DARK-3", "K-EX-6")
def test_stun_and_darkness_add_up_and_a_horror_test_is_not_in_combat() -> None:
    bench = world(features=[(FeatureKind.DARKNESS, "room/hall")], items={LAMP.id: LAMP})
    bench.set(ADA, stun=3, attributes=dict.fromkeys(Attribute, 7))
    bench.give_rolls(10, 10, 10, 10)

    take(bench, kind=Kind.COMBAT)
    assert value(bench) == 3
    take(bench, attribute=Attribute.WILLPOWER, kind=Kind.HORROR)
    assert value(bench) == 5

    bench.emit(fe.ItemGained(ADA, LAMP.id, LAMP.keywords, None))
    take(bench, kind=Kind.COMBAT)
    assert value(bench) == 5
    take(bench, attribute=Attribute.WILLPOWER, kind=Kind.HORROR)
    assert value(bench) == 5


@rule("K-BLIND-1", "K-DECIDE-108")
@pytest.mark.parametrize(("ignores", "with_lamp"), [(True, 2), (False, 5)])
def test_loss_of_sight_and_a_lantern(ignores: bool, with_lamp: int) -> None:
    blind = injury("blind", penalty=-3, penalty_tests=(Kind.COMBAT,), ignores_lantern=ignores)
    bench = world(items={LAMP.id: LAMP}, in_decks={"traumas": [blind]})
    bench.set(ADA, injury=blind.id)
    bench.give_rolls(10, 10)

    take(bench, kind=Kind.COMBAT)
    assert value(bench) == 2
    bench.emit(fe.ItemGained(ADA, LAMP.id, LAMP.keywords, None))
    take(bench, kind=Kind.COMBAT)
    assert value(bench) == with_lamp


@rule("K-DECIDE-108")
def test_loss_of_sight_lowers_the_tests_of_its_card_alone() -> None:
    blind = injury("blind", penalty=-3, penalty_tests=(Kind.COMBAT, Kind.EVADE))
    bench = world(in_decks={"traumas": [blind]})
    bench.set(ADA, injury=blind.id)
    bench.give_rolls(10, 10)

    take(bench, kind=Kind.EVADE)
    assert value(bench) == 2
    take(bench, kind=Kind.HORROR)
    assert value(bench) == 5


@rule("K-BLIND-1", "K-DECIDE-108")
def test_a_lantern_that_lies_in_the_room_lifts_no_loss_of_sight() -> None:
    blind = injury("blind", penalty=-3, penalty_tests=(Kind.COMBAT,), ignores_lantern=False)
    bench = world((ADA, BEN), items={LAMP.id: LAMP}, in_decks={"traumas": [blind]})
    bench.set(ADA, injury=blind.id)
    bench.emit(fe.ItemGained(BEN, LAMP.id, LAMP.keywords, None))
    bench.give_rolls(10)

    take(bench, kind=Kind.COMBAT)

    assert value(bench) == 2


@rule("K-STUN-2")
def test_a_stunned_investigator_begins_with_one_step() -> None:
    bench = world(active=None)
    bench.set(ADA, stun=2)

    turn.begin(bench.game, ADA)

    assert bench.game_table.steps_left == 1


@rule("K-DECIDE-88", "K-STUN-2")
@pytest.mark.parametrize(("taken", "left"), [(0, 1), (1, 0), (2, 0)])
def test_stun_in_the_own_turn_drops_the_movement_to_one_step(taken: int, left: int) -> None:
    bench = world()
    for _ in range(taken):
        bench.emit(fe.StepSpent(ADA))

    harm.stun(bench.game, ADA, 1)
    harm.stun(bench.game, ADA, 1)

    assert bench.game_table.steps_left == left


@rule("K-DECIDE-88", "K-STUN-2")
@pytest.mark.parametrize("is_stunned_before", [True, False])
def test_stun_takes_one_step_a_turn_however_often_it_comes_and_goes(
    *, is_stunned_before: bool
) -> None:
    bench = world(active=None)
    if is_stunned_before:
        harm.stun(bench.game, ADA, 1)
    turn.begin(bench.game, ADA)

    for _ in range(2):
        harm.unstun(bench.game, ADA, 1)
        harm.stun(bench.game, ADA, 1)

    assert bench.game_table.steps_left == 1


@rule("K-DECIDE-88")
def test_stun_of_others_takes_no_step() -> None:
    bench = world((ADA, BEN))

    harm.stun(bench.game, BEN, 1)

    assert bench.game_table.steps_left == 2


@rule("K-DECIDE-88")
def test_stun_in_the_turn_of_somebody_else_takes_no_step_from_it() -> None:
    bench = world((ADA, BEN))

    harm.stun(bench.game, BEN, 1)

    assert bench.game_table.steps_left == 2


@rule("K-DECIDE-27")
def test_of_a_test_of_several_all_roll_first_and_the_keeper_is_asked_once() -> None:
    cards = [injury("limp"), injury("cut")]
    bench = world((ADA, BEN), trauma=cards)
    effect = (Try(Attribute.STRENGTH, failed=(Suffer(damage=1),), who=Who.ALL), Stun())
    bench.give_rolls(9, 10)

    bench.run(
        effects.resolve(bench.game, effect, Source("mythos/any", ADA)),
        {
            KIM: (
                lambda one: one.text.params == ("injury/limp", BEN),
                lambda one: one.text.params == ("injury/cut", ADA),
            )
        },
    )

    (ask,) = bench.asked
    assert len(ask.prompts[KIM].options) == 1 + 2 * 2
    assert (bench.who(ADA).injury, bench.who(BEN).injury) == ("injury/cut", "injury/limp")
    happened = [type(one) for one in bench.log]
    rolls = [at for at, one in enumerate(happened) if one is fe.TestRolled]
    assert max(rolls) < happened.index(fe.HarmTaken)
    assert [one.investigator for one in bench.happened(fe.TestRolled)] == [ADA, BEN]


@rule("K-DECIDE-27")
def test_in_the_result_of_somebody_who_was_killed_nothing_happens() -> None:
    bench = world((ADA, BEN))
    bench.set(BEN, damage=7)
    effect = (Try(Attribute.STRENGTH, failed=(Suffer(damage=1, who=Who.ALL),), who=Who.ALL),)
    bench.give_rolls(10, 10)

    bench.run(effects.resolve(bench.game, effect, Source("mythos/any", ADA)))

    assert bench.who(ADA).damage == 1
    assert bench.game_table.deaths == 1


@rule("K-TEST-10", "K-CARD-14")
def test_abilities_of_traits_count() -> None:
    (first, *_) = traits_of(ADA).values()
    strong = attrs.evolve(first, modifiers=(Modifier(amount=2, tests=(Kind.CARD,)),))
    bench = world(traits=by_id(strong))
    bench.give_rolls(10)

    take(bench)

    assert value(bench) == 7


@rule("K-TEST-2", "K-TRAUMA-3")
def test_whoever_is_killed_before_the_roll_does_not_pass() -> None:
    bench = world(trauma=[injury("stop", Kill(), instant=True)])
    bench.emit(fe.HarmTaken(ADA, 1, 0))
    bench.emit(fe.TraumaTriggered(ADA, TraumaKind.INJURY))

    assert take(bench, "injury/stop") is False

    assert not bench.happened(fe.TestDeclared)


def fix(bench: Bench, result: Result, *kinds: Kind) -> None:
    """Have a card fix Ada's next test."""
    effect = (Automatic(result, kinds),)
    bench.run(effects.resolve(bench.game, effect, Source("mythos/any", ADA)))


@rule("K-DECIDE-33")
@pytest.mark.parametrize("result", Result)
def test_by_a_card_a_test_passes_or_fails_without_a_roll_and_without_a_skill_point(
    result: Result,
) -> None:
    bench = world()
    bench.set(ADA, skill_points=2)
    fix(bench, result)

    assert take(bench) == (result is Result.PASSED)
    assert not bench.asked
    rolled = (Rolled, fe.TestRolled, fe.TestPointSpent)
    assert not [one for one in bench.log if isinstance(one, rolled)]
    assert len(bench.happened(fe.TestDeclared)) == len(bench.happened(fe.TestEnded)) == 1


@rule("K-DECIDE-33")
def test_a_card_fixes_one_test_alone() -> None:
    bench = world()
    fix(bench, Result.PASSED)
    bench.give_rolls(10)

    assert take(bench)
    assert not take(bench)
    assert bench.who(ADA).fixed_test is None


@rule("K-DECIDE-33")
def test_a_card_fixes_tests_of_its_kinds_alone_and_waits_for_one() -> None:
    bench = world()
    fix(bench, Result.FAILED, Kind.EVADE, Kind.FIRE)
    bench.give_rolls(1)

    assert take(bench, kind=Kind.HORROR)
    assert not take(bench, kind=Kind.EVADE)


@rule("K-DECIDE-33", "K-VAR-4")
def test_the_keeper_cannot_have_a_roll_made_again_that_was_not_made() -> None:
    bench = world()
    bench.emit(fe.KeeperEquipped(0, 1, (), {}, 0))
    fix(bench, Result.PASSED)

    assert take(bench, kind=Kind.COMBAT)
    assert not bench.asked


@rule("K-DECIDE-33", "K-MYTHOS-4")
def test_a_test_that_fails_by_a_card_has_failed_for_all_that_waits_for_that() -> None:
    bench = world()
    fix(bench, Result.FAILED)
    take(bench)

    assert (ADA, TEST_FAILED) in bench.game_table.moments
