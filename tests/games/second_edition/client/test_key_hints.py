"""Key hints in the bottom line: what keys do at the cursor, and nothing they do not do."""

import pytest

from client.model.model import ClientModel
from protocol import messages
from protocol.common.events import CharactersClaimed, ReadySet
from protocol.common.text import Text
from protocol.games.second_edition import events as se
from tests.games.second_edition.client.scripted import (
    ROOM,
    action_question,
    agreeing,
    asked,
    coding,
    lobby,
    playing,
    rerolling,
)
from tests.games.second_edition.client.stage import OnStage, model_of, play


def foot_after(model: ClientModel, *keys: str, rows: int = 24, columns: int = 120) -> str:
    """Return the bottom line after pressing these keys."""
    seen: list[str] = []

    async def look(stage: OnStage) -> None:
        await stage.press(*keys)
        seen.append(stage.text.splitlines()[-1])

    play(model, look, rows=rows, columns=columns)
    return seen[0]


def test_enter_opens_the_table_at_a_scenario_and_changes_a_setting() -> None:
    model = model_of(None, is_lobby=True)
    assert "Enter open the table" in foot_after(model, "n")
    foot = foot_after(model_of(None, is_lobby=True), "n", "tab")
    assert "Enter change" in foot
    assert "open the table" not in foot


def test_enter_is_not_offered_before_enough_is_marked() -> None:
    assert "Enter" not in foot_after(model_of(coding()), "1")
    assert "Enter done" in foot_after(model_of(coding()), "1", "1", "1")


def test_where_none_is_an_answer_the_foot_and_the_question_say_so() -> None:
    """Players would otherwise take the mark of the cursor for a chosen answer."""
    seen: list[str] = []

    async def look(stage: OnStage) -> None:
        seen.append(stage.text)
        await stage.press("enter")
        assert stage.port.said == []
        assert "! Nothing is marked." in stage.text
        await stage.press("down", "enter")
        assert stage.port.said == []
        await stage.press("enter")

    assert play(model_of(rerolling()), look, columns=120).port.said == [("answer", 0, ())]
    assert "Enter none" in seen[0]
    assert "Mark up to 2 with Space, or press Enter twice for none." in seen[0]


def test_an_answer_on_its_way_is_not_given_again() -> None:
    model = model_of(asked())
    model.sent = {1: messages.Answer(1, ROOM, 0, ("1.1",))}
    assert "Enter" not in foot_after(model)


def test_where_all_must_agree_enter_votes() -> None:
    assert "Enter vote" in foot_after(model_of(agreeing()))


def test_the_last_page_of_a_story_is_closed() -> None:
    script = asked()
    script.emit(se.Told(Text("epilogue")))
    seen: list[str] = []

    async def look(stage: OnStage) -> None:
        stage.stop_clock()
        await stage.press("t")
        seen.append(stage.text.splitlines()[-1])

    play(model_of(script), look)
    assert "Enter close" in seen[0]


@pytest.mark.parametrize(("seat", "said"), [(0, "Space put back"), (1, "")])
def test_who_is_chosen_can_be_put_back_and_who_is_taken_not_chosen(seat: int, said: str) -> None:
    script = lobby()
    script.emit(CharactersClaimed(seat, ("investigator/ada",)), origin=seat)
    foot = foot_after(model_of(script), columns=200)
    assert said in foot
    assert ("Space" in foot) == bool(said)
    assert "Enter choose" in foot_after(model_of(lobby()), "down", columns=200)


@pytest.mark.parametrize("rows", [24, 40])
def test_what_the_host_fixed_is_not_changed(rows: int) -> None:
    foot = foot_after(model_of(asked()), "e", "up", rows=rows)
    assert "Enter" not in foot
    assert "Esc close" in foot


def test_a_table_is_ready_and_begun_once_it_can_be() -> None:
    """The hints for ready and start appear only once the server would accept them."""
    alone = lobby(("Ann",))
    foot = foot_after(model_of(alone), columns=200)
    assert "Enter ready" not in foot
    assert "Enter start" not in foot

    alone.emit(CharactersClaimed(0, ("investigator/ada", "investigator/amos")), origin=0)
    foot = foot_after(model_of(alone), columns=200)
    assert "Enter ready" in foot
    assert "start" not in foot

    alone.emit(ReadySet(0, is_ready=True), origin=0)
    foot = foot_after(model_of(alone), columns=200)
    assert "r not ready" in foot
    assert "Enter start" in foot


def test_what_made_no_sense_before_is_not_said_of_the_next_question() -> None:
    script = playing()

    async def do(stage: OnStage) -> None:
        await stage.press("enter")
        assert "You are not asked" in stage.text, stage.text
        script.ask({0: action_question()}, about=Text("ask/action", ("investigator/ada", 2)))
        await stage.arrive(script)
        assert "You are not asked" not in stage.text

    play(model_of(script), do)
