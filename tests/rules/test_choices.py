"""Choices by vote and in secret: who is asked, and who learns what."""

import pytest

from content.schema import effects as steps
from content.schema import requirements as asked
from content.schema.effects import By, EffectChoice
from protocol.common.asks import Settle
from protocol.common.events import Picked
from protocol.second_edition.events import OptionChosen, Told, VotesShown
from tests.rules.bench import Bench
from tests.rules.worlds import ADA, BEN, CORA, world
from tests.rules.worlds_effects import resolve, shown_to

rule = pytest.mark.rule
TWO = {ADA: "house/a", BEN: "house/a"}
THREE = {**TWO, CORA: "house/c"}
WAYS = tuple(
    EffectChoice(f"text/{way}", (steps.Say(f"text/went_{way}"),)) for way in ("left", "right")
)
VOTE = steps.Choose("text/which", WAYS, by=By.VOTE)


def told(bench: Bench) -> list[str]:
    """Return what was told."""
    return [event.text.subject for event in bench.happened(Told)]


def test_vote_is_shown_when_all_are_in_and_most_win() -> None:
    """Two for the right: it is that."""
    bench = world(at=THREE)

    resolve(bench, VOTE, answers=[{0: "text/right", 1: "text/left", 2: "text/right"}])

    assert bench.asked[0].settle is Settle.EACH
    (shown,) = bench.happened(VotesShown)
    votes = {who: text.subject.removeprefix("text/") for who, text in shown.votes.items()}
    assert votes == {ADA: "right", BEN: "left", CORA: "right"}
    assert told(bench) == ["text/went_right"]


def test_chance_settles_a_vote_that_is_tied() -> None:
    """One each: the second of the two is drawn."""
    bench = world(at=TWO)
    bench.give_picks(1)

    resolve(bench, VOTE, answers=[{0: "text/left", 1: "text/right"}])

    assert [pick.purpose for pick in bench.happened(Picked)] == ["vote"]
    assert told(bench) == ["text/went_right"]


def test_player_with_two_investigators_has_one_vote() -> None:
    """It is shown under the first of them."""
    bench = world(at=THREE, seats=[(0, ADA), (0, BEN), (1, CORA)])

    resolve(bench, VOTE, answers=["text/left"])

    (shown,) = bench.happened(VotesShown)
    assert list(shown.votes) == [ADA, CORA]


@rule("SECRET-13")
def test_secret_choice_is_told_to_nobody_else() -> None:
    """Neither the question nor what was chosen; only that there is something to choose."""
    bench = world(at=TWO)
    ways = (EffectChoice("text/canary"), EffectChoice("text/bird"))

    resolve(bench, steps.Choose("text/which", ways, by=By.SECRET), answers=["text/canary"])

    assert [word for word in shown_to(bench, 0) if "canary" in word]
    assert not [word for word in shown_to(bench, 1) if "canary" in word or "which" in word]
    assert bench.happened(OptionChosen) == []


def test_secret_choice_of_one_way_is_asked_all_the_same() -> None:
    """That nothing was asked would tell what is so."""
    bench = world(at=TWO)
    ways = (EffectChoice("text/no"), EffectChoice("text/yes", (), asked.HasClues(1)))

    resolve(bench, steps.Choose("text/which", ways, by=By.SECRET), answers=["text/no"])

    assert len(bench.asked) == 1
