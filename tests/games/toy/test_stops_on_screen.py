"""Stops and standing passes on the full screen."""

import pytest

from client.journal.journal import Journal
from client.model.off_log import Stops
from client.screens.base.screen import Desk
from client.screens.ui import Ui
from protocol.common.table import Settings
from tests.games.toy.test_act_or_pass import Table
from tests.games.toy.test_windows import opened

pytestmark = pytest.mark.issue(11)


def a_window_passed(*, stops: bool) -> tuple[Table, Ui]:
    """Return a table after a window, and Ben's screen."""
    table, _ = opened(Settings(stops=stops))
    table.house.settle(60)
    ben = table.ben
    return table, Ui(Desk(ben.model, ben.port, Journal(lambda: ben.model.speaker)))


def press(table: Table, ui: Ui, *keys: str) -> str:
    """Press keys; return the screen."""
    for key in keys:
        ui.draw(24, 80)
        ui.press(key)
        table.house.settle()
    return ui.draw(24, 80).plain()


def test_a_stop_is_set_and_taken_back() -> None:
    table, ui = a_window_passed(stops=True)
    (kind,) = table.room.kinds
    room_id = table.room.room_id

    assert "> [x] Stop the game at: " in press(table, ui, "a", "enter")
    assert table.ben.model.off_log.stops[room_id] == Stops((kind,))
    assert "> [ ] Stop the game at: " in press(table, ui, "enter")
    assert table.ben.model.off_log.stops[room_id] == Stops()


def test_a_stop_can_be_everywhere() -> None:
    table, ui = a_window_passed(stops=True)

    assert "[x] Stop the game at every window" in press(table, ui, "a", "down", "enter")
    assert table.ben.model.off_log.stops[table.room.room_id].is_everywhere
    assert "a window that opens gives away" in press(table, ui, "down", "down", "enter")


def test_a_table_with_timed_windows_has_no_stops() -> None:
    """A table with timed windows has standing passes instead."""
    table, ui = a_window_passed(stops=False)
    (kind,) = table.room.kinds
    view = table.ben.model.view
    assert view is not None

    assert "Stop the game" not in press(table, ui, "a")
    press(table, ui, "enter", "enter")
    assert view.standing == (kind,)
    assert "> [x] Pass every time on: " in press(table, ui, "a")
    press(table, ui, "enter")

    assert len(view.standing) == 0
