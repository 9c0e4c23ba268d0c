"""The benchmarks run. How fast anything is, no test says."""

import json

import pytest

from bench.__main__ import main
from bench.measures import all_names
from bench.timing import Measure, at_most, measure


def test_every_measure_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """With tiny sizes, as JSON, each with a ratio."""
    assert main(["--quick", "--json"]) == 0

    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["name"] for line in told] == list(all_names())
    assert all(line["ratio"] > 0 and line["count"] > 0 for line in told)


def test_a_table_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """A head, and a line for each measure that was named."""
    assert main(["--quick", "views"]) == 0

    head, line = capsys.readouterr().out.splitlines()
    assert "ratio" in head
    assert line.startswith("views ")


def test_an_unknown_measure_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """And nothing is measured."""
    with pytest.raises(SystemExit):
        main(["--quick", "speed"])

    assert "there is no measure 'speed'" in capsys.readouterr().err


def test_the_shortest_times_count() -> None:
    """Of work and yardstick, each in its turn, after one to warm up."""
    times = iter([0, 4, 10, 16, 20, 22, 30, 33])
    done: list[str] = []

    result = measure(
        Measure("a", "b", "c", lambda: done.append("work"), lambda: done.append("yardstick")),
        rounds=2,
        clock=lambda: next(times),
    )

    assert (result.work_seconds, result.yardstick_seconds, result.ratio) == (3, 2, 1.5)
    assert done == ["yardstick", "work"] * 3


def test_things_that_are_timed_one_by_one_have_a_median() -> None:
    """Over all rounds but the one to warm up; what lies between them does not count."""
    singles: list[float] = []
    rounds = iter([[9.0, 9.0], [1.0, 3.0], [2.0, 5.0]])

    result = measure(
        Measure("a", "b", "c", lambda: singles.extend(next(rounds)), list, 2, "d", singles),
        rounds=2,
    )

    assert result.work_seconds == 4
    assert (result.median_seconds, result.p99_seconds) == (2, 5)


def test_a_percentile_is_one_of_the_numbers() -> None:
    """The smallest that so large a part does not exceed."""
    numbers = [float(number) for number in range(1, 201)]

    assert at_most(numbers, 0.5) == 100
    assert at_most(numbers, 0.99) == 198
    assert at_most([7.0], 0.99) == 7
