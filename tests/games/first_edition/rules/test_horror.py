"""Horror tests: section 9, K-DECIDE-22 to K-DECIDE-28 and K-DECIDE-103."""

from typing import Any

import pytest

from content.games.first_edition.schema.effects import Kill, Move, Stun
from content.games.first_edition.schema.effects import Test as Try
from content.games.first_edition.schema.targets import Who
from protocol.common.text import Text
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.table import KeeperStep
from protocol.games.first_edition.words import Attribute, FeatureKind, MonsterClass
from protocol.games.first_edition.words import TestKind as Kind
from server.games.first_edition.rules import (
    effects,
    harm,
    horror,
    monster_moves,
    monsters,
    movement,
    turn,
)
from server.games.first_edition.rules.play import Source
from tests.games.first_edition.rules.bench import KIM, Bench
from tests.games.first_edition.rules.worlds import (
    ADA,
    BEN,
    CORA,
    MAN,
    RAT,
    SHADE,
    by_id,
    insanity,
    monster_card,
    world,
)

rule = pytest.mark.rule
BY_CARD = Source("action/walk")
BY_ADA = Source("mythos/any", ADA)


def come(bench: Bench, monster: str, *answers: Any, spaces: int = 1) -> None:
    """Have the keeper lead a monster."""
    bench.run(monster_moves.lead(bench.game, [monster], spaces, 1, BY_CARD), *answers)


def declared(bench: Bench) -> list[str]:
    """Return who was tested, in order."""
    return [one.investigator for one in bench.happened(fe.TestDeclared)]


@rule("K-HORROR-1", "K-HORROR-4", "K-DECIDE-28")
@pytest.mark.parametrize(("rating", "value"), [(-1, 4), (2, 7), (0, 5)])
def test_the_test_is_one_of_willpower_with_the_rating_of_the_monster(
    rating: int, value: int
) -> None:
    fearsome = monster_card(RAT, MonsterClass.BEAST, horror=rating)
    bench = world(at={ADA: "house/b"}, monsters_at=[(RAT, "house/c")], monsters=by_id(fearsome))
    bench.set(ADA, attributes={**dict.fromkeys(Attribute, 9), Attribute.WILLPOWER: 5})
    bench.give_rolls(1)

    bench.run(movement.step(bench.game, ADA, "house/c"))

    (test,) = bench.happened(fe.TestDeclared)
    assert (test.attribute, test.kind, test.value) == (Attribute.WILLPOWER, Kind.HORROR, value)
    assert test.about == Text("about/horror_test", (ADA, RAT))


@rule("K-HORROR-5", "K-HORROR-6")
@pytest.mark.parametrize(("roll", "lost"), [(5, 0), (6, 1)])
def test_a_failure_costs_1_horror_and_a_success_nothing(roll: int, lost: int) -> None:
    bench = world(at={ADA: "house/b"}, monsters_at=[(RAT, "house/c")])
    bench.give_rolls(roll)

    bench.run(movement.step(bench.game, ADA, "house/c"))

    assert (bench.who(ADA).horror, bench.who(ADA).damage) == (lost, 0)


@rule("K-HORROR-2", "K-HORROR-7")
def test_a_monster_that_enters_is_met_by_everybody_there() -> None:
    bench = world((ADA, BEN, CORA), at={CORA: "house/c"}, monsters_at=[(RAT, "house/c")])
    bench.give_rolls(6, 5)

    come(bench, "m1", "house/b")

    assert declared(bench) == [ADA, BEN]
    assert [bench.who(one).horror for one in (ADA, BEN, CORA)] == [1, 0, 0]


@rule("K-HORROR-3", "K-DECIDE-24")
def test_a_monster_that_comes_back_is_met_again() -> None:
    bench = world(monsters_at=[(RAT, "house/b")])
    bench.give_rolls(1, 1)

    come(bench, "m1", "house/c", "house/b", "house/c", "house/b", spaces=4)

    assert declared(bench) == [ADA, ADA]


@rule("K-HORROR-8", "K-DECIDE-25")
def test_neither_another_room_nor_a_move_inside_a_room_causes_a_test() -> None:
    bench = world(monsters_at=[(RAT, "house/b"), (MAN, "house/c")])

    bench.run(movement.step(bench.game, ADA, "house/b"))
    come(bench, "m1", "house/a")

    assert declared(bench) == []


@rule("K-DECIDE-22")
def test_a_monster_that_is_placed_enters() -> None:
    bench = world((ADA, BEN), at={BEN: "house/c"})
    bench.give_rolls(10)

    bench.run(monsters.place(bench.game, RAT, "house/b"))

    assert declared(bench) == [ADA]
    assert bench.who(ADA).horror == 1


@rule("K-DECIDE-61")
def test_a_monster_of_the_setup_frightens_nobody_before_the_next_entry() -> None:
    bench = world(active=None)

    monsters.put(bench.game, RAT, "house/a")

    assert declared(bench) == []
    assert bench.monster().space == "house/a"


@rule("K-DECIDE-23")
def test_several_monsters_are_met_in_an_order_of_choice_each_before_the_next() -> None:
    bench = world(
        at={ADA: "house/b"},
        monsters_at=[(RAT, "house/c"), (MAN, "house/c"), (SHADE, "house/c")],
    )
    bench.give_rolls(10, 10, 1)

    bench.run(movement.step(bench.game, ADA, "house/c"), "m3", "m1")

    tests = [one.about.params[1] for one in bench.happened(fe.TestDeclared)]
    assert tests == [SHADE, RAT, MAN]
    order = [type(one) for one in bench.log if type(one) in {fe.TestDeclared, fe.HarmTaken}]
    assert order == [fe.TestDeclared, fe.HarmTaken, fe.TestDeclared, fe.HarmTaken, fe.TestDeclared]
    assert [ask.rule for ask in bench.asked] == ["K-DECIDE-23", "K-DECIDE-23"]


@rule("K-DECIDE-23", "K-TRAUMA-3")
def test_whoever_dies_of_the_first_fright_meets_nobody_else() -> None:
    bench = world(
        at={ADA: "house/b"},
        monsters_at=[(RAT, "house/c"), (MAN, "house/c")],
        trauma=[insanity("stop", Kill())],
    )
    bench.give_rolls(10)

    bench.run(movement.step(bench.game, ADA, "house/c"), "m1", "insanity/stop")

    assert declared(bench) == [ADA]
    assert bench.game_table.deaths == 1


@rule("K-DECIDE-27")
def test_everybody_rolls_before_the_keeper_is_asked_once_with_a_line_for_each() -> None:
    bench = world(
        (ADA, BEN, CORA),
        at={ADA: "house/b", BEN: "house/b", CORA: "house/a"},
        monsters_at=[(RAT, "house/c")],
        trauma=[insanity("fear"), insanity("shame")],
    )
    bench.give_rolls(10, 1, 10)

    come(
        bench,
        "m1",
        "house/b",
        {
            KIM: (
                lambda one: one.text.params == ("insanity/fear", CORA),
                lambda one: one.text.params == ("insanity/shame", ADA),
            )
        },
    )

    _, ask = bench.asked
    options = ask.prompts[KIM].options
    assert {one.text.params[1] for one in options if one.text.params} == {ADA, CORA}
    assert (bench.who(ADA).insanity, bench.who(CORA).insanity) == (
        "insanity/shame",
        "insanity/fear",
    )
    kinds = [type(one) for one in bench.log]
    last_roll = max(at for at, one in enumerate(kinds) if one is fe.TestRolled)
    assert last_roll < kinds.index(fe.TraumaPlayed)


@rule("K-DECIDE-103")
@pytest.mark.parametrize(("causes", "tests"), [(True, 1), (False, 0)])
def test_stunned_monsters_and_horror(
    causes: bool,
    tests: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if not causes:
        monkeypatch.setattr(horror, "STUNNED_CAUSE_HORROR", False)
    bench = world(at={ADA: "house/b"}, monsters_at=[(RAT, "house/c")])
    bench.set_monster("m1", stun=1)
    bench.give_rolls(1, 1)

    bench.run(movement.step(bench.game, ADA, "house/c"))

    assert len(declared(bench)) == tests


@rule("K-DECIDE-103")
def test_stunned_monsters_cause_horror_unless_the_constant_is_changed() -> None:
    assert horror.STUNNED_CAUSE_HORROR is True


@rule("K-DECIDE-85")
def test_a_hidden_investigator_is_tested_all_the_same() -> None:
    bench = world(monsters_at=[(RAT, "house/c")], features=[(FeatureKind.HIDING_SPOT, "house/a")])
    bench.emit(fe.Hid(ADA, "f1"))
    bench.give_rolls(10)

    come(bench, "m1", "house/b")

    assert bench.who(ADA).horror == 1


def zombie_world(willpower: int = 4) -> Bench:
    """Return the bench of the first worked example."""
    bench = world(
        monsters_at=[(MAN, "house/c")],
        monsters=by_id(monster_card(MAN, MonsterClass.HUMANOID, horror=-1)),
        trauma=[insanity("stop", Kill(), threshold=0)],
        step=KeeperStep.ACTIONS,
    )
    bench.set(ADA, horror=5, attributes={**dict.fromkeys(Attribute, 5), Attribute.WILLPOWER: 4})
    return bench


@rule("K-EX-1", "K-TRAUMA-11", "K-TRAUMA-19")
def test_the_first_worked_example() -> None:
    bench = zombie_world()
    bench.give_rolls(4)

    come(bench, "m1", "house/b", "insanity/stop")

    assert bench.happened(fe.TestDeclared)[0].value == 3
    assert bench.happened(fe.HarmTaken) == [fe.HarmTaken(ADA, 0, 1)]
    assert bench.game_table.deaths == 1


@rule("K-EX-1")
def test_with_a_roll_of_3_the_keeper_is_not_asked_for_a_trauma_card() -> None:
    bench = zombie_world()
    bench.give_rolls(3)

    come(bench, "m1", "house/b")

    assert bench.who(ADA).sanity_left == 1
    assert [ask.rule for ask in bench.asked] == ["K-DECIDE-21"]


@rule("K-EX-12", "K-INSANE-4", "K-DECIDE-74")
def test_an_insane_investigator_loses_no_horror_and_may_still_be_struck() -> None:
    bench = world(at={ADA: "house/b"}, monsters_at=[(RAT, "house/c")], trauma=[insanity("fear")])
    bench.set(ADA, horror=6)
    bench.give_rolls(10)

    bench.run(turn.take_step(bench.game), "house/c")
    bench.run(turn.take_step(bench.game), {KIM: "insanity/fear"})

    assert (bench.who(ADA).horror, bench.who(ADA).sanity_left) == (6, 0)
    assert bench.who(ADA).insanity == "insanity/fear"


@rule("K-EX-13", "K-INSANE-2")
def test_healing_makes_sane_and_leaves_the_insanity_card() -> None:
    bench = world()
    bench.set(ADA, horror=6, insanity="insanity/fear")
    assert bench.who(ADA).is_insane

    harm.heal(bench.game, ADA, horror=1)

    assert (bench.who(ADA).sanity_left, bench.who(ADA).is_insane) == (1, False)
    assert bench.who(ADA).insanity == "insanity/fear"


@rule("K-DECIDE-23", "K-DECIDE-27")
def test_people_who_are_moved_together_meet_monsters_before_the_keeper_is_asked() -> None:
    bench = world(
        (ADA, BEN),
        monsters_at=[(RAT, "house/c"), (MAN, "house/c")],
        trauma=[insanity("fear"), insanity("shame")],
    )
    flee = Try(Attribute.STRENGTH, failed=(Move(to="room/study"),), who=Who.ALL)
    bench.give_rolls(10, 10, 10, 1, 10, 1)

    bench.run(effects.resolve(bench.game, (flee, Stun()), BY_ADA), "m1", "m1", {})

    assert (bench.who(ADA).horror, bench.who(BEN).horror) == (1, 1)
    assert [ask.rule for ask in bench.asked] == ["K-DECIDE-23", "K-DECIDE-23", "K-TRAUMA-3"]


@rule("K-DECIDE-23")
def test_whoever_a_trauma_card_leads_out_of_the_room_meets_nobody_else_there() -> None:
    bench = world(
        at={ADA: "house/b"},
        monsters_at=[(RAT, "house/c"), (MAN, "house/c")],
        trauma=[insanity("flight", Move(to="house/a"))],
    )
    bench.give_rolls(10)

    bench.run(movement.step(bench.game, ADA, "house/c"), "m1", "insanity/flight")

    assert declared(bench) == [ADA]
    assert bench.who(ADA).space == "house/a"


@rule("K-DECIDE-103", "K-DECIDE-22")
def test_where_stunned_monsters_frighten_nobody_their_coming_does_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(horror, "STUNNED_CAUSE_HORROR", False)
    bench = world(monsters_at=[(RAT, "house/b")])
    bench.set_monster("m1", stun=1)

    bench.run(horror.on_coming(bench.game, "m1"))

    assert declared(bench) == []
