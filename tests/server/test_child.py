"""A server as a child process: work done while it starts, and what becomes of it."""

import subprocess
from pathlib import Path

import pytest

from server.commands.child import ServerChild, ServerDied
from tests.kit.compiled import with_packs


class TooLateError(Exception):
    """An error that is raised while a server starts."""


def test_something_is_done_while_it_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MANSE_HOME", str(with_packs(tmp_path)))
    seen: list[tuple[bool, str]] = []

    def look() -> None:
        process = child._process
        seen.append((process is not None and process.poll() is None, child.address))

    child = ServerChild(tmp_path / "server", meanwhile=look)
    with child:
        assert seen == [(True, "")]
        assert child.address


def test_a_fault_meanwhile_leaves_no_server_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody else could stop the server."""
    monkeypatch.setenv("MANSE_HOME", str(with_packs(tmp_path)))
    begun: list[subprocess.Popen[str]] = []

    def fail() -> None:
        assert child._process is not None
        begun.append(child._process)
        raise TooLateError

    child = ServerChild(tmp_path / "server", meanwhile=fail)
    with pytest.raises(TooLateError):
        child.__enter__()

    assert begun[0].returncode is not None


def test_nothing_is_done_beside_one_that_cannot_be_started(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done: list[str] = []
    child = ServerChild(tmp_path / "file" / "server", meanwhile=lambda: done.append("done"))

    with pytest.raises(ServerDied):
        child.__enter__()

    assert done == []
