"""Looking back on a table's game from the table, and from the list of tables."""

import functools

import pytest

from client.journal.journal import Journal
from client.locale import load as locale_of
from client.model.model import ClientModel, Fetched
from client.model.status import Disconnected, Online
from client.model.tables import TableView
from client.net.fetching import Fetching
from client.screens.lobby import TablesScreen
from client.screens.replay import ReplayScreen
from client.screens.room import RoomScreen
from client.screens.screen import Desk
from client.screens.ui import Ui
from protocol.common.table import Stage
from protocol.event import cut
from protocol.messages import ExportPart, TableLine
from server.kernel.room import Room
from tests.games.second_edition.client.stage import RecordingPort
from tests.games.second_edition.simulate import simulate
from tests.verifying.logs import file_of

pytestmark = pytest.mark.issue(17)


@functools.cache
def played() -> Room:
    """Return a game of two that is over."""
    return simulate(2, 3).play().room


@functools.cache
def running() -> tuple[Room, int]:
    """Return a game in which a seat is asked something, and that seat."""
    bench = simulate(2, 3)
    bench.open()
    ask = bench.room.table.room.ask
    assert ask is not None
    return bench.room, min(ask.questions)


def client(view: TableView | None = None) -> tuple[Ui, RecordingPort]:
    """Return a client that is online, and what it says."""
    model = ClientModel("Ann", b"a" * 32, locale_of("en"), status=Online("", "", ""))
    model.tables = (TableLine("room-1", "core/x", Stage.OVER, ("Ann",), False, 0),)
    model.view = view
    port = RecordingPort()
    return Ui(Desk(model, port, Journal(lambda: model.speaker))), port


def view_of(room: Room, seat: int) -> TableView:
    """Return what a seat follows."""
    view = TableView(room.room_id, seat)
    view.receive(tuple(cut(stored, seat) for stored in room.log))
    return view


def come(ui: Ui, data: bytes) -> None:
    """Have a game come that was asked for."""
    ui.desk.model.fetched = Fetched("room-1", data)
    ui.base()


def test_a_table_of_the_list_is_looked_back_on_with_one_key() -> None:
    """The game is asked for without entering the table; leaving leads back to the list."""
    ui, port = client()

    ui.press("v")
    come(ui, file_of(played()))

    assert port.said == [("export_table",)]
    assert isinstance(ui.base(), ReplayScreen)
    ui.press("q")
    assert isinstance(ui.base(), TablesScreen)


def test_the_table_that_is_looked_back_on_goes_on() -> None:
    """Who is asked meanwhile is told so, and is back at the question with one key."""
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
    """Its own view and that of the table are all that its file has."""
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
    "data", [b"", b"nothing", file_of(played())[:-9]], ids=["empty", "other", "cut"]
)
def test_what_cannot_be_read_is_said_and_changes_nothing(data: bytes) -> None:
    """A server that sends something else shows no replay."""
    ui, _ = client()

    come(ui, data)

    assert not isinstance(ui.base(), ReplayScreen)
    assert ui.desk.model.bar.is_wrong


def test_without_a_line_nothing_is_asked_for() -> None:
    """The key says that the server is away."""
    ui, port = client()
    ui.desk.model.status = Disconnected()

    ui.press("v")

    assert not port.said


def part(serial: int, index: int, data: bytes, *, is_last: bool = False) -> ExportPart:
    """Return a part of a file."""
    return ExportPart(serial, "room-1", index, is_last, data)


def test_parts_of_two_games_are_not_mixed() -> None:
    """What was asked for first and still comes is left out."""
    model = ClientModel("Ann", b"a" * 32)
    fetching = Fetching(model)

    fetching.take(part(1, 0, b"old"))
    fetching.take(part(2, 0, b"ne"))
    fetching.take(part(1, 1, b"old", is_last=True))
    assert model.fetched is None
    fetching.take(part(2, 1, b"w", is_last=True))

    assert model.fetched == Fetched("room-1", b"new")


def test_what_was_begun_before_the_line_broke_is_forgotten() -> None:
    """The rest of it, should it come, is no game."""
    model = ClientModel("Ann", b"a" * 32)
    fetching = Fetching(model)

    fetching.take(part(1, 0, b"old"))
    fetching.forget()
    fetching.take(part(1, 1, b"rest", is_last=True))

    assert model.fetched is None
