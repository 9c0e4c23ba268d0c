"""Programs forked from a warm process run as if Python had started for each."""

import json
import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.kit import warm

IMPORTS = ("json",)
PATIENCE = 50
TELLS = """
import json, os, sys, threading
told = {
    "arguments": sys.argv,
    "folder": os.getcwd(),
    "environment": dict(os.environ),
    "leads": os.getsid(0) == os.getpid(),
    "read": sys.stdin.read(),
    "open": sorted(int(name) for name in os.listdir("/proc/self/fd"))[:-1],
}
print(json.dumps(told))
print("a complaint", file=sys.stderr)
sys.exit(3)
"""


def test_it_has_its_own_arguments_environment_session_and_files() -> None:
    program = warm.piped(IMPORTS, TELLS, "one", "two words", env={"LANG": "C.UTF-8", "A": "b"})

    printed, complaints = program.communicate("é", timeout=60)

    assert json.loads(printed) == {
        "arguments": ["-c", "one", "two words"],
        "folder": str(warm.ROOT),
        "environment": {"LANG": "C.UTF-8", "A": "b"},
        "leads": True,
        "read": "é",
        "open": [0, 1, 2],
    }
    assert complaints == "a complaint\n"
    assert program.wait(0) == 3


def test_one_knows_nothing_of_what_another_did() -> None:
    code = "import json; print(hasattr(json, 'mark')); json.mark = 1"
    programs = [warm.piped(IMPORTS, code, env={}) for _ in range(2)]

    assert [one.communicate(timeout=60) for one in programs] == [("False\n", "")] * 2


@pytest.mark.parametrize(
    ("code", "status", "complaint"),
    [
        ("", 0, ""),
        ("raise ValueError('no')", 1, "ValueError: no\n"),
        ("import atexit, os; atexit.register(os._exit, 5)", 5, ""),
        ("import sys; sys.exit('said')", 1, "said\n"),
        ("import os; os.abort()", -signal.SIGABRT, ""),
    ],
)
def test_it_ends_as_python_ends(code: str, status: int, complaint: str) -> None:
    program = warm.piped(IMPORTS, code, env={})

    _, complaints = program.communicate(timeout=60)

    assert program.wait(0) == status
    assert complaints.endswith(complaint)


def test_it_is_waited_for_and_killed() -> None:
    program = warm.piped(IMPORTS, "print('up', flush=True); input()", env={})
    assert program.stdout.readline() == "up\n"
    with pytest.raises(subprocess.TimeoutExpired):
        program.wait(0.01)
    assert program.poll() is None

    program.kill()
    program.communicate(timeout=60)

    assert program.poll() == -signal.SIGKILL
    with pytest.raises(ProcessLookupError):
        os.kill(program.pid, 0)


def test_several_threads_wait_for_one_program() -> None:
    """`manse demo` waits for its bots in one thread and watches them in another."""
    for _ in range(20):
        program = warm.piped(IMPORTS, "input()", env={})
        with ThreadPoolExecutor(4) as threads:
            waits = [threads.submit(program.wait, PATIENCE) for _ in range(2)]
            polls = [threads.submit(_polled, program) for _ in range(2)]
            began = time.monotonic()
            program.communicate("\n", timeout=PATIENCE)

        assert [one.result() for one in (*waits, *polls)] == [0] * 4
        assert time.monotonic() - began < PATIENCE


def _polled(program: warm.Piped) -> int:
    while (status := program.poll()) is None:
        pass
    return status


def test_it_is_killed_at_its_timeout() -> None:
    """Else its open output would keep the test that waits for it, however long that is."""
    stays = "import time; print('up', flush=True); time.sleep(60)"
    began = time.monotonic()
    program = warm.piped(IMPORTS, stays, env={})
    with pytest.raises(subprocess.TimeoutExpired) as late:
        program.communicate(timeout=0.2)
    assert "<string>" in str(late.value)
    assert program.wait(PATIENCE) == -signal.SIGABRT
    with pytest.raises(subprocess.TimeoutExpired):
        warm.subprocess_with(*IMPORTS).run(
            [sys.executable, "-c", stays], input=b"", capture_output=True, timeout=0.2, check=False
        )
    assert time.monotonic() - began < PATIENCE


def test_what_cannot_be_imported_is_named() -> None:
    with pytest.raises(ImportError, match="no_such_module"):
        warm.piped(("no_such_module",), "", env={})


def test_no_more_than_two_processes_are_kept_and_a_program_outlives_its_own() -> None:
    """This bounds the memory of a run over many test files."""
    first = warm.piped(IMPORTS, "print(input())", env={})
    for name in ("bisect", "heapq", "queue"):
        assert warm.piped((name,), "print('up')", env={}).communicate() == ("up\n", "")

    assert [*warm._kept] == [("heapq",), ("queue",)]
    assert first.communicate("still there") == ("still there\n", "")


def test_what_its_own_programs_hold_open_keeps_nobody_waiting_for_ever() -> None:
    code = "import os, time; os.fork() or time.sleep(5); print('up', flush=True)"
    began = time.monotonic()
    program = warm.piped(IMPORTS, code, env={})
    with pytest.raises(subprocess.TimeoutExpired, match="up"):
        program.communicate(timeout=1)
    assert time.monotonic() - began < PATIENCE
