"""Exit statuses of `manse serve`, by which a service manager decides whether to start it again."""

import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from server.system.own_program import STATUS_BAD_SETTINGS, STATUS_IN_USE
from tests.admin.serving import PATIENCE_SECONDS, SERVE, environment, serving
from tests.kit import warm

pytestmark = pytest.mark.issue(38)

WRONG_COMMAND_LINE = 2


def ended(home: Path, *options: str) -> tuple[int, str]:
    """Start a server that cannot run; return its exit status and its output."""
    folder = ("--folder", str(home / "server"), "--host", "127.0.0.1", "--language", "en")
    process = warm.piped(warm.COMMANDS, SERVE, *folder, *options, env=environment(home))
    try:
        _, said = process.communicate("", timeout=PATIENCE_SECONDS)
    finally:
        process.kill()
    return process.wait(0), said


def _settings(text: str) -> Callable[[Path], list[str]]:
    def write(home: Path) -> list[str]:
        (home / "server" / "serve.toml").write_text(text, "utf-8")
        return ["--port", "0"]

    return write


def _short_password(home: Path) -> list[str]:
    secret = home / "server" / "secret"
    secret.write_text("x\n")
    secret.chmod(0o600)
    return _settings('[opening]\nwho = "password"\npassword_file = "secret"\n')(home)


def _pack(home: Path) -> list[str]:
    return ["--port", "0", "--pack", str(home / "nowhere")]


def _certificate(home: Path) -> list[str]:
    missing = str(home / "none.pem")
    return ["--port", "0", "--certificate", missing, "--certificate-key", missing]


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (_settings("[server]\nnme = 1\n"), "there is no setting server.nme"),
        (_settings("[server\n"), "serve.toml, line 1"),
        (_settings('[server]\ncertificate = "a.pem"\n'), "go together"),
        (_short_password, "secret is the password"),
        (_certificate, "none.pem"),
        (_pack, "nowhere"),
    ],
    ids=["unknown", "no TOML", "half", "password", "certificate", "pack"],
)
def test_settings_that_cannot_be_used_have_a_status_of_their_own(
    tmp_path: Path, make: Callable[[Path], list[str]], said: str
) -> None:
    """A second start would fail in the same way."""
    (tmp_path / "server").mkdir(mode=0o700)

    status, told = ended(tmp_path, *make(tmp_path))

    assert status == STATUS_BAD_SETTINGS, told
    assert said in told
    assert "Traceback" not in told


def test_other_faults_have_others(tmp_path: Path) -> None:
    """A later start may find the fault mended, such as a port in use."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert ended(tmp_path, "--port", str(taken.getsockname()[1]))[0] == 1
    assert ended(tmp_path, "--prt", "0")[0] == WRONG_COMMAND_LINE
    with serving(tmp_path):
        assert ended(tmp_path, "--port", "0")[0] == STATUS_IN_USE
    (tmp_path / "server" / "rooms.sqlite").write_bytes(b"SQLite, by its name alone" * 10)
    assert ended(tmp_path, "--port", "0")[0] == 1
