"""The benchmarks run. How fast anything is, no test says."""

import json

import pytest

from bench.__main__ import main
from bench.measures import all_names
from bench.timing import Measure, measure


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
