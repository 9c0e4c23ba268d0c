"""Mythos phase: its steps, its events, its end."""

from typing import Any

import pytest

from content.games.second_edition.schema.cards import Modifier, ModifierKind, Powers
from content.games.second_edition.schema.effects import Count, DamageMonster, GainClues, Say, Spawn
from content.games.second_edition.schema.monsters import Target
from content.games.second_edition.schema.requirements import Monsters, Round
from content.games.second_edition.schema.scenario import Moment, MythosEvent, Trigger
from protocol.event import hidden
from protocol.games.second_edition.events import (
    BecameInsane,
    DealtWith,
    MemoryKept,
    MythosStepBegan,
    PhaseBegan,
    ToldPrivately,
)
from protocol.games.second_edition.table import INSANE_DECK, MythosStep, Phase
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.test_old_games import of
from tests.games.second_edition.rules.worlds import (
    ADA,
    BEN,
    DROWNED,
    RAT,
    activation,
    counted,
    insane_back,
    monster_card,
    proceed,
    world,
)
from tests.games.second_edition.rules.worlds_effects import told


def event(name: str, *steps: Any, **parts: Any) -> MythosEvent:
    return MythosEvent(name, (Say(f"text/{name}"), *steps), **parts)


def night(*events: MythosEvent, number: int = 1, **parts: Any) -> Bench:
    """Return a bench at the start of a Mythos phase."""
    scenario_parts = {"mythos": events, **parts.pop("scenario_parts", {})}
    bench = world(turn_of=None, scenario_parts=scenario_parts, **parts)
    bench.emit(PhaseBegan(Phase.MYTHOS, number))
    return bench


def through(bench: Bench) -> None:
    """Proceed to the next Investigator phase without any answers."""
    while bench.game_table.phase is Phase.MYTHOS:
        proceed(bench)


def steps(bench: Bench) -> list[MythosStep]:
    """Return the steps that began."""
    return [e.step for e in bench.happened(MythosStepBegan)]


# Steps ---------------------------------------------------------------------------------------


@pytest.mark.rule("MYTHOS-1")
@pytest.mark.rule("EVENT-4")
@pytest.mark.rule("ACTIVATE-10")
@pytest.mark.rule("MYTHOS-2")
def test_the_phase_has_three_steps_in_order() -> None:
    bench = night(monsters=[(DROWNED, "house/c")])

    proceed(bench)
    proceed(bench)
    proceed(bench)
    assert steps(bench) == [MythosStep.EVENT, MythosStep.MONSTER]
    proceed(bench)
    proceed(bench)

    assert steps(bench) == [MythosStep.EVENT, MythosStep.MONSTER, MythosStep.HORROR]


@pytest.mark.rule("MYTHOS-4")
@pytest.mark.rule("MYTHOS-5")
@pytest.mark.rule("DECIDE-140")
@pytest.mark.parametrize("version", [2, 3])
def test_the_phase_ends_when_all_is_resolved(version: int) -> None:
    """Before version 3, all seats were asked to end the phase, and any one of them could."""
    far = monster_card(activations=(activation(spaces=0),))
    bench = night(
        at={ADA: "house/a", BEN: "house/a"}, monsters=[(DROWNED, "house/c")], monster_cards=[far]
    )
    for _ in range(4):
        proceed(bench)
    of(version, bench)
    proceed(bench)

    proceed(bench, *(["choice/end_phase"] if version < 3 else []))

    asked = [sorted(ask.prompts) for ask in bench.asked if ask.rule == "MYTHOS-4"]
    assert asked == ([[0, 1]] if version < 3 else [])
    assert (bench.game_table.phase, bench.game_table.round_number) == (Phase.INVESTIGATOR, 2)


@pytest.mark.rule("MYTHOS-6")
@pytest.mark.rule("MYTHOS-7")
@pytest.mark.rule("DECIDE-12")
def test_without_monsters_the_phase_ends_by_itself() -> None:
    bench = night(event("rain"))

    through(bench)

    assert steps(bench) == [MythosStep.EVENT]
    assert bench.asked == []
    assert bench.game_table.round_number == 2


@pytest.mark.rule("DECIDE-12")
@pytest.mark.rule("MYTHOS-6")
def test_with_the_last_monster_gone_in_the_monster_step_there_is_no_horror_step() -> None:
    """The monster destroyed itself in its own activation."""
    moth = monster_card(activations=(activation(otherwise=(DamageMonster(9),)),))
    bench = night(monsters=[(DROWNED, "house/c")], monster_cards=[moth])
    for _ in range(4):
        proceed(bench)

    proceed(bench)

    assert MythosStep.HORROR not in steps(bench)
    assert bench.game_table.round_number == 2


# Events --------------------------------------------------------------------------------------


@pytest.mark.rule("EVENT-1")
@pytest.mark.rule("EVENT-2")
@pytest.mark.rule("DECIDE-132")
def test_as_many_events_come_as_the_scenario_says() -> None:
    bench = night(
        event("rain", GainClues()),
        event("wind", GainClues()),
        event("fog"),
        scenario_parts={"events_each_round": 2},
    )
    bench.give_picks(1, 1)

    through(bench)

    assert told(bench) == ["text/wind", "text/fog"]
    assert bench.game_table.investigators[ADA].clues == 1


@pytest.mark.rule("EVENT-3")
def test_an_event_can_depend_on_what_happened() -> None:
    bench = night(event("late", when=Round(at_least=9)), event("early", when=Round(at_most=3)))

    through(bench)

    assert told(bench) == ["text/early"]


@pytest.mark.rule("EVENT-1")
def test_an_event_comes_once_and_some_come_again() -> None:
    """Repeatable events return when no new ones are left."""
    bench = night(event("once"), event("often", repeats=True))
    for number in range(1, 5):
        through(bench)
        bench.emit(PhaseBegan(Phase.MYTHOS, number + 1))

    assert told(bench) == ["text/once", "text/often", "text/often", "text/often"]


@pytest.mark.rule("EVENT-5")
@pytest.mark.rule("DECIDE-133")
def test_a_monster_that_comes_with_an_event_is_activated_in_the_same_round() -> None:
    bench = night(event("comes", Spawn(DROWNED, "house/b")))
    for _ in range(3):
        proceed(bench)

    proceed(bench)

    assert "text/activation" in told(bench)


@pytest.mark.rule("EVENT-2")
def test_triggers_of_the_event_step_come_after_the_event() -> None:
    """Triggers that apply come in the scenario's order, and only once unless marked to repeat."""
    triggers = (
        Trigger("never", Moment.EVENTS_DONE, (Say("text/never"),), when=Monsters(at_least=1)),
        Trigger("once", Moment.EVENTS_DONE, (Say("text/once"),)),
        Trigger("always", Moment.EVENTS_DONE, (Say("text/always"),), once=False),
        Trigger("end", Moment.ROUND_ENDED, (Say("text/end"),)),
    )
    bench = night(event("rain"), scenario_parts={"triggers": triggers})
    through(bench)
    bench.emit(PhaseBegan(Phase.MYTHOS, 2))
    through(bench)

    assert told(bench) == [
        "text/rain",
        "text/once",
        "text/always",
        "text/end",
        "text/always",
    ]


@pytest.mark.rule("WIN-4")
def test_names_of_the_script_never_come_to_the_log() -> None:
    """Counters, triggers and events are recorded by number and sealed from all seats."""
    trigger = Trigger("the-tide", Moment.EVENTS_DONE, (Count("tide", add=1),))
    bench = night(
        event("rain"), scenario_parts={"triggers": (trigger,), "counters": counted("tide")}
    )

    through(bench)

    kept = [event.numbers for event in bench.happened(MemoryKept)]
    assert {name for numbers in kept for name in numbers.value} == {"m1", "t1", "c1"}
    assert all(numbers.audience == () for numbers in kept)
    assert "tide" not in repr(bench.log)


# Private lines -------------------------------------------------------------------------------


def maddened(back: str) -> Bench:
    """Return a bench on which Ada is Insane, at the start of a Mythos phase."""
    backs = [
        insane_back("insane/still", powers=Powers(modifiers=(Modifier(ModifierKind.NO_SEARCH),))),
        insane_back("insane/calm"),
    ]
    bench = world(at={ADA: "house/a", BEN: "house/a"}, insane=backs, turn_of=None)
    handle = bench.game_table.piles[INSANE_DECK][0]
    bench.emit(BecameInsane(ADA, "condition/insane", handle, hidden(back)))
    bench.emit(PhaseBegan(Phase.MYTHOS, 1))
    return bench


@pytest.mark.rule("SECRET-6")
@pytest.mark.rule("SECRET-7")
@pytest.mark.rule("DECIDE-63")
@pytest.mark.rule("DECIDE-144")
@pytest.mark.rule("DECIDE-61")
@pytest.mark.parametrize("back", ["insane/still", "insane/calm", ""])
def test_every_insane_investigator_is_told_something_at_the_same_point(back: str) -> None:
    """A private text comes for every back and even without one; only Ada's seat reads it."""
    bench = maddened(back)

    proceed(bench)

    (line,) = bench.happened(ToldPrivately)
    assert line.investigator == ADA
    assert line.text.audience == (0,)
    assert [type(e) for e in bench.log[-3:]] == [ToldPrivately, MythosStepBegan, MemoryKept]


@pytest.mark.rule("DECIDE-144")
def test_nobody_else_is_told_anything_privately() -> None:
    bench = night()

    proceed(bench)

    assert bench.happened(ToldPrivately) == []


# Order ---------------------------------------------------------------------------------------


@pytest.mark.rule("ACTIVATE-1")
@pytest.mark.rule("ACTIVATE-2")
@pytest.mark.rule("DECIDE-132")
def test_every_monster_is_activated_one_after_another() -> None:
    """Monsters act in the order of their arrival, each in a procedure of its own."""
    still = activation(spaces=0, toward=Target.RANDOM)
    bench = night(
        monsters=[(DROWNED, "house/c"), (RAT, "house/c")],
        monster_cards=[monster_card(k, activations=(still,)) for k in (DROWNED, RAT)],
    )
    for _ in range(3):
        proceed(bench)

    proceed(bench)
    assert bench.game_table.done == ("m1",)
    proceed(bench)

    assert [e.item for e in bench.happened(DealtWith)][-2:] == ["m1", "m2"]
