"""Planted faults: which are planted for a rule, and which results are stored."""

import ast
import itertools
import types
from pathlib import Path
from typing import Any

import pytest

from server.games.second_edition.rules import evade
from tests.games.rulebook import bites, catalogue
from tests.games.rulebook.bites import Bite, Result, Rules, Trace
from tests.games.rulebook.books import book_of
from tests.games.rulebook.faults import Planter, functions, ids_in

SOURCE = '''
"""All of it. Rules EVADE-1 and EVADE-9."""

async def check(play, count) -> Outcome:
    """Evade. Rules EVADE-2 to EVADE-4."""
    if not count:
        spend(play, 1)
        return False
    seat = play.seat_of(-count)
    was = await play.choose(seat, options)
    met = await evade.check(play, was)
    if await evade.begin(play, met):
        yield count
    return count > 2 and any(one.is_here for one in play if one.is_alert)

async def begin(play, met) -> bool: ...

class Way:
    def go(self):
        """Rule EVADE-4."""
        return self.left - 1
'''
BEGUN = "await evade.begin(play, met)"
ANY = "any((one.is_here for one in play if one.is_alert))"
BOOK = book_of("second_edition")
CATALOGUE = catalogue.read(
    """
EVADE:
  EVADE-1: {since: 2, says: "Leaving takes a check."}
  EVADE-2: {since: 2, says: "The most alert is evaded."}
  EVADE-3: {later: not yet, says: "Of equals one is chosen."}
  EVADE-4: {since: 2, says: "A word.", unbitten: "It is a word."}
"""
)


def made(folder: Path, source: str = SOURCE) -> Rules:
    """Return the rules of a folder that contains one small module."""
    (folder / "evade.py").write_text(source, "utf-8")
    return Rules(BOOK, CATALOGUE, functions(BOOK, folder))


@pytest.fixture
def known(tmp_path: Path) -> Rules:
    return made(tmp_path)


def planter(rules: Rules) -> Planter:
    return Planter.of(BOOK, rules.functions)


@pytest.mark.parametrize(
    ("docstring", "ids"),
    [
        ("Rules EVADE-2 to EVADE-4.", {"EVADE-2", "EVADE-3", "EVADE-4"}),
        ("EVADE-2 to 3, and DECIDE-7.", {"EVADE-2", "EVADE-3", "DECIDE-7"}),
        ("Rule MOVE-10.", {"MOVE-10"}),
        ("K-MOVE-1 to K-MOVE-3, K-EX-9.", {"K-MOVE-1", "K-MOVE-2", "K-MOVE-3", "K-EX-9"}),
        ("Nothing of the kind.", set()),
        (None, set()),
    ],
)
def test_ids_are_found_in_a_docstring(docstring: str | None, ids: set[str]) -> None:
    assert ids_in(docstring) == ids


def test_a_rule_belongs_to_the_functions_that_name_it(known: Rules) -> None:
    """Functions that name fewer other rules come first.

    A rule that no function names belongs to all functions of the modules that name it.
    """
    found = {id_: [one.called for one in known.belonging(id_)] for id_ in ("EVADE-2", "EVADE-4")}

    assert found == {"EVADE-2": ["evade.check"], "EVADE-4": ["evade.Way.go", "evade.check"]}
    assert len(known.belonging("EVADE-9")) == 3
    assert known.belonging("MOVE-1") == []


def test_every_kind_of_fault_is_planted(known: Rules) -> None:
    (check,) = known.belonging("EVADE-2")

    assert [fault.change for fault in planter(known).faults(check)] == [
        "not count -> not not count",
        "spend(play, 1) -> None",
        "1 -> 2",
        "False -> True",
        "play.seat_of(-count) -> play.seat_of(-count) ^ 1",
        "-count -> count",
        "await play.choose(seat, options) -> options[0].value",
        "await evade.check(play, was) -> Outcome()",
        f"{BEGUN} -> not {BEGUN}",
        f"{BEGUN} -> True",
        f"{BEGUN} -> False",
        "yield count -> None",
        f"count > 2 and {ANY} -> count > 2 or {ANY}",
        "count > 2 -> count <= 2",
        "2 -> 3",
        "any -> all",
        "for one in play if one.is_alert -> for one in play",
    ]


def test_the_places_of_a_fault_are_the_lines_of_its_statement_alone(tmp_path: Path) -> None:
    source = """
def fly(kite):
    if (
        kite.is_up
        or kite.is_new
    ):
        kite.wind(
            1,
        )
    return 2
"""
    rules = made(tmp_path, source)
    places = {
        fault.change: sorted(line for _, line in fault.places)
        for fault in planter(rules).faults(rules.functions[0])
    }

    assert places["kite.is_up or kite.is_new -> kite.is_up and kite.is_new"] == [3, 4, 5, 6]
    assert places["kite.wind(1) -> None"] == places["1 -> 2"] == [7, 8, 9]
    assert places["2 -> 3"] == [10]


def test_a_function_is_as_it_was_after_its_faults(known: Rules) -> None:
    before = [ast.dump(one.node) for one in known.functions]

    for one in known.functions:
        list(planter(known).faults(one))

    assert [ast.dump(one.node) for one in known.functions] == before


@pytest.mark.long
def test_every_fault_of_the_rules_can_be_compiled() -> None:
    """Only the first two faults of each function are compiled, more than 500 in all."""
    rules = Rules.load(BOOK)
    plants = planter(rules).faults
    planted = [fault for one in rules.functions for fault in itertools.islice(plants(one), 2)]

    for fault in planted:
        compile(ast.unparse(ast.fix_missing_locations(fault.node)), fault.function.module, "exec")

    assert len(planted) > 500


def test_a_planted_fault_is_what_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = Rules.load(BOOK)
    alert = next(one for one in rules.functions if one.called == "evade.most_alert")
    wanted = next(one for one in planter(rules).faults(alert) if "== best" in one.change)
    called = evade.most_alert
    monkeypatch.setattr(called, "__code__", called.__code__)
    before = called.__code__

    bites.plant(BOOK, wanted)

    assert isinstance(called, types.FunctionType)
    assert called.__code__ is not before
    assert called.__code__.co_name == "most_alert"


def test_evading_before_an_interact_action_is_seen_to_be_left_out() -> None:
    rules = Rules.load(BOOK)

    own = {id_: rules.belonging(id_) for id_ in ("EVADE-4", "INTERACT-1")}
    plants = planter(rules).faults
    planted = {id_: {f.change for one in own[id_] for f in plants(one)} for id_ in own}

    assert "await evade.check(play, investigator) -> Outcome()" in planted["EVADE-4"]
    begun = "await actions.begin(play, investigator, ACTION_OF[token.kind])"
    assert {f"{begun} -> True", f"{begun} -> False"} < planted["INTERACT-1"] & planted["EVADE-4"]


def test_what_is_not_there_cannot_be_planted(known: Rules) -> None:
    go = next(one for one in known.functions if one.name == "Way.go")
    fault = next(planter(known).faults(go))

    with pytest.raises((LookupError, TypeError)):
        bites.plant(BOOK, fault)


# What is stored ------------------------------------------------------------------------------


def test_a_rule_without_a_result_is_told(known: Rules) -> None:
    assert known.stale({}) == ["EVADE-1", "EVADE-2", "EVADE-4"]


def test_a_rule_whose_function_was_changed_has_no_result(known: Rules, tmp_path: Path) -> None:
    found = {id_: Bite(known.digests(id_), None) for id_ in CATALOGUE}
    reworded = SOURCE.replace("Evade.", "Slip past.").replace("(play, 1)", "( play,  1 )")
    renamed = SOURCE.replace("count", "number").replace("check", "try_it").replace("-> bool", "")
    changed = SOURCE.replace("count > 2", "count > 3")
    others = SOURCE.replace("any(", "all(")

    def stale_with(source: str) -> list[str]:
        return made(tmp_path, source).stale(found)

    assert stale_with(SOURCE) == stale_with(reworded) == stale_with(renamed) == []
    assert stale_with(changed) == stale_with(others) == ["EVADE-1", "EVADE-2", "EVADE-4"]


def test_a_rule_that_shows_no_fault_needs_a_reason(known: Rules) -> None:
    seen, unseen = Bite({}, "evade.check:7 1 -> 2"), Bite({}, None)

    assert known.unexplained({"EVADE-1": seen, "EVADE-4": unseen}) == []
    assert known.unexplained({"EVADE-1": unseen, "EVADE-4": seen}) == ["EVADE-1", "EVADE-4"]


def test_a_result_is_read_as_it_was_stored(tmp_path: Path) -> None:
    result = Result("abc1234", {"EVADE-2": Bite({"evade.check": "00"}, "evade.check:7 1 -> 2")})

    bites.save(result, tmp_path / "bites.json")

    assert bites.load(tmp_path / "bites.json") == result


def test_what_is_stored_is_told_with_its_commit(known: Rules) -> None:
    found = {"EVADE-1": Bite({}, "x"), "EVADE-2": Bite({}, None), "EVADE-4": Bite({}, None)}

    assert known.summary(Result("abc1234", found)) == [
        "marks that bite 1 of 3, 1 with a reason; at abc1234",
        "without a reason: EVADE-2",
    ]


def test_a_mutation_run_tells_the_share_that_tests_see(known: Rules) -> None:
    """Of eight faults two are seen by no test."""
    unseen = itertools.islice(planter(known).faults(known.functions[0]), 2)
    run = bites.MutationRun(planted=8, by_marks=3, by_others=1, unseen=list(unseen))

    assert run.summary() == (
        "mutation run: 75.0 % of 8 faults seen: 37.5 % by the tests of their own rules,"
        " 25.0 % by those of other rules, 12.5 % by the game's other tests"
    )


def test_a_fault_is_shown_to_the_quickest_other_tests_that_reach_it(known: Rules) -> None:
    """A test that fails without a fault shows nothing, and all have 40 seconds together."""
    fault = next(planter(known).faults(known.functions[0]))
    reaching: dict[Any, Trace] = {
        "quick": Trace(1, True, fault.places),
        "broken": Trace(2, False, fault.places),
        "elsewhere": Trace(3, True, frozenset()),
        "slow": Trace(38, True, fault.places),
        "too much": Trace(39, True, fault.places),
    }
    many: dict[Any, Trace] = {number: Trace(0, True, fault.places) for number in range(99)}

    assert [str(one) for one in bites.quickest(reaching, fault)] == ["quick", "slow"]
    assert len(bites.quickest(many, fault)) == bites.OTHER_TESTS
