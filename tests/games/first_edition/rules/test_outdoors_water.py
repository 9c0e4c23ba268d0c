"""Submerged spaces: section 6 and W-DECIDE-4 to W-DECIDE-6."""

from typing import Any

import pytest

from content.games.first_edition.schema import effects as steps
from content.games.first_edition.schema.cards import MythosCard, Trigger
from protocol.event import hidden
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.table import TRAUMA_HAND, KeeperStep
from protocol.games.first_edition.words import KEEPER
from server.games.first_edition.rules import effects, movement, rounds, water
from server.games.first_edition.rules.play import Source
from tests.games.first_edition.rules.bench import KIM, Bench
from tests.games.first_edition.rules.going import go
from tests.games.first_edition.rules.lands import BOAT, WATER, WOOD, land
from tests.games.first_edition.rules.test_outdoors_flying import BAT, BATS
from tests.games.first_edition.rules.worlds import ADA, BEN, MAN, RAT, by_id, injury, item_card

rule = pytest.mark.rule
HERE = Source("mythos/any", ADA)
IN = {ADA: "pond/w"}


def between_turns(**given: Any) -> Bench:
    """Return a world by the pond in which nobody has a turn yet."""
    return land(active=None, **given)


@rule("W-WATER-1", "W-WATER-2", "W-WATER-3", "W-DECIDE-5", "W-DECIDE-6", "W-EX-5")
def test_whoever_is_in_the_water_as_the_turn_starts_is_hurt_and_moved_out() -> None:
    bench = between_turns(at=IN)
    bench.set(ADA, health=5)

    go(bench, {1: "pond/c"})

    assert (bench.who(ADA).health_left, bench.who(ADA).space) == (3, "pond/c")
    assert (bench.game_table.steps_left, bench.game_table.has_action) == (2, True)
    go(bench, ...)
    assert "choice/move" in bench.offered()


@rule("W-WATER-3", "W-WATER-4", "W-DECIDE-7")
def test_the_owner_chooses_among_the_dry_spaces_across_a_barrier() -> None:
    bench = between_turns(at=IN, story={"submerged": ("pond/w", "pond/c")})

    go(bench, ...)

    assert bench.open is not None
    assert tuple(bench.open.prompts) == (1,)
    points = [point.piece for one in bench.open.prompts[1].options for point in one.points]
    assert points == ["pond/a", "pond/e"]


@rule("W-WATER-3", "W-DECIDE-7", "K-DECIDE-36")
def test_a_bank_behind_a_lock_is_no_way_out_but_for_monsters() -> None:
    bench = between_turns(at=IN, monsters_at=[(RAT, "pond/w")])
    bench.emit(fe.LockLaid(KEEPER, WOOD, hidden("lock/gate")))

    go(bench, ...)
    assert bench.open is not None
    points = [point.piece for one in bench.open.prompts[1].options for point in one.points]
    assert points == ["pond/a", "pond/e"]

    bench.run(rounds.begin_keeper_turn(bench.game), {KIM: "pond/c"})
    assert bench.monster().space == "pond/c"


@rule("W-WATER-5", "W-EX-6")
def test_a_boat_keeps_out_the_water() -> None:
    bench = between_turns(at=IN, features=[(BOAT, "pond/w")], monsters_at=[(RAT, "pond/w")])
    bench.run(rounds.begin_keeper_turn(bench.game))
    go_on = land(at=IN, features=[(BOAT, "pond/w")], active=None)
    go(go_on)

    assert bench.monster().damage == 0
    assert (go_on.who(ADA).damage, go_on.who(ADA).space) == (0, "pond/w")


@rule("W-WATER-6", "W-FLY-5", "W-EX-6")
def test_a_flying_monster_stays_on_the_water_unharmed() -> None:
    bench = land(step=KeeperStep.TRADE, monsters=BATS, monsters_at=[(BAT, "pond/w")])

    bench.run(rounds.begin_keeper_turn(bench.game))

    assert (bench.monster().damage, bench.monster().space) == (0, "pond/w")


@rule("W-WATER-2", "W-WATER-3", "W-DECIDE-6", "W-EX-6")
def test_as_the_keepers_turn_starts_a_monster_is_hurt_and_moved_by_him() -> None:
    bench = between_turns(monsters_at=[(RAT, "pond/w")])

    bench.run(rounds.begin_keeper_turn(bench.game), {KIM: "pond/e"})

    assert (bench.monster().damage, bench.monster().space) == (2, "pond/e")
    assert bench.game_table.step is KeeperStep.TRADE


@rule("W-DECIDE-6")
def test_the_keeper_says_which_monster_is_first() -> None:
    bench = between_turns(monsters_at=[(RAT, "pond/w"), (MAN, "pond/w")])
    man = bench.monster(MAN).monster_id

    bench.run(
        rounds.begin_keeper_turn(bench.game),
        {KIM: man},
        {KIM: "pond/c"},
        {KIM: "pond/e"},
    )

    assert [one.monster for one in bench.happened(fe.MonsterHurt)] == [man, "m1"]
    assert (bench.monster(MAN).space, bench.monster(RAT).space) == ("pond/c", "pond/e")


@rule("W-DECIDE-4")
def test_a_monster_that_the_water_kills_goes_nowhere() -> None:
    bench = between_turns(monsters_at=[(RAT, "pond/w")])
    bench.set_monster(bench.monster().monster_id, damage=1)

    bench.run(rounds.begin_keeper_turn(bench.game))

    assert not bench.game_table.monsters
    assert not bench.happened(fe.MonsterMoved)


@rule("W-DECIDE-4")
def test_somebody_whom_the_water_kills_leaves_everything_there() -> None:
    bench = land(people=(ADA, BEN), at=IN, active=None, items=by_id(item_card("key")))
    bench.emit(fe.ItemGained(ADA, "item/key", (), None))
    bench.set(ADA, damage=6)

    bench.run(_turn(bench, ADA))

    assert ADA not in bench.game_table.investigators
    assert not bench.happened(fe.Moved)
    assert [one.card for one in bench.game_table.lying[WATER]] == ["item/key"]
    assert bench.game_table.active is None


def _turn(bench: Bench, who: str) -> Any:
    """Return the procedure in which somebody begins a turn."""
    one = next(o for o in bench.game_table.to_act() if o == bench.who(who))
    return rounds._turn_of(bench.game, one).value()


@rule("W-DECIDE-4")
def test_the_keeper_may_play_an_injury_on_the_damage_before_the_move() -> None:
    limp = injury("limp", steps.Suffer(damage=9))
    bench = between_turns(at=IN, trauma=(limp,))
    assert bench.game_table.hand(TRAUMA_HAND)

    go(bench, {KIM: "injury/limp"})

    assert not bench.happened(fe.Moved)
    assert ADA not in bench.game_table.investigators


@rule("W-DECIDE-5")
def test_to_leave_the_water_needs_no_evade_test_and_gives_a_horror_test() -> None:
    bench = between_turns(at=IN, monsters_at=[(RAT, "pond/w"), (RAT, "pond/c")])
    bench.give_rolls(1)

    go(bench, {1: "pond/c"})

    assert [event.kind.value for event in bench.happened(fe.TestDeclared)] == ["horror"]


@rule("W-DECIDE-5")
def test_people_see_a_monster_that_comes_out_of_the_water() -> None:
    bench = between_turns(monsters_at=[(RAT, "pond/w")])
    bench.give_rolls(10)

    bench.run(rounds.begin_keeper_turn(bench.game), {KIM: "pond/a"})

    assert bench.who(ADA).horror == 1


@rule("W-DECIDE-6")
def test_a_card_that_waits_for_the_turn_comes_after_the_water() -> None:
    card = MythosCard("mythos/cold", (steps.Suffer(horror=1),), face_down=Trigger.TURN_STARTS)
    bench = between_turns(at=IN, mythos=(card,))
    handle = bench.game_table.hand("hand/mythos")[0]
    bench.emit(fe.MythosLaidDown(ADA, handle, (KIM, 1), hidden(card.id)))
    bench.log.clear()

    go(bench, {1: "pond/e"})

    kinds = [type(one) for one in bench.log]
    assert kinds.index(fe.Moved) < kinds.index(fe.FaceDownTurned)


@rule("W-WATER-7", "W-EX-7")
def test_who_crosses_the_water_by_an_effect_and_ends_elsewhere_is_unharmed() -> None:
    bench = land()
    for space in ("pond/w", "pond/c"):
        bench.run(movement.put(bench.game, ADA, space))

    bench.run(water.leave(bench.game, ADA, 1))

    assert (bench.who(ADA).damage, bench.who(ADA).space) == (0, "pond/c")


@rule("W-WATER-7")
def test_a_figure_in_the_water_is_not_hurt_in_another_turn() -> None:
    bench = land(people=(ADA, BEN), at={BEN: "pond/w"}, active=None, monsters_at=[(RAT, "pond/w")])

    bench.run(_turn(bench, ADA))

    assert bench.who(BEN).damage == bench.monster().damage == 0


@rule("W-WATER-8")
def test_the_keeper_puts_nobody_into_the_water() -> None:
    bench = land(people=(ADA, BEN))

    bench.run(effects.resolve(bench.game, (steps.Move(to="chosen"),), HERE), ...)

    assert bench.open is not None
    points = [point.piece for one in bench.open.prompts[KIM].options for point in one.points]
    assert points == ["pond/a", "pond/c", "pond/d", "pond/e", "pond/f"]


@rule("W-WATER-8")
@pytest.mark.parametrize("is_own", [False, True])
def test_only_the_owner_leads_an_investigator_into_the_water(is_own: bool) -> None:
    bench = land(at={ADA: "pond/d"}, story={"submerged": ("pond/e",)})

    bench.run(movement.lead(bench.game, ADA, 1, Source("spell/any", ADA, by_actor=is_own)), ...)

    assert bench.open is not None
    (prompt,) = bench.open.prompts.values()
    points = [point.piece for one in prompt.options for point in one.points]
    assert points == ["pond/a", *(["pond/e"] if is_own else [])]
