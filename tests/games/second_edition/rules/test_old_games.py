"""Games with logs of earlier versions keep the rules of their version."""

import pytest

from content.games.second_edition.schema import effects as steps
from content.games.second_edition.schema.cards import ComponentAction, ItemCard, Powers
from content.games.second_edition.schema.counters import Counter, Scope
from content.games.second_edition.schema.effects import PlaceInvestigator
from content.games.second_edition.schema.monster_steps import Activate
from content.games.second_edition.schema.puzzles import Lock
from content.games.second_edition.schema.scenario import MythosEvent
from content.games.second_edition.schema.targets import Which
from protocol.common.chance import Stream
from protocol.common.events import Dealt, Picked
from protocol.games.second_edition.events import (
    InvestigatorMoved,
    MonsterDamaged,
    PossessionDropped,
    PossessionGained,
    TurnBegan,
    TurnEnded,
)
from protocol.games.second_edition.table import FeatureKind
from server.games.second_edition.rules import (
    activation,
    counters,
    draws,
    fire_actions,
    movement,
    mythos,
    possessions,
    sharing,
    tokens,
    trade,
    turn,
)
from server.games.second_edition.rules.puzzles import lock
from server.rulekit.offers import RISK
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.test_private_options import bargain
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    DROWNED,
    RAT,
    ROW,
    entry,
    monster_card,
    proceed,
    tile,
    world,
)
from tests.games.second_edition.rules.worlds import activation as instruction
from tests.games.second_edition.rules.worlds_effects import LAMP, resolve

BOTH = pytest.mark.parametrize("version", [1, 2])
"""The versions of released logs."""
SPLIT = """
+---+---+
| a ! b |
+---+---+
"""
"""Two spaces with an impassable border between them."""


def of(version: int, bench: Bench) -> Bench:
    """Return the game with its log set to this version."""
    bench.version = version
    bench.table = bench.table.with_room(version=version)
    return bench


@BOTH
def test_fire_and_a_monster_that_an_effect_activates(version: int) -> None:
    """Since version 2 a monster that an effect activates is burnt by the fire it meets."""
    bench = of(version, world(monsters=[(DROWNED, "house/a")]))
    resolve(bench, steps.PlaceFeature(FeatureKind.FIRE, "house/a"))

    resolve(bench, Activate(Which.ALL))

    assert len(bench.happened(MonsterDamaged)) == version - 1


@BOTH
def test_the_nearest_across_an_impassable_border(version: int) -> None:
    """Since version 2 an investigator across the border can be the nearest."""
    ranged = instruction(spaces=0, ranged=True)
    bench = world(
        tiles=[tile(SPLIT)],
        at={ADA: "house/a"},
        monsters=[(DROWNED, "house/b")],
        monster_cards=[monster_card(activations=(ranged,))],
    )
    of(version, bench)

    near = activation.best_fitting(bench.game, "m1", ranged.target, [ADA], within=ranged)

    assert near == ((ADA,) if version == 2 else ())


@BOTH
def test_a_check_that_carries_the_figure_off(version: int) -> None:
    """In version 1 the check costs a space of the movement."""
    thrower = monster_card(evades=(entry(PlaceInvestigator("house/e")),))
    bench = world(tiles=[tile(ROW)], monsters=[(DROWNED, "house/a")], monster_cards=[thrower])
    of(version, bench)

    moved = movement.may_move(bench.game, ADA, 1)
    bench.run(moved, "house/b", *(["house/d"] if version == 2 else []))

    spaces = [event.space for event in bench.happened(InvestigatorMoved)[1:]]
    assert spaces == ["house/e", "house/d"][:version]


@BOTH
def test_an_item_that_comes_at_random(version: int) -> None:
    """Version 1 picks a copy. Later versions pick by weight and do not name the trait."""
    ropes = [ItemCard("item/rope", "common", 2), ItemCard("item/lamp", "common", traits=("light",))]
    bench = of(version, world(items=ropes))
    bench.give_picks(1)

    possessions.gain_random(bench.game, ADA, "common")
    possessions.gain_random(bench.game, ADA, "common", "light")

    picked = [(event.purpose, event.bound) for event in bench.happened(Picked)]
    dealt = [event.purpose for event in bench.happened(Dealt)]
    gained = [event.possession.card for event in bench.happened(PossessionGained)]
    if version == 1:
        assert (picked, dealt) == ([("common item", 3), ("common item", 1)], [])
        assert gained == ["item/rope", "item/lamp"]
    else:
        assert (picked, dealt) == ([], ["common item", "common item 1"])


@BOTH
def test_the_number_of_a_lock(version: int) -> None:
    """Version 1 makes one pick of the setup, later versions four deals."""
    bench = of(version, world())
    bench.give_picks(*([7] if version == 1 else [0, 0, 1, 2]))

    bench.run(lock.lay_out(bench.game, Lock("lock/one", 6, 6, 3)))

    assert [event.stream for event in bench.happened(Picked)] == [Stream.SETUP] * (version == 1)
    sizes = [len(event.choice.value.options) for event in bench.happened(Dealt)]
    assert sizes == [256] * 4 * (version - 1)


@BOTH
def test_a_monster_that_appears_in_a_room(version: int) -> None:
    """Version 1 picks the space publicly, later versions deal it."""
    bench = of(version, world())

    resolve(bench, steps.Spawn(kind=RAT, at="room/hall"))

    assert [event.purpose for event in bench.happened(Picked)] == ["space"] * (version == 1)
    assert [event.purpose for event in bench.happened(Dealt)] == ["space room/hall"] * (version - 1)


@BOTH
def test_setting_fire_to_where_one_stands(version: int) -> None:
    """Since version 2 the choice is marked as a risk, unlike that of an adjacent space."""
    bench = of(version, world(items=[LAMP], has={ADA: ["item/lamp"]}))

    bench.run(turn.take_action(bench.game), "choice/set_fire", ...)

    assert bench.open is not None
    groups = {o.points[0].piece: o.group for o in bench.open.prompts[0].options}
    assert groups == {"house/a": RISK if version == 2 else "use", "house/b": "use"}


@BOTH
def test_who_is_asked_whose_turn_is_next(version: int) -> None:
    """In version 1 the question revealed who had a private token to look at."""
    bench = of(version, bargain(1, turn_of=None))
    for who in (ADA,):
        bench.emit(TurnBegan(who, 0))
        bench.run(turn.end_turn(bench.game, who))

    assert tokens.hides_options(bench.game) is (version == 2)
    bench.run(turn.choose_turn(bench.game), ...)
    assert bench.open is not None
    assert sorted(bench.open.prompts) == ([0, 1, 2] if version == 1 else [1, 2])


@BOTH
def test_starting_possessions(version: int) -> None:
    """Version 1 votes on each card with a copy left; later versions propose all cards at once."""
    ropes = [ItemCard("item/rope", "common", 2), ItemCard("item/lamp", "common")]
    parts = {"starting_items": ("item/rope", "item/lamp", "item/lamp", "item/none")}
    where = {ADA: "house/a", BEN: "house/a"}
    bench = of(version, world(at=where, items=ropes, scenario_parts=parts))

    answers = ["ben", "ada"] if version == 1 else ["choice/as_proposed"]
    bench.run(sharing.divide_possessions(bench.game), *answers)

    if version > 1:
        # What is proposed, and for each of two cards that the other one has it.
        assert len(bench.asked[0].prompts[0].options) == 3
    gained = [(e.investigator, e.possession.card) for e in bench.happened(PossessionGained)]
    expected = [(BEN, "item/rope"), (ADA, "item/lamp")]
    assert gained == (expected if version == 1 else [(ADA, "item/rope"), (BEN, "item/lamp")])


def test_a_number_that_is_dealt_to_each_lies_in_a_pile_of_theirs() -> None:
    """In version 1 Ben's number comes from a pile of his own, and each deal uses all numbers."""
    parts = {"counters": {"fate": Counter(of=Scope.INVESTIGATOR)}}
    bench = of(1, world(at={ADA: "house/a", BEN: "house/a"}, scenario_parts=parts))
    bench.give_order("deal/c1/investigator/ben", ["3", "1", "2"])
    bench.give_order("deal/c1/investigator/ben", ["1", "2"])
    bench.give_order("deal/c1/investigator/ben", ["3", "2", "1"])
    bench.give_order("deal/c1/investigator/ben", ["1", "2"])

    for _ in range(2):
        resolve(bench, steps.Deal("fate", 1, 3), actor=BEN)
        assert counters.value(bench.game, "fate", BEN) == 3
        assert counters.value(bench.game, "fate", ADA) == 0


@BOTH
def test_setting_a_fire_that_can_burn_at_home_alone(version: int) -> None:
    """In version 2 the offer of the action itself is marked as a risk if the spaces around burn."""
    bench = of(version, world(items=[LAMP], has={ADA: ["item/lamp"]}))
    resolve(bench, steps.PlaceFeature(FeatureKind.FIRE, "house/b"))

    (offer,) = fire_actions.set_menu(bench.game, ADA).options

    assert offer.group == (RISK if version == 2 else "use")


@BOTH
def test_the_action_of_a_card_whose_owner_is_off_the_board(version: int) -> None:
    """Version 1 offered the action, without effect."""
    tonic = ItemCard("item/tonic", "common", powers=Powers(action=ComponentAction(())))
    bench = of(version, world(items=[tonic], has={ADA: ["item/tonic"]}))
    bench.emit(InvestigatorMoved(ADA, None))

    assert len(turn.card_menu(bench.game, ADA).options) == 2 - version


@BOTH
def test_fire_and_a_monster_in_the_monster_step(version: int) -> None:
    """The monster is burnt in every version."""
    bench = of(version, world(monsters=[(DROWNED, "house/a")], turn_of=None))
    resolve(bench, steps.PlaceFeature(FeatureKind.FIRE, "house/a"))

    bench.run(activation.activate(bench.game, "m1"), "choice/go_on")

    assert len(bench.happened(MonsterDamaged)) == 1


@BOTH
def test_a_monster_of_a_trait(version: int) -> None:
    """Version 1 picks publicly; later versions deal by the number of the trait."""
    ghouls = [monster_card(f"monster/{one}", traits=("ghoul",)) for one in ("pale", "gaunt")]
    bench = of(version, world(monster_cards=ghouls))

    resolve(bench, steps.Spawn(trait="ghoul", at="house/b"))

    assert [event.purpose for event in bench.happened(Picked)] == ["monster"] * (version == 1)
    assert [event.purpose for event in bench.happened(Dealt)] == ["monster 1"] * (version - 1)


@BOTH
def test_the_event_of_a_round(version: int) -> None:
    """Version 1 picks publicly; later versions deal by the event's id."""
    events = tuple(MythosEvent(f"mythos/{one}", (steps.Say("text/x"),)) for one in ("a", "b"))
    bench = of(version, world(turn_of=None, scenario_parts={"mythos": events}))

    bench.run(mythos.draw_event(bench.game))

    assert [event.purpose for event in bench.happened(Picked)] == ["mythos event"] * (version == 1)
    named = [event.choice.value.options for event in bench.happened(Dealt)]
    assert named == [("mythos/a#1", "mythos/b#1")] * (version - 1)


@BOTH
def test_the_chance_that_puzzles_are_laid_out_by(version: int) -> None:
    """In version 1 puzzles are laid out by the chance of the setup."""
    bench = of(version, world())

    stream = draws.stream_of_puzzles(bench.game)

    assert stream is (Stream.SETUP if version == 1 else Stream.DEAL)


@pytest.mark.rule("DECIDE-45")
def test_the_whole_group_votes_on_a_card_that_is_picked_up() -> None:
    """In version 2 the whole group votes; since version 3 the card is taken at once."""
    rope = ItemCard("item/rope", "common")
    at = {ADA: "house/a", BEN: "house/a"}
    bench = of(2, world(at=at, items=[rope], has={ADA: ["item/rope"]}))
    bench.emit(PossessionDropped(ADA, "p1", "house/a"))

    bench.run(trade.pick_up(bench.game, ADA, "p1", "house/a", {}), BEN)

    assert bench.asked[0].settle.value == "agree"
    assert [has.card for has in bench.game_table.investigators[BEN].possessions] == ["item/rope"]


@pytest.mark.rule("DECIDE-140")
def test_the_end_of_the_investigator_phase_is_asked_for() -> None:
    """Since version 3 the end is asked for only if something else can be done."""
    bench = of(2, world(turn_of=None))
    bench.emit(TurnEnded(ADA))

    proceed(bench, "choice/end_phase")

    assert bench.asked[-1].rule == "ROUND-5"
