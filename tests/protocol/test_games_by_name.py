"""A log is read with the event kinds of its own game, found by the game's name."""

import subprocess
import sys

import pytest

from client.model.tables import TableView
from protocol.archive import BadArchive, load
from protocol.common import events
from protocol.common.laws import laws_of
from protocol.errors import UnknownGame
from protocol.event import Event, everything
from protocol.values import evolve
from tests.protocol.archives import ROOM, archive, finished_log

LOADED = "[name for name in sys.modules if '.games.second_edition' in name]"
"""Code that returns the imported modules of the second edition."""
READERS = "client.model.tables, protocol.audit, server.kernel.room"


def of_no_game(happened: Event) -> Event:
    """Return an event; if it opens a room, its game is one that is not installed."""
    if isinstance(happened, events.RoomOpened):
        return evolve(happened, ruleset="chess")  # type: ignore[misc]  # an attrs class, as each event
    return happened


def test_archive_of_an_unknown_game_is_refused_by_its_name() -> None:
    data = archive(finished_log(of_no_game))

    with pytest.raises(BadArchive, match="'chess'") as caught:
        load(data)

    assert (caught.value.sequence, caught.value.kind) == (0, "unknown_game")


def test_table_of_an_unknown_game_is_refused_by_its_name() -> None:
    view = TableView(ROOM, None)

    with pytest.raises(UnknownGame, match="'chess'"):
        view.receive([everything(stored) for stored in finished_log(of_no_game).stored])

    assert view.records == []


def test_unknown_game_has_no_laws() -> None:
    assert laws_of("chess") is None


def test_game_is_loaded_when_it_is_first_met() -> None:
    program = (
        f"import sys, {READERS}\n"
        f"assert not {LOADED}, {LOADED}\n"
        "from protocol.common.table import empty_game, know_game\n"
        "know_game('second_edition')\n"
        "assert type(empty_game('second_edition')).__name__ == 'SecondEditionTable'\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )

    assert (done.returncode, done.stderr) == (0, "")
