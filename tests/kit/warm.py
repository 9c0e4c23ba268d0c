"""Programs that begin with everything imported: forks of a process that imports once.

Python's start and its imports are nine tenths of the cost of a short program. A program begins here
as with `python -c`, with its own arguments, folder, environment, standard files and session, and it
ends by Python's own finalisation. Tests of how a program is started do not use this module.
"""

import atexit
import faulthandler
import functools
import gc
import importlib
import io
import json
import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Final, TextIO

import attrs

ROOT: Final = Path(__file__).parents[2]
COMMANDS: Final = (
    "client.commands.robots",
    "client.terminal.runner",
    "commands.main",
    "server.process.app",
    "server.commands.cli",
    "server.system.notifying",
    "server.process.reloading",
    "tests.kit.installed_games",
    "tests.kit.packs_at_hand",
    "twisted.internet.endpoints",
)
"""Modules that servers, and the bots that play there, import."""
_MOST: Final = 2
"""Maximum number of kept processes, at some 60 MiB each: one for servers, one for clients."""
_LOOKS: Final = 0.25
"""Interval in seconds at which a thread looks whether another one has read the status."""
_SAYS_WHERE: Final = 5.0
"""Maximum seconds in which an aborted program says where its threads are."""
_FILES: Final = 3
"""Number of standard files of a program."""
_RUN: Final = (
    "import sys; from tests.kit import warm; began = warm.keep(sys.argv[1], sys.argv[2:]);"
    "exec(compile(began, '<string>', 'exec'), {'__name__': '__main__'})"
)


@attrs.define(eq=False)
class Started:
    """A running program, with the interface of `subprocess.Popen`."""

    pid: int
    told: socket.socket
    """The socket on which the program's status arrives when it has ended."""
    returncode: int | None = None
    _reading: threading.Lock = attrs.field(factory=threading.Lock, init=False)

    def poll(self) -> int | None:
        """Return the exit status, negative for a signal; None while the program runs."""
        try:
            return self.wait(0)
        except subprocess.TimeoutExpired:
            return None

    def wait(self, timeout: float = 60.0) -> int:
        """Return the exit status. Raises TimeoutExpired after `timeout` seconds.

        Several threads may wait, as for a `Popen`: one reads the status, the others see it at most
        `_LOOKS` seconds later.
        """
        ends = time.monotonic() + timeout
        while True:
            left = max(ends - time.monotonic(), 0)
            with self._reading:
                if self.returncode is None:
                    with suppress(BlockingIOError):
                        self.returncode = int(self.told.recv(100, socket.MSG_DONTWAIT))
                        self.told.close()
                if self.returncode is not None:
                    return self.returncode
                file = self.told.fileno()
            if not left:
                raise subprocess.TimeoutExpired(str(self.pid), timeout)
            select.select([file], [], [], min(left, _LOOKS))

    def send_signal(self, number: int) -> None:
        """Send a signal, if the program still runs."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill the program."""
        self.send_signal(signal.SIGKILL)

    def wait_or_kill(self, timeout: float) -> int:
        """Return the exit status; kill the program and raise TimeoutExpired if it takes longer."""
        try:
            return self.wait(timeout)
        except subprocess.TimeoutExpired:
            self.kill()
            self.wait(timeout=60)
            raise


@attrs.define(eq=False)
class Piped(Started):
    """A program whose standard files are pipes to us, as text."""

    stdin: TextIO = attrs.field(kw_only=True)
    stdout: TextIO = attrs.field(kw_only=True)
    stderr: TextIO = attrs.field(kw_only=True)

    def communicate(self, text: str = "", *, timeout: float = 60.0) -> tuple[str, str]:
        """Write a text, and return all output and errors once the program has ended.

        A program that takes longer than `timeout` seconds is aborted, so that it says where each of
        its threads is.

        Raises:
            TimeoutExpired: it, or a program that it started, took longer; the message has what was
                printed so far.
        """
        # It may have ended without reading.
        with suppress(BrokenPipeError):
            if not self.stdin.closed:
                self.stdin.write(text)
            self.stdin.close()
        said: tuple[list[str], list[str]] = ([], [])

        def read(file: TextIO, into: list[str]) -> None:
            with file:
                into.extend(file)

        # Not joined at the time-out: what the program started may hold its output open.
        readers = [
            threading.Thread(target=read, args=both, daemon=True)
            for both in zip((self.stdout, self.stderr), said, strict=True)
        ]
        for one in readers:
            one.start()
        is_late = False
        try:
            self.wait(timeout)
        except subprocess.TimeoutExpired:
            is_late = True
            self.send_signal(signal.SIGABRT)
            self.wait(_SAYS_WHERE)
        for one in readers:
            one.join(_LOOKS if is_late else timeout)
        printed, complaints = map("".join, said)
        if is_late or any(one.is_alive() for one in readers):
            raise subprocess.TimeoutExpired(f"{self.pid}: {printed}{complaints}", timeout)
        return printed, complaints


def piped(imports: tuple[str, ...], code: str, *arguments: str, env: Mapping[str, str]) -> Piped:
    """Start a program as `start` does, with pipes."""
    (theirs_in, ours_in), (ours_out, theirs_out), (ours_err, theirs_err) = (
        os.pipe() for _ in range(_FILES)
    )
    files = (theirs_in, theirs_out, theirs_err)
    try:
        started = start(imports, code, *arguments, env=env, files=files)
    finally:
        for file in files:
            os.close(file)
    return Piped(
        started.pid,
        started.told,
        stdin=os.fdopen(ours_in, "w"),
        stdout=os.fdopen(ours_out),
        stderr=os.fdopen(ours_err),
    )


def run(
    imports: tuple[str, ...],
    command: Sequence[str],
    *,
    input: bytes,  # noqa: A002 (as `subprocess.run` has it)
    capture_output: bool,
    timeout: float,
    check: bool,
) -> "subprocess.CompletedProcess[bytes]":
    """Run a Python command with `-c`, as `subprocess.run` does, which kills it at its timeout."""
    assert capture_output
    assert not check
    python, *_, option, code = command[: command.index("-c") + 2]
    assert (python, option) == (sys.executable, "-c")
    (ours_out, theirs_out), (ours_err, theirs_err) = os.pipe(), os.pipe()
    arguments = command[command.index("-c") + 2 :]
    # Of standard files input alone may be a file: some programs may write none.
    with (
        tempfile.TemporaryFile() as given,
        os.fdopen(ours_out, "rb") as out,
        os.fdopen(ours_err, "rb") as err,
    ):
        try:
            given.write(input)
            given.seek(0)
            files = (given.fileno(), theirs_out, theirs_err)
            started = start(imports, code, *arguments, env=os.environ, files=files)
        finally:
            os.close(theirs_out)
            os.close(theirs_err)
        with ThreadPoolExecutor(2) as others:
            printed, complaints = (others.submit(file.read) for file in (out, err))
            status = started.wait_or_kill(timeout)
    return subprocess.CompletedProcess(command, status, printed.result(), complaints.result())


def subprocess_with(*imports: str) -> SimpleNamespace:
    """Return a stand-in for `subprocess` whose children begin with modules imported."""
    return SimpleNamespace(
        run=functools.partial(run, imports), TimeoutExpired=subprocess.TimeoutExpired
    )


PLAYER: Final = "server.packs.player"
"""Module of the child of `manse verify`, which replays a game."""


def start(
    imports: tuple[str, ...],
    code: str,
    *arguments: str,
    env: Mapping[str, str],
    files: tuple[int, int, int],
) -> Started:
    """Start a program in a session of its own, in the folder of the sources.

    Args:
        imports: modules imported before it starts; the first program that names them waits for
            that.
        code: code of the program.
        arguments: arguments after the program's name in `sys.argv`.
        env: the whole environment.
        files: its standard input, output and errors.
    """
    address = _address_of(imports)
    line = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    line.connect(address)
    # The environment goes along by itself: it is too long for one packet on some systems.
    asked = json.dumps([code, arguments, dict(env)]).encode()
    with tempfile.TemporaryFile() as file:
        file.write(asked)
        file.flush()
        socket.send_fds(line, [b"start"], [*files, file.fileno()])
        pid = int(line.recv(100))
    return Started(pid, line)


@attrs.define(eq=False)
class _Kept:
    """A process with imported modules that forks programs."""

    process: "subprocess.Popen[bytes]"
    folder: str

    @property
    def address(self) -> str:
        """Address of the process's socket."""
        return f"{self.folder}/line"

    def end(self) -> None:
        """Stop the process; programs that it started go on."""
        # It ends by itself, so that what its programs took counts as ours.
        self.process.communicate()
        # What could not import has not removed it.
        shutil.rmtree(self.folder, ignore_errors=True)


_kept: dict[tuple[str, ...], _Kept] = {}
"""Kept processes by their imports, the most recently used last."""
_forked_from = ""
"""Address of the process from which this program was forked; empty if it was started cold."""


def _address_of(imports: tuple[str, ...]) -> str:
    """Return the address of a process with these imports.

    If there are too many processes, the oldest one is ended.
    """
    if _forked_from:
        return _forked_from
    kept = _kept.pop(imports, None)
    while kept is None and len(_kept) >= _MOST:
        _kept.pop(next(iter(_kept))).end()
    _kept[imports] = kept = kept or _begun(imports)
    return kept.address


def _begun(imports: tuple[str, ...]) -> _Kept:
    folder = tempfile.mkdtemp(prefix="warm-")
    # It ends when we are gone, however we went: its input is ours alone.
    process = subprocess.Popen(
        [sys.executable, "-c", _RUN, f"{folder}/line", *imports],
        cwd=ROOT,
        env={**os.environ, "LC_ALL": "C.UTF-8"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    kept = _Kept(process, folder)
    assert process.stdout is not None
    if process.stdout.readline() != b"ready\n":
        kept.end()
        raise ImportError(f"a process could not import {', '.join(imports)}; it said why")
    return kept


@atexit.register
def _end_all() -> None:
    while _kept:
        _kept.popitem()[1].end()


@attrs.define(eq=False)
class _Child(Started):
    """A program that another of our programs started, with pipes for input and output."""

    stdin: TextIO = attrs.field(kw_only=True)
    stdout: TextIO = attrs.field(kw_only=True)

    def terminate(self) -> None:
        """Ask the program to end."""
        self.send_signal(signal.SIGTERM)

    def communicate(self, *, timeout: float | None = None) -> tuple[str, None]:
        """Close the input, wait for the end, and return the output."""
        with suppress(BrokenPipeError):
            self.stdin.close()
        self.wait(60.0 if timeout is None else timeout)
        with self.stdout:
            return self.stdout.read(), None


def _child(
    command: Sequence[str],
    *,
    stdout: int = subprocess.PIPE,
    stderr: IO[str] | None = None,
    env: Mapping[str, str] | None = None,
    **_: object,
) -> _Child:
    """Start what `server.system.own_program.command_of` returned, as `subprocess.Popen` would."""
    code, *arguments = command[3:]
    (theirs_in, ours_in), (ours_out, theirs_out) = os.pipe(), os.pipe()
    try:
        printed = theirs_out if stdout == subprocess.PIPE else os.open(os.devnull, os.O_WRONLY)
        files = (theirs_in, printed, (stderr or sys.stderr).fileno())
        started = start(COMMANDS, code, *arguments, env=env or os.environ, files=files)
    finally:
        os.close(theirs_in)
        os.close(theirs_out)
        if stdout != subprocess.PIPE:
            os.close(printed)
    return _Child(
        started.pid, started.told, stdin=os.fdopen(ours_in, "w"), stdout=os.fdopen(ours_out)
    )


def _checked(command: Sequence[str], *, check: bool) -> "subprocess.CompletedProcess[str]":
    """Run such a program with our own standard files, as `subprocess.run` would."""
    assert not check
    code, *arguments = command[3:]
    # Its child that plays a log again is forked, too.
    code = (
        "from server.packs import playing; from tests.kit import warm;"
        "playing.subprocess = warm.subprocess_with(*warm.COMMANDS);" + code
    )
    started = start(COMMANDS, code, *arguments, env=os.environ, files=(0, 1, 2))
    return subprocess.CompletedProcess(command, started.wait())


def with_servers() -> SimpleNamespace:
    """Return a stand-in for `subprocess` in modules that start servers or bots."""
    # What starts one finds the names that it needs of it.
    return SimpleNamespace(
        Popen=_child,
        run=_checked,
        PIPE=subprocess.PIPE,
        DEVNULL=subprocess.DEVNULL,
        TimeoutExpired=subprocess.TimeoutExpired,
    )


def keep(address: str, modules: Sequence[str]) -> str:
    """
    Import modules, then fork a program for each request; return only in forks.

    Returns:
        The code that the fork has to run.
    """
    global _forked_from  # noqa: PLW0603 (one for the whole program)
    for name in modules:
        importlib.import_module(name)
    # Neither would live through a fork.
    assert "twisted.internet.reactor" not in sys.modules
    assert threading.active_count() == 1
    gc.freeze()
    started = set[int]()
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
        listener.bind(address)
        listener.listen()
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while True:
            ready, _, _ = select.select([listener, sys.stdin], [], [])
            if sys.stdin in ready:
                shutil.rmtree(Path(address).parent, ignore_errors=True)
                os._exit(0)
            line, _ = listener.accept()
            watcher = os.fork()
            if watcher == 0:
                listener.close()
                _forked_from = address
                return _watched(line)
            line.close()
            started.add(watcher)
            started -= {pid for pid in started if os.waitpid(pid, os.WNOHANG)[0] == pid}


def _watched(line: socket.socket) -> str:
    """
    Fork the program of a request, and return its code in the new process.

    This process stays: it reports the pid and the exit status of the program, and ends.
    """
    _, (*files, asked), _, _ = socket.recv_fds(line, 100, _FILES + 1)
    pid = os.fork()
    if pid == 0:
        line.close()
        return _become(files, asked)
    try:
        line.send(str(pid).encode())
        for file in (*range(_FILES), *files, asked):
            os.close(file)
        _, status = os.waitpid(pid, 0)
        line.send(str(os.waitstatus_to_exitcode(status)).encode())
    finally:
        os._exit(0)


def _become(files: Sequence[int], asked: int) -> str:
    """Take on files, arguments and environment of a program; return its code."""
    os.lseek(asked, 0, os.SEEK_SET)
    with open(asked, "rb") as file:
        code, arguments, env = json.load(file)
    os.setsid()
    for number, given in enumerate(files):
        os.dup2(given, number)
        os.close(given)
    faulthandler.enable(2)
    os.environ.clear()
    os.environ.update(env)
    sys.argv = ["-c", *arguments]
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        old: io.TextIOWrapper = getattr(sys, name)
        fresh = open(  # noqa: SIM115 (a descriptor, for as long as the program runs)
            number,
            "w" if number else "r",
            encoding=old.encoding,
            errors=old.errors,
            buffering=1 if number == 2 or os.isatty(number) else -1,
            closefd=False,
        )
        setattr(sys, name, fresh)
        setattr(sys, f"__{name}__", fresh)
    assert isinstance(code, str)
    return code
