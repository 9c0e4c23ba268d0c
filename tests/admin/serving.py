"""Starts a server in a child process and connects to its admin socket."""

import contextlib
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import attrs

from server.admin.line import Line
from tests.kit import warm
from tests.kit.compiled import with_packs

ROOT = Path(__file__).parents[2]
PATIENCE_SECONDS = 60
SERVE = "import sys; from server.commands.cli import serve; sys.exit(serve(sys.argv[1:]))"
OPTIONS = ("--host", "127.0.0.1", "--port", "0", "--json", "--stop-with-stdin")


def environment(home: Path) -> dict[str, str]:
    """Return environment variables for a command: a home folder of its own, and English."""
    own = {"PYTHONPATH": str(ROOT), "MANSE_HOME": str(with_packs(home)), "LANG": "C"}
    return {**os.environ, **own}


@attrs.frozen
class Serving:
    """A running server process."""

    folder: Path
    home: Path
    port: int
    process: warm.Piped

    def line(self) -> Line:
        """Connect to the server's admin socket."""
        return Line.to(self.folder)

    def end(self) -> tuple[int, str]:
        """Stop the server; return its exit status and its log."""
        _, log = self.process.communicate("", timeout=PATIENCE_SECONDS)
        return self.process.wait(0), log


@contextlib.contextmanager
def serving(home: Path, more: Sequence[str] = ()) -> Iterator[Serving]:
    """Run a server; kill it in the end if it still runs."""
    folder = home / "server"
    options = (*OPTIONS, "--folder", str(folder), *more)
    process = warm.piped(warm.COMMANDS, SERVE, *options, env=environment(home))
    try:
        listens = json.loads(process.stdout.readline())
        yield Serving(folder, home, listens["port"], process)
    finally:
        if process.poll() is None:
            process.kill()
            process.communicate()
