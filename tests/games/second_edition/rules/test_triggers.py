"""Triggers: what sets them off, and whom they concern."""

from typing import Any

import attrs
import pytest

from content.games.second_edition.schema import effects as steps
from content.games.second_edition.schema.cards import (
    Attack,
    ComponentAction,
    ItemCard,
    Powers,
    Reach,
    WeaponKind,
)
from content.games.second_edition.schema.counters import Counter, Scope
from content.games.second_edition.schema.effects import Amount, Who
from content.games.second_edition.schema.requirements import HasClues
from content.games.second_edition.schema.scenario import Moment, TokenCard, TokenOption, Trigger
from protocol.games.second_edition.events import MythosStepBegan, PhaseBegan, Told, TurnEnded
from protocol.games.second_edition.table import MythosStep, Phase, TokenKind
from server.games.second_edition.rules import counters, rounds, triggers
from server.kernel.asks import Option
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    DROWNED,
    RAT,
    activation,
    investigator_card,
    monster_card,
    proceed,
    tile,
    world,
)
from tests.games.second_edition.rules.worlds_effects import person, resolve, shown_to, told_words

BELL = ItemCard(
    "item/bell",
    "common",
    attack=Attack(Reach.MELEE, WeaponKind.HEAVY, 1),
    powers=Powers(action=ComponentAction((steps.Say("text/rings"),))),
)
HURT = steps.Suffer(damage=Amount(7), horror=Amount(7), facedown=True)
CELLAR = """
+-----+
|  a  |
+-----+
"""


def on(moment: Moment, *more: Any, **fields: Any) -> Trigger:
    """Return a trigger that tells its moment, then has these effects."""
    effect = (steps.Say(f"text/{moment.value}"), *more)
    return Trigger(fields.pop("id", moment.value), moment, effect, **fields)


def watched(*triggers: Trigger, counters: Any = None, **parts: Any) -> Bench:
    """Return a world with these triggers."""
    scenario_parts = {
        "triggers": triggers,
        "counters": counters or {},
        "mythos": (),
        **parts.pop("scenario_parts", {}),
    }
    return world(scenario_parts=scenario_parts, **parts)


def told(bench: Bench) -> list[tuple[str, str]]:
    """Return what triggers told, and whom each concerned."""
    words = [event.text for event in bench.happened(Told)]
    return [(text.subject.removeprefix("text/"), str(text.params[0])) for text in words]


# Rounds and phases ---------------------------------------------------------------------------


def test_turn_that_ends_concerns_the_one_whose_turn_it_was() -> None:
    bench = watched(on(Moment.TURN_ENDED), at={ADA: "house/a", BEN: "house/b"}, turn_of=BEN)

    proceed(bench, "choice/end_turn")

    assert told(bench) == [("turn_ended", BEN)]


@pytest.mark.rule("DECIDE-69")
def test_turn_ends_once_where_its_end_eliminates_whose_it_was() -> None:
    hurt = steps.Suffer(damage=Amount(1), facedown=True)
    bench = watched(
        on(Moment.TURN_ENDED, hurt, hurt, once=False),
        at={ADA: "house/a", BEN: "house/b"},
        investigators=[investigator_card(health=1)],
    )

    proceed(bench, "choice/end_turn")

    assert bench.game_table.investigators[ADA].is_eliminated
    assert len(bench.happened(TurnEnded)) == 1


def test_phases_begin_and_end_with_their_triggers() -> None:
    """Without a monster there is no horror step."""
    moments = (
        *(Moment.MYTHOS_BEGAN, Moment.INVESTIGATOR_PHASE_ENDED, Moment.EVENTS_DONE),
        *(Moment.HORROR_DONE, Moment.ROUND_ENDED, Moment.ROUND_BEGAN, Moment.STARTED),
    )
    bench = watched(*(on(moment) for moment in moments), turn_of=None)
    bench.emit(TurnEnded(ADA))

    proceed(bench)
    for _ in range(3):
        proceed(bench)

    assert [word for word, _ in told(bench)] == [
        *("investigator_phase_ended", "mythos_began", "events_done", "round_ended", "round_began")
    ]
    assert bench.game_table.round_number == 2


def test_scenario_can_still_end_well_when_the_last_phase_ends() -> None:
    """The trigger at the end of the last phase fires before the countdown ends the game."""
    won = Trigger("saved", Moment.INVESTIGATOR_PHASE_ENDED, (steps.End(True, "text/saved"),))
    bench = watched(won, at={ADA: "house/a", BEN: "house/b"}, turn_of=None)
    resolve(bench, steps.Suffer(damage=Amount(7), facedown=True), actor=BEN)
    resolve(bench, steps.Suffer(damage=Amount(7), facedown=True), actor=BEN)
    bench.emit(PhaseBegan(Phase.INVESTIGATOR, 2))
    bench.emit(TurnEnded(ADA))

    proceed(bench)

    assert bench.game_table.ending is not None
    assert bench.game_table.ending.is_won


def test_horror_step_ends_with_its_trigger() -> None:
    triggers = (on(Moment.ROUND_ENDED), on(Moment.HORROR_DONE))
    bench = watched(*triggers, monsters=[(RAT, "house/c")], turn_of=None)
    bench.emit(PhaseBegan(Phase.MYTHOS, 1))
    bench.emit(MythosStepBegan(MythosStep.HORROR))

    proceed(bench)

    assert [word for word, _ in told(bench)] == ["horror_done", "round_ended"]


def test_first_elimination_begins_the_final_round() -> None:
    """The final round begins once, after the triggers of the elimination."""
    people = {ADA: "house/a", BEN: "house/b", "investigator/cora": "house/c"}
    triggers = (
        on(Moment.FINAL_ROUND, once=False),
        on(Moment.INVESTIGATOR_ELIMINATED, once=False),
    )
    bench = watched(*triggers, at=people)

    for _ in range(2):
        resolve(bench, steps.Suffer(damage=Amount(7), facedown=True), actor=BEN)
    for _ in range(2):
        resolve(bench, steps.Suffer(horror=Amount(7), facedown=True))

    words = [word for word, _ in told(bench)]
    assert words == ["investigator_eliminated", "final_round", "investigator_eliminated"]


# Monsters ------------------------------------------------------------------------------------


def test_spawned_monster_is_known_by_kind_and_by_trait() -> None:
    """When a ghoul spawns, triggers on ghouls fire and those on rats do not."""
    ghoul = monster_card("monster/pale", traits=("ghoul",))
    bench = watched(
        on(Moment.MONSTER_SPAWNED, id="kind", of="monster/pale"),
        on(Moment.MONSTER_SPAWNED, id="trait", of="ghoul"),
        on(Moment.MONSTER_SPAWNED, id="rat", of=RAT),
        on(Moment.MONSTER_SPAWNED, id="any"),
        monster_cards=[ghoul],
    )

    resolve(bench, steps.Spawn("monster/pale", "house/c"))

    assert len(told(bench)) == 3


def test_defeat_is_known_by_trait_although_the_monster_is_gone() -> None:
    bench = watched(
        on(Moment.MONSTER_DEFEATED, of="ghoul"),
        on(Moment.MONSTER_DEFEATED, id="rat", of=RAT),
        monster_cards=[monster_card(traits=("ghoul",))],
        monsters=[(DROWNED, "house/a")],
    )

    resolve(bench, steps.DamageMonster(3), monster="m1")

    assert told(bench) == [("monster_defeated", ADA)]


def test_activation_has_a_trigger_before_and_one_after() -> None:
    """The second one concerns the monster's target; both refer to the monster."""
    bench = watched(
        on(Moment.MONSTER_ACTIVATES, steps.DamageMonster(1), of=DROWNED),
        on(Moment.MONSTER_ACTIVATED, of=DROWNED),
        monsters=[(DROWNED, "house/c")],
        monster_cards=[monster_card(activations=(activation(spaces=0),))],
        turn_of=None,
    )
    bench.emit(PhaseBegan(Phase.MYTHOS, 1))
    bench.emit(MythosStepBegan(MythosStep.MONSTER))

    proceed(bench)

    words = [word for word, _ in told(bench)]
    assert words == ["monster_activates", "activation", "monster_activated"]
    assert bench.game_table.monsters["m1"].damage == 1


def test_monster_that_its_trigger_defeats_does_nothing_more() -> None:
    bench = watched(
        on(Moment.MONSTER_ACTIVATES, steps.DamageMonster(9)),
        monsters=[(DROWNED, "house/a")],
        turn_of=None,
    )
    bench.emit(PhaseBegan(Phase.MYTHOS, 1))
    bench.emit(MythosStepBegan(MythosStep.MONSTER))

    proceed(bench)

    assert [word for word, _ in told(bench)] == ["monster_activates"]


# Investigators and the board -----------------------------------------------------------------


def test_wounds_and_madness_set_off_their_triggers() -> None:
    bench = watched(
        on(Moment.INVESTIGATOR_WOUNDED, once=False),
        on(Moment.INVESTIGATOR_INSANE, once=False),
        at={ADA: "house/a", BEN: "house/b"},
    )

    resolve(bench, HURT, answers=["damage_first"])
    resolve(bench, *[steps.Become("condition/wounded", Who.ALL)] * 2)

    assert told(bench) == [
        ("investigator_wounded", ADA),
        ("investigator_insane", ADA),
        ("investigator_wounded", BEN),
    ]


def test_entering_counts_for_the_space_and_for_a_new_room() -> None:
    bench = watched(
        on(Moment.SPACE_ENTERED, of="house/b"),
        on(Moment.ROOM_ENTERED, id="hall", of="room/hall"),
        on(Moment.ROOM_ENTERED, of="room/study"),
    )

    resolve(bench, steps.PlaceInvestigator("house/b"))
    assert told(bench) == [("space_entered", ADA)]
    resolve(bench, steps.PlaceInvestigator("house/c"))

    assert told(bench) == [("space_entered", ADA), ("room_entered", ADA)]


def test_room_is_revealed_with_the_first_of_its_spaces() -> None:
    rooms = {"a": "room/study"}
    tiles = (tile(CELLAR, rooms, id="one", row=9), tile(CELLAR, rooms, id="two", row=12))
    bench = watched(
        on(Moment.ROOM_REVEALED, of="room/study", once=False),
        tiles=[tile(CELLAR, {"a": "room/hall"})],
        at={ADA: "house/a"},
    )
    bench.game.content = _with_tiles(bench, tiles)

    resolve(bench, steps.PlaceTile("one"), steps.PlaceTile("two"))

    assert told(bench) == [("room_revealed", ADA)]


def _with_tiles(bench: Bench, tiles: Any) -> Any:
    content = bench.game.content
    scenario = attrs.evolve(content.scenario, tiles=(*content.scenario.tiles, *tiles))
    return attrs.evolve(content, scenario=scenario)


def test_used_token_sets_its_trigger_off_after_its_own_effect() -> None:
    options = (TokenOption("text/option", (steps.Say("text/found"),)),)
    desk = TokenCard("token/desk", TokenKind.SEARCH, "house/a", options)
    window = TokenCard("token/window", TokenKind.SIGHT, "house/a", options)
    triggers = (
        on(Moment.TOKEN_USED, of="token/desk"),
        on(Moment.TOKEN_USED, id="seen", of="token/window"),
    )
    bench = watched(*triggers, tokens=[desk, window])

    proceed(bench, "token/desk")
    assert [word for word, _ in told(bench)] == ["found", "token_used"]
    proceed(bench, "token/window")

    assert [word for word, _ in told(bench)][2:] == ["found", "token_used"]


@pytest.mark.parametrize(
    ("moment", "of", "does"),
    [
        (Moment.TOKEN_USED, "token/desk", "token/desk"),
        (Moment.TOKEN_USED, "token/window", "token/window"),
        (Moment.ITEM_USED, "item/bell", "choice/component"),
        (Moment.ITEM_USED, "item/bell", "choice/attack_with"),
    ],
)
def test_what_somebody_sets_off_concerns_them(moment: Moment, of: str, does: str) -> None:
    """It is Ben's turn, although Ada's seat comes first."""
    options = (TokenOption("text/option", (steps.Say("text/found"),)),)
    bench = watched(
        on(moment, of=of),
        at={ADA: "house/a", BEN: "house/a"},
        turn_of=BEN,
        tokens=[
            TokenCard("token/desk", TokenKind.SEARCH, "house/a", options),
            TokenCard("token/window", TokenKind.SIGHT, "house/a", options),
        ],
        items=[BELL],
        has={BEN: ["item/bell"]},
        monsters=[(RAT, "house/a")] if does == "choice/attack_with" else [],
    )

    def is_it(choice: Option[Any]) -> bool:
        return does in repr((choice.text, choice.points)) and _is_bens(choice)

    proceed(bench, {1: is_it})

    assert (moment.value, BEN) in told(bench)


def _is_bens(choice: Any) -> bool:
    """True unless the choice is a look offered to another investigator."""
    return not choice.text.subject.startswith("choice/as")


# Items ---------------------------------------------------------------------------------------


def test_item_is_gained_used_and_given() -> None:
    bench = watched(
        on(Moment.ITEM_GAINED, of="item/bell", once=False),
        on(Moment.ITEM_USED, of="item/bell"),
        on(Moment.ITEM_GIVEN, of="item/bell"),
        at={ADA: "house/a", BEN: "house/a"},
        items=[BELL],
    )

    resolve(bench, steps.GainItem("item/bell"))
    proceed(bench, "choice/component")
    proceed(bench, "choice/trade", {0: "choice/give", 1: 0}, {0: "choice/trade_close", 1: 0})

    assert told(bench) == [
        ("item_gained", ADA),
        ("rings", ADA),
        ("item_used", ADA),
        ("item_given", BEN),
        ("item_gained", BEN),
    ]


def test_item_that_was_attacked_with_is_used() -> None:
    bench = watched(
        on(Moment.ITEM_USED),
        items=[BELL],
        has={ADA: ["item/bell"]},
        monsters=[(RAT, "house/a")],
    )

    proceed(bench, "choice/attack_with")

    assert told(bench)[-1] == ("item_used", ADA)


def test_no_copy_left_is_nothing_gained() -> None:
    """The only bell is Ada's, so nothing is gained the second time."""
    bench = watched(on(Moment.ITEM_GAINED, once=False), items=[BELL])

    resolve(bench, *[steps.GainItem("item/bell")] * 2)

    assert told(bench) == [("item_gained", ADA)]


# Counters ------------------------------------------------------------------------------------


def test_counter_sets_its_trigger_off_when_it_comes_there_and_only_then() -> None:
    """The trigger fires at three, not at four, and again after the counter was lower."""
    tide = on(Moment.COUNTER_REACHED, of="tide", at_least=3, once=False)
    bench = watched(tide, counters={"tide": Counter()})

    for add in (2, 1, 1, -2, 5):
        resolve(bench, steps.Count("tide", add=add))

    assert len(told(bench)) == 2


def test_counter_reaches_its_bounds_from_above_too() -> None:
    bench = watched(
        on(Moment.COUNTER_REACHED, of="oil", at_least=-9, at_most=0, when=HasClues(1)),
        on(Moment.COUNTER_REACHED, id="low", of="oil", at_most=1),
        counters={"oil": Counter()},
    )
    resolve(bench, steps.Count("oil", to=3))
    before = len(told(bench))

    resolve(bench, steps.Count("oil", add=-2))

    assert len(told(bench)) == before + 1


def test_where_counters_stand_at_the_start_nobody_has_reached() -> None:
    """Zero is within the bounds from the start, so only a return to it counts."""
    empty = on(Moment.COUNTER_REACHED, of="oil", at_most=0)
    bench = watched(empty, counters={"oil": Counter()}, turn_of=None)
    bench.emit(PhaseBegan(Phase.MYTHOS, 0))
    bench.run(rounds.begin_round(bench.game, 1))

    resolve(bench, steps.GainClues(), steps.Count("oil", add=1))
    assert told(bench) == []
    resolve(bench, steps.Count("oil", add=-1))

    assert told(bench) == [("counter_reached", ADA)]


def test_where_the_counters_of_each_stand_at_the_start_is_not_reached_either() -> None:
    """Ben's counter was set before the first round; Ada's reaches the bound later."""
    bench = watched(
        on(Moment.COUNTER_REACHED, of="trust", at_least=2, once=False),
        counters={"trust": Counter(of=Scope.INVESTIGATOR)},
        at={ADA: "house/a", BEN: "house/b"},
        turn_of=None,
    )
    bench.emit(PhaseBegan(Phase.MYTHOS, 0))
    resolve(bench, steps.Count("trust", add=2), actor=BEN)
    bench.run(rounds.begin_round(bench.game, 1))

    resolve(bench, steps.Count("trust", add=2))

    assert told(bench) == [("counter_reached", ADA)]


@pytest.mark.parametrize("start", [0, 5])
def test_where_counters_stand_at_the_start_is_remembered(start: int) -> None:
    full = on(Moment.COUNTER_REACHED, of="oil", at_least=3)
    bench = watched(full, counters={"oil": Counter(first=start)}, turn_of=None)
    bench.emit(PhaseBegan(Phase.MYTHOS, 0))

    bench.run(rounds.begin_round(bench.game, 1))

    assert bench.game.noted == {"r1": int(start >= 3)}


def test_counter_of_each_reaches_its_bounds_for_each() -> None:
    trust = on(Moment.COUNTER_REACHED, of="trust", at_least=2, once=False)
    bench = watched(
        trust,
        counters={"trust": Counter(of=Scope.INVESTIGATOR)},
        at={ADA: "house/a", BEN: "house/b"},
    )

    resolve(bench, steps.Count("trust", add=2), actor=BEN)
    resolve(bench, steps.Count("trust", add=1))
    resolve(bench, steps.Count("trust", add=1))

    assert told(bench) == [("counter_reached", BEN), ("counter_reached", ADA)]


def test_each_counter_that_is_reached_is_remembered_for_itself() -> None:
    """The tide at one does not stop the trigger of the moon at one."""
    bench = watched(
        *(on(Moment.COUNTER_REACHED, id=name, of=name, at_least=1) for name in ("tide", "moon")),
        counters={"tide": Counter(), "moon": Counter()},
    )

    resolve(bench, steps.Count("tide", add=1), steps.Count("moon", add=1))

    assert len(told(bench)) == 2


def test_own_counter_that_is_reached_from_the_beginning_is_not_reached_again() -> None:
    """Ada begins with five of three needed, so a sixth sets nothing off."""
    nerve = Counter(of=Scope.INVESTIGATOR, first=5)
    bench = watched(on(Moment.COUNTER_REACHED, of="nerve", at_least=3), counters={"nerve": nerve})
    triggers.begin(bench.game)

    resolve(bench, steps.Count("nerve", add=1))

    assert told(bench) == []


def test_own_counter_that_the_setup_has_moved_is_reached_from_the_beginning() -> None:
    nerve = Counter(of=Scope.INVESTIGATOR)
    bench = watched(
        on(Moment.COUNTER_REACHED, of="nerve", at_least=3),
        counters={"nerve": nerve},
        at={ADA: "house/a", BEN: "house/b"},
    )
    counters.put(bench.game, "nerve", 3, BEN)
    triggers.begin(bench.game)

    resolve(bench, steps.Count("nerve", add=1), actor=BEN)
    assert told(bench) == []
    resolve(bench, steps.Count("nerve", add=3), actor=ADA)

    assert told(bench) == [("counter_reached", ADA)]


def test_a_trigger_of_no_counter_keeps_no_other_from_coming() -> None:
    bench = watched(
        on(Moment.COUNTER_REACHED, id="none"),
        on(Moment.COUNTER_REACHED, of="tide", at_least=1),
        counters={"tide": Counter()},
    )

    resolve(bench, steps.Count("tide", add=1))

    assert len(told(bench)) == 1


def test_what_is_remembered_of_counters_names_none() -> None:
    """The log has sealed numbers in place of the names of counters."""
    bench = watched(
        on(Moment.COUNTER_REACHED, of="canary", at_least=1), counters={"canary": Counter()}
    )

    resolve(bench, steps.Count("canary", add=1))

    assert not [word for word in shown_to(bench, 0) if "canary" in word]
    assert set(bench.game.noted) == {"c1", "r1", "t1"}


# What does not set them off ------------------------------------------------------------------


def test_trigger_does_not_set_itself_off() -> None:
    bench = watched(on(Moment.SPACE_ENTERED, steps.PlaceInvestigator("house/c"), once=False))

    resolve(bench, steps.PlaceInvestigator("house/b"))
    resolve(bench, steps.PlaceInvestigator("house/a"))

    assert len(told(bench)) == 2
    assert person(bench).space == "house/c"


def test_triggers_set_one_another_off() -> None:
    """A Clue spawns a monster, which has its own trigger."""
    bench = watched(
        on(Moment.SPACE_ENTERED, steps.Spawn(RAT, "actor")),
        on(Moment.MONSTER_SPAWNED, of=RAT),
    )

    resolve(bench, steps.PlaceInvestigator("house/b"))

    assert [word for word, _ in told(bench)] == ["space_entered", "monster_spawned"]


def test_nothing_is_set_off_before_the_first_round_begins() -> None:
    """Figures are placed and a rat appears, but `started` is the first trigger."""
    bench = watched(
        *(on(moment) for moment in (Moment.SPACE_ENTERED, Moment.MONSTER_SPAWNED)),
        on(Moment.ROUND_BEGAN),
        on(Moment.STARTED),
        scenario_parts={"setup": (steps.PlaceTile("house"), steps.Spawn(RAT, "house/c"))},
    )
    fresh = Bench(bench.game.content, pieces=((0, ADA),))

    proceed(fresh)

    assert told_words(fresh) == ["prologue", "started", "round_began"]
