"""Names: a person whose name is also a subject is shown by that name."""

import pytest

from client.journal.journal import all_lines
from client.journal.markdown import journal_markdown
from client.journal.replay_model import ReplayModel
from client.locale import load
from client.locale.speaker import Speaker
from client.locale.word_store import WordStore
from protocol.common.events import Chatted
from protocol.common.text import Text, subjects_in
from protocol.event import hidden
from protocol.games.second_edition import events as se
from tests.games.second_edition.client.console import Console
from tests.games.second_edition.client.scripted import EN, Script, asked
from tests.games.second_edition.client.stage import OnStage, model_of, play, view_of

pytestmark = pytest.mark.issue(10)

WORDS = {
    **EN,
    "language": {"name": "English", "zero": "many"},
    "story/finds": {"text": "{0} finds it."},
}
TOLD = se.Told(Text("story/finds", ("language",)))
SAID = Chatted(1, hidden(b"hello"))


def words() -> WordStore:
    """Return words as a server sends them, with those of the language before all others."""
    return WordStore(WORDS, "en")


def table() -> Script:
    """Return a game with a player called `language` who chats, and a story told about them."""
    script = asked(("Ann", "language"))
    script.emit(SAID, origin=1)
    script.emit(TOLD)
    return script


def test_the_full_screen_shows_the_name() -> None:
    script = asked(("Ann", "language"))
    model = model_of(script)
    model.words = words()

    async def do(stage: OnStage) -> None:
        stage.stop_clock()
        script.emit(SAID, origin=1)
        script.emit(TOLD)
        await stage.arrive(script)
        assert "language finds it." in stage.text
        stage.time += 1
        await stage.press("enter")
        assert "language: hello" in stage.text
        assert "English" not in stage.text

    play(model, do)


def test_plain_mode_shows_the_name() -> None:
    console = Console(asked(("Ann", "language")))
    console.model.words = words()

    said = "\n".join([*console.go_on(SAID, TOLD), *console.type("seats", "journal")])

    assert "language finds it." in said
    assert "language: hello" in said
    assert "English" not in said


def test_the_replay_shows_the_name() -> None:
    lines = [
        line.text for line in ReplayModel(table().records).journal(Speaker(load("en"), words()))
    ]

    assert lines[-2:] == ["language: hello", "language finds it."]


def test_markdown_shows_the_name() -> None:
    speaker = Speaker(load("en"), words())
    document = journal_markdown(
        list(all_lines(view_of(table(), 0).records, speaker)), "The House", load("en")
    )

    assert "language finds it." in document
    assert "**Said:** language: hello" in document
    assert "English" not in document


def test_a_name_is_no_piece_either() -> None:
    """A piece is named by an id with a slash, or by a bare id together with its kind."""
    assert words().find("language") == {}
    assert words().name("ada", "investigator") == "Ada Lorne"
    assert words().name("investigator/ada") == "Ada Lorne"


def test_the_server_sends_no_words_for_names() -> None:
    """Only strings with a slash and ids of rules are subjects that the server sends words for."""
    assert list(subjects_in(["Ann", "language", "item/lamp", "TURN-2"])) == [
        "item/lamp",
        "rule/turn-2",
    ]
