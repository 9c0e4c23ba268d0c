"""Timers: effects after a number of rounds or turns, visible or hidden."""

from typing import Any

import pytest

from content.games.second_edition.expressions import read_number
from content.games.second_edition.schema import effects as steps
from content.games.second_edition.schema import requirements as asked
from content.games.second_edition.schema.effects import Amount
from content.games.second_edition.schema.scenario import Moment, Trigger
from content.games.second_edition.schema.timers import Timer
from protocol.common.text import Text
from protocol.games.second_edition.events import CluesGained, PhaseBegan, TimerRemoved
from protocol.games.second_edition.table import TimerUnit
from server.games.second_edition.rules import elimination, requirements, rounds, timers, turn
from server.games.second_edition.rules.play import Outcome, Source
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import ADA, BEN, world
from tests.games.second_edition.rules.worlds_effects import resolve, shown_to, told

FLOOD = steps.Say("text/flood")
START, STOP = steps.StartTimer("canary"), steps.StopTimer("canary")


def timed(timer: Timer, **parts: Any) -> Bench:
    """Return a world of two whose scenario has a timer that was just started."""
    scenario = {"timers": {"canary": timer}, **parts}
    bench = world(at={ADA: "house/a", BEN: "house/a"}, scenario_parts=scenario)
    resolve(bench, START)
    return bench


def seen(effect: Any = (FLOOD,), **counts: Any) -> Timer:
    return Timer(effect, text="text/rises", **counts)


def hidden(**counts: Any) -> Timer:
    return Timer((FLOOD,), seen=False, **counts)


def end_round(bench: Bench) -> None:
    bench.run(rounds.end_mythos_phase(bench.game))


def left(bench: Bench) -> list[int]:
    """Return the remaining time of the timers on the table."""
    return [timer.left for timer in bench.game_table.timers.values()]


def timer_left(bench: Bench, name: str) -> int:
    """Return the remaining time of a timer, visible or hidden."""
    return timers.left(bench.game, name)


def holds(bench: Bench, **bounds: int) -> bool:
    """True if a requirement on the timer holds."""
    return requirements.holds(bench.game, asked.TimerLeft("canary", **bounds), None)


def test_timer_that_is_seen_lies_on_the_table() -> None:
    bench = timed(seen(rounds=3))

    (timer,) = bench.game_table.timers.values()

    assert (timer.text, timer.unit, timer.left) == (Text("text/rises"), TimerUnit.ROUNDS, 3)


@pytest.mark.parametrize("make", [seen, hidden])
def test_name_of_a_timer_is_told_to_nobody(make: Any) -> None:
    """The name would reveal the script."""
    bench = timed(make(rounds=1))
    end_round(bench)

    assert all("canary" not in shown for seat in (0, 1, None) for shown in shown_to(bench, seat))


@pytest.mark.parametrize("make", [seen, hidden])
def test_timer_runs_out_at_the_end_of_its_last_round(make: Any) -> None:
    """The round in which the timer starts counts as the first."""
    bench = timed(make(rounds=2))
    end_round(bench)
    assert told(bench) == []
    assert holds(bench, at_least=1, at_most=1)

    end_round(bench)
    end_round(bench)

    assert told(bench) == ["text/flood"]
    assert left(bench) == []
    assert not holds(bench)


def test_timer_runs_out_before_the_triggers_of_the_end_of_the_round() -> None:
    """The triggers see the effect of the timer."""
    trigger = Trigger("then", Moment.ROUND_ENDED, (steps.Say("text/then"),))
    bench = timed(seen(rounds=1), triggers=(trigger,))

    end_round(bench)

    assert told(bench) == ["text/flood", "text/then"]


def test_timer_of_turns_runs_out_at_the_end_of_a_turn() -> None:
    """The actor is the one whose turn it was; rounds do not count."""
    bench = timed(seen((steps.GainClues(),), turns=2))
    end_round(bench)
    for who in (ADA, BEN):
        bench.run(turn.end_turn(bench.game, who))

    assert [bench.game_table.investigators[who].clues for who in (ADA, BEN)] == [0, 1]


def test_timer_of_turns_concerns_somebody_who_is_left() -> None:
    """Ben was eliminated in his turn."""
    bench = timed(seen((steps.GainClues(),), turns=1))
    bench.run(elimination.eliminate(bench.game, BEN))

    bench.run(turn.end_turn(bench.game, BEN))

    assert [bench.game_table.investigators[who].clues for who in (ADA, BEN)] == [1, 0]


@pytest.mark.parametrize("make", [seen, hidden])
def test_timer_that_is_stopped_does_nothing(make: Any) -> None:
    bench = timed(make(rounds=1))

    resolve(bench, STOP, STOP)
    end_round(bench)

    assert told(bench) == []
    assert left(bench) == []


def test_table_learns_whether_a_timer_ran_out() -> None:
    bench = timed(seen(rounds=1))
    end_round(bench)
    resolve(bench, START, STOP)

    assert [event.has_run_out for event in bench.happened(TimerRemoved)] == [True, False]


def test_timer_can_be_started_again() -> None:
    """A timer may be restarted while it runs, and by its own effect."""
    bench = timed(seen((FLOOD, START), rounds=2))
    end_round(bench)
    resolve(bench, START)
    assert left(bench) == [2]

    for _ in range(4):
        end_round(bench)
    assert told(bench) == ["text/flood", "text/flood"]
    assert left(bench) == [2]


def test_length_of_a_timer_is_by_the_group() -> None:
    assert left(timed(seen(rounds=Amount(listed=(9, 4, 3, 2, 1))))) == [4]


@pytest.mark.parametrize("steps_before", [(), (STOP,)])
def test_log_does_not_tell_when_a_hidden_timer_was_stopped(steps_before: tuple[Any, ...]) -> None:
    """Nothing is recorded at the end of a round, whether the timer runs or not."""
    bench = timed(hidden(rounds=5))
    before = len(bench.log)

    resolve(bench, *steps_before)
    end_round(bench)

    assert [type(event) for event in bench.log[before:]] == [PhaseBegan]


def test_timer_that_was_never_started_is_not_counted() -> None:
    bench = world(scenario_parts={"timers": {"canary": hidden(rounds=1)}})

    end_round(bench)

    assert told(bench) == []
    assert bench.game.noted == {}


@pytest.mark.parametrize("make", [seen, hidden])
def test_timers_run_side_by_side(make: Any) -> None:
    three = {"canary": make(rounds=3), "tide": make(rounds=2), "clock": make(rounds=1)}
    bench = world(scenario_parts={"timers": three})
    resolve(bench, START, steps.StartTimer("tide"), steps.StartTimer("clock"))
    assert [timer_left(bench, name) for name in three] == [3, 2, 1]

    resolve(bench, steps.StopTimer("tide"))
    end_round(bench)

    assert [timer_left(bench, name) for name in three] == [2, 0, 0]
    assert told(bench) == ["text/flood"]


def test_a_timer_that_nobody_sees_is_remembered_as_stopped() -> None:
    bench = world(scenario_parts={"timers": {"canary": hidden(rounds=3)}})

    resolve(bench, START, STOP)

    assert bench.game.noted == {"w1": 0}


def test_timer_that_does_not_lie_there_is_not_taken_away() -> None:
    """The timer was never started, so nobody is told that it stops."""
    bench = world(scenario_parts={"timers": {"canary": seen(rounds=1)}})

    resolve(bench, STOP)

    assert bench.happened(TimerRemoved) == []


def test_length_of_a_timer_is_by_whoever_starts_it() -> None:
    """The timer lasts as many rounds as Ada has Clues."""
    rounds_left = Amount(formula=read_number("clues")[0])
    bench = world(scenario_parts={"timers": {"canary": seen(rounds=rounds_left)}})
    bench.emit(CluesGained(ADA, 3))

    resolve(bench, START)

    assert left(bench) == [3]


def test_length_of_a_timer_is_by_what_the_effect_has_led_to() -> None:
    """The timer lasts as many rounds as the preceding test had successes."""
    rounds_left = Amount(formula=read_number("successes")[0])
    bench = world(scenario_parts={"timers": {"canary": seen(rounds=rounds_left)}})

    timers.start(bench.game, "canary", Source(ADA), Outcome(successes=4))

    assert left(bench) == [4]
