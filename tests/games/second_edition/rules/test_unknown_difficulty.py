"""Tests of unknown difficulty: successes accumulate, and the number is never told."""

import pytest

from content.games.second_edition.schema.effects import Amount
from protocol.games.second_edition.events import ProgressKept, TestFinished, Told
from protocol.games.second_edition.table import Skill
from tests.games.second_edition.rules.bench import Bench
from tests.games.second_edition.rules.worlds import ADA, BEN, world
from tests.games.second_edition.rules.worlds_effects import (
    resolve,
    shown_to,
    spend,
    told_test,
    with_clues,
)

rule = pytest.mark.rule


HIDDEN = told_test(Skill.LORE, Amount(4), hidden="old_lock")


@rule("EX-30")
@rule("TEST-16")
@rule("DECIDE-1")
@rule("DECIDE-113")
def test_successes_add_up_over_attempts_and_investigators() -> None:
    """The test takes 4: Ada fails with 1, and Ben later passes with 3."""
    bench = world(at={ADA: "house/a", BEN: "house/b"})
    bench.give_dice("SBB SSS")

    resolve(bench, HIDDEN)
    resolve(bench, HIDDEN, actor=BEN)

    says = [event.text.subject for event in bench.happened(Told)]
    assert says == ["text/failed", "text/passed"]
    assert [event.total for event in bench.happened(ProgressKept)] == [1, 4]


@rule("EX-30")
@rule("TEST-16")
def test_one_success_too_few_fails() -> None:
    bench = world()
    bench.give_dice("SBB SSB")

    resolve(bench, HIDDEN)
    resolve(bench, HIDDEN)

    says = [event.text.subject for event in bench.happened(Told)]
    assert says == ["text/failed", "text/failed"]


@rule("EX-30")
@rule("SECRET-16")
def test_unknown_difficulty_is_told_to_nobody() -> None:
    """Attempts at a test that needs 4 and at one that needs 5 look alike."""
    first, second = attempt_at_a_hidden(4), attempt_at_a_hidden(5)

    assert first.stored == second.stored
    assert list(shown_to(first, 0)) == list(shown_to(second, 0))
    assert first.asked[0].prompts[0].prompt == second.asked[0].prompts[0].prompt
    assert first.happened(TestFinished)[0].is_passed is None


def attempt_at_a_hidden(needed: int) -> Bench:
    """Return a world after one success and one conversion at a test of this difficulty."""
    bench = with_clues(world(), 1)
    bench.give_dice("SIB")
    test = told_test(Skill.LORE, Amount(needed), hidden="old_lock")
    resolve(bench, test, answers=[spend(1)])
    return bench
