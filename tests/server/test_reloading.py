"""SIGHUP: the server reads settings and certificate again, and drops nobody."""

import contextlib
import json
import os
import signal
import socket
import ssl
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any
from unittest import mock

import pytest
from twisted.internet.task import Clock
from twisted.logger import LogLevel, PredicateResult

from protocol.plugs import games
from server.admin.line import Line
from server.admin.vocabulary import AskOpening, OpeningReport
from server.lobby.tables.opening_policy import Opening
from server.net.context import SessionContext
from server.net.limits import Limits
from server.process import reloading
from server.process.configuration import configuration
from server.system.logs import Log
from tests.kit import warm
from tests.kit.compiled import with_packs
from tests.server.test_pairing import COMMAND

PATIENCE_SECONDS = 60
SETTINGS = "[server]\nhost = '127.0.0.1'\nport = 0\n"

pytestmark = [
    pytest.mark.issue(15),
    pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="no SIGHUP on this system"),
]


@contextlib.contextmanager
def served(home: Path, **more: str) -> Iterator[tuple[warm.Piped, int]]:
    """Run `manse serve` without a terminal; yield it and its port."""
    process = warm.piped(
        warm.COMMANDS,
        COMMAND,
        *("serve", "--json", "--stop-with-stdin"),
        env={**os.environ, "MANSE_HOME": str(with_packs(home)), **more},
    )
    try:
        yield process, json.loads(process.stdout.readline())["port"]
    finally:
        process.kill()
        process.communicate()


def connected(port: int) -> ssl.SSLSocket:
    """Return a connection with TLS established."""
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    plain = socket.create_connection(("127.0.0.1", port), PATIENCE_SECONDS)
    return context.wrap_socket(plain)


def certificate_of(connection: ssl.SSLSocket) -> bytes:
    """Return the certificate that the server showed."""
    shown = connection.getpeercert(binary_form=True)
    assert shown is not None
    return shown


def reloaded(process: warm.Piped) -> str:
    """Have the server reload; return the first line that it logs."""
    process.send_signal(signal.SIGHUP)
    log: IO[str] | None = process.stderr
    assert log is not None
    return log.readline()


def test_a_running_server_takes_settings_and_certificate_and_drops_nobody(tmp_path: Path) -> None:
    folder = tmp_path / "server"
    folder.mkdir(mode=0o700)
    (folder / "serve.toml").write_text(SETTINGS)
    with served(tmp_path) as (process, port), connected(port) as early:
        assert early.recv(1)
        (folder / "certificate.pem").unlink()
        (folder / "serve.toml").write_text(f"{SETTINGS}name = ''\n")
        said = reloaded(process)
        assert f"{folder / 'serve.toml'}, line 4: server.name cannot be" in said
        with connected(port) as late:
            assert certificate_of(late) == certificate_of(early)

        changed = SETTINGS.replace("port = 0", "port = 9") + "name = 'Other'\n"
        (folder / "serve.toml").write_text(f"{changed}games = ['{games()[0]}']\n")
        assert "changed: server.name, server.games" in reloaded(process)
        assert process.stderr is not None
        assert "only a restart changes: server.port" in process.stderr.readline()
        with connected(port) as late:
            assert certificate_of(late) != certificate_of(early)
        early.settimeout(0.05)
        # The rest of the greeting, and then silence: not the end.
        assert early.recv(4096)
        with pytest.raises(TimeoutError):
            early.recv(4096)


def opening_at(folder: Path) -> OpeningReport:
    """Return the report of who may open tables at a running server."""
    line = Line.to(folder)
    try:
        return line.ask(AskOpening(), OpeningReport)
    finally:
        line.close()


def test_who_opens_tables_is_taken_from_the_settings(tmp_path: Path) -> None:
    folder = tmp_path / "server"
    folder.mkdir(mode=0o700)
    file, password = folder / "serve.toml", folder / "password"
    file.write_text(f"{SETTINGS}[opening]\nwho = 'invited'\ntables_per_key = 3\n")
    with served(tmp_path) as (process, _):
        began = opening_at(folder)
        assert (began.opening, began.by_key, began.is_chosen) == (Opening.INVITED, 3, False)

        file.write_text(f"{SETTINGS}[opening]\nwho = 'password'\npassword_file = 'password'\n")
        assert "password cannot be read" in reloaded(process)
        assert opening_at(folder) == began
        password.write_text("correct horse\n")
        password.chmod(0o600)
        assert "changed: opening.who" in reloaded(process)

        # It is hashed beside the rest.
        until = time.monotonic() + PATIENCE_SECONDS
        while not (later := opening_at(folder)).has_password and time.monotonic() < until:
            time.sleep(0.05)
        assert (later.opening, later.has_password, later.by_key) == (Opening.PASSWORD, True, 200)


def test_what_only_a_restart_changes_stays(tmp_path: Path) -> None:
    first = configuration({"server.port": 1, "server.name": "A"}, None, tmp_path)
    second = configuration({"server.port": 2, "server.name": "B"}, None, tmp_path)

    taken = second.with_unreloaded_of(first)

    assert [one.path for one in taken.changed_since(first)] == ["server.name"]
    assert [one.path for one in second.changed_since(taken)] == ["server.port"]


@pytest.mark.parametrize(
    ("terminals", "called"),
    [([True, False], "stop"), ([True, True], "reload"), ([False, False], "reload")],
)
def test_a_hangup_ends_what_was_started_in_a_terminal(
    terminals: list[bool], called: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a terminal, SIGHUP is a request to reload."""
    seen: list[str] = []
    monkeypatch.setattr(reloading, "_has_terminal", lambda: terminals.pop(0))
    monkeypatch.setattr(signal, "getsignal", lambda _: signal.SIG_DFL)
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    reactor = mock.Mock(callFromThread=lambda call: call())
    try:
        reloading.on_hangup(reactor, lambda: seen.append("reload"), lambda: seen.append("stop"))
        signal.raise_signal(signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)

    assert seen == [called]


def test_new_sessions_share_all_but_what_was_changed_with_old_ones() -> None:
    """For example, one bound limits what waits for slow readers of all sessions."""
    old: Any = SessionContext(
        identity=mock.Mock(),
        handler=mock.Mock(),
        clock=Clock(),
        new_bytes=bytes,
        read_exporter=mock.Mock(),
    )

    new = old.with_settings(Limits(idle_seconds=99, queue_bytes_in_all=5), "B", "b:1")

    assert (new.server_name, new.public_address, new.limits.idle_seconds) == ("B", "b:1", 99)
    assert (old.server_name, old.limits.idle_seconds) == ("Manse", 75)
    assert new.backlog is old.backlog
    assert (new.standstill, new.scheduler) == (old.standstill, old.scheduler)
    assert old.backlog.max_bytes == 5


def test_the_log_can_be_told_more_while_it_is_written() -> None:
    log = Log(LogLevel.warn)
    assert log({"log_level": LogLevel.info}) is PredicateResult.no

    log.least = LogLevel.info

    assert log({"log_level": LogLevel.info}) is PredicateResult.maybe
    assert log({"log_level": LogLevel.debug}) is PredicateResult.no
    assert log({}) is PredicateResult.no


def test_a_setting_that_is_gone_keeps_no_server_from_starting(tmp_path: Path) -> None:
    """An upgrade must not leave a club without its server."""
    folder = tmp_path / "server"
    folder.mkdir(mode=0o700)
    (folder / "serve.toml").write_text(f"{SETTINGS}workers = 2\n")
    with served(tmp_path) as (process, _):
        assert process.stderr is not None
        assert "server.workers does nothing any more" in process.stderr.readline()
