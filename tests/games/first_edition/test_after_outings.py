"""After a game outdoors: what `manse verify --opened` and hindsight tell of its secrets."""

import functools
import json
from pathlib import Path
from typing import Any

import pytest

from client.commands.verify import main
from protocol.archive import load
from protocol.common.hindsight import Hindsight
from protocol.common.text import Text
from protocol.games.first_edition import events as fe
from server.games.first_edition import hindsight
from server.kernel.hindsight import look_back
from server.packs.shelf import PackShelf
from tests.games.first_edition.outing_games import file_for, records
from tests.games.first_edition.outing_pack import BY_THE_LAKE, TURNED_ROUND, outing

pytestmark = pytest.mark.issue(41)
rule = pytest.mark.rule

LAKE, VOTED = (BY_THE_LAKE, 0, 2), (TURNED_ROUND, 2, 5)


def verified(
    log: tuple[str, int, int], folder: Path, capsys: pytest.CaptureFixture[str]
) -> dict[str, Any]:
    """Return what `manse verify --json` tells of a game."""
    path = folder / "outing.manse"
    path.write_bytes(file_for(*log))
    assert main(["--json", str(path)]) == 0
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    return told


def sealed_in(part: list[dict[str, Any]], kind: str) -> list[str]:
    return [one["value"] for one in part if one["sealed_in"] == kind]


def of_kind(log: tuple[str, int, int], kind: type) -> list[Any]:
    return [one.event for one in records(*log) if isinstance(one.event, kind)]


@rule("W-SECRET-6", "W-DECIDE-47")
def test_verify_lists_the_vote_and_the_objective_that_it_gave(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = verified(VOTED, tmp_path, capsys)
    (counted,) = of_kind(VOTED, fe.VoteCounted)
    (goal,) = of_kind(VOTED, fe.ObjectiveRevealed)

    assert sealed_in(told["unshown"], "fe/vote_counted") == [
        str((("aim", counted.answers.value["aim"]),))
    ]
    assert sealed_in(told["opened"], "fe/objective_set") == [goal.objective]


@rule("W-SECRET-3", "W-SECRET-4", "W-KACTION-1")
def test_verify_lists_each_hidden_action_as_shown_or_as_never_used(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = verified(LAKE, tmp_path, capsys)
    shown = [one.action.card for one in of_kind(LAKE, fe.ActionShown)]
    laid = [one.action.value.card for one in of_kind(LAKE, fe.ActionLaid)]

    for part, cards in (("opened", shown), ("unshown", [one for one in laid if one not in shown])):
        assert cards
        found = sealed_in(told[part], "fe/action_laid")
        assert sorted(value.split("'")[1] for value in found) == sorted(cards)


@rule("W-SECRET-9", "W-SECRET-10", "W-SECRET-11")
def test_a_card_that_was_turned_up_is_not_listed_as_never_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tales are opened; a card of the story is turned up by the handle with which it lies there."""
    told = verified(LAKE, tmp_path, capsys)
    dealt, turned = of_kind(LAKE, fe.StoryCardDealt), of_kind(LAKE, fe.StoryCardShown)
    tales, heard = of_kind(LAKE, fe.TaleLaid), of_kind(LAKE, fe.TaleTold)

    left = [one.card.value for one in dealt if one.handle not in {t.handle for t in turned}]
    assert turned
    assert sealed_in(told["unshown"], "fe/story_card_dealt") == left
    assert sealed_in(told["opened"], "fe/tale_laid") == [one.card for one in heard]
    assert len(sealed_in(told["unshown"], "fe/tale_laid")) == len(tales) - len(heard)


@rule("W-SECRET-1", "W-SECRET-2")
def test_pits_are_checked_by_their_shuffles_and_sealed_nowhere_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    told = verified(LAKE, tmp_path, capsys)

    assert of_kind(LAKE, fe.PitTriggered)
    assert not [
        one for part in ("opened", "unshown") for one in told[part] if "pit/" in one["value"]
    ]
    assert "laws" in told["checked"]


# Looking back


@functools.cache
def known(log: tuple[str, int, int]) -> tuple[Hindsight, ...]:
    shelf = PackShelf()
    shelf.add(outing())
    return look_back(load(file_for(*log)), shelf)


def said(log: tuple[str, int, int], subject: str) -> list[tuple[int, tuple[object, ...]]]:
    found = [one for one in known(log) if one.text.subject == subject]
    return [(one.sequence, one.text.params) for one in found]


@rule("W-SECRET-6", "W-DECIDE-47")
def test_hindsight_tells_the_choice_of_the_investigators_where_it_was_sealed() -> None:
    (counted,) = [one for one in records(*VOTED) if isinstance(one.event, fe.VoteCounted)]
    option = counted.event.answers.value["aim"]  # type: ignore[attr-defined]  # VoteCounted

    chosen = (Text("turned-round/aim"), Text(f"turned-round/{option}"))
    assert said(VOTED, "hindsight/vote") == [(counted.sequence, chosen)]
    assert [who for _, (who, *_) in said(VOTED, "hindsight/answer")] == [Text("turned-round/hour")]


@rule("W-SECRET-3", "W-DECIDE-44")
def test_hindsight_tells_which_hidden_actions_the_keeper_took() -> None:
    laid = [one.action.value.card for one in of_kind(LAKE, fe.ActionLaid)]

    ((_, (listed,)),) = said(LAKE, "hindsight/hidden_actions")
    assert all(card in repr(listed) for card in laid)


@rule("W-SECRET-6", "W-EX-23")
def test_a_vote_counts_among_the_answers_that_still_fitted_until_the_objective_is_revealed() -> (
    None
):
    story = outing().scenarios[TURNED_ROUND]
    numbers = [one.text.params for one in known(VOTED) if one.kind == hindsight.ANSWERS]

    assert numbers[0][1:] == (len(story.answer_sets()), len(story.objectives))
    assert numbers[-1][2] == 1
