"""The wall clock of a running server jumps by a minute, two hours and ten years, unnoticed.

The server process is real; its `time.time` is moved, and with it every Twisted clock that uses it
(`tests.kit.servers.jumping`).
"""

import json
import os
import socket
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.kit import warm
from tests.kit.compiled import with_packs
from tests.kit.servers.jumping import FILE, MOVED, WallClock
from tests.kit.servers.jumps import JUMPS, PHASES, QUICK_JUMPS

pytestmark = pytest.mark.issue(37)

SERVE = "import sys; from server.commands.cli import serve; sys.exit(serve(sys.argv[1:]))"
NAMES = tuple(phase.__name__ for phases in PHASES for phase in phases)
AS_TWISTED_HAS_IT = "from commands import monotonic; monotonic.measure_by_monotonic = id\n"
"""Planted fault: the reactor measures time by the wall clock."""
PLAY = "import runpy; runpy.run_module('tests.kit.servers.jumps', run_name='__main__')"
PATIENCE_SECONDS = 20
"""
Maximum seconds for each jump: far more than it takes, and far less than a jump of a minute would
stop everything.
"""


def free_port() -> int:
    """Return a port for the relay, which listens only once the server runs."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        return int(found.getsockname()[1])


def stopped_by(
    home: Path,
    phases: Sequence[str],
    fault: str = "",
    patience: float = PATIENCE_SECONDS,
    jumps: Sequence[float] = JUMPS,
) -> dict[str, list[float]]:
    """Run a server and its clients; return, by phase, the jumps that stopped or hurried them."""
    clock, port, folder = WallClock.right(home / "clock"), free_port(), home / "server"
    config = home / "serve.toml"
    config.write_text(
        f'[mail]\nhost = "127.0.0.1"\nport = {port}\nsecurity = "none"\n'
        'sender = "manse@example.org"\naddress_day = 100\n'
    )
    env = {**os.environ, "MANSE_HOME": str(with_packs(home)), FILE: str(clock.path)}
    options = ("--config", str(config), "--host", "127.0.0.1", "--port", "0", "--json")
    code = MOVED + fault + SERVE
    server = warm.piped(
        *(warm.COMMANDS, code, *options, "--stop-with-stdin", "--folder", str(folder)), env=env
    )
    try:
        where = json.loads(server.stdout.readline())
        reach = (f"127.0.0.1:{where['port']}", where["fingerprint"])
        moved = ",".join(map(str, jumps))
        arguments = (str(home), *reach, str(clock.path), str(port), str(patience), moved)
        people = warm.piped(warm.COMMANDS, PLAY, *arguments, *phases, env=env)
        told, complaints = people.communicate()
        assert people.returncode == 0, complaints
    finally:
        server.kill()
        server.communicate()
    return {name: jumps for line in told.splitlines() for name, jumps in json.loads(line).items()}


@pytest.mark.parametrize("jumps", [QUICK_JUMPS, pytest.param(JUMPS, marks=pytest.mark.long)])
def test_nothing_stops_and_nothing_is_cut_short(jumps: Sequence[float], tmp_path: Path) -> None:
    assert stopped_by(tmp_path, NAMES, jumps=jumps) == {name: [] for name in NAMES}


def test_a_login_by_the_wall_clock_is_stopped(tmp_path: Path) -> None:
    found = stopped_by(tmp_path, ["login"], AS_TWISTED_HAS_IT, 0.5)
    assert {jump for jump in JUMPS if jump < 0} <= {*found["login"]}


@pytest.mark.long
@pytest.mark.parametrize("phase", NAMES)
def test_each_phase_by_the_wall_clock_is_stopped(phase: str, tmp_path: Path) -> None:
    assert stopped_by(tmp_path, [phase], AS_TWISTED_HAS_IT, 4.0)[phase]
