"""Looking back on a game, from its table and from the list of tables."""

import functools
from collections.abc import Callable
from pathlib import Path

import pytest

from client.journal.journal import Journal
from client.journal.replay_model import replayed
from client.locale import load as locale_of
from client.locale.speaker import Speaker
from client.locale.word_store import WordStore
from client.model.model import ClientModel
from client.model.status import Disconnected, Online
from client.model.tables import TableView
from client.model.viewpoints import Viewpoint
from client.net.fetching import FetchedGame, Fetching
from client.notes.note_book import Note, books_in
from client.plain.replay import PlainReplay
from client.screens.base.screen import Desk
from client.screens.lobby.tables import TablesScreen
from client.screens.review.replay import ReplayScreen
from client.screens.review.reviewing import open_fetched
from client.screens.table.room import RoomScreen
from client.screens.ui import Ui
from protocol.archive import Archive, load
from protocol.common.table import Stage
from protocol.event import cut
from protocol.messages import ExportPart, TableLine
from server.kernel.room import Room
from tests.games.second_edition.client.console import Console
from tests.games.second_edition.client.scripted import asked
from tests.games.second_edition.client.stage import RecordingPort
from tests.games.second_edition.simulate import finished_game, simulate
from tests.verifying.logs import file_of

pytestmark = pytest.mark.issue(17)


@functools.cache
def running() -> tuple[Room, int]:
    """Return a game with an open question, and the seat asked."""
    bench = simulate(2, 3)
    bench.open()
    ask = bench.room.table.room.ask
    assert ask is not None
    return bench.room, min(ask.questions)


@functools.cache
def finished_file() -> bytes:
    """Return the complete archive of a finished game of three, as bytes."""
    return file_of(finished_game())


def client(view: TableView | None = None) -> tuple[Ui, RecordingPort]:
    """Return an online client, and the port that records its messages."""
    model = ClientModel("Ann", b"a" * 32, locale_of("en"), status=Online("", "", ""))
    model.update_lobby(tables=(TableLine("room-1", "core/x", Stage.OVER, ("Ann",), False, 0),))
    model.follow(view)
    port = RecordingPort()
    return Ui(Desk(model, port, Journal(lambda: model.speaker))), port


def view_of(room: Room, seat: int) -> TableView:
    view = TableView(room.room_id, seat)
    view.receive(tuple(cut(stored, seat) for stored in room.log))
    return view


def come(ui: Ui, data: bytes) -> None:
    """Deliver the game that the client asked for."""
    open_fetched(ui.desk, FetchedGame("room-1", data))


def test_a_table_of_the_list_is_looked_back_on_with_one_key() -> None:
    ui, port = client()

    ui.press("v")
    come(ui, finished_file())

    assert port.said == [("export_table",), ("list_game_notes",)]
    assert isinstance(ui.base(), ReplayScreen)
    ui.press("q")
    assert isinstance(ui.base(), TablesScreen)


def test_the_end_of_a_game_opens_the_timeline_with_one_key() -> None:
    ui, port = client(view_of(finished_game(), 0))
    ui.draw(30, 100)

    ui.press("T")
    assert port.fetched is not None
    port.fetched(FetchedGame("room-1", finished_file()))

    shown = ui.draw(30, 100).plain()
    assert isinstance(ui.base(), ReplayScreen)
    assert "Both sides" in shown
    ui.press("escape")
    assert "Both sides" not in ui.draw(30, 100).plain()


def test_a_running_game_has_no_timeline() -> None:
    room, seat = running()
    ui, port = client(view_of(room, seat))
    ui.draw(30, 100)

    ui.press("T")

    assert ui.desk.model.bar.text == "The game is not over yet."
    assert not port.said


def test_the_table_that_is_looked_back_on_goes_on() -> None:
    room, seat = running()
    ui, port = client(view_of(room, seat))

    ui.press("v")
    come(ui, file_of(room, seat))
    shown = ui.draw(30, 100).plain()
    ui.press("q")

    assert "Your table waits for you" in shown
    assert isinstance(ui.base(), RoomScreen)
    assert port.said == [("export_table",)]


def test_a_running_game_is_seen_with_the_eyes_of_its_seat_alone() -> None:
    room, seat = running()
    ui, _ = client(view_of(room, seat))

    come(ui, file_of(room, seat))
    screen = ui.base()

    assert isinstance(screen, ReplayScreen)
    assert [(one.seat, one.is_all) for one in screen.replay.points] == [
        (seat, False),
        (None, False),
    ]


@pytest.mark.parametrize(
    "read",
    [lambda: b"", lambda: b"nothing", lambda: finished_file()[:-9]],
    ids=["empty", "other", "cut"],
)
def test_what_cannot_be_read_is_said_and_changes_nothing(read: Callable[[], bytes]) -> None:
    ui, _ = client()

    come(ui, read())

    assert not isinstance(ui.base(), ReplayScreen)
    assert ui.desk.model.bar.is_wrong


def test_without_a_line_nothing_is_asked_for() -> None:
    ui, port = client()
    ui.desk.model.status = Disconnected()

    ui.press("v")

    assert not port.said


def part(serial: int, index: int, data: bytes, *, is_last: bool = False) -> ExportPart:
    return ExportPart(serial, "room-1", index, is_last, data)


def test_parts_of_two_games_are_not_mixed() -> None:
    """Late parts of the first download are ignored."""
    fetching, fetched = Fetching(ClientModel("Ann", b"a" * 32)), list[FetchedGame]()

    fetching.add(part(1, 0, b"old"), fetched.append)
    fetching.add(part(2, 0, b"ne"), fetched.append)
    fetching.add(part(1, 1, b"old", is_last=True), fetched.append)
    assert not fetched
    fetching.add(part(2, 1, b"w", is_last=True), fetched.append)

    assert fetched == [FetchedGame("room-1", b"new")]


def test_what_was_begun_before_the_line_broke_is_forgotten() -> None:
    """The rest of the download may still arrive, but is no whole game."""
    fetching, fetched = Fetching(ClientModel("Ann", b"a" * 32)), list[FetchedGame]()

    fetching.add(part(1, 0, b"old"), fetched.append)
    fetching.forget()
    fetching.add(part(1, 1, b"rest", is_last=True), fetched.append)

    assert not fetched


# In lines --------------------------------------------------------------------------------


def lines_of(replay: PlainReplay, *typed: str) -> str:
    """Return the lines printed for some input."""
    return "\n".join(line for one in typed for line in replay.run(one))


@functools.cache
def finished_archive() -> Archive:
    return load(finished_file())


def in_lines() -> PlainReplay:
    """Return a finished game as a replay in plain mode."""
    speaker = Speaker(locale_of("en"), WordStore())
    return PlainReplay(replayed(finished_archive()), lambda: speaker)


def test_a_line_goes_where_a_key_goes() -> None:
    plain = in_lines()
    keys = in_lines().replay
    ways: tuple[tuple[str, Callable[[], bool]], ...] = (
        ("", lambda: keys.step(1)),
        ("next", lambda: keys.step(1)),
        ("back", lambda: keys.step(-1)),
        ("event", lambda: keys.step_event(1)),
        *[("question", lambda: keys.step_choice(1))] * 2,
        ("question back", lambda: keys.step_choice(-1)),
        ("turn", lambda: keys.step_turn(1)),
        ("round", lambda: keys.leap(1)),
        ("rou back", lambda: keys.leap(-1)),
        ("17", lambda: keys.go_to(17)),
        ("event 23", lambda: keys.go_to(23)),
    )
    for typed, go in ways:
        assert go()
        said = lines_of(plain, typed)
        assert plain.replay.event == keys.event, typed
        assert f"event {keys.event} of" in said


def test_another_view_is_chosen_by_name_or_number() -> None:
    plain = in_lines()

    said = lines_of(plain, "view", "view 2")

    assert "1. all open" in said
    assert plain.replay.point == Viewpoint(0)
    assert "Type “view” and a number." in said


def test_what_was_offered_and_what_stands_somewhere_can_be_read() -> None:
    plain = in_lines()

    said = lines_of(plain, "question", "offered")
    assert "was asked: " in said
    assert "round" in lines_of(plain, "moments")
    found = lines_of(plain, "find nothing of the kind")
    assert "is not found any further" in found


@pytest.mark.parametrize(
    "typed", ["x", "n o", "event zwölf", "999999", "round forward", "find", "view 77", "?!"]
)
def test_a_line_that_means_nothing_says_what_to_type(typed: str) -> None:
    plain = in_lines()
    plain.replay.go_to(5)

    said = lines_of(plain, typed)

    assert said
    assert plain.replay.event == 5


def test_at_a_table_lines_are_said_to_the_game_that_is_looked_back_on() -> None:
    room, seat = running()
    console = Console(asked())

    console.type("review")
    assert console.port.said[-1] == ("export_table",)
    assert console.port.fetched is not None
    console.port.fetched(FetchedGame(room.room_id, file_of(room, seat)))
    opened = "\n".join(console.fresh())
    assert f"event {len(room.log) - 1} of" in opened
    assert "You look back on this game." in opened

    assert f"event {len(room.log) - 2} of" in "\n".join(console.type("event back"))
    assert any("question" in line for line in console.type("leave"))
    assert console.port.said == [("export_table",)]
    assert not any("event" in line for line in console.type("back"))


def test_a_replay_that_is_left_cancels_looking_back() -> None:
    """Full screen and plain mode."""
    left: list[str] = []
    ui, _ = client()
    ui.desk.model.look_back = lambda *_: lambda: left.append("screen")
    come(ui, finished_file())
    assert not left

    ui.press("q")
    assert left == ["screen"]

    console = Console(asked())
    console.model.look_back = lambda *_: lambda: left.append("plain")
    console.type("review")
    assert console.port.fetched is not None
    console.port.fetched(FetchedGame("room-1", finished_file()))
    console.type("leave")
    assert left == ["screen", "plain"]


# Notes -----------------------------------------------------------------------------------


def test_a_note_is_written_in_play_and_shown_at_its_moment_later(tmp_path: Path) -> None:
    room, seat = running()
    ui, port = client(view_of(room, seat))
    ui.desk.model.note_books = books_in(tmp_path)

    ui.press("d")
    ui.press("enter")
    ui.enter("Ben hides something")

    (note,) = books_in(tmp_path)(room.room_id).read()
    assert note == Note(len(room.log) - 1, "Ben hides something")
    assert port.said == []
    come(ui, file_of(room, seat))
    assert "Your note: Ben hides something" in ui.draw(30, 100).plain()


def test_a_note_leads_to_its_moment_and_can_be_removed(tmp_path: Path) -> None:
    ui, _ = client()
    ui.desk.model.note_books = books_in(tmp_path)
    book = books_in(tmp_path)(finished_game().room_id)
    book.write(17, "here")
    come(ui, finished_file())
    screen = ui.base()
    assert isinstance(screen, ReplayScreen)

    for key in ("d", "down", "enter", "enter"):
        ui.press(key)
    assert screen.replay.event == 17
    for key in ("d", "down", "enter", "down", "enter"):
        ui.press(key)

    assert book.read() == ()


def test_notes_that_cannot_be_read_are_said_and_left(tmp_path: Path) -> None:
    room, seat = running()
    ui, _ = client(view_of(room, seat))
    ui.desk.model.note_books = books_in(tmp_path)
    path = books_in(tmp_path)(room.room_id).path
    path.write_text("mine", "utf-8")

    ui.press("d")

    assert str(path) in ui.desk.model.bar.text
    assert path.read_text("utf-8") == "mine"


def test_notes_are_typed_in_lines(tmp_path: Path) -> None:
    console = Console(asked())
    console.model.note_books = books_in(tmp_path)

    said = console.type("note watch Ben", "note", "note remove 1", "note")

    assert said[0] == "The note is kept on this machine alone."
    assert any("watch Ben" in line for line in said[1:3])
    assert said[-1].startswith("No notes yet.")
    assert console.port.said == []
    plain = in_lines()
    plain.books = books_in(tmp_path)
    plain.replay.go_to(5)
    assert "5: a find" in lines_of(plain, "note a find", "note")


def test_a_note_on_a_card_stands_in_every_list_that_has_it(tmp_path: Path) -> None:
    room, seat = running()
    ui, port = client(view_of(room, seat))
    ui.desk.model.note_books = books_in(tmp_path)
    ui.press("i")
    ui.press("d")
    ui.press("enter")
    ui.enter("plays badly")

    (note,) = books_in(tmp_path)(room.room_id).read()
    assert note.about is not None
    assert note.about[0] == "card"
    assert port.said == []
    said = f"Your note at event {note.event}: plays badly"
    assert said in ui.draw(40, 120).plain()
    ui.press("down")
    assert said not in ui.draw(40, 120).plain()
    come(ui, file_of(room, seat))
    ui.press("i")
    assert said in ui.draw(40, 120).plain()
    ui.press("escape")
    ui.press("d")
    name = ui.desk.speaker.name(*note.about)
    assert f"{note.event}: {name}: plays badly" in ui.draw(40, 120).plain()


def test_a_note_on_a_card_is_typed_in_lines(tmp_path: Path) -> None:
    console = Console(asked())
    console.model.note_books = books_in(tmp_path)
    name = next(line for line in console.type("cards") if line)

    assert console.model.view is not None
    said = console.type(f"note about {name}: whose?", "note", f"cards {name}")

    room_id = console.model.view.room_id
    (note,) = console.model.note_books(room_id).read()
    assert (note.text, note.about is None) == ("whose?", False)
    assert any(f"{name}: whose?" in line for line in said)
    assert f"Your note at event {note.event}: whose?" in said
    console.type("note about zzzz: what?")
    assert len(console.model.note_books(room_id).read()) == 1
