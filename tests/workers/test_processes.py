"""
Real worker processes of a real server: they run the rules, and are killed in the middle of games.

Everything is as in `tests/server/test_kill.py`, but that the server goes on.
"""

import json
import os
import queue
import select
import signal
import subprocess
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Final

import pytest

from protocol.archive import load
from protocol.audit import audit
from protocol.common import events
from protocol.event import CLOCK
from server.system.own_program import command_of
from server.workers import messages as say
from server.workers.pool import _PROGRAM
from tests.server.test_kill import _BOT, PATIENCE, Process, running, serve

pytestmark = [
    pytest.mark.issue(12),
    pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="children are found in /proc"),
]

QUIET_SECONDS: Final = 1.5
"""For so long nobody says anything while all workers stand still."""


def workers_of(server: Process) -> list[int]:
    """Return the processes that a server has begun."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                stat = (folder / "stat").read_text("ascii", "replace")
            except OSError:
                continue
            if int(stat.rpartition(")")[2].split()[1]) == server.popen.pid:
                found.append(int(folder.name))
    return found


def test_the_rules_run_in_workers_and_a_game_outlives_them(tmp_path: Path) -> None:
    """While all stand still the game does; all are killed, and it is played to its end."""
    with ExitStack() as stack:
        server, told = serve(stack, tmp_path / "server", 0, more=("--workers", "2", "--verbose"))
        reach = ("--server", f"{told['host']}:{told['port']}", "--fingerprint", told["fingerprint"])
        path, log = tmp_path / "game.manse", tmp_path / "server" / "complaints.txt"
        options = ("--json", "--verbose", "--seed", "1")
        host = ("--open", "core/sluice-house", "--party", "2", "--export", str(path), *reach)
        must_say(log, "worker 1 is ready", "worker 2 is ready")
        standing = workers_of(server)
        first = stack.enter_context(running(_BOT, *host, *options, home=tmp_path / "first"))
        invitation = json.loads(first.line_with("invitation"))["invitation"]
        second = stack.enter_context(running(_BOT, invitation, *options, home=tmp_path / "second"))
        first.line_with("Round 1")
        for pid in standing:
            os.kill(pid, signal.SIGSTOP)
        must_stand_still(first)
        for pid in standing:
            os.kill(pid, signal.SIGCONT)
        first.line_with("Round 2")
        for pid in standing:
            os.kill(pid, signal.SIGKILL)
        results = [json.loads(bot.end()[-1]) for bot in (first, second)]
        complaints = log.read_text("utf-8")

    report = audit(load(path.read_bytes()))
    assert report.is_whole and report.is_finished  # noqa: PT018 (one thing)
    assert results[0]["head"] == results[1]["head"]
    assert complaints.count("its tables go on in the server") == 2
    assert "Traceback" not in complaints


def must_stand_still(bot: Process) -> None:
    """Wait until a bot says nothing any more, for what is on its way still comes."""
    with suppress(queue.Empty):
        while bot.lines.get(timeout=QUIET_SECONDS) is not None:
            pass
        raise AssertionError("the game has come to its end while no worker went on")


def must_say(log: Path, *lines: str) -> None:
    """Wait until a server has logged some lines."""
    until = time.monotonic() + PATIENCE
    while not all(line in log.read_text("utf-8") for line in lines):
        assert time.monotonic() < until, log.read_text("utf-8")
        time.sleep(0.05)


def test_workers_end_with_a_server_that_is_killed(tmp_path: Path) -> None:
    """They hear the end of their pipes; a signal to the whole group of processes they ignore."""
    with ExitStack() as stack:
        server, _ = serve(stack, tmp_path / "server", 0, more=("--workers", "2", "--verbose"))
        log = tmp_path / "server" / "complaints.txt"
        must_say(log, "worker 1 is ready", "worker 2 is ready")
        workers = workers_of(server)
        for pid in workers:
            os.kill(pid, signal.SIGINT)
            os.kill(pid, signal.SIGTERM)
        assert workers_of(server) == workers

        server.kill()

        assert len(workers) == 2
        for pid in workers:
            must_end(pid)


def must_end(pid: int) -> None:
    """Wait until a process that is nobody's child of ours is gone."""
    with suppress(ProcessLookupError):
        handle = os.pidfd_open(pid)
        try:
            assert select.select([handle], [], [], PATIENCE)[0]
        finally:
            os.close(handle)


def test_a_worker_ends_with_its_pipe_and_says_nothing_of_its_own(tmp_path: Path) -> None:
    """Whatever prints something: only messages come out of it, in whole."""
    prints = "import atexit; atexit.register(print, 'bye');"
    told = say.packed(say.Loaded()) + say.packed(ask("nowhere")) + say.packed(say.Drop("nowhere"))

    done = subprocess.run(
        command_of(prints + _PROGRAM),
        input=told + say.packed(say.Loaded())[:5],
        capture_output=True,
        timeout=PATIENCE,
        cwd=tmp_path,
        check=True,
    )

    assert list(say.Inbox().whole(done.stdout)) == [say.Ready(), say.Behind(7)]
    assert done.stderr == b"bye\n"


def ask(room_id: str) -> say.Input:
    """Return an input of a room."""
    return say.Input(7, room_id, bytes(32), events.TimedOut(1), 0, CLOCK)
