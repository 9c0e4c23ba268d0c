"""Coach: which lesson comes when, in which words, and a whole tutorial played by keys."""

import re
from importlib import resources

import attrs
import pytest

from client.games.second_edition.lessons import LESSONS
from client.keymap.keys import USUAL, Action, Context
from client.locale import LANGUAGES, load
from client.model.lobby import TUTORIAL
from client.model.model import ClientModel
from client.openings.tutorial import TutorialOpening, parting_of
from client.plain.client import PlainClient
from client.plain.commands import by_name
from client.plain.game_commands import commands_for
from client.plugs.lessons import Glance, Lesson, is_asked, is_ready
from client.teaching.coach import Coach, words_of
from client.text.printable import printable
from content.games.second_edition.loader import load_pack
from content.games.second_edition.schema.pack import Pack
from protocol.common import events
from protocol.common.table import Stage
from protocol.common.text import Text
from protocol.event import hidden
from protocol.games.second_edition import events as se
from tests.games.second_edition.client.console import COMMANDS
from tests.games.second_edition.client.pupil import Pupil
from tests.games.second_edition.client.scripted import (
    Script,
    action_question,
    asked,
    lobby,
    playing,
)
from tests.games.second_edition.client.stage import (
    OnStage,
    RecordingPort,
    model_of,
    play,
    same_screen,
    view_of,
)
from tests.games.second_edition.client.typist import Typist
from tests.games.second_edition.simulate import SeededEntropy
from tests.kit.every_run import first, screens
from tests.kit.servers.house import Client, House

SCENARIO = "tutorial/practice-house"
PLAIN = [lesson for lesson in LESSONS if lesson.has_plain]


@attrs.define(eq=False)
class Taught(House):
    """Server with the tutorial's pack."""

    def beside(self) -> tuple[Pack, ...]:
        return (load_pack(resources.files("content") / "packs" / "second_edition" / "tutorial"),)


def pupil(house: House, language: str = "en", *, is_anew: bool = False) -> Client:
    """Return a client that has run `manse tutorial`."""
    client = house.client("Ann", language=language)
    client.model.locale = load(language)
    client.port.list_tables()
    house.settle()
    TutorialOpening(client.model, client.port, "tutorial", is_anew).begin()
    house.settle()
    return client


def glance(script: Script, context: Context | None = Context.ROOM) -> Glance:
    """Return what the coach sees at a scripted table."""
    return Glance(view_of(script, 0), context)


# Words -------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: str(lesson.name))
def test_every_lesson_has_words(lesson: Lesson, language: str) -> None:
    said = [words_of(lesson, load(language), is_plain=False)]
    if lesson.has_plain:
        said.append(words_of(lesson, load(language), is_plain=True))

    assert [words for words in said if re.search(r"[<{]", words)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_lessons_fit_their_strip(language: str) -> None:
    said = {lesson.name: words_of(lesson, load(language), is_plain=False) for lesson in LESSONS}

    assert {name: len(words) for name, words in said.items() if len(words) > 3 * 74} == {}


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_name_what_there_is(language: str) -> None:
    words = " ".join(
        text for key, text in load(language).templates.items() if key.startswith("coach.")
    )
    bound = {binding.action.value for binding in USUAL.bindings}

    assert set(re.findall(r"\{key\.([a-z_]+)\}", words)) <= bound
    typed = {*COMMANDS, *by_name(commands_for("cards"))}
    assert set(re.findall(r"\{word\.([a-z_]+)\}", words)) <= typed


# When --------------------------------------------------------------------------------------


def test_a_lesson_stays_until_it_was_done() -> None:
    coach = Coach((Lesson("lobby", is_ready, (Action.START,), patience=0),))
    script = lobby()
    script.emit(events.ReadySet(0, is_ready=True))
    at = glance(script, Context.WAITING)

    assert [lesson.name for _ in range(3) if (lesson := coach.lesson_for(at))] == ["lobby"] * 3
    coach.record_action(Action.HELP)
    assert coach.lesson_for(at) is not None
    coach.record_action(Action.START)
    assert coach.lesson_for(at) is None


def test_a_lesson_gives_way_to_an_answer() -> None:
    """A lesson gives way after as many answers as its patience, by default one."""
    script = asked()
    coach = Coach((Lesson("choose", is_asked), Lesson("cards", is_asked, patience=2)))
    names = []
    for _ in range(4):
        lesson = coach.lesson_for(glance(script))
        names.append(lesson.name if lesson is not None else "")
        answer_and_ask_again(script)

    assert names == ["choose", "cards", "cards", ""]


def test_an_interrupted_question_is_not_answered() -> None:
    """It is asked again, with the lesson that it had before."""
    script, coach = asked(), Coach((Lesson("choose", is_asked),))
    assert coach.lesson_for(glance(script)) is not None
    ask = script.table.room.ask
    assert ask is not None

    script.emit(events.Answered(1, ask.ask_id, hidden(("1.0",))), origin=1)
    answer_and_ask_again(script)

    assert coach.lesson_for(glance(script)) is not None


def answer_and_ask_again(script: Script) -> None:
    script.ask({0: action_question()}, about=Text("about/turn", ("investigator/ada",)))


@pytest.mark.parametrize("context", [Context.ROOM, None])
def test_the_coach_goes_on_where_a_game_is_gone_on_with(context: Context | None) -> None:
    """The log tells what was answered before, so earlier lessons are not repeated."""
    script, was_there = asked(), Coach()
    for _ in range(2):
        was_there.lesson_for(glance(script, context))
        answer_and_ask_again(script)
    comes_back = Coach()
    comes_back.begin(view_of(script, 0), context)

    lesson = comes_back.lesson_for(glance(script, context))
    assert lesson is not None
    assert lesson.name != "choose"
    assert lesson is was_there.lesson_for(glance(script, context))


def test_the_last_lesson_waits_until_the_story_has_been_read() -> None:
    """The keys that the lesson names do nothing while the story is open."""
    script = playing()
    script.emit(events.RoomClosed((), events.HowClosed.FINISHED))
    coach = Coach()

    assert coach.lesson_for(glance(script, Context.STORY)) is None
    last = coach.lesson_for(glance(script))
    assert last is not None
    assert last.name == "over"


def test_a_coach_that_begins_where_nothing_was_played_begins_with_the_first_lesson() -> None:
    for view in (None, view_of(lobby(), 0)):
        coach = Coach()
        coach.begin(view, Context.ROOM)
        first = coach.lesson_for(glance(asked()))
        assert first is not None
        assert first.name == "choose"


def test_a_box_comes_before_what_lies_below() -> None:
    """A question is not explained while a box covers it."""
    coach = Coach()
    at_first, read = (
        coach.lesson_for(glance(asked())),
        coach.lesson_for(glance(asked(), Context.BOX)),
    )

    assert (at_first and at_first.name, read and read.name) == ("choose", "box")
    coach.record_action(Action.BACK)
    after = coach.lesson_for(glance(asked()))
    assert after is not None
    assert after.name == "choose"


def test_nothing_is_said_of_a_game_that_waits_for_others() -> None:
    assert Coach().lesson_for(glance(playing())) is None


def test_a_lesson_can_be_put_away_and_the_coach_too() -> None:
    """One key skips to the next lesson, another hides or shows the coach."""
    coach = Coach()
    first = coach.lesson_for(glance(asked()))
    assert coach.go_on()
    second = coach.lesson_for(glance(asked()))
    assert second is not None
    assert first is not second

    assert not coach.switch()
    assert coach.lesson_for(glance(asked())) is None
    assert not coach.go_on()
    assert coach.switch()
    assert coach.lesson_for(glance(asked())) is second


# On the screen -----------------------------------------------------------------------------


def with_coach(script: Script, *keys: str, rows: int = 24, columns: int = 80) -> str:
    """Return a screen with the coach on it, after some keys."""

    async def doing(stage: OnStage) -> None:
        stage.terminal.ui.desk.coach = Coach()
        await stage.resize(rows, columns)
        await stage.press(*keys)

    return play(model_of(script), doing, rows=rows, columns=columns).text


def test_the_strip_lies_below_the_screen() -> None:
    rows = with_coach(asked()).split("\n")
    at = next(row for row, line in enumerate(rows) if "─ Coach ─" in line)

    assert "F3 go on" in rows[at]
    assert "F4 away" in rows[at]
    assert "Enter" in " ".join(rows[at + 1 : at + 4])
    assert any("Your choice" in row for row in rows[:at])
    assert rows[-1].startswith("Enter choose")


@pytest.mark.parametrize(("size", "language"), screens([(18, 34), (24, 80)]))
def test_the_strip_looks_as_accepted(size: tuple[int, int], language: str) -> None:
    rows, columns = size

    async def doing(stage: OnStage) -> None:
        stage.terminal.ui.desk.coach = Coach()
        await stage.resize(rows, columns)

    shown = play(model_of(asked(), language=language), doing)

    same_screen(f"coach-{columns}x{rows}-{language}", shown.text)


def test_the_strip_makes_way_where_there_is_no_room() -> None:
    assert "Coach" not in with_coach(asked(), rows=19)
    assert "Coach" in with_coach(asked(), rows=23)


def test_the_strip_goes_and_comes_back_by_key() -> None:
    f4 = "\x1bOS"
    gone = with_coach(asked(), f4)

    assert "─ Coach ─" not in gone
    assert "F4 calls it back" in gone
    assert "─ Coach ─" in with_coach(asked(), f4, f4)


def test_without_a_coach_its_keys_say_so() -> None:

    async def doing(stage: OnStage) -> None:
        await stage.press_raw("\x1bOR")

    assert "manse tutorial has one" in play(model_of(asked()), doing).text


# The tutorial itself -----------------------------------------------------------------------


@attrs.define(eq=False)
class Learner(Typist):
    """Typist who records the lessons of the coach."""

    lessons: list[str] = attrs.field(factory=list)

    def read(self) -> None:
        coach = self.stage.terminal.ui.desk.coach
        assert coach is not None
        lesson = coach._shown
        if lesson is None:
            return
        if lesson.name not in self.lessons:
            self.lessons.append(lesson.name)
        words = words_of(lesson, self.client.model.locale, is_plain=False)
        shown = " ".join(self.stage.text.split())
        assert " ".join(words.split())[:40] in shown.replace("\u00a0", " ")

    async def act(self) -> None:
        self.read()
        await super().act()


@pytest.mark.parametrize("language", first(1, LANGUAGES))
def test_the_whole_tutorial_by_keys(language: str) -> None:
    house = Taught(entropy=SeededEntropy(3))
    client = pupil(house, language)
    read: list[str] = []

    async def game(stage: OnStage) -> None:
        stage.terminal.ui.desk.coach = Coach()
        await stage.resize(24, 80)
        learner = Learner(stage, client, brain=Pupil().picks, lessons=read)
        learner.read()
        await learner.press("s")
        assert learner.stage_of_room() is Stage.PLAYING
        await learner.play_on()
        await learner.read_on()
        learner.read()

    shown = play(client.model, game, port=client.port)

    assert "Traceback" not in shown.raw
    assert read[0] == "lobby"
    assert read[-1] == "over"
    in_turn = ["choose", "status", "groups", "map", "cards", "help"]
    assert [name for name in read if name in in_turn] == in_turn
    assert {"dice", "journal", "monsters", "together"} <= set(read)
    view = client.model.view
    assert view is not None
    happened = [record.event for record in view.records]
    assert se.GameEnded in map(type, happened)
    told = {event.text.subject for event in happened if isinstance(event, se.Told)}
    assert {"practice/handed", "practice/insane", "practice/clock"} <= told


def test_the_tutorial_begins_with_little_lobby() -> None:
    client = pupil(Taught())
    view = client.model.view
    assert view is not None

    (seat,) = view.table.room.seats.values()
    assert (len(seat.characters), seat.is_ready) == (2, True)
    assert view.table.room.stage is Stage.LOBBY
    assert parting_of(client.model) == load("en").say("coach.kept", "manse tutorial")
    assert client.model.launch == TUTORIAL


def test_an_unfinished_tutorial_is_gone_on_with() -> None:
    house = Taught()
    first = pupil(house)
    first.port.start()
    house.settle()
    room = first.model.view and first.model.view.room_id
    first.disconnect()

    again = pupil(house)
    assert again.model.view is not None
    assert again.model.view.room_id == room
    assert again.model.view.table.room.stage is Stage.PLAYING
    again.disconnect()

    anew = pupil(house, is_anew=True)
    assert anew.model.view is not None
    assert anew.model.view.room_id != room
    assert stage_of(anew) is Stage.LOBBY
    anew.port.start()
    house.bot(anew)
    house.settle(120)
    assert stage_of(anew) is Stage.OVER
    assert parting_of(anew.model) == load("en").say("coach.next", "manse solo")
    anew.disconnect()

    assert stage_of(pupil(house)) is Stage.LOBBY


def stage_of(client: Client) -> Stage:
    assert client.model.view is not None
    return client.model.view.table.room.stage


@pytest.mark.parametrize("language", first(1, reversed(LANGUAGES)))
def test_the_coach_speaks_in_plain_mode(language: str) -> None:
    """Each lesson is printed once, before the question, and names commands instead of keys."""
    house = Taught()
    client = pupil(house, language)
    printed: list[str] = []
    face = PlainClient(client.model, client.port, printed.append, Coach())
    face.update()
    face.hear("start")
    for _ in range(200):
        house.settle(0.3)
        if client.model.view is None or client.model.view.table.room.stage is Stage.OVER:
            break
        face.hear("1")
    house.settle()

    mark = printable(load(language).say("coach.line", ""))
    said = [line.removeprefix(mark) for line in printed if line.startswith(mark)]
    words = {
        printable(words_of(lesson, load(language), is_plain=True)): lesson.name for lesson in PLAIN
    }
    names = [words[line] for line in said]
    assert names[0] == "lobby"
    assert names[-1] == "over"
    assert len(set(names)) == len(names) >= 10
    assert not [line for line in said if "F3" in line or "PgUp" in line]


def test_hints_are_sent_away_by_a_command() -> None:
    model: ClientModel = model_of(asked())
    printed: list[str] = []
    face = PlainClient(model, RecordingPort(), printed.append, Coach())
    face.update()
    assert printed[-1] != ""
    face.hear("hints")
    assert printed[-1] == load("en").say("coach.plain.quiet")
    face.hear("hints")
    assert load("en").say("coach.plain.back") in printed
