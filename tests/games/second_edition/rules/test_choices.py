"""Votes and secret choices: who is asked, and who learns the result."""

from typing import Any

import pytest

from content.games.second_edition.expressions import read_condition, read_number
from content.games.second_edition.schema import effects as steps
from content.games.second_edition.schema import requirements as asked
from content.games.second_edition.schema.decks import DeckCard
from content.games.second_edition.schema.effects import Amount, By, EffectChoice, Step
from protocol.common.asks import Settle
from protocol.common.events import Picked
from protocol.games.second_edition.events import OptionChosen, StoryVotesShown
from server.games.second_edition.rules import effects, elimination
from server.games.second_edition.rules.play import Outcome, Source
from tests.games.second_edition.rules.worlds import ADA, BEN, CORA, world
from tests.games.second_edition.rules.worlds_effects import (
    person,
    resolve,
    shown_to,
    told,
    with_clues,
)

rule = pytest.mark.rule
TWO = {ADA: "house/a", BEN: "house/a"}
THREE = {**TWO, CORA: "house/c"}
WAYS = tuple(
    EffectChoice(f"text/{way}", (steps.Say(f"text/went_{way}"),)) for way in ("left", "right")
)
VOTE = steps.Choose("text/which", WAYS, by=By.VOTE)
BOTH = Amount(formula=read_number("successes")[0])
"""Number of successes in the previous test."""


def test_vote_is_shown_when_all_are_in_and_most_win() -> None:
    bench = world(at=THREE)

    resolve(bench, VOTE, answers=[{0: "text/right", 1: "text/left", 2: "text/right"}])

    assert bench.asked[0].settle is Settle.EACH
    (shown,) = bench.happened(StoryVotesShown)
    votes = {who: text.subject.removeprefix("text/") for who, text in shown.votes.items()}
    assert votes == {ADA: "right", BEN: "left", CORA: "right"}
    assert told(bench) == ["text/went_right"]
    (chosen,) = bench.happened(OptionChosen)
    assert chosen.text.subject == "text/right"


def test_chance_settles_a_vote_that_is_tied() -> None:
    bench = world(at=TWO)
    bench.give_picks(1)

    resolve(bench, VOTE, answers=[{0: "text/left", 1: "text/right"}])

    assert [pick.purpose for pick in bench.happened(Picked)] == ["vote"]
    assert told(bench) == ["text/went_right"]


def test_player_with_two_investigators_has_one_vote() -> None:
    bench = world(at=THREE, seats=[(0, ADA), (0, BEN), (1, CORA)])

    resolve(bench, VOTE, answers=["text/left"])

    (shown,) = bench.happened(StoryVotesShown)
    assert list(shown.votes) == [ADA, CORA]


@rule("SECRET-13")
def test_secret_choice_is_told_to_nobody_else() -> None:
    bench = world(at=TWO)
    ways = (EffectChoice("text/canary"), EffectChoice("text/bird"))

    resolve(bench, steps.Choose("text/which", ways, by=By.SECRET), answers=["text/canary"])

    assert [word for word in shown_to(bench, 0) if "canary" in word]
    assert not [word for word in shown_to(bench, 1) if "canary" in word or "which" in word]
    assert bench.happened(OptionChosen) == []


def test_secret_choice_of_one_way_is_asked_all_the_same() -> None:
    """The absence of a question would reveal that there is only one way."""
    bench = world(at=TWO)
    ways = (EffectChoice("text/no"), EffectChoice("text/yes", (), asked.HasClues(1)))

    resolve(bench, steps.Choose("text/which", ways, by=By.SECRET), answers=["text/no"])

    assert len(bench.asked) == 1


@rule("INTERACT-3")
@pytest.mark.parametrize(("clues", "went"), [(0, "text/went_left"), (1, "text/went_right")])
def test_way_with_a_condition_is_open_to_whom_it_holds_for(clues: int, went: str) -> None:
    bench = with_clues(with_clues(world(at=TWO), clues, BEN), 1 - clues)
    paid = EffectChoice("text/right", WAYS[1].effect, asked.HasClues(1))

    answers = ["text/right"] * clues
    resolve(bench, steps.Choose("text/which", (WAYS[0], paid)), answers=answers, actor=BEN)

    assert told(bench) == [went]


@rule("CONFLICT-1")
@rule("DECIDE-69")
@pytest.mark.parametrize(("by", "went"), [(By.GROUP, ["text/went_left"]), (By.ACTOR, [])])
def test_group_chooses_though_the_one_concerned_is_out(by: By, went: list[str]) -> None:
    bench = world(at=THREE)
    bench.run(elimination.eliminate(bench.game, ADA))

    answers = ["text/left"] * len(went)
    resolve(bench, steps.Choose("text/which", WAYS, by=by), answers=answers)

    assert told(bench) == went


@pytest.mark.parametrize(
    "step",
    [
        steps.Choose("text/which", (EffectChoice("text/one", (steps.GainClues(BOTH),)),)),
        steps.OneOf((steps.Way((steps.GainClues(BOTH),)),)),
        steps.Call("more"),
        steps.Draw("cards"),
        steps.When(asked.HasClues(0), (steps.GainClues(BOTH),)),
    ],
    ids=lambda step: type(step).__name__,
)
def test_result_of_the_test_before_counts_in_what_a_step_leads_to(step: Step) -> None:
    parts: dict[str, Any] = {
        "effects": {"more": (steps.GainClues(BOTH),)},
        "decks": {"cards": (DeckCard("one", (steps.GainClues(BOTH),)),)},
    }
    bench = world(scenario_parts=parts)

    bench.run(effects.resolve(bench.game, (step,), Source(ADA), Outcome(successes=2)))

    assert person(bench).clues == 2


@pytest.mark.parametrize("kind", ["choice", "way"])
def test_condition_of_a_way_reads_the_result_of_the_test_before(kind: str) -> None:
    when = read_condition("successes >= 1")[0]
    clue = (steps.GainClues(),)
    step: Step = steps.OneOf((steps.Way(clue, when=when),))
    if kind == "choice":
        step = steps.Choose("text/which", (EffectChoice("text/one", clue, when),))
    bench = world()

    bench.run(effects.resolve(bench.game, (step,), Source(ADA), Outcome(successes=1)))

    assert person(bench).clues == 1
