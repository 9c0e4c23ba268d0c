"""Harm, death, newcomers, elimination and the end: sections 1, 20, 22 to 24, K-DECIDE-90 to 93."""

import attrs
import pytest

from content.games.first_edition.schema.effects import Gain, Heal, Kill, Reveal, Suffer, Win
from content.games.first_edition.schema.requirements import Deaths, Killed, Monsters, Revealed
from content.games.first_edition.schema.requirements import Investigators as Somebody
from content.games.first_edition.schema.story import Ending
from content.games.first_edition.schema.targets import OfKind, Who
from protocol.common.text import Text
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.table import KeeperStep, Phase
from protocol.games.first_edition.words import FeatureKind, Side
from server.games.first_edition.rules import (
    effects,
    harm,
    monsters,
    newcomers,
    rounds,
)
from server.games.first_edition.rules.play import GameOver, Source
from tests.games.first_edition.rules.bench import KIM, Bench
from tests.games.first_edition.rules.house import go
from tests.games.first_edition.rules.worlds import (
    ADA,
    BEN,
    CORA,
    DAN,
    HALL,
    RAT,
    by_id,
    injury,
    insanity,
    item_card,
    objective,
    pack_of,
    spell_card,
    world,
)

rule = pytest.mark.rule

SPADE, LAMP, WARD = item_card("spade"), item_card("lamp"), spell_card("ward")


def kill(bench: Bench, who: str = ADA) -> None:
    bench.run(effects.resolve(bench.game, (Kill(),), Source("mythos/any", who)))


def suffer(bench: Bench, damage: int = 0, horror: int = 0, who: str = ADA) -> None:
    bench.run(harm.suffer(bench.game, who, damage=damage, horror=horror))


def choose(bench: Bench, who: str, seat: int = 1) -> None:
    """Have the player of a seat choose a new investigator, with the first traits."""
    name = who.partition("/")[2]
    picks = {seat: (f"trait/{name}-body-1", f"trait/{name}-mind-1")}
    bench.run(newcomers.arrive(bench.game, seat), {seat: who}, picks)


def reveal(bench: Bench) -> None:
    bench.run(effects.resolve(bench.game, (Reveal(),), Source("event/one")))


# Harm


@rule("K-DAMAGE-1", "K-DAMAGE-2", "K-DAMAGE-9")
def test_each_point_of_harm_lowers_health_or_sanity_by_one() -> None:
    bench = world()
    suffer(bench, damage=3, horror=2)
    suffer(bench, damage=1)

    ada = bench.who(ADA)
    assert (ada.health_left, ada.sanity_left) == (4, 4)


@rule("K-DAMAGE-3")
@pytest.mark.parametrize(("damage", "lives"), [(7, True), (8, False), (12, False)])
def test_whoever_has_no_health_left_is_killed(damage: int, lives: bool) -> None:
    bench = world((ADA, BEN))
    suffer(bench, damage=damage)

    assert (ADA in bench.game_table.investigators) is lives


@rule("K-DAMAGE-4", "K-DAMAGE-5", "K-DAMAGE-6", "K-INSANE-1", "K-INSANE-3")
def test_horror_drives_mad_and_never_kills() -> None:
    bench = world()
    suffer(bench, horror=4)
    assert not bench.who(ADA).is_insane
    suffer(bench, horror=5)
    suffer(bench, horror=1)

    ada = bench.who(ADA)
    assert (ada.sanity_left, ada.horror, ada.is_insane) == (0, 6, True)
    assert bench.game_table.active == ADA


@rule("K-DAMAGE-7", "K-DAMAGE-8", "K-INSANE-2")
def test_healing_removes_at_most_what_there_is() -> None:
    bench = world()
    bench.set(ADA, damage=2, horror=6)
    bench.run(effects.resolve(bench.game, (Heal(5, 1),), Source("x/y", ADA)))

    ada = bench.who(ADA)
    assert (ada.health_left, ada.sanity_left, ada.is_insane) == (8, 1, False)


# Death


@rule("K-DEATH-1", "K-DEATH-2", "K-DEATH-3", "K-DEATH-4", "K-DEATH-5", "K-DECIDE-40", "K-EX-15")
def test_of_the_dead_items_lie_in_the_room_and_all_else_is_gone() -> None:
    bench = world((ADA, BEN), items=by_id(SPADE, LAMP), spells=by_id(WARD))
    for item in ("item/spade", "item/lamp"):
        newcomers.gain_item(bench.game, ADA, item)
    newcomers.gain_spell(bench.game, ADA, "spell/ward")
    bench.set(ADA, damage=7, skill_points=2)

    suffer(bench, damage=2)

    table = bench.game_table
    assert ADA not in table.investigators
    assert [item.card for item in table.lying[HALL]] == ["item/spade", "item/lamp"]
    assert len(table.piles["deck/spell/ward/discards"]) == 1
    assert [one.seat for one in table.waiting] == [1]


@rule("K-DECIDE-90")
def test_trauma_cards_of_the_dead_are_discarded() -> None:
    bench = world((ADA, BEN), in_decks={"traumas": [injury(), insanity()]})
    bench.set(ADA, injury="injury/limp", insanity="insanity/fear")
    kill(bench)

    assert bench.game_table.discards["deck/trauma"] == ("injury/limp", "insanity/fear")


@rule("K-DEATH-6", "K-DECIDE-91")
def test_whoever_dies_in_the_own_turn_comes_back_in_the_next_round() -> None:
    bench = world((ADA, BEN))
    kill(bench)

    assert bench.game_table.active is None
    assert [one.seat for one in bench.game_table.to_act()] == [2]
    bench.emit(fe.RoundBegan(2))
    assert [one.seat for one in bench.game_table.to_act()] == [1, 2]


@rule("K-DEATH-6")
def test_whoever_dies_before_the_own_turn_comes_back_in_it() -> None:
    bench = world((ADA, BEN))
    kill(bench, BEN)
    bench.emit(fe.TurnEnded(1))

    assert [one.seat for one in bench.game_table.to_act()] == [2]


@rule("K-DEATH-7", "K-ELIM-1", "K-ELIM-2", "K-EX-16")
def test_whoever_dies_once_the_objective_is_revealed_is_out() -> None:
    bench = world((ADA, BEN), items=by_id(SPADE))
    newcomers.gain_item(bench.game, ADA, "item/spade")
    reveal(bench)
    kill(bench)
    bench.emit(fe.RoundBegan(2))

    table = bench.game_table
    assert (table.eliminated, table.waiting) == ((1,), ())
    assert [item.card for item in table.lying[HALL]] == ["item/spade"]
    assert [one.seat for one in bench.game_table.to_act()] == [2]


@rule("K-DEATH-6", "K-DEATH-7")
def test_a_reveal_takes_the_return_from_nobody_who_died_before_it() -> None:
    bench = world((ADA, BEN))
    kill(bench)
    reveal(bench)
    bench.emit(fe.RoundBegan(2))

    assert [one.seat for one in bench.game_table.to_act()] == [1, 2]


@rule("K-DECIDE-93")
def test_one_effect_that_kills_and_reveals_reveals_first() -> None:
    bench = world((ADA, BEN))
    effect = (Kill(), Reveal())
    bench.run(effects.resolve(bench.game, effect, Source("event/one", ADA)))

    assert bench.game_table.eliminated == (1,)


# Newcomers


@rule("K-NEW-1", "K-NEW-4", "K-NEW-5", "K-NEW-6", "K-NEW-7", "K-SETUP-6", "K-EX-15")
def test_a_newcomer_brings_what_the_traits_bring_and_has_no_steps() -> None:
    pack = pack_of()
    body = attrs.evolve(pack.traits["trait/cora-body-2"], item="item/spade")
    card = attrs.evolve(pack.characters[CORA], skill_points=4)
    bench = world((ADA, BEN), items=by_id(SPADE), traits=by_id(body), characters=by_id(card))
    kill(bench)
    bench.emit(fe.RoundBegan(2))

    picks = {1: ("trait/cora-body-2", "trait/cora-mind-1")}
    bench.run(rounds.choose_turn(bench.game), {1: "choice/new_investigator"}, {1: CORA}, picks)

    cora = bench.who(CORA)
    assert (cora.seat, cora.space, cora.skill_points) == (1, "house/a", 4)
    assert [item.card for item in cora.items] == ["item/spade"]
    assert cora.traits == ("trait/cora-body-2", "trait/cora-mind-1")
    row = bench.asked[-1].prompts[1].row
    assert [(len(one.options), one.at_least, one.at_most) for one in row] == [(2, 1, 1)] * 2
    assert bench.game_table.active is None
    assert bench.acted == (1,)


@rule("K-NEW-2", "K-SUPPLY-8", "K-DECIDE-9")
def test_nobody_who_took_part_can_be_chosen_again() -> None:
    bench = world((ADA, BEN))
    kill(bench)
    bench.run(newcomers.arrive(bench.game, 1), ...)

    assert bench.open is not None
    assert [option.value for option in bench.open.prompts[1].options] == [CORA, DAN]


@rule("K-NEW-3", "K-ELIM-3")
def test_where_nobody_is_left_to_choose_the_player_is_out() -> None:
    bench = world((ADA, BEN), story={"investigators": (ADA, BEN)})
    kill(bench)

    assert (bench.game_table.eliminated, bench.game_table.waiting) == ((1,), ())


@rule("K-NEW-3", "K-ELIM-2")
def test_of_two_who_wait_for_one_investigator_the_second_is_out() -> None:
    bench = world((ADA, BEN, CORA))
    kill(bench)
    kill(bench, BEN)
    choose(bench, DAN, 2)
    bench.run(newcomers.arrive(bench.game, 1))

    assert (bench.game_table.eliminated, bench.game_table.waiting) == ((1,), ())
    assert set(bench.game_table.investigators) == {CORA, DAN}


@rule("K-DECIDE-92")
def test_arriving_is_entering_with_its_horror_tests_and_without_a_fire_test() -> None:
    bench = world(
        (ADA, BEN),
        at={BEN: "house/c"},
        features=[(FeatureKind.FIRE, HALL)],
        monsters_at=[(RAT, "house/b")],
    )
    kill(bench)
    bench.give_rolls(10)
    choose(bench, CORA)

    tests = [event.kind.value for event in bench.happened(fe.TestDeclared)]
    assert tests == ["horror"]
    assert bench.who(CORA).horror == 1


@rule("K-FIRE-1", "K-DECIDE-92")
def test_whoever_arrives_in_a_fire_burns_at_the_end_of_that_turn() -> None:
    bench = world((ADA, BEN), features=[(FeatureKind.FIRE, HALL)])
    kill(bench)
    choose(bench, CORA)

    assert bench.who(CORA).damage == 2


@rule("K-NEW-7")
def test_a_newcomer_answers_trades_and_is_named_like_any() -> None:
    bench = world((ADA, BEN), items=by_id(SPADE))
    kill(bench)
    choose(bench, CORA)
    bench.run(effects.resolve(bench.game, (Gain("item/spade"),), Source("x/y", CORA)))
    bench.emit(fe.KeeperStepBegan(KeeperStep.TRADE))

    go(bench, {1: "choice/offer"}, {2: "choice/accept"})

    assert [item.card for item in bench.who(BEN).items] == ["item/spade"]


# The end


@rule("K-DECIDE-93")
def test_the_keeper_wins_when_nobody_is_left_or_can_return() -> None:
    bench = world((ADA, BEN))
    reveal(bench)
    kill(bench)
    with pytest.raises(GameOver):
        kill(bench, BEN)

    assert bench.game_table.ending is not None
    assert bench.game_table.ending.winners == (Side.KEEPER,)
    assert bench.game_table.ending.reason.subject == "result/nobody_left"


@rule("K-DECIDE-93")
def test_the_game_goes_on_while_somebody_can_return() -> None:
    bench = world()
    kill(bench)

    assert not bench.game_table.investigators
    assert bench.game_table.ending is None


@rule("K-DECIDE-93")
def test_nobody_who_waits_for_nobody_can_return() -> None:
    bench = world((ADA, BEN, CORA))
    kill(bench)
    choose(bench, DAN)
    kill(bench, BEN)
    kill(bench, CORA)
    with pytest.raises(GameOver):
        kill(bench, DAN)

    assert bench.game_table.ending is not None


@rule("K-DECIDE-93")
@pytest.mark.parametrize(
    ("step", "winner"), [(None, Side.INVESTIGATORS), (KeeperStep.ACTIONS, Side.KEEPER)]
)
def test_the_acting_side_wins_ties(step: KeeperStep | None, winner: Side) -> None:
    both = objective("wake", investigators=Revealed(is_so=True), keeper=Revealed(is_so=True))
    bench = world(step=step, story={"objectives": (both, objective("flood"))})
    with pytest.raises(GameOver):
        reveal(bench)

    assert bench.game_table.ending is not None
    assert bench.game_table.ending.winners == (winner,)
    assert bench.game_table.ending.reason == Text(f"ending/wake/{winner.value}")


@rule("K-GOAL-6")
@pytest.mark.parametrize(
    ("causes", "text"),
    [((1, 1), "first"), ((2, 1), "second"), ((2, 2), "keeper")],
    ids=["first", "second", "usual"],
)
def test_the_first_ending_whose_cause_holds_is_read_or_else_the_usual_one(
    causes: tuple[int, int], text: str
) -> None:
    endings = (
        Ending(Side.INVESTIGATORS, Deaths(1), "ending/wake/of-the-others"),
        Ending(Side.KEEPER, Deaths(causes[0]), "ending/wake/first"),
        Ending(Side.KEEPER, Deaths(causes[1]), "ending/wake/second"),
    )
    goal = objective("wake", keeper=Deaths(1), endings=endings)
    bench = world((ADA, BEN), story={"objectives": (goal, objective("flood"))})
    with pytest.raises(GameOver):
        kill(bench)

    assert bench.game_table.ending is not None
    assert bench.game_table.ending.reason == Text(f"ending/wake/{text}")


@rule("K-DECIDE-93")
def test_a_check_that_does_not_end_the_game_leaves_no_trace() -> None:
    logs = []
    for goal in ("wake", "flood"):
        near = objective("flood", keeper=Deaths(2), investigators=Killed(RAT))
        bench = world((ADA, BEN), goal=goal, story={"objectives": (objective("wake"), near)})
        kill(bench)
        logs.append(bench.log)

    assert logs[0] == logs[1]


@rule("K-DECIDE-93")
def test_a_step_on_the_board_can_win_without_any_effect() -> None:
    there = objective("wake", investigators=Somebody(within="house/c"))
    bench = world(at={ADA: "house/b"}, story={"objectives": (there, objective("flood"))})
    go(bench, "house/c")

    assert bench.game_table.phase is Phase.OVER


@rule("K-GOAL-6", "K-CARD-2")
def test_a_killed_monster_can_be_a_condition() -> None:
    hunt = objective("wake", investigators=Killed(RAT))
    bench = world(monsters_at=[(RAT, "house/c")], story={"objectives": (hunt, objective("flood"))})
    monsters.hurt(bench.game, "m1", 3)
    go(bench, "choice/end_turn")

    assert bench.game_table.ending is not None
    assert bench.game_table.ending.winners == (Side.INVESTIGATORS,)


@rule("K-DECIDE-93")
def test_the_keepers_condition_counts_in_an_investigators_turn() -> None:
    swarm = objective("wake", keeper=Monsters(OfKind(RAT)))
    bench = world(monsters_at=[(RAT, "house/c")], story={"objectives": (swarm, objective("flood"))})
    go(bench, "choice/end_turn")

    assert bench.game_table.ending is not None
    assert bench.game_table.ending.winners == (Side.KEEPER,)


@rule("K-GOAL-1", "K-GOAL-7", "K-EX-16")
@pytest.mark.parametrize("side", list(Side))
def test_a_side_wins_as_a_whole_the_eliminated_included(side: Side) -> None:
    bench = world((ADA, BEN))
    reveal(bench)
    kill(bench)
    with pytest.raises(GameOver):
        bench.run(effects.resolve(bench.game, (Win(side),), Source("event/one")))

    end = bench.game_table.came_out()
    assert end is not None
    assert end.winners == (side.value,)
    roles = {player.seat: player.role for player in bench.players}
    winners = {seat for seat, role in roles.items() if role in end.winners}
    assert winners == ({KIM} if side is Side.KEEPER else {1, 2})


@rule("K-GOAL-4")
def test_an_objective_that_is_hidden_at_the_end_is_revealed_then() -> None:
    bench = world()
    assert bench.game_table.revealed is None
    with pytest.raises(GameOver):
        bench.run(effects.resolve(bench.game, (Win(Side.KEEPER),), Source("event/one")))

    assert bench.game_table.revealed == "objective/wake"


@rule("K-DECIDE-93")
def test_nothing_follows_the_end() -> None:
    bench = world()
    effect = (Win(Side.KEEPER), Suffer(damage=1, who=Who.ALL))
    with pytest.raises(GameOver):
        bench.run(effects.resolve(bench.game, effect, Source("event/one")))

    assert bench.who(ADA).damage == 0


@rule("K-DEATH-4", "K-DECIDE-93")
def test_what_is_left_of_an_effect_passes_over_a_newcomer_whom_it_has_killed() -> None:
    """The lobby knows no seat of an investigator who joined later and is dead."""
    bench = world((ADA, BEN))
    kill(bench)
    newcomers.join(bench.game, CORA, 1, ("trait/cora-body-1", "trait/cora-mind-1"))
    effect = (Kill(), Heal(damage=1, who=Who.COMRADE))

    bench.run(effects.resolve(bench.game, effect, Source("mythos/any", CORA)))

    assert set(bench.game_table.investigators) == {BEN}
