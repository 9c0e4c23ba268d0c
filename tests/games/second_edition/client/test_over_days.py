"""Games over days: default answers, and a summary of what was missed."""

import attrs
import pytest

from client.journal.journal import Journal
from client.journal.missed import missed
from client.locale import LANGUAGES
from client.plain.table_news import MOST_SINCE
from client.screens.table.explained import explained
from protocol.common.events import Chatted, PresenceChanged
from protocol.common.table import Settings
from protocol.common.text import Text
from protocol.event import hidden
from protocol.games.second_edition import events as se
from tests.games.second_edition.client.console import Console
from tests.games.second_edition.client.scripted import Script, action_question, playing
from tests.games.second_edition.client.stage import OnStage, model_of, play, view_of

pytestmark = pytest.mark.issue(14)
ADA = "investigator/ada"


def asking(*, seconds: int) -> Script:
    """Return a game that asks for an action and ends the turn after a time limit."""
    script = playing()
    script.table = script.table.with_room(settings=Settings(time_limit_seconds=seconds))
    question = attrs.evolve(action_question(), default=("1.0",))
    script.ask({0: question}, about=Text("ask/action", (ADA, 2)))
    return script


def away(*, returned: bool = False) -> Script:
    """Return a game that Ann left, with events during her absence."""
    script = playing()
    script.emit(PresenceChanged(0, is_present=False))
    script.emit(PresenceChanged(1, is_present=False), PresenceChanged(1, is_present=True))
    script.emit(se.CluesGained("investigator/vera", 1), Chatted(1, hidden(b"See you.")))
    if returned:
        script.emit(PresenceChanged(0, is_present=True))
        script.emit(se.CluesGained("investigator/vera", 1))
    return script


def lines(script: Script) -> list[str]:
    """Return the lines that Ann missed."""
    model = model_of(script)
    journal = Journal(lambda: model.speaker)
    journal.begin(view_of(script))
    return [line.text for line in missed(view_of(script), journal.lines)]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seconds", [0, 3600])
def test_what_is_done_without_an_answer_stands_at_the_question(language: str, seconds: int) -> None:
    script = asking(seconds=seconds)
    model = model_of(script, language=language)
    assert model.view is not None
    model.view.table = script.table
    ask, question = model.view.ask, model.view.my_question()
    wanted = model.speaker.say("question.default", model.speaker.text(Text("choice/end")))

    async def look(stage: OnStage) -> None:
        assert (wanted.replace("\xa0", " ") in stage.text) is bool(seconds)

    play(model, look, rows=40, columns=120)
    told = [text for _, text in explained(model.speaker, ask, question, is_limited=bool(seconds))]
    assert (wanted in told) is bool(seconds)
    assert (model.speaker.say("help.default.about") in told) is bool(seconds)


@pytest.mark.parametrize("returned", [False, True])
def test_what_happened_since_one_left_is_told_once_one_is_back(*, returned: bool) -> None:
    """The summary leaves out arrivals, departures and events witnessed live."""
    assert lines(away(returned=returned)) == ["Vera Sand gains 1 Clue.", "Bob: See you."]


@pytest.mark.parametrize(("language", "said"), [("en", "Since you left"), ("fr", "Depuis")])
@pytest.mark.parametrize("returned", [False, True])
def test_plain_mode_tells_it_at_once_too(language: str, said: str, *, returned: bool) -> None:
    script = away(returned=returned)
    script.ask({0: action_question()}, about=Text("ask/action", (ADA, 2)))

    printed = Console(script, language=language).printed

    (at,) = (at for at, line in enumerate(printed) if line.startswith(said))
    assert "2" in printed[at]
    assert "Vera Sand" in printed[at + 1]
    assert printed[at + 2].endswith("See you.")
    assert sum("Vera Sand" in line and "1" in line for line in printed) == 1


@pytest.mark.parametrize(
    ("count", "shown"), [(MOST_SINCE, MOST_SINCE), (MOST_SINCE + 9, MOST_SINCE)]
)
def test_plain_mode_tells_no_more_of_it_than_can_be_heard(count: int, shown: int) -> None:
    script = playing()
    script.emit(PresenceChanged(0, is_present=False))
    script.emit(*(Chatted(1, hidden(b"Line %d." % at)) for at in range(count)))

    printed = Console(script).printed

    assert sum("Line " in line for line in printed) == shown
    assert any(f"{count} lines" in line for line in printed)
    assert f"Line {count - 1}." in "".join(printed)


def test_who_was_never_away_missed_nothing() -> None:
    script = playing()
    assert lines(script) == []
    script.emit(PresenceChanged(0, is_present=False), PresenceChanged(0, is_present=True))
    assert lines(script) == []


def test_the_key_that_closes_it_answers_nothing_behind_it() -> None:
    """The summary opens by itself, over the open question."""
    script = away(returned=True)
    script.ask({0: action_question()}, about=Text("ask/action", (ADA, 2)))

    async def read(stage: OnStage) -> None:
        stage.stop_clock()
        assert "┌ Since you left" in stage.text
        assert "Vera Sand gains 1 Clue." in stage.text
        await stage.press("enter", "enter", "enter")
        assert "┌ Since you left" not in stage.text
        assert stage.port.said == []
        stage.time += 1
        await stage.press("enter")

    stage = play(model_of(script), read, rows=40, columns=120)
    assert stage.port.said == [("answer", 0, ("1.1",))]
