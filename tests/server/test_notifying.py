"""Messages to the service manager: the datagrams of `sd_notify`."""

import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from twisted.internet.task import Clock

from server.system.notifying import ServiceManager
from tests.server.test_reloading import served

pytestmark = [
    pytest.mark.issue(15),
    pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="no UNIX sockets on this system"),
]


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[socket.socket]:
    """Yield the socket of a service manager."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as one:
        one.bind(str(tmp_path / "notify"))
        one.setblocking(False)
        yield one


def told(manager: socket.socket) -> list[str]:
    """Return the messages since the last call."""
    found = []
    while True:
        try:
            found.append(manager.recv(4096).decode())
        except BlockingIOError:
            return found


def environment(manager: socket.socket, **more: str) -> dict[str, str]:
    """Return the environment in which the manager starts a process."""
    return {"NOTIFY_SOCKET": manager.getsockname(), **more}


def test_the_life_of_a_server_is_told(manager: socket.socket) -> None:
    service = ServiceManager(environment(manager), Clock(), lambda: 1.5)

    service.ready()
    service.reloading()
    service.ready()
    service.stopping()

    reload = "RELOADING=1\nMONOTONIC_USEC=1500000"
    assert told(manager) == ["READY=1", reload, "READY=1", "STOPPING=1"]


def test_the_watchdog_is_fed_in_half_of_its_time_until_the_end(manager: socket.socket) -> None:
    """The reactor feeds it, so a reactor that stands still does not."""
    clock = Clock()
    service = ServiceManager(environment(manager, WATCHDOG_USEC="30000000"), clock)
    service.ready()
    service.ready()
    assert told(manager) == ["READY=1", "WATCHDOG=1", "READY=1"]

    clock.pump([14.9, 0.2, 15.0])
    assert told(manager) == ["WATCHDOG=1", "WATCHDOG=1"]

    service.stopping()
    clock.advance(60)
    assert told(manager) == ["STOPPING=1"]


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"WATCHDOG_USEC": "0"},
        {"WATCHDOG_USEC": "soon"},
        {"WATCHDOG_USEC": "9", "WATCHDOG_PID": str(os.getpid() + 1)},
    ],
)
def test_where_nobody_watches_nobody_is_fed(more: dict[str, str], manager: socket.socket) -> None:
    """A watchdog of another process is not ours to feed."""
    ServiceManager(environment(manager, **more), Clock()).ready()

    assert told(manager) == ["READY=1"]


@pytest.mark.parametrize("name", [None, "", "relative", "/nowhere/at/all"])
def test_a_manager_that_is_not_there_stops_nothing(name: str | None) -> None:
    ServiceManager({} if name is None else {"NOTIFY_SOCKET": name}, Clock()).ready()


def test_a_socket_without_a_file_can_be_told() -> None:
    """Such sockets have a leading @ in their names, and only Linux has them."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as one:
        try:
            one.bind(f"\0manse-{os.getpid()}")
        except OSError:
            pytest.skip("no such sockets on this system")
        one.setblocking(False)

        ServiceManager({"NOTIFY_SOCKET": f"@manse-{os.getpid()}"}, Clock()).ready()

        assert told(one) == ["READY=1"]


def test_a_real_server_tells_its_life(manager: socket.socket, tmp_path: Path) -> None:
    (tmp_path / "server").mkdir(mode=0o700)
    (tmp_path / "server" / "serve.toml").write_text("[server]\nhost = '127.0.0.1'\nport = 0\n")
    manager.settimeout(60)
    with served(tmp_path, NOTIFY_SOCKET=manager.getsockname()) as (process, _):
        assert manager.recv(99) == b"READY=1"

        process.send_signal(signal.SIGHUP)
        assert manager.recv(99).startswith(b"RELOADING=1\nMONOTONIC_USEC=")
        assert manager.recv(99) == b"READY=1"

        process.stdin.close()
        assert manager.recv(99) == b"STOPPING=1"
