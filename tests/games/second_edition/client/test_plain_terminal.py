"""Plain mode on a terminal and in a pipe: line editor and line decoding."""

import asyncio
import itertools
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import attrs
import pyte
import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import PipeInput, create_pipe_input
from prompt_toolkit.output.vt100 import Vt100_Output

from client.plain.client import PlainClient
from client.plain.commands import MAX_LINE
from client.plain.editor import LineEditor
from client.plain.talk import Environment
from client.plain.terminal import LineSplitter, written
from client.settings.appearance import has_screen
from client.terminal.crash import STATUS_CRASHED
from protocol.common import events
from protocol.event import hidden
from tests.games.second_edition.client.console import Shelf
from tests.games.second_edition.client.scripted import Script, action_question, asked
from tests.games.second_edition.client.stage import RecordingPort, _Sink, model_of
from tests.kit.terminals.on_pty import CLIENT, on_pty

ROWS, COLUMNS = 24, 60


@attrs.define
class AtDesk:
    """Plain client on an emulated terminal at a scripted table."""

    script: Script
    face: PlainClient
    port: RecordingPort
    keys: PipeInput
    sink: _Sink
    task: "asyncio.Future[Any]"

    async def press(self, text: str) -> None:
        """Press keys, and wait for their effect."""
        self.keys.send_text(text)
        await settled()

    async def go_on(self, *happened: Any) -> None:
        """Emit events at the table."""
        view = self.face.model.view
        assert view is not None
        self.script.emit(*happened)
        self.face.model.pass_steps(view.receive(self.script.cuts(0, view.last + 1)))
        self.face.model.changed()
        await settled()

    @property
    def lines(self) -> list[str]:
        """Lines on the screen, without the empty ones at its end."""
        return "\n".join(line.rstrip() for line in self.sink.screen.display).rstrip().split("\n")

    @property
    def raw(self) -> str:
        """Everything written to the terminal, escape sequences included."""
        return "".join(self.sink.raw)


async def settled() -> None:
    """Wait for pending work."""
    for _ in range(12):
        await asyncio.sleep(0.005)


def at_desk(doing: Callable[[AtDesk], Coroutine[Any, Any, None]], script: Script) -> AtDesk:
    """Run a client on a terminal while `doing` acts on it; return its final state."""
    screen = pyte.Screen(COLUMNS, ROWS)
    sink = _Sink(screen, pyte.Stream(screen))
    size = Size(rows=ROWS, columns=COLUMNS)

    async def run(keys: PipeInput) -> AtDesk:
        output = Vt100_Output(sink, lambda: size, term="xterm")  # type: ignore[arg-type]
        editor, port = LineEditor(keys, output), RecordingPort()
        # A second passes at each look, so that nothing is typed too early to have been read.
        seconds = itertools.count()
        environment = Environment(Shelf().write, lambda: float(next(seconds)))
        face = PlainClient(model_of(script), port, editor.emit, environment=environment)
        done: asyncio.Future[int] = asyncio.get_running_loop().create_future()

        def take(line: str | None, begun: int | None) -> None:
            if line is None:
                face.end()
            else:
                face.hear(line, begun)
            if face.is_done and not done.done():
                done.set_result(0)

        face.update()
        task = asyncio.ensure_future(editor.listen(face, take, done))
        desk = AtDesk(script, face, port, keys, sink, task)
        await settled()
        await doing(desk)
        if not done.done():
            done.set_result(0)
        await asyncio.wait_for(asyncio.wait([task]), 5)
        return desk

    with create_pipe_input() as keys:
        return asyncio.run(run(keys))


def test_a_choice_is_typed_at_a_terminal() -> None:
    """Nothing is coloured, and the terminal is not asked where its cursor is."""

    async def doing(desk: AtDesk) -> None:
        assert desk.lines[-2:] == ["6. End the turn", ">"]
        await desk.press("search")
        assert desk.lines[-1] == "> search"
        await desk.press("\r")
        assert desk.port.said == [("answer", 0, ("1.4",))]

    desk = at_desk(doing, asked())

    assert "\x1b[6n" not in desk.raw
    assert "\x1b[3" not in desk.raw
    assert "\x1b[?1049h" not in desk.raw


def test_what_is_printed_does_not_tear_the_line_that_is_typed() -> None:

    async def doing(desk: AtDesk) -> None:
        await desk.press("sea")
        await desk.go_on(events.Chatted(1, hidden(b"one")), events.Chatted(1, hidden(b"two")))
        assert desk.lines[-3:] == ["Bob: one", "Bob: two", "> sea"]
        await desk.press("rch\r")
        assert desk.port.said == [("answer", 0, ("1.4",))]

    at_desk(doing, asked())


def test_long_lines_are_broken_between_words() -> None:
    """Text to be copied, such as an invitation, stays in one piece."""
    story, code = "water " * 15, "manse join " + "x" * 70

    async def doing(desk: AtDesk) -> None:
        await desk.go_on(
            events.Chatted(1, hidden(story.encode())), events.Chatted(1, hidden(code.encode()))
        )
        assert desk.lines[-5:-3] == ["Bob: " + ("water " * 9).strip(), ("water " * 6).strip()]
        assert desk.lines[-3] == ("Bob: " + code)[:COLUMNS]

    at_desk(doing, asked())


def test_french_punctuation_begins_no_line() -> None:
    """No line begins with French punctuation, and none ends with an opening quotation mark."""
    story = "a" * (COLUMNS - 9) + " « b » : c"

    async def doing(desk: AtDesk) -> None:
        await desk.go_on(events.Chatted(1, hidden(story.encode())))
        assert desk.lines[-2] == "« b » : c"

    at_desk(doing, asked())


def test_tab_completes_and_lists() -> None:

    async def doing(desk: AtDesk) -> None:
        await desk.press("mov\t")
        assert desk.lines[-1] == "> move"
        await desk.press("\t")
        assert desk.lines[-2].split() == ["hall", "kitchen", "study"]
        assert desk.lines[-1] == "> move"
        await desk.press("k\t\r")
        assert desk.port.said == [("answer", 0, ("1.2",))]

    at_desk(doing, asked())


def test_lines_come_back_with_the_arrow() -> None:

    async def doing(desk: AtDesk) -> None:
        await desk.press("say hello\r")
        await desk.press("\x1b[A\r")
        assert desk.port.said == [("chat", "hello"), ("chat", "hello")]

    at_desk(doing, asked())


def test_an_answer_begun_before_the_question_changed_is_not_given() -> None:
    """The next question came while somebody typed an answer to the previous one."""

    async def doing(desk: AtDesk) -> None:
        await desk.press("4")
        await desk.go_on(events.Answered(0, 0, hidden(("1.1",))))
        desk.script.ask({0: action_question()}, about=action_question().prompt)
        await desk.go_on()
        await desk.press("\r")
        assert not desk.port.said
        assert "The question has just come: look again." in desk.lines
        await desk.press("4\r")
        assert desk.port.said == [("answer", 1, ("1.4",))]

    at_desk(doing, asked())


def test_several_lines_can_be_pasted() -> None:

    async def doing(desk: AtDesk) -> None:
        await desk.press("\x1b[200~say one\nsay two\x1b[201~")
        assert not desk.port.said
        await desk.press("\r")
        assert desk.port.said == [("chat", "one"), ("chat", "two")]

    at_desk(doing, asked())


@pytest.mark.issue(38)
@pytest.mark.parametrize("block", ["say one\n2\n\nand three", "say  one\n 2\nand three\n"])
def test_a_block_of_text_is_one_line_of_talk(block: str) -> None:
    """No line of the block answers the open question."""

    async def doing(desk: AtDesk) -> None:
        await desk.press(f"\x1b[200~{block}\x1b[201~\r")
        assert desk.port.said == [("chat", "one 2 and three")]

    at_desk(doing, asked())


@pytest.mark.issue(38)
def test_a_block_that_is_no_command_answers_nothing() -> None:
    """The block was pasted by mistake."""

    async def doing(desk: AtDesk) -> None:
        await desk.press("\x1b[200~Dear all\n2\n1\x1b[201~\r")
        assert not desk.port.said

    at_desk(doing, asked())


def test_the_end_of_input_leaves() -> None:

    async def doing(desk: AtDesk) -> None:
        await desk.press("\x04")
        assert desk.face.is_done
        assert desk.task.done()
        assert desk.task.result() is False

    at_desk(doing, asked())


def test_an_interrupt_leaves_at_once() -> None:

    async def doing(desk: AtDesk) -> None:
        await desk.press("sea\x03")
        assert desk.task.done()
        assert desk.task.result() is True
        assert not desk.port.said

    at_desk(doing, asked())


def test_quitting_ends_the_line() -> None:

    async def doing(desk: AtDesk) -> None:
        await desk.press("who\r")
        await desk.press("quit\r")
        assert desk.task.done()

    assert "Waiting for Ann: Ada Lorne: an action (2 left)" in at_desk(doing, asked()).lines


# Faults of our own -----------------------------------------------------------------------------


_IMPORTS = (
    *CLIENT,
    "tests.games.second_edition.client.console",
    "client.games.second_edition.face",
)
_CLIENT = """
import sys
from client.commands import cli
from client.plain import commands, editor, terminal
from tests.games.second_edition.client.scripted import asked
from tests.games.second_edition.client.console import RecordingPort
from tests.games.second_edition.client.stage import model_of

def fail(*_):
    raise ValueError("Hester has the locked room")

async def main(reactor):
    model = model_of(asked())
    {plant} = fail
    return await terminal.play_plain(model, RecordingPort(), is_edited=True)

sys.exit(cli._run(main, "en"))
"""


@pytest.mark.parametrize(
    ("plant", "typed"),
    [
        ("commands._obey", "party\r"),
        ("terminal.PlainClient.complete", "par\t"),
        ("editor.wrapped", "party\r"),
    ],
)
def test_a_fault_of_ours_restores_the_terminal(plant: str, typed: str, tmp_path: Path) -> None:
    with on_pty(_CLIENT.format(plant=plant), home=tmp_path, imports=_IMPORTS) as terminal:
        if plant != "editor.wrapped":
            terminal.wait_for("6. End the turn")
            terminal.type(typed)

        assert terminal.end() == STATUS_CRASHED, terminal.text
        assert terminal.is_restored()

    assert "Hester" not in terminal.raw.decode()
    assert "Manse has crashed because of a bug of its own" in " ".join(terminal.text.split())


def test_bare_lines_are_broken_between_words_on_a_terminal(tmp_path: Path) -> None:
    """No sequence moves the cursor or sets a colour."""
    code = _CLIENT.format(plant="unused").replace("is_edited=True", "is_edited=False")
    with on_pty(code, home=tmp_path, imports=_IMPORTS, TERM="dumb") as terminal:
        terminal.wait_for("6. End the turn")
        terminal.type("map hall\n")
        terminal.wait_for("Leads to: Hall (2), Kitchen\n(door, south).")
        terminal.type("quit\n")

        assert terminal.end() == 0

    assert b"\x1b" not in terminal.raw


# Lines out of bytes ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pieces", "lines"),
    [
        ([b"one\ntwo\n", b""], ["one", "two"]),
        ([b"on", b"e\ntw", b"o", b""], ["one", "two"]),
        (["là".encode()[:2], "là".encode()[2:] + b"\n", b""], ["là"]),
        ([b"one\r\n", b""], ["one\r"]),
        ([b"\xef\xbb\xbfone\n", b""], ["one"]),
        ([b"\xff\xfe\n", b""], ["\ufffd\ufffd"]),
        ([b"\n\n", b""], ["", ""]),
        ([b""], []),
    ],
)
def test_bytes_become_lines(pieces: list[bytes], lines: list[str]) -> None:
    """Chunks may be cut anywhere; a byte order mark is dropped."""
    splitter = LineSplitter()

    assert [line for piece in pieces for line in splitter.feed(piece)] == lines


@pytest.mark.parametrize("encoding", ["iso-8859-1", "cp1252", "gb18030"])
def test_lines_are_read_in_the_encoding_of_the_input(encoding: str) -> None:
    splitter = LineSplitter(encoding)
    typed = "dire l\xe9t\xe9\n".encode(encoding)

    told = [line for at in range(len(typed)) for line in splitter.feed(typed[at : at + 1])]

    assert told == ["dire l\xe9t\xe9"]


def test_a_line_without_an_end_takes_no_memory() -> None:
    """Of such a line, only the fact that it is too long is kept."""
    splitter = LineSplitter()
    for _ in range(100):
        assert not list(splitter.feed(b"x" * 10_000))

    (line,) = splitter.feed(b"\n")

    assert MAX_LINE < len(line) <= MAX_LINE + 2
    assert list(splitter.feed(b"party\n")) == ["party"]


@pytest.mark.parametrize(
    ("encoding", "written_as"),
    [
        ("utf-8", "Hôtel « x » œ…"),
        ("latin-1", "Hôtel « x » oe..."),
        ("ascii", 'Hotel " x " oe...'),
        (None, 'Hotel " x " oe...'),
        ("no such", 'Hotel " x " oe...'),
    ],
)
def test_what_an_encoding_lacks_is_written_with_the_nearest_signs(
    encoding: str | None, written_as: str
) -> None:
    """French is readable in any encoding."""
    assert written("Hôtel « x » œ…", encoding) == written_as


def test_a_screen_takes_a_terminal_at_both_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """The full screen needs a terminal for input and output, and none of type dumb."""
    ends = {"stdin": True, "stdout": True}
    for name in ("stdin", "stdout"):
        monkeypatch.setattr(f"sys.{name}.isatty", lambda name=name: ends[name], raising=False)

    assert has_screen({"TERM": "xterm"})
    assert not has_screen({"TERM": "dumb"})
    assert not has_screen({"TERM": "unknown"})
    assert not has_screen({})
    ends["stdin"] = False
    assert not has_screen({"TERM": "xterm"})
