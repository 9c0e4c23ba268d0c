"""Rows about starting: the time until a person can use a command."""

import fcntl
import os
import pty
import select
import signal
import statistics
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from bench.processes import cpu_seconds_of, serving
from bench.rows import Row

_LIBRARIES: Final = (
    "attrs",
    "cryptography.hazmat.primitives.asymmetric.ed25519",
    "msgpack",
    "prompt_toolkit.application",
    "twisted.internet.endpoints",
    "twisted.internet.ssl",
)
_COMMAND: Final = "import sys; from commands.main import main; sys.exit(main(sys.argv[1:]))"
ROWS, COLUMNS = 60, 200
PATIENCE_SECONDS: Final = 60.0


def rows(names: Sequence[str], rounds: int) -> Iterable[Row]:
    with TemporaryDirectory(prefix="manse-bench-") as name:
        for measure in (_serve, _play):
            yield from (row for row in measure(Path(name), rounds, names) if row.name in names)


NAMES: Final = ("serve_ready_s", "play_first_frame_ms")


def _serve(_home: Path, rounds: int, names: Sequence[str]) -> Iterator[Row]:
    if "serve_ready_s" not in names:
        return
    waited: dict[str, list[float]] = {"bare": [], "ours": []}
    # The first start compiles the packs, which happens once for each release.
    for _ in range(rounds + 1):
        for kind, found in waited.items():
            began = time.perf_counter()
            with serving(kind):
                found.append(time.perf_counter() - began)
    ours, bare = (statistics.median(waited[kind][1:]) for kind in ("ours", "bare"))
    yield Row("serve_ready_s", ours, "s", "until the server listens", bare, "the bare server")


def _play(home: Path, rounds: int, names: Sequence[str]) -> Iterator[Row]:
    if "play_first_frame_ms" not in names:
        return
    ours, libraries = list[float](), list[float]()
    with serving("ours") as server:
        command = ("play", "--server", f"127.0.0.1:{server.port}", "--language", "en")
        for _ in range(rounds):
            with _on_terminal(command, home) as (pid, terminal):
                _read_until(terminal, lambda said: len(said) > ROWS * COLUMNS // 4)
                ours.append(1000 * cpu_seconds_of(pid))
            libraries.append(1000 * _cpu_of_imports())
    yield Row(
        "play_first_frame_ms",
        statistics.median(ours),
        "ms",
        "CPU of `manse play` to its first frame",
        statistics.median(libraries),
        "importing Twisted's TLS, prompt-toolkit, cryptography, msgpack and attrs",
    )


@contextmanager
def _on_terminal(arguments: Sequence[str], home: Path) -> Iterator[tuple[int, int]]:
    """Run a command on a new terminal; yield its process and our end of the terminal."""
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    environment = {**os.environ, "MANSE_HOME": str(home), "TERM": "xterm-256color"}
    process = subprocess.Popen(  # noqa: S603 (our own program)
        [sys.executable, "-c", _COMMAND, *arguments],
        stdin=its,
        stdout=its,
        stderr=its,
        env=environment,
        start_new_session=True,
    )
    os.close(its)
    try:
        yield process.pid, ours
    finally:
        # Hanging up ends it as a closed window does.
        process.send_signal(signal.SIGHUP)
        # Read until the end: a command that writes to a full terminal would never exit.
        with suppress(OSError):
            while os.read(ours, 65536):
                pass
        process.wait(PATIENCE_SECONDS)
        os.close(ours)


def _read_until(terminal: int, is_enough: Callable[[bytes], bool]) -> None:
    """Read a command's output until it is enough. Raise TimeoutError if it never is."""
    said = b""
    end = time.monotonic() + PATIENCE_SECONDS
    while not is_enough(said):
        ready, _, _ = select.select([terminal], [], [], max(0.0, end - time.monotonic()))
        if not ready:
            raise TimeoutError(said.decode("utf-8", "replace"))
        said += os.read(terminal, 65536)


def _cpu_of_imports() -> float:
    script = f"import time, {', '.join(_LIBRARIES)}; print(time.process_time())"
    ran = subprocess.run(  # noqa: S603 (our own names)
        [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, check=True
    )
    return float(ran.stdout)
