"""
Servers in separate processes: ours as `manse serve` builds it, and the bare server.

Each has a core of its own if the machine permits the choice. CPU time and memory are read from
`/proc`, so that the measured server does no extra work.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import attrs

STOP_SECONDS: Final = 30
"""Seconds after which a server that does not stop is killed."""
PROGRAMS: Final = {
    "ours": "import sys; from server.commands.cli import serve; sys.exit(serve(sys.argv[1:]))",
    "soaked": "import sys; from bench.soaked import main; sys.exit(main(sys.argv[1:]))",
    "bare": "import sys; from bench.bare import main; sys.exit(main(sys.argv[1:]))",
}
"""Source of the Python program that each kind of server runs."""


@attrs.frozen
class Process:
    """A server that accepts connections."""

    kind: str
    """`ours`, `soaked` or `bare`."""
    pid: int
    port: int
    fingerprint: str
    """The fingerprint of our server's identity; empty for the bare server."""
    folder: Path
    """The folder of the server, with its log."""

    def cpu_seconds(self) -> float:
        """Return the CPU time that all threads of the server have used."""
        return cpu_seconds_of(self.pid)

    def memory_kib(self) -> int:
        """Return the private memory of the server that is in use now."""
        lines = Path(f"/proc/{self.pid}/smaps_rollup").read_text("ascii").splitlines()
        # Pages shared with other processes would be counted for each of them.
        private = (line for line in lines if line.startswith(("Private_Clean", "Private_Dirty")))
        return sum(int(line.split()[1]) for line in private)

    def log_lines(self) -> list[str]:
        return (self.folder / "server.log").read_text("utf-8", "replace").splitlines()


def cpu_seconds_of(pid: int) -> float:
    """Return the CPU time that all threads of a process have used."""
    # In nanoseconds, where `stat` counts hundredths of a second.
    tasks = Path(f"/proc/{pid}/task")
    times = ((task / "schedstat").read_text("ascii").split()[0] for task in tasks.iterdir())
    return sum(map(int, times)) / 1e9


def choose_cores() -> None:
    """Make this process leave the first core to the servers, if there are several cores."""
    if hasattr(os, "sched_setaffinity"):
        first, *others = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, others or {first})


def _take_first_core() -> None:
    """In the child process: use only the first core of the machine."""
    if hasattr(os, "sched_setaffinity"):
        with suppress(OSError):
            os.sched_setaffinity(0, {min(_CORES)})


_CORES: Final = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else {0}


@contextmanager
def serving(
    kind: str,
    folder: Path | None = None,
    environment: Mapping[str, str] | None = None,
    options: Sequence[str] = (),
) -> Iterator[Process]:
    """
    Run a server until the block ends.

    Args:
        kind: a key of `PROGRAMS`.
        folder: the folder of the server; None for a temporary folder.
        environment: variables added to the environment of this process.
        options: further arguments of the server.
    """
    if folder is None:
        with (
            TemporaryDirectory(prefix="manse-bench-") as name,
            serving(kind, Path(name), environment, options) as server,
        ):
            yield server
        return
    arguments = ["--host", "127.0.0.1", "--port", "0", "--json", "--folder", str(folder), *options]
    more = {**(environment or {}), "MANSE_SOAK": str(folder / "soak.jsonl")}
    command = [sys.executable, "-c", PROGRAMS[kind], *arguments, "--stop-with-stdin"]
    with (
        (folder / "server.log").open("a", encoding="utf-8") as log,
        subprocess.Popen(  # noqa: S603 (our own programs)
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            env={**os.environ, **more},
            text=True,
            preexec_fn=_take_first_core,  # noqa: PLW1509 (we have one thread as long as we start some)
        ) as process,
    ):
        assert process.stdout is not None
        try:
            told = json.loads(process.stdout.readline() or "null")
            if told is None:
                raise RuntimeError((folder / "server.log").read_text("utf-8"))
            yield Process(kind, process.pid, told["port"], told["fingerprint"], folder)
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
