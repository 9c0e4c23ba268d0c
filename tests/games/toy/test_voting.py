"""Votes and rows of questions at a whole table: on the screen and in plain mode."""

import pytest

from protocol.common.table import OpenAsk
from tests.games.every import Evening
from tests.games.toy.test_passing import at_card, room, weather
from tests.kit.tables.toy_table import BidsShown

pytestmark = pytest.mark.issue(11)


def ask_of(evening: Evening) -> OpenAsk:
    ask = room(evening).ask
    assert ask is not None
    return ask


def press(evening: Evening, *keys: str) -> None:
    """Press keys at Ann's screen, drawing before each."""
    for key in keys:
        evening.ui.draw(24, 80)
        evening.ui.press(key)
        evening.house.settle(0.1)


def hear(evening: Evening, *lines: str) -> str:
    """Type lines as Ben; return what is printed."""
    before = len(evening.printed)
    for line in lines:
        evening.plain.hear(line)
        evening.house.settle(0.1)
    return "\n".join(evening.printed[before:])


def screen(evening: Evening) -> str:
    return evening.ui.draw(24, 80).plain()


def test_a_majority_is_voted_for(monkeypatch: pytest.MonkeyPatch) -> None:
    evening = at_card("poll", monkeypatch)
    assert "Your vote: a majority decides" in screen(evening)
    assert "A majority decides; you may vote again until it does." in evening.printed

    told = hear(evening, "2")
    assert "Ben votes for: Weather: hail" in told
    assert "<- Ben" in screen(evening)
    press(evening, "2", "enter")

    assert weather(evening) == "hail"


def test_hidden_votes_are_shown_once_all_are_in(monkeypatch: pytest.MonkeyPatch) -> None:
    evening = at_card("urn", monkeypatch)
    assert "Your secret vote: a majority decides" in screen(evening)
    assert any("You vote once" in line for line in evening.printed)

    hear(evening, "2")
    assert "votes for" not in screen(evening)
    assert "<- Ben" not in screen(evening)
    press(evening, "2", "enter")

    assert weather(evening) == "hail"
    assert "Ben votes for: Weather: hail" in "\n".join(evening.printed)


def test_a_list_is_voted_for(monkeypatch: pytest.MonkeyPatch) -> None:
    evening = at_card("march", monkeypatch)

    told = hear(evening, "3 1")
    assert "Ben votes for: Weather: rain, Weather: fog" in told
    assert "Weather: fog  <- Ben 2" in screen(evening)
    press(evening, "3", " ", "1", " ", "enter")

    assert weather(evening) == "fog"


def bids(evening: Evening) -> dict[int, str]:
    """Return the choices that were shown for a row of questions, by seat."""
    view = evening.ann.model.view
    assert view is not None
    [shown] = [r.event for r in view.records if isinstance(r.event, BidsShown)]
    return dict(shown.bids)


def test_a_row_of_questions_is_answered_in_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is sent before the last answer."""
    evening = at_card("packing", monkeypatch)
    assert "Question 1 of 2; your answers are sent together after the last." in evening.printed

    assert "Question 2 of 2" in hear(evening, "2")
    assert ask_of(evening).answered == ()
    hear(evening, "3 1")

    assert ask_of(evening).answered == (1,)
    press(evening, "1", "enter", "enter", "enter")
    assert bids(evening)[1] == "stake/fox/1+fog+rain"


def test_a_row_of_questions_is_answered_on_the_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    evening = at_card("packing", monkeypatch)
    assert "Question 1 of 2" in screen(evening)

    press(evening, "2", "enter")
    assert "Question 2 of 2" in screen(evening)
    press(evening, "backspace")
    assert "Question 1 of 2" in screen(evening)
    press(evening, "3", "enter", "4", " ", "enter")

    assert ask_of(evening).answered == (0,)
    hear(evening, "1", "none")
    assert bids(evening)[0] == "stake/bear/2+sun"


def test_a_row_is_gone_back_in_by_typing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The previous question is asked again, and its answer is dropped."""
    evening = at_card("packing", monkeypatch)
    assert "“previous” goes back to the question before." in hear(evening, "2")

    told = hear(evening, "previous")
    assert "Question 1 of 2" in told
    assert "goes back" not in told
    assert ask_of(evening).answered == ()
    hear(evening, "3", "4")

    press(evening, "1", "enter", "enter", "enter")
    assert bids(evening)[1] == "stake/fox/2+sun"


def test_a_later_question_of_a_row_is_printed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    evening = at_card("packing", monkeypatch)
    told = hear(evening, "2")

    again = hear(evening, "question")

    assert again
    assert again.strip() in told


def test_the_first_of_a_row_has_none_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    evening = at_card("packing", monkeypatch)

    assert "there is none before it" in hear(evening, "previous")

    hear(evening, "2", "1")
    assert ask_of(evening).answered == (1,)


def test_the_word_for_going_back_in_a_row_is_there_in_a_row_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked, voted = at_card("packing", monkeypatch), at_card("march", monkeypatch)

    assert ["previous: " in hear(evening, "help") for evening in (asked, voted)] == [True, False]
