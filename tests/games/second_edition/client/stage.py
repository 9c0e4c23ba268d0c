"""Stage: the real client on an emulated terminal, with keys sent through a pipe."""

import asyncio
import functools
import os
import re
from collections.abc import Callable, Coroutine
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import attrs
from prompt_toolkit.application import application
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.key_binding.bindings.page_navigation import load_page_navigation_bindings
from prompt_toolkit.key_binding.defaults import load_key_bindings
from prompt_toolkit.output.vt100 import Vt100_Output
from prompt_toolkit.styles import Style
from prompt_toolkit.styles import style as styles

from client.journal.journal import Journal
from client.journal.replay_model import ReplayModel
from client.locale import load
from client.model.model import ANY_SEAT, ClientModel
from client.model.status import Online
from client.model.tables import TableView
from client.net.client_port import ClientPort, R
from client.net.fetching import FetchedGame
from client.screens.base.screen import Desk
from client.screens.ui import Ui
from client.settings.appearance import NO_WISHES, Wishes
from client.terminal.app import Terminal, make_replay, make_terminal
from protocol.common.roster import Role, Roster
from protocol.common.table import Stage
from protocol.common.text import Text
from protocol.event import Cut
from protocol.games.second_edition.table import SecondEditionTable
from protocol.invitation import code_text
from protocol.keys import fingerprint_text
from protocol.messages import (
    ClientMessage,
    ExportTable,
    GameLine,
    ProductLine,
    ScenarioLine,
    TableLine,
)
from tests.games.second_edition.client.scripted import ANN, BOB, ROOM, Script, lobby, words
from tests.kit.terminals.emulator import Screen, Stream

SNAPSHOTS = Path(__file__).parent / "screens"
ACCEPT = "MANSE_ACCEPT_SCREENS"
"""
Environment variable; if set, the tests write the screens as they are now instead of comparing them.
"""

# prompt_toolkit's own keys: thousands of objects for each client, and the same ones every time.
for load_keys in (load_key_bindings, load_page_navigation_bindings):
    setattr(application, load_keys.__name__, functools.cache(load_keys))


@functools.cache
def style_of(rules: tuple[tuple[str, str], ...]) -> Style:
    """Return a style with cached look-ups."""
    style = Style(list(rules))
    looked_up = functools.cache(style.get_attrs_for_style_str)
    style.get_attrs_for_style_str = looked_up  # type: ignore[method-assign]
    return style


# Each client merges its style with the hundreds of rules of prompt_toolkit, to the same ones.
setattr(styles, Style.__name__, lambda rules: style_of(tuple(rules)))

SIZES = ((18, 34), (24, 80), (40, 120), (60, 200))
"""Rows and columns of the terminals on which screens are compared."""
SIZE_IDS = tuple(f"{columns}x{rows}" for rows, columns in SIZES)
KEYS = {
    "up": "\x1b[A",
    "down": "\x1b[B",
    "right": "\x1b[C",
    "left": "\x1b[D",
    "enter": "\r",
    "escape": "\x1b",
    "pageup": "\x1b[5~",
    "pagedown": "\x1b[6~",
    "home": "\x1b[H",
    "end": "\x1b[F",
    "backspace": "\x7f",
    "tab": "\t",
    "c-c": "\x03",
}


@attrs.define
class RecordingPort(ClientPort):
    """Port that records the tag and fields of each message instead of sending it."""

    said: list[tuple[Any, ...]] = attrs.field(factory=list)
    fetched: Callable[[FetchedGame], None] | None = None
    """Callback of the last request for a game."""

    def say(self, message: ClientMessage) -> None:
        declared: Any = type(message)
        names = (field.name for field in attrs.fields(declared))
        own = (getattr(message, name) for name in names if name not in {"serial", "room_id"})
        self.said.append((message.tag, *own))

    def ask(self, message: ClientMessage, kind: type[R], use: Callable[[R], None]) -> None:
        self.say(message)

    def fetch_game(self, room_id: str, fetched: Callable[[FetchedGame], None]) -> None:
        """Record the request; the test then calls `fetched` with the game."""
        self.say(ExportTable(0, room_id))
        self.fetched = fetched

    def next_serial(self) -> int:
        """Return a constant: nobody replies."""
        return 0

    def room_id(self) -> str:
        return "room-1"

    def try_again(self) -> None:
        self.said.append(("try_again",))

    def set_language(self, language: str) -> None:
        self.said.append(("set_language", language))

    def enter(self, room_id: str) -> None:
        self.said.append(("enter", room_id))


@attrs.define
class _Sink:
    """Output of a terminal, kept raw and shown on an emulated screen."""

    screen: Any
    stream: Any
    raw: list[str] = attrs.field(factory=list)
    encoding: str = "utf-8"

    def write(self, text: str) -> int:
        self.raw.append(text)
        self.stream.feed(text)
        return len(text)

    def flush(self) -> None:
        pass

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        """Return -1: there is no file descriptor."""
        return -1


# Without a repr: asyncio.run() puts its result into the text of a ValueError that it catches
# itself, where it takes back its handler of SIGINT. That of a whole client has a million parts.
@attrs.define(repr=False)
class OnStage:
    """Running client on an emulated terminal."""

    terminal: Terminal
    model: ClientModel
    port: RecordingPort
    keys: PipeInput
    sink: _Sink
    size: list[int]
    """Rows and columns; changed by `resize`."""
    pressed: int = 0
    """Number of keys processed so far."""
    time: float = 100.0
    """Time on the clock in seconds, once `stop_clock` was called; the test moves it."""

    def stop_clock(self) -> None:
        """Freeze the client's clock; animations move only when `time` is changed."""
        self.terminal.ui.desk.now = lambda: self.time

    def count(self, _: object) -> None:
        self.pressed += 1

    async def settle(self) -> None:
        application = self.terminal.application
        await until(lambda: application.render_counter > 0 and not application._invalidated)

    async def press(self, *names: str) -> None:
        """Press keys one by one, and draw after each."""
        for name in names:
            is_one = name in KEYS or name.startswith("\x1b")
            wanted = self.pressed + (1 if is_one else len(name))
            self.keys.send_text(KEYS.get(name, name))
            await until(partial(self._has_pressed, wanted))
            await self.settle()

    async def press_outside(self, key: str) -> None:
        """Press a key while text outside the screen is shown; wait until the screen is back."""
        application = self.terminal.application
        drawn = application.render_counter
        self.keys.send_text(key)
        await until(lambda: application.render_counter > drawn)

    async def click(self, text: str) -> None:
        row, column = self.place_of(text)
        # As a terminal reports it: a button goes down and up, places count from 1.
        await self.press_raw(f"\x1b[<0;{column + 1};{row + 1}M")
        await self.press_raw(f"\x1b[<0;{column + 1};{row + 1}m")

    async def wheel(self, text: str, by: int) -> None:
        """Turn the wheel over the first occurrence of a text: 1 forward, -1 back."""
        row, column = self.place_of(text)
        await self.press_raw(f"\x1b[<{65 if by > 0 else 64};{column + 1};{row + 1}M")

    def place_of(self, text: str) -> tuple[int, int]:
        """Return row and column of the first occurrence of a text."""
        for row, line in enumerate(self.text.split("\n")):
            if text in line:
                return row, line.index(text)
        raise AssertionError(f"{text!r} stands nowhere")

    async def press_raw(self, code: str) -> None:
        """Send the raw sequence of one key or one mouse event."""
        wanted = self.pressed + 1
        self.keys.send_text(code)
        await until(partial(self._has_pressed, wanted))
        await self.settle()

    async def arrive(self, script: Script) -> None:
        """Receive the records that a script has gained, while the client watches."""
        view = self.model.view
        assert view is not None
        self.model.pass_steps(view.receive(script.cuts(view.seat, view.last + 1)))
        self.model.changed()
        await self.settle()

    async def look(self) -> None:
        """Redraw."""
        self.model.changed()
        await self.settle()

    def _has_pressed(self, count: int) -> bool:
        return self.pressed >= count

    async def resize(self, rows: int, columns: int) -> None:
        self.size[:] = [rows, columns]
        self.sink.screen.resize(rows, columns)
        self.terminal.application._on_resize()
        await self.settle()

    @property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.sink.screen.display)

    @property
    def raw(self) -> str:
        """Everything written to the terminal, escape sequences included."""
        return "".join(self.sink.raw)


_OURS = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\]2;([^\x00-\x1f\x7f-\x9f]*)\x07")
"""
Pattern of the sequences that the client writes to a terminal: modes, colours, positions, and the
title.
"""


def text_of(raw: str) -> str:
    """Return terminal output without our own escape sequences; titles stay as text."""
    return _OURS.sub(lambda match: match[1] or "", raw)


async def until(test: Callable[[], bool], *, seconds: float = 10.0) -> None:
    """Wait until a condition holds or the time is up."""
    loop = asyncio.get_running_loop()
    end = loop.time() + seconds
    # At least one turn of the loop, so that what was just sent is looked at.
    await asyncio.sleep(0.001)
    while not test() and loop.time() < end:  # noqa: ASYNC110 (prompt_toolkit has no event for it)
        await asyncio.sleep(0.001)


Play = Callable[[OnStage], Coroutine[Any, Any, None]]


def model_of(
    script: Script | None, *, seat: int | None = 0, language: str = "en", is_lobby: bool = False
) -> ClientModel:
    """Return a client model that follows a scripted table, or no table."""
    name, key = ("Bob", BOB) if seat == 1 else ("Ann", ANN)
    model = ClientModel(name, key, load(language), "haunted.example:4470", words(language))
    model.status = Online("haunted", "", "haunted.example:4470", 0.012)
    model.update_lobby(scenarios=(SCENARIO,), games=(GAME,))
    if script is not None:
        view = _followed(seat, tuple(script.cuts(seat)))
        model.follow(view)
        # As if all of it had happened before somebody came to the table.
        model.update_table(next_sequence=view.last + 1)
    elif is_lobby:
        model.update_lobby(tables=TABLES, last_room="room-1")
    return model


def _followed(seat: int | None, cuts: tuple[Cut, ...]) -> TableView:
    """Return a copy of the view after these records; only the original is cached."""
    read = _read(seat, cuts)
    return attrs.evolve(
        read,
        records=list(read.records),
        cuts=list(read.cuts),
        commitments=dict(read.commitments),
    )


@functools.lru_cache(maxsize=100)
def _read(seat: int | None, cuts: tuple[Cut, ...]) -> TableView:
    view = TableView(ROOM, seat)
    view.receive(cuts)
    return view


GAME = GameLine(
    "second_edition",
    Text("game/second_edition", field="name"),
    Text("game/second_edition"),
    SecondEditionTable.usual_settings,
    SecondEditionTable.has_settings,
)
SCENARIO = ScenarioLine(
    "core/sluice",
    "second_edition",
    Text("scenario/sluice", field="name"),
    Text("story/prologue"),
    45,
    2,
    Roster(
        1,
        5,
        (
            Role(
                "investigator",
                1,
                5,
                ("investigator/ada", "investigator/amos", "investigator/vera"),
                (2, 1, 1, 1, 1),
            ),
        ),
    ),
    products=(
        ProductLine("product/flood", ("investigator/vera",)),
        ProductLine("product/ebb", ()),
    ),
)
EVENING = datetime(2026, 11, 21, 20, 30, tzinfo=UTC)
"""Wall-clock time of everything on the stage."""


def _at(*ago: int) -> int:
    """Return the time this many days, hours and minutes before the tests' evening.

    Unit: milliseconds since 1970.
    """
    days, hours, minutes = ago
    then = EVENING - timedelta(days=days, hours=hours, minutes=minutes)
    return int(then.timestamp() * 1000)


TABLES = (
    TableLine(
        "room-9", "core/sluice", Stage.OVER, ("Ann", "Cid"), is_my_turn=False, when=_at(3, 0, 0)
    ),
    TableLine("room-2", "core/sluice", Stage.LOBBY, ("Ann",), is_my_turn=False, when=_at(0, 0, 15)),
    TableLine(
        "room-1", "core/sluice", Stage.PLAYING, ("Ann", "Bob"), is_my_turn=True, when=_at(1, 2, 0)
    ),
)


def play(
    model: ClientModel,
    doing: Play,
    *,
    rows: int = 24,
    columns: int = 80,
    wishes: Wishes = NO_WISHES,
    replay: Script | None = None,
    port: ClientPort | None = None,
    is_new: bool = False,
) -> OnStage:
    """Run a client while `doing` acts on it; return its final state.

    Args:
        is_new: True to tell a newcomer to a running game the story so far.
        replay: log to step through instead of playing.
        port: by default a port that only records messages.
    """
    size = [rows, columns]
    screen = Screen(columns, rows)
    sink = _Sink(screen, Stream(screen))
    recording = RecordingPort()

    async def run(keys: PipeInput) -> OnStage:
        output = Vt100_Output(
            sink,  # type: ignore[arg-type]  # as much of a file as is asked of it
            lambda: Size(rows=size[0], columns=size[1]),
            term="xterm-256color",
            enable_cpr=False,
        )
        if replay is not None:
            terminal = make_replay(
                ReplayModel(replay.records),
                model.words,
                wishes,
                locale=model.locale,
                input=keys,
                output=output,
            )
        else:
            terminal = make_terminal(model, port or recording, wishes, input=keys, output=output)
        terminal.ui.desk.wall = lambda: EVENING
        if model.view is not None and not is_new:
            terminal.ui.desk.introduced.add(model.view.room_id)
        # People wait up to 20 ms for a frame, so that none is drawn for nothing; tests do not.
        terminal.application.min_redraw_interval = None
        shown = OnStage(terminal, model, recording, keys, sink, size)
        terminal.application.key_processor.after_key_press += shown.count
        running = asyncio.ensure_future(terminal.run())
        try:
            await shown.settle()
            await doing(shown)
        finally:
            terminal.quit()
            await asyncio.wait_for(running, 5)
        return shown

    with create_pipe_input() as keys:
        return asyncio.run(run(keys))


def same_screen(name: str, text: str) -> None:
    """Compare a screen with the accepted snapshot of that name."""
    path = SNAPSHOTS / f"{name}.txt"
    if os.environ.get(ACCEPT):
        path.write_text(text + "\n", encoding="utf-8")
    accepted = path.read_text(encoding="utf-8") if path.exists() else ""

    assert text + "\n" == accepted, f"the screen {name} is another; accept it with {ACCEPT}=1"


def view_of(script: Script, seat: int | None = 0) -> TableView:
    """Return the view of a seat with everything received."""
    view = TableView(ROOM, seat)
    view.receive(script.cuts(seat))
    return view


def ui_of(script: Script) -> Ui:
    model = model_of(script)
    journal = Journal(lambda: model.speaker)
    journal.begin(model.view)
    return Ui(Desk(model, RecordingPort(), journal))


def inviting() -> ClientModel:
    """Return the model of a host whose table waits for players."""
    model = model_of(lobby())
    model.status = Online("haunted", fingerprint_text(b"f" * 32), "haunted.example:4470")
    model.set_codes(ROOM, {ANY_SEAT: code_text(b"c" * 10)})
    return model
