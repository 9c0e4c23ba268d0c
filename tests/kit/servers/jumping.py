"""
A wall clock that a test moves under running programs.

`MOVED` is code to run before a program: it offsets the program's `time.time`, and every clock of
Twisted that uses it, by the seconds in a file.
"""

import struct
from pathlib import Path
from typing import Final

import attrs

FILE: Final = "MANSE_TEST_CLOCK"
"""Environment variable with the path of the file that moves the clock."""
MOVED: Final = """
import mmap, os, struct, time
from twisted.internet import base
from twisted.python import runtime
with open(os.environ['MANSE_TEST_CLOCK'], 'rb') as file:
    off = mmap.mmap(file.fileno(), 8, prot=mmap.PROT_READ)
def seconds_off(): return struct.unpack('d', off[:8])[0]
true, true_ns = time.time, time.time_ns
time.time = lambda: true() + seconds_off()
time.time_ns = lambda: true_ns() + int(seconds_off() * 1e9)
runtime.seconds = base.runtimeSeconds = time.time
base.ReactorBase.seconds = staticmethod(time.time)
"""


@attrs.frozen
class WallClock:
    """The wall clock of a machine, as an offset in a file that programs map."""

    path: Path

    @classmethod
    def right(cls, path: Path) -> "WallClock":
        """Return a clock without an offset."""
        clock = cls(path)
        clock.move(0.0)
        return clock

    def move(self, seconds: float) -> None:
        """Set the clock's offset from the true time, in seconds."""
        # In place: those who read it have mapped this very file.
        with self.path.open("r+b" if self.path.exists() else "wb") as file:
            file.write(struct.pack("d", seconds))
