"""Fixed setups and withheld shares: screens, plain mode, and `manse setup`."""

import argparse
import asyncio
import json
from collections.abc import AsyncIterator, Callable
from typing import Any

import attrs
import pytest

from client.commands import sessions
from client.commands import setups as own_setups
from client.locale import load
from client.model.model import ClientModel
from client.model.setups import fixed_line, mark_of, withholding
from client.terminal.runner import Start
from protocol.archive import load as load_archive
from protocol.common import events
from protocol.common.table import Seat
from protocol.invitation import Address
from protocol.messages import ClientMessage, ServerMessage
from tests.games.second_edition.client.console import Console
from tests.games.second_edition.client.scripted import SETUP, fixed, lobby
from tests.games.second_edition.client.stage import OnStage, RecordingPort, model_of, play
from tests.games.second_edition.lobby.test_campaigns import ALONE, Saga
from tests.kit.servers.house import Client, House
from tests.kit.servers.tables import room_id_of
from tests.lobby.test_setups import begun, closed, made

CODE = "68p6-70ea-5akq-0gf8"


# On the screen -----------------------------------------------------------------------------


def _said(*keys: str, seat: int | None = 0, is_fixed: bool = True) -> list[tuple[object, ...]]:
    """Press keys in the waiting room; return the messages sent."""
    port = RecordingPort()

    async def press(stage: OnStage) -> None:
        await stage.press(*keys)

    play(model_of(fixed() if is_fixed else lobby(), seat=seat), press, port=port)
    return port.said


def test_the_host_types_the_code_of_a_setup() -> None:
    typed = CODE.upper().replace("0", "O")

    assert _said("f", *typed, "enter", is_fixed=False) == [("fix_setup", CODE)]


def test_what_is_no_code_is_not_sent() -> None:
    assert _said("f", *"no code", "enter", is_fixed=False) == []


def test_the_host_takes_a_setup_back_after_a_question() -> None:
    assert _said("f", "y") == [("fix_setup", "")]
    assert _said("f", "n") == []


def test_the_host_empties_a_seat_after_a_question() -> None:
    """The player of that seat loses the investigators."""
    assert _said("X", "y") == [("empty_seat", 1)]
    assert _said("X", "n") == []


def test_nobody_is_put_out_who_withheld_nothing() -> None:
    assert _said("X", "y", is_fixed=False) == []


@pytest.mark.parametrize("seat", [1, None])
def test_nobody_but_the_host_does_either(seat: int | None) -> None:
    assert _said("f", "y", "X", "y", seat=seat) == []


def test_of_several_who_withheld_one_is_chosen() -> None:
    script = lobby()
    script.emit(events.SeatTaken(2, "Cleo", b"cleo".ljust(32, b"."), is_bot=False))
    for _ in range(2):
        script.emit(events.StartRequested(0), events.StartFailed((1, 2)))
    port = RecordingPort()

    async def press(stage: OnStage) -> None:
        await stage.press("X", "down", "enter")

    play(model_of(script), press, port=port)

    assert port.said == [("empty_seat", 2)]


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("seat", [0, 1, None])
def test_everybody_sees_that_a_setup_is_fixed(seat: int | None, language: str) -> None:

    async def look(stage: OnStage) -> None:
        assert mark_of(SETUP) in stage.text

    play(model_of(fixed(), seat=seat, language=language), look)
    assert mark_of(SETUP) == "3fa2-91c0"


def test_nothing_is_said_of_a_setup_where_none_is_fixed() -> None:
    assert fixed_line(load("en"), lobby().table.room) == ""


def test_the_host_is_never_among_those_who_may_be_put_out() -> None:
    room = fixed().table.room
    host = Seat(0, "Ann", b"a" * 32, withheld=5)

    assert [seat.seat for seat in withholding(room.with_seat(host))] == [1]


# In lines ----------------------------------------------------------------------------------


def test_plain_mode_says_what_is_fixed() -> None:
    console = Console(fixed())

    assert any("3fa2-91c0" in line for line in console.type("lobby"))
    assert "3fa2-91c0" in console.type("setup")[0]
    assert "a house of its own" in Console(lobby()).type("setup")[0]


def test_plain_mode_empties_a_seat_by_name() -> None:
    console = Console(fixed())

    assert console.type("empty")[0] == "1. Bob"
    console.type("empty bob")

    assert console.port.said == [("empty_seat", 1)]


def test_plain_mode_empties_no_other_seat() -> None:
    console = Console(lobby())

    assert "withheld" in console.type("empty bob")[0]
    assert console.port.said == []


# The command -------------------------------------------------------------------------------


@attrs.define
class Wire:
    """Stand-in for `client.terminal.runner.Client` with a server in this process."""

    house: House
    client: Client

    @property
    def model(self) -> ClientModel:
        return self.client.model

    async def online(self) -> None:
        """Do nothing: the client is online."""

    async def until(self, test: Callable[[], bool]) -> None:
        """Assert a condition: all replies are there at once."""
        assert test()

    async def close(self) -> None:
        """Do nothing."""

    async def replies(self, make: Callable[[int], ClientMessage]) -> AsyncIterator[ServerMessage]:
        """Send a message and yield every reply to it."""
        serial = self.client.next_serial()
        self.client.send(make(serial))
        self.house.settle(0.2)
        for message in list(self.client.session.sent):
            if getattr(message, "serial", None) == serial:
                yield message


@pytest.fixture
def house() -> House:
    """Return a server with a scenario that ends as soon as it begins."""
    return Saga()


Setup = Callable[..., int]


@pytest.fixture
def setup(house: House, monkeypatch: pytest.MonkeyPatch) -> Setup:
    """Return a function that runs `manse setup` as one player."""
    wire = Wire(house, house.client("Owner"))
    monkeypatch.setattr(own_setups, "connect", lambda *_: wire)
    start = Start(Address("here"), "Owner", "en")

    def run(tool: str, code: str = "", **more: Any) -> int:
        chosen = {"json": True, "force": False, **more}
        options = argparse.Namespace(tool=tool, code=code, **chosen)
        return asyncio.run(own_setups.manage(options, start, None))

    return run


def test_a_setup_is_made_listed_and_closed(
    setup: Setup, capsys: pytest.CaptureFixture[str]
) -> None:
    assert setup("new") == 0
    code = json.loads(capsys.readouterr().out)["code"]
    assert setup("list") == 0
    (line,) = json.loads(capsys.readouterr().out)["setups"]
    assert line["code"] == code
    assert (line["is_closed"], line["tables"], line["running"]) == (False, 0, 0)

    assert setup("close", code.upper()) == 0
    capsys.readouterr()
    setup("list")
    (line,) = json.loads(capsys.readouterr().out)["setups"]
    assert line["is_closed"]


def test_the_same_is_said_in_words(setup: Setup, capsys: pytest.CaptureFixture[str]) -> None:
    assert setup("list", json=False) == 0
    assert "manse setup new" in capsys.readouterr().out
    assert setup("new", json=False) == 0
    code, *rest = capsys.readouterr().out.splitlines()
    assert f"manse setup close {code}" in " ".join(rest)
    setup("list", json=False)
    assert "open; 0 tables, 0 still playing" in capsys.readouterr().out


def test_a_setup_that_is_played_is_not_closed_by_mistake(
    house: House, setup: Setup, capsys: pytest.CaptureFixture[str]
) -> None:
    """A player of the setup could read the house in its exported log."""
    setup("new")
    code = json.loads(capsys.readouterr().out)["code"]
    begun(house, ["Ann", "Ben"], code)

    assert setup("close", code) == 1
    assert "1 table is still playing it" in capsys.readouterr().err
    assert setup("close", code, force=True) == 0


@pytest.mark.parametrize(
    ("code", "said"), [("nonsense", "is not a table code"), (CODE, "no fixed setup of that code")]
)
def test_what_cannot_be_closed_is_told(
    setup: Setup, capsys: pytest.CaptureFixture[str], code: str, said: str
) -> None:
    assert setup("close", code) == 1
    assert said in capsys.readouterr().err


def test_the_bound_of_a_key_is_told(
    house: House, setup: Setup, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.lobby.tables.setups.OPEN_PER_KEY", 0)

    assert setup("new") == 1
    assert "close some first" in capsys.readouterr().err


@pytest.mark.parametrize("is_closed", [False, True])
def test_an_export_says_that_it_is_no_more_than_a_seat_knew(
    house: House,
    tmp_path: Any,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    is_closed: bool,
) -> None:
    owner = house.client("Owner")
    code = made(house, owner)
    ann, _ = begun(house, ["Ann", "Ben"], code, ALONE)
    if is_closed:
        closed(house, owner, code)
    ann.port.list_tables()
    house.settle()
    monkeypatch.setattr(sessions, "connect", lambda *_: Wire(house, ann))
    start = Start(Address("here"), "Ann", "en")
    path = tmp_path / "game.manse"
    options = argparse.Namespace(
        table=room_id_of(ann), file=path, force=False, pack=None, json=False
    )

    assert asyncio.run(sessions.export_table(options, start, None)) == 0

    printed = " ".join(capsys.readouterr().out.split())
    assert load_archive(path.read_bytes()).header.is_whole == is_closed
    assert ("its fixed setup is not open yet" in printed) != is_closed
