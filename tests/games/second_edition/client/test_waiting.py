"""Waiting: how long a question has been open, how much time is left, and who has answered."""

import attrs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.journal.journal import Journal
from client.model.model import ClientModel
from client.model.tables import TableView
from client.model.waiting import Watch, pace_of, span_left, span_since
from client.plain.words import waiting_line
from client.screens.base.screen import Desk
from client.screens.ui import Ui
from protocol.common import events
from protocol.common.asks import Choice, Question, Settle
from protocol.common.table import OpenTimer, Settings
from protocol.common.text import Text
from protocol.event import CLOCK, hidden
from tests.games.second_edition.client.scripted import (
    ROOM,
    Script,
    action_question,
    agreeing,
    asked,
    playing,
)
from tests.games.second_edition.client.stage import RecordingPort, model_of

START = 100.0
"""Initial time on the client's clock, in seconds."""


@attrs.define
class Clock:
    """Clock that a test sets."""

    time: float = START

    def __call__(self) -> float:
        return self.time


@attrs.define(eq=False)
class Seen:
    """Screen of a player with a manual clock."""

    script: Script
    clock: Clock
    model: ClientModel
    ui: Ui

    def come(self) -> None:
        view = self.model.view
        assert view is not None
        self.model.pass_steps(view.receive(self.script.cuts(view.seat, view.last + 1)))

    def text(self, rows: int = 24, columns: int = 80) -> str:
        return self.ui.draw(rows, columns).plain()

    def title(self, columns: int = 80) -> str:
        """Return the title line above the question."""
        lines = self.text(columns=columns).split("\n")
        at = next(n for n, line in enumerate(lines[2:], 2) if line.startswith(("─ ", "- ")))
        return lines[at].split("│")[0].strip("─- ")

    @property
    def due(self) -> float | None:
        """Seconds until the last drawing is out of date."""
        return self.ui.desk.due


def see(script: Script, seat: int | None = 1, *, language: str = "en") -> Seen:
    """Return the screen of a player who has just come to a table."""
    clock = Clock()
    model = model_of(script, seat=seat, language=language)
    desk = Desk(model, RecordingPort(), Journal(lambda: model.speaker))
    desk.now = clock
    desk.watch.begin(model.view)
    model.followers.append(desk.watch)
    return Seen(script, clock, model, Ui(desk))


def limited(seconds: int) -> Script:
    """Return a game with a time limit, in which seat 0 is asked for an action."""
    script = playing()
    script.table = script.table.with_room(settings=Settings(time_limit_seconds=seconds))
    script.ask({0: action_question()}, about=Text("ask/action", ("investigator/ada", 2)))
    return script


def limited_view(seen: Seen, seconds: int) -> None:
    """Set the time limit on the client's table."""
    view = seen.model.view
    assert view is not None
    view.table = view.table.with_room(settings=Settings(time_limit_seconds=seconds))


# Lengths of time ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seconds", "count", "unit", "changes_in"),
    [
        (0.0, 0, "seconds", 5.0),
        (4.9, 0, "seconds", 0.1),
        (5.0, 5, "seconds", 5.0),
        (59.0, 55, "seconds", 1.0),
        (60.0, 1, "minutes", 60.0),
        (3599.0, 59, "minutes", 1.0),
        (7200.0, 2, "hours", 3600.0),
        (90000.0, 1, "days", 82800.0),
    ],
)
def test_what_has_passed_is_rounded_down(
    seconds: float, count: int, unit: str, changes_in: float
) -> None:
    span = span_since(seconds)

    assert (span.count, span.unit) == (count, unit)
    assert span.changes_in == pytest.approx(changes_in)


@pytest.mark.parametrize(
    ("seconds", "count", "unit", "changes_in"),
    [
        (90.0, 2, "minutes", 30.0),
        (60.0, 60, "seconds", 5.0),
        (43.0, 45, "seconds", 3.0),
        (10.5, 15, "seconds", 0.5),
        (10.0, 10, "seconds", 1.0),
        (0.5, 1, "seconds", 0.5),
        (7300.0, 3, "hours", 100.0),
    ],
)
def test_what_is_left_is_rounded_up(
    seconds: float, count: int, unit: str, changes_in: float
) -> None:
    """Players are never told of less time than they have."""
    span = span_left(seconds)

    assert (span.count, span.unit) == (count, unit)
    assert span.changes_in == pytest.approx(changes_in)


def test_nothing_is_left_for_ever() -> None:
    assert (span_left(0.0).count, span_left(-3.0).changes_in) == (0, None)


@given(st.floats(0, 10 * 86400))
def test_a_length_of_time_changes_when_it_says(seconds: float) -> None:
    since, left = span_since(seconds), span_left(seconds)

    assert since.changes_in is not None
    assert since.changes_in > 0
    assert span_since(seconds + since.changes_in + 0.01).count != since.count
    if left.changes_in is not None and left.changes_in < seconds:
        assert left.changes_in > 0
        after = span_left(seconds - left.changes_in - 0.01)
        assert (after.count, after.unit) != (left.count, left.unit)


# The server's clock ------------------------------------------------------------------------


def test_since_when_is_known_by_the_records_that_come_live() -> None:
    """The clock of the client is never compared with the server's."""
    seen = see(playing())
    seen.clock.time += 1000
    seen.script.time += 1_000_000
    seen.script.ask({0: action_question()}, about=Text("ask/action"))
    seen.come()

    seen.clock.time += 130

    assert "Waiting for Ann, 2 min" in seen.title()
    assert seen.due == pytest.approx(50.0)


def test_since_when_is_known_by_later_records_of_what_was_caught_up() -> None:
    """The record of the player's own arrival is four minutes after the question."""
    script = asked()
    script.time += 240_000
    script.emit(
        events.PresenceChanged(1, is_present=False), events.PresenceChanged(1, is_present=True)
    )

    assert "Waiting for Ann, 4 min" in see(script).title()


def test_an_older_record_does_not_set_the_clock_back() -> None:
    watch = Watch(Clock())
    script = asked()
    view = TableView(ROOM, 1)
    steps = view.receive(script.cuts(1))
    watch.followed(view, steps)
    watch.now = Clock(START + 60)
    watch.followed(view, steps[:3])

    assert watch.waited(view) == pytest.approx(60.0)


def test_of_another_table_nothing_is_known_yet() -> None:
    """The other table may be on a server with a different clock."""
    watch = Watch(Clock())
    view = TableView(ROOM, 1)
    watch.followed(view, view.receive(asked().cuts(1)))
    watch.followed(view, ())
    watch.now = Clock(START + 60)

    assert watch.waited(view) == 0


# The rule above the question ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("seconds", "title"),
    [(0, "Waiting for Ann"), (7, "Waiting for Ann, 5 s"), (3600, "Waiting for Ann, 1 hour")],
)
def test_it_says_who_is_waited_for_and_since_when(seconds: float, title: str) -> None:
    seen = see(asked())

    seen.clock.time += seconds

    assert seen.title() == title


def test_who_is_away_is_said_there() -> None:
    script = asked()
    script.emit(events.PresenceChanged(0, is_present=False))

    assert see(script).title() == "Waiting for Ann (away)"


def test_many_names_give_way_to_their_number() -> None:
    seen = see(asked(("Anastasia the Third of that Name", "Ben")))
    seen.clock.time += 300

    assert seen.title(60) == "Waiting for 1 person, 5 min"
    assert "Waiting for Anastasia" in seen.text()


def test_whoever_is_asked_sees_the_minutes_they_think() -> None:
    seen = see(asked(), 0)
    seen.clock.time += 30
    assert seen.title() == "Your choice"

    seen.clock.time += 90

    assert seen.title() == "Your choice, 2 min"


@pytest.mark.parametrize(
    ("seconds", "title", "due"),
    [
        (0, "Your choice ─ 2 min left", 60.0),
        (61, "Your choice, 1 min ─ 60 s left", 4.0),
        (111, "Your choice, 1 min ─ 9 s left", 1.0),
        (130, "Your choice, 2 min ─ 0 s left", 50.0),
    ],
)
def test_a_time_limit_is_counted_down(seconds: float, title: str, due: float) -> None:
    seen = see(limited(120), 0)
    limited_view(seen, 120)
    seen.clock.time += seconds

    assert seen.title() == title
    assert seen.due == pytest.approx(due)


@pytest.mark.issue(41)
def test_in_french_the_nickname_of_a_player_keeps_its_article() -> None:
    table = asked(("Le Chat", "Les Deux")).table
    speaker = model_of(None, language="fr").speaker

    assert speaker.say("pane.waiting_for", speaker.awaited(table)) == "On attend Le Chat"
    assert speaker.place(table, 0) == "la place de Le Chat"
    assert speaker.say("question.voting", speaker.seats(table, (1, 0))).endswith(
        "encore\N{NO-BREAK SPACE}: Les Deux, Le Chat."
    )


def test_the_name_of_a_timer_has_no_full_stop_before_its_colon() -> None:
    """Some are a sentence that is read elsewhere, too."""
    seen = see(asked(), 0)
    view = seen.model.view
    assert view is not None
    assert view.table.room.ask is not None
    view.table = view.table.with_room(
        ask=attrs.evolve(view.table.room.ask, timer=0),
        timer=OpenTimer(0, Text("monster/tallyman"), 60),
    )

    assert " Counts what is owed: " in seen.title(200)


def test_a_game_that_stands_still_has_no_limit() -> None:
    script = limited(120)
    script.emit(events.PausedSet(is_paused=True), origin=CLOCK)
    seen = see(script)
    limited_view(seen, 120)

    view = seen.model.view
    assert view is not None
    assert pace_of(seen.ui.desk.watch, view, is_asked=False).left is None


def test_time_without_a_server_does_not_count() -> None:
    script = limited(120)
    script.time += 600_000
    script.emit(events.PresenceChanged(1, is_present=False), origin=CLOCK)
    seen = see(script, 0)
    limited_view(seen, 120)
    seen.clock.time += 30

    view = seen.model.view
    assert view is not None
    assert seen.ui.desk.watch.left(view) == pytest.approx(90.0)


def test_nothing_ticks_where_nobody_is_asked() -> None:
    seen = see(playing())

    seen.text()

    assert seen.due is None


def test_the_wait_is_told_in_french() -> None:
    seen = see(asked(), language="fr")
    seen.clock.time += 130

    assert seen.title() == "On attend Ann, 2 min"


# Who has answered --------------------------------------------------------------------------


def each_asked() -> Script:
    """Return a game in which both seats are asked at once and answer separately."""
    script = playing()
    question = Question(Text("story/prologue"), (Choice("4.0", Text("choice/end")),))
    script.ask({0: question, 1: question}, about=Text("goal"), settle=Settle.EACH)
    return script


@pytest.mark.issue(38)
@pytest.mark.parametrize("seat", [1, None])
def test_the_words_to_another_player_are_not_said_to_who_waits(seat: int | None) -> None:
    """They say "you" to that player."""
    script = playing()
    about = Text("ask/items", ("item/lantern",))
    script.ask({0: Question(about, (Choice("4.0", Text("choice/end")),))}, about=about)
    model = model_of(script, seat=seat)
    asks = model.speaker.text(about)
    assert asks.endswith("?")
    assert model.view is not None

    assert asks not in see(script, seat).text()
    assert waiting_line(model.speaker, model.view) == "Waiting for Ann."


def test_who_has_answered_already_is_said_to_who_waits() -> None:
    script = each_asked()
    script.emit(events.Answered(1, 0, hidden(("4.0",))), origin=1)

    text = see(script, 1).text()

    assert "Waiting for Ann" in text
    assert "Answered already: Bob." in text
    assert "Close the sluice gate" in text


def test_who_has_voted_already_is_said_to_who_looks_on() -> None:
    """A spectator has no question that would show the votes."""
    script = agreeing()
    script.emit(events.Voted(1, 0, ("9.0",)), origin=1)

    assert "Voted already: Bob." in see(script, None).text()


def test_where_nobody_has_answered_nothing_is_said() -> None:
    assert "already" not in see(asked()).text()
