"""The cursor begins where a slip does no harm, and risky choices are confirmed twice."""

from collections.abc import Callable, Coroutine
from typing import Any

import attrs
import pytest

from client.games.second_edition.ways import way_back
from protocol.common.asks import Choice, Point, Question
from protocol.common.text import Text
from protocol.games.second_edition import events as se
from tests.games.second_edition.client.console import Console
from tests.games.second_edition.client.scripted import Script, action_question, playing
from tests.games.second_edition.client.stage import OnStage, model_of, play

pytestmark = pytest.mark.issue(14)
ADA, VERA = "investigator/ada", "investigator/vera"
Doing = Callable[[OnStage], Coroutine[Any, Any, None]]


def asks(script: Script, question: Question) -> Script:
    script.ask({0: question}, about=Text("ask/action", (ADA, 2)), rule="TURN-2")
    return script


def said(script: Script, doing: Doing) -> list[tuple[object, ...]]:
    """Return the messages sent to the server."""
    return play(model_of(script), doing).port.said


def risky() -> Question:
    """Return a question with one choice that is rarely meant."""
    end = Choice("2.0", Text("choice/end"), group="risk", ends=True)
    return Question(Text("ask/action", (ADA, 2)), (end, Choice("2.1", Text("choice/search"))))


def test_the_cursor_does_not_begin_on_the_way_back() -> None:
    """After a step, a second Enter goes forward instead of back."""
    script = playing()
    script.emit(se.InvestigatorMoved(ADA, "hall/b"), se.InvestigatorMoved(ADA, "hall/c"))

    async def choose(stage: OnStage) -> None:
        await stage.press("enter")

    # The first choice leads to hall/b.
    assert said(asks(script, action_question()), choose) == [("answer", 0, ("1.2",))]


def test_what_ends_comes_before_the_way_back() -> None:
    """Ending a turn has to be confirmed twice, so the cursor may begin on it."""
    script = playing()
    script.emit(se.InvestigatorMoved(ADA, "hall/b"), se.InvestigatorMoved(ADA, "hall/c"))
    question = action_question()
    stop = Choice("2.0", Text("choice/stop"), ends=True)
    few = attrs.evolve(question, choices=(question.choices[1], stop))

    async def choose(stage: OnStage) -> None:
        await stage.press("enter")

    assert said(asks(script, few), choose) == [("answer", 0, ("2.0",))]


def test_where_there_is_but_the_way_back_the_cursor_is_there() -> None:
    script = playing()
    script.emit(se.InvestigatorMoved(ADA, "hall/b"), se.InvestigatorMoved(ADA, "hall/c"))
    question = action_question()
    only = attrs.evolve(question, choices=question.choices[1:2])

    async def choose(stage: OnStage) -> None:
        await stage.press("enter")

    assert said(asks(script, only), choose) == [("answer", 0, ("1.1",))]


@pytest.mark.parametrize(
    ("moves", "back"),
    [
        ((), None),
        ((se.InvestigatorMoved(ADA, "hall/b"),), "hall/a"),
        ((se.InvestigatorMoved(ADA, "hall/b"), se.InvestigatorMoved(ADA, "hall/a")), "hall/b"),
        ((se.InvestigatorMoved(ADA, "hall/b"), se.InvestigatorMoved(VERA, "hall/c")), "hall/b"),
        ((se.InvestigatorMoved(ADA, "hall/b"), se.TurnEnded(ADA)), None),
    ],
)
def test_the_way_back_is_where_the_last_to_move_came_from(
    moves: tuple[se.SecondEditionEvent, ...], back: str | None
) -> None:
    script = playing()
    script.emit(*moves)

    points = frozenset() if back is None else frozenset({Point("space", back)})
    assert way_back(script.records) == points


def test_what_is_hardly_ever_meant_is_confirmed_twice() -> None:

    async def choose(stage: OnStage) -> None:
        await stage.press("up", "enter")
        assert stage.port.said == []
        assert "Are you sure? Enter once more does it." in stage.text
        await stage.press("enter")

    assert said(asks(playing(), risky()), choose) == [("answer", 0, ("2.0",))]


def test_whoever_goes_elsewhere_is_asked_again() -> None:
    """A second Enter counts only on the same choice."""

    async def choose(stage: OnStage) -> None:
        await stage.press("up", "enter", "up", "down", "enter")

    assert said(asks(playing(), risky()), choose) == []


def test_anything_else_is_sent_at_once() -> None:

    async def choose(stage: OnStage) -> None:
        await stage.press("enter")

    assert said(asks(playing(), risky()), choose) == [("answer", 0, ("2.1",))]


def test_plain_mode_asks_twice_too() -> None:
    console = Console(asks(playing(), risky()))

    assert console.type("End the turn") == [
        "Are you sure? End the turn. Say it once more to do it."
    ]
    assert console.port.said == []
    console.type("2")
    assert console.port.said == [("answer", 0, ("2.0",))]
