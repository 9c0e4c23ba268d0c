"""
Plain mode on the real standard input and output: a pipe, a file, or a terminal.

On a capable terminal, a line editor reads the lines. In a pipe, in a file, or if the player wants
no editor, whole lines are read and written.
"""

import asyncio
import codecs
import os
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Self

import attrs

from client.model.model import ClientModel
from client.model.status import GaveUp
from client.net.client_port import ClientPort
from client.plain.client import PlainClient
from client.plain.commands import MAX_LINE
from client.plain.talk import Environment
from client.plain.wrapping import wrapped
from client.teaching.coach import Coach
from client.terminal.runner import STATUS_INTERRUPTED
from client.text.printable import to_ascii
from commands.signs import SIGNS
from commands.streams import OutputLost

_READ_BYTES = 1 << 14

_Make = Callable[[Callable[[str], None], Callable[[], None]], PlainClient]
"""Creates a plain client, given functions that print a line and ring the bell."""


async def play_plain(
    model: ClientModel,
    port: ClientPort,
    coach: Coach | None = None,
    *,
    is_edited: bool,
    has_bell: bool = False,
) -> int:
    """
    Play in lines until the person leaves, or the input ends.

    Args:
        model: the model of a client whose connection runs already.
        port: the port of the same client.
        coach: teaches a new player what to type; None if there is no coach.
        is_edited: whether to use the line editor, which needs a terminal.
        has_bell: whether to ring the terminal's bell for a player who is asked after a wait.

    Returns:
        The exit status.
    """
    done: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    encoding = sys.stdout.encoding

    def make(emit: Callable[[str], None], ring: Callable[[], None]) -> PlainClient:
        environment = Environment(ring=ring) if has_bell else Environment()
        return PlainClient(
            model, port, lambda line: emit(written(line, encoding)), coach, environment
        )

    return await (_play_edited if is_edited else _play_bare)(make, done)


@attrs.define(eq=False)
class _Play:
    """A plain client with a future that is done once the player has left."""

    face: PlainClient
    done: "asyncio.Future[int]"

    def __enter__(self) -> Self:
        self.face.model.on_change.append(self.check)
        self.face.update()
        self.check()
        return self

    def __exit__(self, *_: object) -> None:
        self.face.model.on_change.remove(self.check)
        self.face.stop()

    def check(self) -> None:
        """Check whether the player has left."""
        if self.face.is_done and not self.done.done():
            # A script sees by the status that the server refused.
            self.done.set_result(1 if isinstance(self.face.model.status, GaveUp) else 0)

    def handle(self, line: str | None, begun: int | None = None) -> None:
        """Pass a line on to the client. A line of None ends the input."""
        if line is None:
            self.face.end()
        else:
            self.face.hear(line, begun)
        self.check()


async def _play_edited(make: _Make, done: "asyncio.Future[int]") -> int:
    # Imported here: bare lines do without prompt_toolkit.
    from client.plain.editor import LineEditor  # noqa: PLC0415

    editor = LineEditor()
    with _Play(make(editor.emit, editor.ring), done) as play:
        is_interrupted = await editor.listen(play.face, play.handle, done)
    return STATUS_INTERRUPTED if is_interrupted else done.result()


def written(line: str, encoding: str | None) -> str:
    """Return a line with substitutes for characters that an encoding lacks."""
    coding = encoding or "ascii"
    try:
        return line.encode(coding, SIGNS).decode(coding)
    except LookupError:
        return to_ascii(line)


# Bare lines --------------------------------------------------------------------------------


async def _play_bare(make: _Make, done: "asyncio.Future[int]") -> int:
    is_seen = sys.stdout.isatty()

    def emit(line: str) -> None:
        # A file or another program gets whole lines; a terminal would break them within words.
        lines = wrapped(line, shutil.get_terminal_size().columns) if is_seen else [line]
        try:
            print(*lines, sep="\n", flush=True)  # noqa: T201 (plain mode is what it prints)
        except (BrokenPipeError, OutputLost) as error:
            # The reader has gone, or the disk is full: end as commands in pipes do.
            if not done.done():
                done.set_exception(error)

    is_typed = sys.stdin.isatty()
    with _Play(make(emit, lambda: None), done) as play:

        def handle(line: str | None) -> None:
            # A terminal hands over whole lines. A script in a pipe may answer as fast as it can.
            play.handle(line, play.face.readable_id if is_typed else None)

        _read_lines(asyncio.get_running_loop(), handle)
        return await done


class LineSplitter:
    """A splitter of bytes into lines, with a bounded buffer for an incomplete line."""

    def __init__(self, encoding: str = "utf-8") -> None:
        # Skip a byte order mark, which some editors leave.
        is_utf_8 = codecs.lookup(encoding).name == "utf-8"
        coding = "utf-8-sig" if is_utf_8 else encoding
        self._decode = codecs.getincrementaldecoder(coding)("replace").decode
        self._held = ""

    def feed(self, data: bytes) -> Iterator[str]:
        """Yield the lines that these bytes complete. Without any bytes, yield the rest."""
        *lines, held = (self._held + self._decode(data, not data)).split("\n")
        # One extra character suffices to see that a line is too long.
        self._held = held[: MAX_LINE + 1]
        yield from lines
        if not data and self._held:
            yield self._held


def _read_lines(loop: asyncio.AbstractEventLoop, handle: Callable[[str | None], None]) -> None:
    """
    Pass the lines of standard input to the loop, and None at the end of the input.

    A thread waits for the lines, because loops cannot watch every kind of standard input. The
    thread ends with the process. It reads the bare descriptor, because a lock on `sys.stdin` at the
    exit of the process would be fatal.
    """
    encoding = getattr(sys.stdin, "encoding", None) or "utf-8"

    def read() -> None:
        # Nothing of the client is touched in this thread but `call_soon_threadsafe`.
        splitter = LineSplitter(encoding)
        while not loop.is_closed():
            try:
                data = os.read(0, _READ_BYTES)
            except OSError:
                data = b""
            for line in splitter.feed(data):
                _call(loop, handle, line)
            if not data:
                _call(loop, handle, None)
                return

    threading.Thread(target=read, daemon=True).start()


def _call(
    loop: asyncio.AbstractEventLoop, handle: Callable[[str | None], None], line: str | None
) -> None:
    try:
        loop.call_soon_threadsafe(handle, line)
    except RuntimeError:
        # The loop has ended, so the line is dropped.
        return
