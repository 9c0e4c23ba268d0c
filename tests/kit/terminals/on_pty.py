"""A real client process on a real terminal device, seen through an emulator."""

import fcntl
import os
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import attrs

from tests.kit import warm
from tests.kit.terminals.emulator import ByteStream, Screen

ROOT = Path(__file__).parents[3]
CLIENT = (
    "client.commands.cli",
    "client.plain.terminal",
    "client.terminal.app",
    "client.terminal.runner",
    "twisted.internet.asyncioreactor",
    "twisted.internet.endpoints",
)
"""Modules that every client on a terminal imports."""
ANEW: tuple[str, ...] = ()
Process = subprocess.Popen[bytes] | warm.Started
PATIENCE = 60.0
"""Maximum seconds of any wait; then the program counts as hung."""
ROWS, COLUMNS = 24, 80


@attrs.define(eq=False)
class Pty:
    """A process with a terminal of its own."""

    process: "Process"
    master: int
    slave: int
    """The terminal's other end, kept open to read its modes after the process has ended."""
    before: list[Any]
    """Modes of the terminal before the process used it."""
    raw: bytes = b""
    screen: Any = attrs.field(factory=lambda: Screen(COLUMNS, ROWS), init=False)
    _stream: Any = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._stream = ByteStream(self.screen)

    @property
    def text(self) -> str:
        """The text on the screen."""
        return "\n".join(line.rstrip() for line in self.screen.display)

    def read(self, seconds: float) -> bool:
        """Read what is written within `seconds`; return whether anything was."""
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        data = os.read(self.master, 1 << 16)
        self.raw += data
        self._stream.feed(data)
        return True

    def wait_for(self, text: str) -> None:
        """Wait until a text is on the screen."""
        self.wait_for_any(text)

    def wait_for_any(self, *texts: str) -> None:
        """Wait until one of some texts is on the screen."""
        end = time.monotonic() + PATIENCE
        while not any(text in self.text for text in texts):
            left = end - time.monotonic()
            if left < 0 or (not self.read(min(left, 0.5)) and self.process.poll() is not None):
                told = " or ".join(map(repr, texts))
                raise AssertionError(f"{told} did not come:\n{self.text}")

    def type(self, keys: str) -> None:
        os.write(self.master, keys.encode())

    def end(self) -> int:
        """Wait for the end of the process, read its last output, and return its status."""
        end = time.monotonic() + PATIENCE
        while self.process.poll() is None and time.monotonic() < end:
            self.read(0.1)
        while self.read(0):
            pass
        return self.process.wait(1)

    def resize(self, rows: int, columns: int) -> None:
        """Change the size of the terminal, and signal the process."""
        _set_size(self.slave, rows, columns)
        self.screen.resize(rows, columns)
        self.process.send_signal(signal.SIGWINCH)

    def hang_up(self) -> None:
        """Close the terminal, as when its window is closed."""
        for end in (self.slave, self.master):
            if end >= 0:
                os.close(end)
        self.slave = self.master = -1

    def is_restored(self) -> bool:
        """True if modes, screen, cursor, mouse and title of the terminal are restored."""
        modes = (
            (b"\x1b[?1049h", b"\x1b[?1049l"),
            (b"\x1b[?2004h", b"\x1b[?2004l"),
            (b"\x1b[?1000h", b"\x1b[?1000l"),
            (b"\x1b[?25l", b"\x1b[?25h"),
        )
        # Both are -1 where a mode was never touched.
        are_back = all(self.raw.rfind(on) <= self.raw.rfind(off) for on, off in modes)
        has_title = self.raw.rfind(b"\x1b]2;Manse") > self.raw.rfind(b"\x1b]2;\x07")
        return are_back and not has_title and termios.tcgetattr(self.slave) == self.before


def _set_size(terminal: int, rows: int, columns: int) -> None:
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


@contextmanager
def on_pty(
    code: str, *arguments: str, home: Path, imports: tuple[str, ...] = CLIENT, **more: str
) -> Iterator[Pty]:
    """Run Python code on a terminal; the block's end kills it at the latest.

    Args:
        code: code of the program.
        arguments: arguments after the program's name in `sys.argv`.
        home: folder for the client's files.
        imports: modules imported before it starts; ANEW for a fresh process.
        more: further environment variables.
    """
    master, slave = os.openpty()
    _set_size(slave, ROWS, COLUMNS)
    environment: Mapping[str, str] = {
        **{name: text for name, text in os.environ.items() if not name.startswith("LC_")},
        "MANSE_HOME": str(home),
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        **more,
    }
    process: Process
    if imports:
        files = (slave, slave, slave)
        process = warm.start(imports, code, *arguments, env=environment, files=files)
    else:
        process = subprocess.Popen(
            [sys.executable, "-c", code, *arguments],
            cwd=ROOT,
            env=environment,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
        )
    terminal = Pty(process, master, slave, termios.tcgetattr(slave))
    try:
        yield terminal
    finally:
        process.kill()
        process.wait(PATIENCE)
        terminal.hang_up()
