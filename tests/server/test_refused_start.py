"""A refused start ends even if nobody can be told; and no core is ever dumped."""

import json
import os
import resource
import signal
from pathlib import Path

import pytest

from server.system import core_dumps
from tests.admin.serving import SERVE, environment
from tests.kit import warm

pytestmark = pytest.mark.issue(37)

FULL = Path("/dev/full")
PATIENCE_SECONDS = 60


def started(home: Path, errors: int) -> tuple[warm.Started, int]:
    """Start a server that complains to a file; return it and the descriptor of its output."""
    ours, theirs = os.pipe()
    nothing = os.open(os.devnull, os.O_RDONLY)
    folder = ("--folder", str(home / "server"))
    try:
        started = warm.start(
            warm.COMMANDS,
            SERVE,
            *("--host", "127.0.0.1", "--port", "0", "--json", *folder),
            env=environment(home),
            files=(nothing, theirs, errors),
        )
    finally:
        os.close(theirs)
        os.close(nothing)
    return started, ours


@pytest.mark.skipif(not FULL.exists(), reason="no /dev/full on this machine")
@pytest.mark.parametrize("is_pipe", [False, True])
def test_a_refused_start_ends_where_nobody_can_be_told(tmp_path: Path, *, is_pipe: bool) -> None:
    (tmp_path / "server").mkdir()
    (tmp_path / "server" / "rooms.sqlite").write_text("no database")
    if is_pipe:
        reader, errors = os.pipe()
        os.close(reader)
    else:
        errors = os.open(FULL, os.O_WRONLY)
    process, told = started(tmp_path, errors)
    os.close(errors)
    try:
        assert process.wait(PATIENCE_SECONDS) != 0
    finally:
        process.kill()
        os.close(told)


def test_a_running_server_dumps_no_core(tmp_path: Path) -> None:
    """The memory of the server holds its identity."""
    errors = os.open(os.devnull, os.O_WRONLY)
    process, told = started(tmp_path, errors)
    os.close(errors)
    with os.fdopen(told) as lines:
        try:
            json.loads(lines.readline())
            assert resource.prlimit(process.pid, resource.RLIMIT_CORE) == (0, 0)
        finally:
            process.send_signal(signal.SIGKILL)
            process.wait(PATIENCE_SECONDS)


def test_a_system_that_refuses_the_limit_is_no_reason_to_stop(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Some systems, such as macOS, may refuse the limit."""

    def refuse(*_: object) -> None:
        raise ValueError("not permitted")

    monkeypatch.setattr(resource, "setrlimit", refuse)
    core_dumps.forbid_core_dumps()
