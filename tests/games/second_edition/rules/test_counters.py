"""Counters: typed, with bounds and a scope, and sealed from all seats."""

import pytest

from content.games.second_edition.expressions import read_number
from content.games.second_edition.schema import effects as steps
from content.games.second_edition.schema.counters import Counter, CounterKind, Scope
from content.games.second_edition.schema.effects import Amount
from protocol.games.second_edition.events import MemoryKept
from server.games.second_edition.rules import counters, memory, rounds
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import ADA, BEN, counted, world
from tests.games.second_edition.rules.worlds_effects import resolve, shown_to


def remembering(*names: str, **declared: Counter) -> Bench:
    """Return a world of two investigators whose scenario has these counters."""
    return world(
        at={ADA: "house/a", BEN: "house/a"},
        scenario_parts={"counters": counted(*names, **declared)},
    )


def stands_at(bench: Bench, counter: str, of: str | None = None) -> int:
    return counters.value(bench.game, counter, of)


@pytest.mark.parametrize(("add", "result"), [(3, 5), (9, 6), (-1, 1), (-9, 0)])
def test_counter_stays_within_its_bounds(add: int, result: int) -> None:
    bench = remembering(tide=Counter(first=2, least=0, most=6))

    resolve(bench, steps.Count("tide", add=add))

    assert stands_at(bench, "tide") == result


def test_counter_begins_where_it_is_said() -> None:
    assert stands_at(remembering(tide=Counter(first=2)), "tide") == 2


def test_flag_is_yes_or_no() -> None:
    bench = remembering(told=Counter(CounterKind.FLAG))

    resolve(bench, steps.Count("told", add=5))

    assert stands_at(bench, "told") == 1


def test_set_works_everything_out_before_it_sets_anything() -> None:
    """Two counters can swap their values."""
    bench = remembering("left", "right")
    resolve(bench, steps.SetCounters({"left": 1, "right": 2}))

    change = {
        name: Amount(formula=read_number(other)[0])
        for name, other in (("left", "right"), ("right", "left"))
    }
    resolve(bench, steps.SetCounters(change))

    assert (stands_at(bench, "left"), stands_at(bench, "right")) == (2, 1)


def test_counter_of_investigators_is_the_actors() -> None:
    bench = remembering(trust=Counter(of=Scope.INVESTIGATOR, first=1))

    resolve(bench, steps.Count("trust", add=2), actor=BEN)

    assert [stands_at(bench, "trust", who) for who in (ADA, BEN, None)] == [1, 3, 1]


def test_counter_of_the_round_begins_again() -> None:
    bench = remembering("tide", bells=Counter(of=Scope.ROUND, first=1))
    resolve(bench, steps.SetCounters({"tide": 4, "bells": 3}))

    bench.run(rounds.begin_round(bench.game, 2))

    assert (stands_at(bench, "tide"), stands_at(bench, "bells")) == (4, 1)


def test_nobody_learns_what_is_counted() -> None:
    bench = remembering(canary=Counter(of=Scope.INVESTIGATOR))

    resolve(bench, steps.SetCounters({"canary": 7}))

    memory.write_down(bench.game)
    (event,) = bench.happened(MemoryKept)
    assert event.numbers.value == {f"c1/{ADA}": 7}
    assert all("canary" not in shown for seat in (0, 1, None) for shown in shown_to(bench, seat))


def test_counter_of_investigators_is_nobodys_where_nobody_is_concerned() -> None:
    bench = remembering(trust=Counter(of=Scope.INVESTIGATOR, first=1))

    counters.put(bench.game, "trust", 5)

    assert stands_at(bench, "trust") == 1
    assert bench.game.noted == {}
