"""The admin socket of a real server: who may connect, and what it answers."""

import json
import os
import socket
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from protocol.frames import LIMIT_AFTER_LOGIN, encode_frame
from protocol.messages import ListTables, encode_message
from server.admin.line import Line, NoServer
from server.admin.vocabulary import AskState, BackUp, BeginDrain, Done, No, State, decode
from server.operator.cli import main
from tests.admin.serving import PATIENCE_SECONDS, Serving, serving

pytestmark = [pytest.mark.issue(15), pytest.mark.skipif(os.name != "posix", reason="no sockets")]


@pytest.fixture(scope="module")
def server() -> Iterator[Serving]:
    """Run one server for all tests of this module.

    Its path is short, since paths of sockets must be.
    """
    with TemporaryDirectory() as home, serving(Path(home)) as one:
        yield one


def raw(server: Serving, sent: bytes) -> bytes:
    """Send bytes to the socket; return all bytes received until it closes."""
    with socket.socket(socket.AF_UNIX) as link:
        link.settimeout(20)
        link.connect(str(server.folder / "admin.sock"))
        link.sendall(sent)
        told = b""
        while data := link.recv(65536):
            told += data
        return told


Say = Callable[..., str]
"""A function that runs `manse admin` in this process and returns its output."""


@pytest.fixture
def say(server: Serving, capsys: pytest.CaptureFixture[str]) -> Say:
    """Return a function that runs the command against this module's server."""

    def run(*arguments: str) -> str:
        assert main([*arguments, "--folder", str(server.folder), "--language", "en"]) == 0
        return capsys.readouterr().out

    return run


def test_the_state_is_told(server: Serving, say: Say) -> None:
    told = json.loads(say("state", "--json"))

    assert told["address"] == f"127.0.0.1:{server.port}"
    assert (told["sessions"], told["tables_playing"]) == (0, 0)
    assert told["store_bytes"] > 0


def test_the_state_is_told_in_words(server: Serving, say: Say) -> None:
    assert f"listens on 127.0.0.1:{server.port}" in say("state")


def test_a_list_of_nothing_says_so(say: Say) -> None:
    assert say("tables") == "There is no table.\n"
    assert say("people") == "Nobody is connected.\n"


def test_the_socket_is_its_owners_alone(server: Serving) -> None:
    assert stat.S_IMODE((server.folder / "admin.sock").stat().st_mode) == 0o600
    assert stat.S_IMODE(server.folder.stat().st_mode) == 0o700


def test_many_requests_on_one_connection_are_answered_in_order(server: Serving) -> None:
    line = server.line()
    try:
        first, second = (line.ask(AskState(), State) for _ in range(2))
    finally:
        line.close()

    assert second.cpu_ms >= first.cpu_ms


@pytest.mark.parametrize(
    "sent",
    [
        encode_frame(b"\xc1"),
        encode_frame(encode_message(ListTables(1))),
        (LIMIT_AFTER_LOGIN + 1).to_bytes(4, "big") + b"x",
        encode_frame(bytes.fromhex("92a96173") + b"k_statexx"),
    ],
)
def test_what_is_no_request_ends_the_connection(server: Serving, say: Say, sent: bytes) -> None:
    told = decode(raw(server, sent)[4:])

    assert isinstance(told, No)
    assert told.code == "malformed"
    assert say("state")


@pytest.mark.skipif(os.name != "posix" or os.geteuid() != 0, reason="only root can be others")
def test_another_user_is_refused(server: Serving) -> None:
    """The server refuses them even where the modes of socket and folder would let them in."""
    path = server.folder / "admin.sock"
    opened = (path, server.folder, server.home)
    modes = [one.stat().st_mode for one in opened]
    for one in opened:
        one.chmod(0o777)
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.setuid(65534)
            with socket.socket(socket.AF_UNIX) as link:
                link.settimeout(20)
                link.connect(str(path))
                status = 0 if link.recv(1) == b"" else 2
        except ConnectionError:
            status = 0
        finally:
            os._exit(status)
    _, ended = os.waitpid(child, 0)
    for one, mode in zip(opened, modes, strict=True):
        one.chmod(mode)

    assert os.waitstatus_to_exitcode(ended) == 0


def test_no_server_is_told_in_words(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = main(["state", "--folder", str(tmp_path), "--language", "en"])
    told = capsys.readouterr()

    assert (status, told.out) == (3, "")
    assert (
        told.err
        == f"manse admin: no server is running in {tmp_path}; --folder names another folder\n"
    )


def test_a_socket_that_is_left_over_is_replaced() -> None:
    """A server killed by `kill -9` leaves its socket behind."""
    with TemporaryDirectory() as home:
        with serving(Path(home)) as killed:
            killed.process.kill()
            killed.process.communicate()
        with pytest.raises(NoServer):
            Line.to(killed.folder)
        with serving(Path(home)) as one:
            one.line().close()
            assert one.end() == (0, "")
        assert not (one.folder / "admin.sock").exists()


def test_a_real_server_backs_up_and_ends_when_told() -> None:
    with TemporaryDirectory() as home, serving(Path(home)) as one:
        target, line = Path(home) / "monday", one.line()
        try:
            line.ask(BackUp(str(target)), Done)
            assert (target / "rooms.sqlite").stat().st_size > 0
            line.ask(BeginDrain(0), Done)
        finally:
            line.close()
        _, log = one.process.communicate(timeout=PATIENCE_SECONDS)
        assert (one.process.returncode, log) == (0, "")
