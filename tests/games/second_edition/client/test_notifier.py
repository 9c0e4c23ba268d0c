"""Notifier: it calls a player who looks elsewhere by the terminal's title and bell."""

import attrs
import pytest
from prompt_toolkit.output import DummyOutput

from client.journal.journal import Journal
from client.model.model import ClientModel
from client.model.status import Disconnected
from client.screens.base.screen import Desk
from client.settings.preferences import Preferences
from client.terminal.notifier import MAX_TITLE, Notifier, title_of
from protocol.common import events
from protocol.common.asks import Choice, Question, Settle
from protocol.common.text import Text
from protocol.event import CLOCK, hidden
from tests.games.second_edition.client.scripted import (
    ANN,
    Script,
    action_question,
    agreeing,
    asked,
    lobby,
    playing,
)
from tests.games.second_edition.client.stage import OnStage, RecordingPort, model_of, play


class Terminal(DummyOutput):
    """Output that records titles and counts bells."""

    def __init__(self) -> None:
        self.titles: list[str] = []
        self.bells = 0

    def set_title(self, title: str) -> None:
        self.titles.append(title)

    def bell(self) -> None:
        self.bells += 1


@attrs.define(eq=False)
class Called:
    """Player with a notifier."""

    script: Script
    model: ClientModel
    notifier: Notifier
    terminal: Terminal

    def come(self) -> None:
        """Receive new records, and notify."""
        view = self.model.view
        assert view is not None
        view.receive(self.script.cuts(view.seat, view.last + 1))
        self.notifier.update()

    def ask(self, *seats: int, settle: Settle = Settle.ANY_ONE) -> None:
        choices = (Choice("1.0", Text("choice/end")), Choice("1.1", Text("choice/search")))
        question = Question(Text("goal"), choices)
        self.script.ask(dict.fromkeys(seats, question), about=Text("goal"), settle=settle)
        self.come()

    def settle(self) -> None:
        """End the open question, and receive the records of its end."""
        ask = self.script.table.room.ask
        assert ask is not None
        self.script.emit(events.Settled(ask.ask_id))
        self.come()


def call(script: Script, seat: int | None = 0, *, bell: bool = True, title: bool = True) -> Called:
    """Return a player who has just come to a table."""
    model = model_of(script, seat=seat)
    desk = Desk(model, RecordingPort(), Journal(lambda: model.speaker))
    desk.prefs = Preferences(bell=bell, title=title)
    terminal = Terminal()
    notifier = Notifier(desk, terminal)
    notifier.update()
    return Called(script, model, notifier, terminal)


# The title ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("script", "seat", "title"),
    [
        (asked(), 0, "Manse: your turn (Round 2)"),
        (asked(), 1, "Manse: waiting for Ann"),
        (asked(), None, "Manse: waiting for Ann"),
        (agreeing(), 1, "Manse: waiting for Ann"),
        (playing(), 0, "Manse"),
        (lobby(), 0, "Manse"),
    ],
)
def test_the_title_says_whose_turn_it_is(script: Script, seat: int | None, title: str) -> None:
    """A player who has voted waits for the others."""
    assert call(script, seat).terminal.titles == [title]


def test_the_title_says_that_the_line_is_lost() -> None:
    called = call(asked())

    called.model.status = Disconnected(3.0, "lost")
    called.notifier.update()

    assert called.terminal.titles[-1] == "Manse: no connection"


def test_a_seat_that_was_lost_has_no_turn() -> None:
    called = call(asked())
    called.model.key = b"other" * 6

    assert title_of(called.model) == "Manse: waiting for Ann"
    assert called.model.key != ANN


def test_the_title_is_written_once() -> None:
    called = call(asked())

    for _ in range(3):
        called.notifier.update()

    assert len(called.terminal.titles) == 1


def test_the_title_is_taken_back_at_the_end() -> None:
    called = call(asked())
    called.notifier.end()
    assert called.terminal.titles == ["Manse: your turn (Round 2)", ""]

    assert call(asked(), title=False).terminal.titles == []


def test_it_is_taken_back_when_it_is_switched_off() -> None:
    called = call(asked())

    called.notifier.desk.prefs = Preferences(title=False)
    called.notifier.update()

    assert called.terminal.titles[-1] == ""


def test_a_title_is_printable_and_not_too_long() -> None:
    name = "\x1b]0;owned\x07\x9b2J" + "n" * 20
    model = model_of(asked((name, "Bob")), seat=1)

    title = title_of(model)

    assert title.isprintable()
    assert title.startswith("Manse: waiting for ?]0;owned??2J")
    assert len(title) <= MAX_TITLE


# The bell ----------------------------------------------------------------------------------


def test_the_bell_rings_where_a_question_becomes_mine() -> None:
    called = call(asked(), 1)
    called.settle()
    assert called.terminal.bells == 0

    called.ask(1)

    assert called.terminal.bells == 1


def test_the_bell_rings_for_the_first_question_of_a_game() -> None:
    called = call(playing())

    called.ask(0)

    assert called.terminal.bells == 1


def test_the_bell_does_not_ring_between_my_own_questions() -> None:
    called = call(asked())

    called.settle()
    called.ask(0)

    assert called.terminal.bells == 0


def test_the_bell_does_not_ring_where_one_is_wanted_not_at_all() -> None:
    """The bell is off by default."""
    called = call(playing(), bell=Preferences().bell)

    called.ask(0)

    assert called.terminal.bells == 0


def test_the_bell_rings_once_for_a_vote() -> None:
    called = call(playing())
    called.ask(0, 1, settle=Settle.AGREE)
    assert called.terminal.bells == 1

    for seat, choice in ((1, "1.0"), (0, "1.1"), (1, "1.1")):
        called.script.emit(events.Voted(seat, 0, (choice,)), origin=seat)
        called.come()

    assert called.terminal.bells == 1


def test_whoever_has_voted_is_called_again_where_the_votes_differ() -> None:
    """Nothing goes on until somebody changes their vote."""
    called = call(playing())
    called.ask(0, 1, settle=Settle.AGREE)
    called.script.emit(events.Voted(0, 0, ("1.0",)), origin=0)
    called.come()
    assert "waiting for Bob" in called.terminal.titles[-1]

    called.script.emit(events.Voted(1, 0, ("1.1",)), origin=1)
    called.come()

    assert "your turn" in called.terminal.titles[-1]
    assert called.terminal.bells == 2


def test_whoever_waited_for_others_is_called_again() -> None:
    called = call(playing())
    called.ask(0, 1, settle=Settle.EACH)
    called.script.emit(events.Answered(0, 0, hidden(("1.0",))), origin=0)
    called.come()
    called.settle()

    called.ask(0)

    assert called.terminal.bells == 2


def test_coming_to_a_table_rings_nothing() -> None:
    script = asked()
    called = call(script)
    assert called.terminal.bells == 0

    called.settle()
    called.script.ask({1: action_question()}, about=Text("goal"))
    called.model.update_table(next_sequence=len(script.stored) + 2)
    called.come()
    called.settle()
    called.ask(0)
    assert called.terminal.bells == 0

    called.script.emit(events.PresenceChanged(1, is_present=False))
    called.come()
    assert called.terminal.bells == 0


def test_a_question_that_came_while_the_line_was_lost_rings() -> None:
    called = call(asked(), 1)
    called.settle()
    called.script.ask({1: action_question()}, about=Text("goal"))
    called.model.update_table(next_sequence=len(called.script.stored))
    called.notifier.update()
    assert called.terminal.bells == 0

    called.come()

    assert called.terminal.bells == 1


def test_a_game_that_is_resumed_calls_whoever_is_asked() -> None:
    called = call(asked())
    called.script.emit(events.PausedSet(is_paused=True), origin=CLOCK)
    called.come()
    assert called.terminal.titles[-1] == "Manse: the game is paused"

    called.script.emit(events.PausedSet(is_paused=False))
    called.come()

    assert called.terminal.bells == 1


# On the terminal ---------------------------------------------------------------------------


def test_the_real_terminal_is_called_and_left_as_it_was() -> None:
    script = playing()
    model = model_of(script)

    async def look(stage: OnStage) -> None:
        stage.terminal.ui.desk.prefs = Preferences(bell=True)
        script.ask({0: action_question()}, about=Text("goal"))
        assert model.view is not None
        model.pass_steps(model.view.receive(script.cuts(0, model.view.last + 1)))
        model.changed()
        await stage.settle()

    raw = play(model, look).raw

    assert raw.index("\x1b]2;Manse\x07") < raw.index("\x1b[?1049h")
    assert "\x1b]2;Manse: your turn (Round 2)\x07" in raw
    assert raw.replace("\x1b]2;", "").count("\x07") == raw.count("\x1b]2;") + 1
    assert raw.rindex("\x1b]2;\x07") > raw.rindex("\x1b]2;Manse")
