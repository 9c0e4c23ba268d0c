"""
The attackers: each attacks a server in one way, as hard as the limits allow a single person.

`bench.attacks` runs this module as a separate process, so that the work of the attack does not slow
the prober down.
"""

import argparse
import os
import sys
import traceback
from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import attrs
from twisted.internet import defer, task
from twisted.internet import reactor as twisted_reactor
from twisted.internet.defer import Deferred

from bench.lines import Line, Lost, Remote
from bench.processes import Process, choose_cores
from protocol import messages
from protocol.common.table import Settings
from protocol.frames import encode_frame
from protocol.keys import SigningKey
from protocol.messages import encode_message

FIRST_CONNECTION: Final = 10_000
"""
The number of the first attacking connection. The number selects the source address, and the prober
has the lower numbers.
"""
BURST: Final = 190
"""The number of messages sent at once, just below the budget of a connection."""
STEADY: Final = 45
"""Messages per second after the burst, just below the sustained rate."""

_reactor: Any = twisted_reactor


@attrs.define
class Scene:
    """The target of an attack."""

    server: Remote
    room_id: str
    """A table whose game is finished."""
    watch_code: str
    scenario: str
    keys: Sequence[SigningKey]
    """Keys of the players of that table."""
    seconds: float
    """Duration in seconds of attacks that do not end by themselves."""
    number: int = FIRST_CONNECTION

    async def line(self, key: SigningKey | None = None, *, deaf: bool = True) -> Line:
        """
        Return a connection that logs in with `key`, or with a new key.

        With `deaf`, the connection discards everything that the server sends after the login.
        """
        self.number += 1
        line = Line(_reactor, "Mallory", key or SigningKey.from_seed(os.urandom(32)))
        # The server may throw an attacker out.
        line.is_closed = True
        await line.connect(self.server, self.number)
        if deaf:
            line.listen_no_more()
        return line

    async def wait(self, seconds: float) -> None:
        await task.deferLater(_reactor, seconds, lambda: None)


async def _all(asked: Sequence[Deferred[Any]]) -> None:
    await defer.gatherResults(asked, consumeErrors=True)


async def _exports(scene: Scene, count: int) -> None:
    lines = [await scene.line(key, deaf=False) for key in scene.keys]
    asked = [
        lines[number % len(lines)].ask(messages.ExportTable, scene.room_id)
        for number in range(count)
    ]
    await _all(asked)


async def one_export(scene: Scene) -> None:
    await _exports(scene, 1)


async def fourteen_exports(scene: Scene) -> None:
    """Export the finished game fourteen times at once."""
    await _exports(scene, 14)


async def packs(scene: Scene) -> None:
    """Fetch the pack of the finished game as often as its players may, all at once."""
    lines = [await scene.line(key, deaf=False) for key in scene.keys]
    await _all([line.ask(messages.ExportPack, scene.room_id) for line in lines for _ in range(8)])


async def spectators(scene: Scene) -> None:
    """Let ten spectators enter a finished game eight times each, all at once."""
    lines = [await scene.line(deaf=False) for _ in range(10)]
    for line in lines:
        await line.ask(messages.WatchTable, scene.watch_code)
    asked = [line.ask(messages.EnterTable, scene.room_id, -1) for line in lines for _ in range(8)]
    await _all(asked)
    await scene.wait(scene.seconds)


async def openings(scene: Scene) -> None:
    """Open two hundred tables at once, with eight keys at four addresses."""
    lines = []
    for _ in range(8):
        lines.append(await scene.line(deaf=False))
        # Two connections for each address: `bench.lines.PER_ADDRESS` is fifty.
        scene.number += 25
    asked = [
        line.ask(messages.OpenTable, Settings(), scene.scenario)
        for line in lines
        for _ in range(25)
    ]
    await _all(asked)


async def pings(scene: Scene) -> None:
    """Send pings on forty connections as fast as the server accepts them."""
    lines = [await scene.line() for _ in range(40)]
    for line in lines:
        for _ in range(BURST):
            line.say(messages.Ping)
    for _ in range(int(scene.seconds * 10)):
        await scene.wait(0.1)
        for line in lines:
            for _ in range(STEADY // 10):
                line.say(messages.Ping)


async def small_frames(scene: Scene) -> None:
    """Send five thousand small messages at once on each connection, until the server closes it."""
    flood = b"".join(encode_frame(encode_message(messages.Ping(1))) for _ in range(5000))
    for _ in range(int(scene.seconds * 5)):
        lines = [await scene.line() for _ in range(4)]
        for line in lines:
            line.write(flood)
        await scene.wait(0.1)


async def logins(scene: Scene) -> None:
    """Log in sixty times at once, with a flood of messages after each login, and repeat."""

    async def one() -> None:
        try:
            line = await scene.line()
        except Lost:
            return
        for _ in range(BURST):
            line.say(messages.Ping)
        await scene.wait(0.5)
        line.close()

    for _ in range(max(1, int(scene.seconds))):
        await _all([Deferred.fromCoroutine(one()) for _ in range(60)])


ATTACKS: Final[Mapping[str, Callable[[Scene], Awaitable[None]]]] = {
    attack.__name__: attack
    for attack in (
        *(one_export, fourteen_exports, packs, spectators, openings),
        *(pings, small_frames, logins),
    )
}


async def _run(name: str, scene: Scene) -> None:
    try:
        await ATTACKS[name](scene)
    except BaseException:  # noqa: BLE001 (told, and the end of the process)
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)
    # Not stopped in order: whatever connections are left end with the process.
    os._exit(0)


def main(argv: Sequence[str]) -> int:
    """Attack; return the exit status."""
    parser = argparse.ArgumentParser(prog="python -m bench.attackers")
    parser.add_argument("name", choices=ATTACKS)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--room", required=True)
    parser.add_argument("--watch-code", required=True)
    parser.add_argument("--scenario", required=True)
    parser.add_argument("--seed", action="append", required=True)
    parser.add_argument("--seconds", type=float, required=True)
    options = parser.parse_args(argv)
    choose_cores()
    server = Remote(Process("ours", 0, options.port, "", Path()))
    keys = [SigningKey.from_seed(bytes.fromhex(seed)) for seed in options.seed]
    scene = Scene(server, options.room, options.watch_code, options.scenario, keys, options.seconds)

    def begin() -> None:
        _ = Deferred.fromCoroutine(_run(options.name, scene))

    _reactor.callWhenRunning(begin)
    _reactor.run()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
