"""
Rows about the full-screen client: CPU time from a key or a record to the resulting frame.

A seeded game of the largest scenario is played to a late point. The real terminal follows the game
at 200x60, reads keys from a pipe and writes to nowhere. Every action is timed separately.
"""

import asyncio
import functools
import gc
import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final, TextIO

import attrs
from prompt_toolkit.application import Application
from prompt_toolkit.data_structures import Size as TerminalSize
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.layout import FormattedTextControl, Layout, Window
from prompt_toolkit.output.vt100 import Vt100_Output

from bench.rows import Row
from bench.timing import at_most
from client.journal.journal import Journal
from client.locale import load
from client.locale.word_store import WordStore
from client.model.model import ClientModel
from client.model.status import Online
from client.model.tables import TableView
from client.net.port import ServerPort
from client.tellers.base import JournalLine
from client.terminal.app import Terminal, make_terminal
from content.games.second_edition.schema.pack import Pack
from protocol import messages
from protocol.common.table import Stage
from protocol.event import Cut, cut
from tests.games.second_edition.simulate import Simulation, core, simulate

ROWS, COLUMNS = 60, 200
SEED, PLAYERS = 3, 5
SEAT = 0
LATE = 4 / 5
"""Position in the log at which the table is shown, as a share of its length."""
_DOWN, _JOURNAL, _CLOSE = "\x1b[B", "j", "q"
_MAP_MOVES = ("\x1b[1;2C", "\x1b[1;2B", "\x1b[1;2D", "\x1b[1;2A")
"""Keys that move the map: Shift with right, down, left and up."""


def largest(pack: Pack) -> str:
    """Return the scenario with the most tiles; among equals, with the most decks and tokens."""

    def weight(name: str) -> tuple[int, int]:
        scenario = pack.scenarios[name]
        return len(scenario.tiles), len(scenario.decks) + len(scenario.tokens)

    return max(pack.scenarios, key=weight)


@attrs.frozen(eq=False)
class Evening:
    """A finished game, and the late point of the game that the benchmark shows."""

    room_id: str
    cuts: tuple[Cut, ...]
    """The records as sent to seat 0."""
    late: int
    """Number of records that seat 0 had received when it was asked a question late in the game."""
    words: WordStore

    def view(self) -> TableView:
        """Return the table of seat 0 at that point."""
        view = TableView(self.room_id, SEAT)
        view.receive(self.cuts[: self.late])
        return view


@functools.cache
def evening(seed: int, players: int) -> Evening:
    """Play a game of the largest scenario."""
    pack = core()
    asked: list[int] = []
    played = simulate(seed, players)
    played.scenario = largest(pack)
    played.on_batch = lambda _: asked.append(len(played.room.log)) if _is_asked(played) else None
    played.play()
    log = tuple(played.room.log)
    late = next(at for at in asked if at >= LATE * len(log))
    subjects = {subject: dict(fields) for subject, fields in pack.catalogs["en"].items()}
    cuts = tuple(cut(stored, SEAT) for stored in log)
    return Evening(played.room.room_id, cuts, late, WordStore(subjects, "en"))


def _is_asked(played: Simulation) -> bool:
    """Return True if seat 0 is asked a question with several choices."""
    room = played.room.table.room
    question = room.ask.questions.get(SEAT) if room.ask is not None else None
    is_playing = room.stage is Stage.PLAYING
    return is_playing and question is not None and len(question.value.choices) > 1


class _Nobody:
    """A connection without a server: nothing is sent or received on it."""

    def next_serial(self) -> int:
        return 0

    def send(self, message: messages.ClientMessage) -> None:
        pass

    def try_again(self) -> None:
        """Do nothing, because the server is not away."""

    def set_language(self, _language: str) -> None:
        """Do nothing, because there is no login."""


@attrs.define(eq=False)
class Show:
    """The client on a terminal, in a separate loop."""

    of: Evening
    loop: asyncio.AbstractEventLoop
    model: ClientModel
    port: ServerPort
    terminal: Terminal
    keys: PipeInput
    view: TableView
    """The table at the late point; `begin` shows a copy of this table."""
    lines: list[JournalLine]
    """The journal up to the late point."""
    drawn: asyncio.Event = attrs.field(factory=asyncio.Event, init=False)
    frames: int = attrs.field(default=0, init=False)

    def begin(self) -> None:
        """Return to the late point, with the first choice under the cursor."""
        view = attrs.evolve(self.view, records=[*self.view.records], cuts=[*self.view.cuts])
        view.commitments = dict(self.view.commitments)
        self.model.follow(view)
        # As after coming to the table: what was before opens no story and lets no dice fall.
        self.model.update_table(next_sequence=self.of.late)
        self.terminal.ui.desk.journal.lines[:] = self.lines
        self.after(self.model.changed)

    def count(self, _: object) -> None:
        self.frames += 1
        self.drawn.set()

    def after(self, act: Callable[[], object]) -> float:
        """Call `act`, wait for the next frame, and return the CPU seconds used."""
        self.drawn.clear()
        start = time.process_time()
        act()
        self.loop.run_until_complete(self.drawn.wait())
        return time.process_time() - start

    def press(self, code: str) -> float:
        """Send the code of a key, and return the CPU seconds until the frame."""
        return self.after(lambda: self.keys.send_text(code))

    def receive(self, count: int) -> float:
        """Receive the next records of the game, and return the CPU seconds until the frame."""
        at = self.model.view.last + 1 if self.model.view is not None else 0
        cuts = self.of.cuts[at : at + count]
        said = [messages.encode_message(messages.Records(self.of.room_id, (one,))) for one in cuts]

        def hear() -> None:
            for payload in said:
                heard = messages.decode_message(payload, messages.Sender.SERVER)
                self.port.received(heard)

        # What earlier ones opened has been read.
        self.terminal.ui.desk.boxes.clear()
        return self.after(hear)


@contextmanager
def _nowhere() -> Iterator[TextIO]:
    with Path(os.devnull).open("w", encoding="utf-8") as file:
        yield file


def show(of: Evening, stack: ExitStack) -> Show:
    """Open a terminal on a game; the stack closes the terminal."""
    # What the server's side of the game left in memory is no client's to look through.
    gc.collect()
    gc.freeze()
    stack.callback(gc.unfreeze)
    loop = asyncio.new_event_loop()
    stack.callback(loop.close)
    view = of.view()
    mine = view.my_seat
    assert mine is not None
    model = ClientModel(mine.name, mine.key, load("en"), "example:4470", of.words)
    model.status = Online("haunted", "", "example:4470", 0.012)
    port = ServerPort(model, _Nobody(), lambda: bytes(32))
    keys = stack.enter_context(create_pipe_input())
    nowhere = stack.enter_context(_nowhere())
    size = TerminalSize(ROWS, COLUMNS)
    # No terminal is there to answer a request for the position of the cursor.
    output = Vt100_Output(nowhere, lambda: size, term="xterm-256color", enable_cpr=False)
    terminal = make_terminal(model, port, input=keys, output=output)
    journal = Journal(lambda: model.speaker)
    journal.begin(view)
    shown = Show(of, loop, model, port, terminal, keys, view, journal.lines)
    terminal.application.after_render += shown.count
    running = loop.create_task(terminal.run())
    stack.callback(lambda: loop.run_until_complete(running))
    stack.callback(terminal.quit)
    loop.run_until_complete(shown.drawn.wait())
    return shown


# What is done ------------------------------------------------------------------------------

Does = Callable[[Show, int], Iterable[float]]
"""Function that repeats an action a number of times, and yields the CPU seconds of each."""


def _choose(on: Show, times: int) -> Iterable[float]:
    return (on.press(_DOWN) for _ in range(times))


def _event(on: Show, times: int) -> Iterable[float]:
    return (on.receive(1) for _ in range(times))


def _scroll(on: Show, times: int) -> Iterable[float]:
    return (on.press(_MAP_MOVES[at % len(_MAP_MOVES)]) for at in range(times))


def _box(on: Show, times: int) -> Iterable[float]:
    return (on.press((_JOURNAL, _CLOSE)[at % 2]) for at in range(times))


_ACTS: Final[tuple[Does, ...]] = (_choose, _event, _scroll, _box)
NAMES: Final = ("frame_ms_200x60",)
BESIDE: Final = "prompt-toolkit's own windows show as much text"


def rows(rounds: int, presses: int) -> Iterable[Row]:
    """Yield the rows; each action is repeated `presses` times in a round."""
    with ExitStack() as stack:
        shown = show(evening(SEED, PLAYERS), stack)
        ours, plain = list[float](), list[float]()
        for _ in range(rounds):
            shown.begin()
            for act in _ACTS:
                ours += act(shown, presses)
            plain += _plain_frames(presses)
    what = "CPU from a key or a record to the drawn screen, the median"
    ms, beside = 1000 * at_most(ours, 0.5), 1000 * at_most(plain, 0.5)
    yield Row("frame_ms_200x60", ms, "ms", what, beside, BESIDE)


def _plain_frames(times: int) -> list[float]:
    """Show a number of screens of text with prompt-toolkit; return the CPU seconds of each."""
    loop = asyncio.new_event_loop()
    took: list[float] = []
    drawing: list[asyncio.Task[None]] = []
    with create_pipe_input() as keys, _nowhere() as nowhere:
        size = TerminalSize(ROWS, COLUMNS)
        output = Vt100_Output(nowhere, lambda: size, term="xterm-256color", enable_cpr=False)
        # Its types want a list of a union, which a list of one part of that is not.
        some_text: Any = lambda: _some_text(len(took))  # noqa: E731 (a name for its type)
        text = FormattedTextControl(some_text)
        application: Application[None] = Application(
            Layout(Window(text)), input=keys, output=output, full_screen=True
        )

        async def draw() -> None:
            for _ in range(times):
                began = time.process_time()
                application._redraw()  # noqa: SLF001 (its loop would wait between two)
                took.append(time.process_time() - began)
            application.exit()

        def begin() -> None:
            drawing.append(loop.create_task(draw()))

        application.pre_run_callables.append(begin)
        loop.run_until_complete(application.run_async())
    loop.close()
    return took


def _some_text(frame: int) -> list[tuple[str, str]]:
    """Return a screen of styled words; one row differs in each frame."""
    style = ("class:one", "class:two")
    found = []
    for row in range(ROWS):
        word = f"{frame + row:07d} " if row == frame % ROWS else "1234567 "
        found += [(style[at % 2], word) for at in range(COLUMNS // len(word))]
        found.append(("", "\n"))
    return found
