"""Monsters: section 17, K-SUPPLY-5 to K-SUPPLY-7, K-DECIDE-56, 57 and 94."""

from typing import Any

import attrs
import pytest

from content.games.first_edition.schema.effects import (
    HealMonster,
    HurtMonster,
    KillMonster,
    PlaceMonster,
    RemoveMonster,
    Step,
    StunMonster,
)
from content.games.first_edition.schema.requirements import Killed
from content.games.first_edition.schema.targets import MonstersIn, OfClass, Which
from protocol.common.text import Text
from protocol.event import EVERYBODY, cut
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.table import KeeperStep, Phase
from protocol.games.first_edition.words import FeatureKind, MonsterClass, Side
from server.games.first_edition.rules import effects, monsters, movement, objective, rounds
from server.games.first_edition.rules.play import GameOver, Source
from tests.games.first_edition.rules.bench import KIM, Bench
from tests.games.first_edition.rules.worlds import (
    ADA,
    MAN,
    RAT,
    SHADE,
    by_id,
    monster_card,
    told,
    world,
)
from tests.games.first_edition.rules.worlds import objective as goal
from tests.kernel.twins import blank

rule = pytest.mark.rule


def do(
    bench: Bench, *steps: Step, monster: str | None = "m1", answers: tuple[Any, ...] = ()
) -> None:
    """Resolve steps whose monster is the first one, and whose actor is Ada."""
    bench.run(effects.resolve(bench.game, steps, Source("mythos/any", ADA, monster)), *answers)


@rule("K-MONSTER-1", "K-MONSTER-2")
def test_damage_adds_up_to_one_total() -> None:
    bench = world(monsters_at=[(RAT, "house/b")], monsters=by_id(tough(20, large=True)))

    do(bench, HurtMonster(9), HurtMonster(3))

    assert bench.monster().damage == 12
    assert bench.monster().is_large


def tough(health: int, **fields: Any) -> Any:
    """Return a rat with this health."""
    card = monster_card(RAT, MonsterClass.BEAST, **fields)
    backs = tuple(type(back)(back.id, health, 2, ()) for back in card.backs)
    return type(card)(
        card.id,
        card.class_,
        card.awareness,
        card.horror,
        card.figures,
        backs,
        card.named,
        card.large,
    )


@rule("K-MONSTER-3", "K-MONSTER-4", "K-MONSTER-5", "K-EX-14")
def test_at_the_health_on_its_back_a_monster_is_killed() -> None:
    bench = world(monsters_at=[(RAT, "house/b")], monsters=by_id(tough(6)))

    do(bench, HurtMonster(4))
    assert bench.monster().damage == 4
    do(bench, HurtMonster(2))

    assert bench.game_table.monsters == {}
    assert bench.game_table.killed == {RAT: 1}
    assert not bench.happened(fe.MonsterBackShown)


@rule("K-MONSTER-5", "K-MONSTER-6", "K-EX-14")
def test_the_figure_of_a_killed_monster_comes_back_without_damage() -> None:
    bench = world(monsters_at=[(RAT, "house/b"), (RAT, "house/b")])

    do(bench, HurtMonster(9))
    bench.run(monsters.bring(bench.game, RAT, ("house/c",), Source("action/any")))

    new = bench.game_table.monsters["m3"]
    assert (new.damage, new.stun, new.number, new.space) == (0, 0, 1, "house/c")
    assert bench.asked == []


@rule("K-MONSTER-7", "K-MONSTER-8", "K-SECRET-14", "K-SECRET-15", "K-INFO-2")
def test_the_front_lies_open_and_the_back_is_known_to_the_keeper() -> None:
    fearsome = monster_card(RAT, MonsterClass.BEAST, awareness=-1, horror=2, named=True)
    bench = world(monsters_at=[(RAT, "house/b")], monsters=by_id(fearsome))

    rat = bench.monster()

    assert (rat.awareness, rat.horror, rat.is_named) == (-1, 2, True)
    assert rat.back.audience == (KIM,)
    assert (rat.back.value.health, rat.back.value.damage) == (3, 2)


@rule("K-SECRET-15")
def test_the_token_is_drawn_in_secret_among_those_that_are_not_on_the_board() -> None:
    bench = world()
    bench.give_picks(1, 0)

    monsters.put(bench.game, RAT, "house/b")
    monsters.put(bench.game, RAT, "house/b")

    backs = [one.back.value.back for one in bench.game_table.monsters.values()]
    assert backs == ["back/rat-2", "back/rat-1"]


@rule("K-CARD-15")
def test_monsters_of_one_type_are_told_apart_by_the_lowest_free_number() -> None:
    bench = world(monsters_at=[(RAT, "house/b"), (MAN, "house/b"), (RAT, "house/b")])

    assert [one.number for one in bench.game_table.monsters.values()] == [1, 1, 2]
    bench.emit(fe.MonsterRemoved("m1"))
    monsters.put(bench.game, RAT, "house/b")
    assert bench.game_table.monsters["m4"].number == 1


@rule("K-DECIDE-94", "K-EX-14")
@pytest.mark.parametrize("opens", [False, True])
def test_damage_opens_the_back_only_if_the_constant_says_so(
    opens: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if opens:
        monkeypatch.setattr(monsters, "DAMAGED_BACKS_OPEN", True)
    bench = world(monsters_at=[(RAT, "house/b")])

    do(bench, HurtMonster(1), HurtMonster(1))

    assert len(bench.happened(fe.MonsterBackShown)) == opens
    assert (EVERYBODY in bench.monster().back.audience) is opens


@rule("K-DECIDE-94", "K-INFO-4")
def test_a_shown_back_stays_open_until_the_figure_leaves_the_board() -> None:
    bench = world(monsters_at=[(RAT, "house/b")])
    monsters.show_back(bench.game, "m1")

    (shown,) = bench.happened(fe.MonsterBackShown)
    assert (shown.back, shown.card) == (bench.monster().back.value, "back/rat-1")
    assert EVERYBODY in bench.monster().back.audience

    bench.emit(fe.MonsterRemoved("m1"))
    monsters.put(bench.game, RAT, "house/b")
    assert bench.monster().back.audience == (KIM,)


@rule("K-MONSTER-9", "K-DECIDE-56")
def test_nothing_kills_a_monster_with_a_proper_name_but_damage() -> None:
    named = monster_card(RAT, MonsterClass.BEAST, named=True)
    bench = world(monsters_at=[(RAT, "house/b"), (MAN, "house/b")], monsters=by_id(named))

    do(bench, KillMonster(Which.ALL))

    assert list(bench.game_table.monsters) == ["m1"]
    assert bench.game_table.killed == {MAN: 1}
    assert told(bench) == [Text("result/withstands", (RAT,))]
    do(bench, HurtMonster(3))
    assert bench.game_table.monsters == {}


def targets_of(option: str, *kinds: str) -> Any:
    return goal(option, investigators=Killed(SHADE, 9), keeper=Killed(SHADE, 9), targets=kinds)


@rule("K-MONSTER-10", "K-DECIDE-56", "K-SECRET-6")
@pytest.mark.parametrize("answer", ["wake", "flood"])
def test_a_kill_fails_alike_whichever_objective_was_chosen_as_long_as_it_is_hidden(
    answer: str,
) -> None:
    goals = (targets_of("wake", RAT), targets_of("flood", MAN))
    bench = world(
        monsters_at=[(RAT, "house/b"), (MAN, "house/b"), (SHADE, "house/b")],
        story={"objectives": goals},
        goal=answer,
    )

    do(bench, KillMonster(Which.ALL))

    assert list(bench.game_table.monsters) == ["m1", "m2"]
    assert [one.subject for one in told(bench)] == ["result/withstands"] * 2


@rule("K-MONSTER-10", "K-DECIDE-56")
def test_once_the_objective_is_revealed_only_its_own_targets_withstand() -> None:
    goals = (targets_of("wake", RAT), targets_of("flood", MAN))
    bench = world(monsters_at=[(RAT, "house/b"), (MAN, "house/b")], story={"objectives": goals})
    objective.reveal(bench.game)

    do(bench, KillMonster(Which.ALL))

    assert list(bench.game_table.monsters) == ["m1"]


@rule("K-GOAL-6", "K-DECIDE-93")
def test_killing_the_monster_of_the_objective_wins() -> None:
    bench = world(
        monsters_at=[(RAT, "house/b")],
        story={"objectives": (goal("wake", investigators=Killed(RAT)), goal("flood"))},
    )

    with pytest.raises(GameOver):
        do(bench, HurtMonster(3))

    assert bench.game_table.ending is not None
    assert bench.game_table.ending.winners == (Side.INVESTIGATORS,)


@rule("K-FIRE-1", "K-DECIDE-26", "K-DECIDE-93")
def test_a_monster_that_burns_at_the_end_of_the_keepers_turn_can_win_the_game() -> None:
    bench = world(
        monsters_at=[(RAT, "house/b")],
        features=[(FeatureKind.FIRE, "room/hall")],
        story={"objectives": (goal("wake", investigators=Killed(RAT)), goal("flood"))},
        step=KeeperStep.END,
    )
    bench.set_monster("m1", damage=1)

    with pytest.raises(GameOver):
        bench.run(rounds.end_round(bench.game))

    assert bench.game_table.phase is Phase.OVER


def full_house() -> Bench:
    """Return a bench with all figures of the rat on the board."""
    return world(monsters_at=[(RAT, "house/b"), (RAT, "house/b")], at={ADA: "house/c"})


@rule("K-SUPPLY-5", "K-SUPPLY-6", "K-EX-21", "K-DECIDE-57")
def test_with_all_figures_on_the_board_one_of_them_may_be_placed_anew() -> None:
    bench = full_house()
    bench.set_monster("m2", damage=2, stun=1)
    bench.give_rolls(1)

    do(bench, PlaceMonster(RAT, "house/c"), answers=("m2",))

    assert list(bench.game_table.monsters) == ["m1", "m3"]
    new = bench.game_table.monsters["m3"]
    assert (new.space, new.damage, new.stun) == ("house/c", 0, 0)
    assert [one.kind.value for one in bench.happened(fe.TestDeclared)] == ["horror"]
    assert bench.game_table.killed == {}


@rule("K-SUPPLY-7", "K-SUPPLY-5", "K-EX-21")
def test_the_relocation_is_optional() -> None:
    bench = full_house()

    do(bench, PlaceMonster(RAT, "house/c"), answers=("choice/no_figure",))

    assert list(bench.game_table.monsters) == ["m1", "m2"]
    (ask,) = bench.asked
    assert (ask.rule, ask.prompts[KIM].ending_places) == ("K-SUPPLY-6", (0,))


@rule("K-SUPPLY-5", "K-DECIDE-57")
def test_figures_of_another_type_do_not_count_and_cannot_be_taken() -> None:
    bench = world(monsters_at=[(RAT, "house/b"), (MAN, "house/b")], at={ADA: "house/c"})

    do(bench, PlaceMonster(RAT, "house/b", 2), answers=("m3",))

    assert [one.kind for one in bench.game_table.monsters.values()] == [RAT, MAN, RAT]
    assert "m2" not in repr(bench.asked[0].prompts)


@rule("K-DECIDE-22", "K-CARD-3")
def test_in_a_room_of_several_spaces_the_keeper_chooses_one() -> None:
    bench = world(at={ADA: "house/c"})

    do(bench, PlaceMonster(RAT, "room/hall"), answers=("house/b",))

    assert bench.monster().space == "house/b"
    assert list(bench.asked[0].prompts) == [KIM]


@rule("K-STUN-1", "K-MONSTER-5", "K-CARD-3")
def test_monsters_can_be_healed_stunned_and_taken_away() -> None:
    bench = world(monsters_at=[(RAT, "house/b"), (MAN, "house/c"), (SHADE, "house/c")])

    do(bench, HurtMonster(2), HealMonster(5), StunMonster(2, OfClass(MonsterClass.HUMANOID)))
    do(bench, RemoveMonster(MonstersIn("room/study"), 1), answers=("m3",))

    assert bench.monster(RAT).damage == 0
    assert bench.monster(MAN).stun == 2
    assert list(bench.game_table.monsters) == ["m1", "m2"]
    assert bench.game_table.killed == {}


@rule("K-MONSTER-5")
def test_no_step_stumbles_over_a_monster_that_is_gone() -> None:
    bench = world(monsters_at=[(RAT, "house/b")])

    do(bench, HurtMonster(3), HurtMonster(1), HealMonster(1), KillMonster(), StunMonster())

    assert bench.game_table.killed == {RAT: 1}


@rule("K-SECRET-15", "K-DECIDE-94")
@pytest.mark.parametrize("seat", [None, 1])
def test_two_backs_look_the_same_until_they_are_shown(seat: int | None) -> None:
    sent = []
    for pick in (0, 1):
        card = monster_card(RAT, MonsterClass.BEAST)
        frail, hardy = card.backs
        backs = (frail, attrs.evolve(hardy, health=19, damage=7))
        bench = world(monsters=by_id(attrs.evolve(card, backs=backs)))
        bench.give_picks(pick)
        monsters.put(bench.game, RAT, "house/a")
        bench.give_rolls(10, 1)

        do(bench, HurtMonster(2), StunMonster(), HealMonster(1))
        bench.set_monster("m1", stun=0)
        bench.run(movement.step(bench.game, ADA, "house/b"), "choice/spare'")

        views = [cut(stored, seat) for stored in bench.stored]
        sent.append([(blank(view.public), view.openings) for view in views])
    assert sent[0] == sent[1]


@rule("K-MONSTER-1")
@pytest.mark.parametrize("damage", [0, -1])
def test_a_strike_without_damage_hurts_nobody(damage: int) -> None:
    bench = world(monsters_at=[(RAT, "house/b")])
    bench.set_monster("m1", damage=2)

    monsters.hurt(bench.game, "m1", damage)

    assert not bench.happened(fe.MonsterHurt)
