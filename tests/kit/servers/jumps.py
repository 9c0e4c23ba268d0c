"""Activities at a server whose wall clock jumps; test_jumps.py runs it as a process.

python -m tests.kit.servers.jumps FOLDER ADDRESS FINGERPRINT CLOCK RELAY_PORT PATIENCE JUMPS PHASE…

In each phase the clock is moved by each of JUMPS (joined by commas) and set right again. For each
phase a line of JSON names the jumps that it did not survive.
"""

# ruff: noqa: T201 (its output is what the test reads)

import asyncio
import json
import sys
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

import attrs

from client.bots.bot import BotPlayer
from client.terminal.runner import Client, NotReached, Start, connect, run
from protocol import messages
from protocol.common.events.people import Chatted
from protocol.common.events.questions import Answered, TimedOut
from protocol.common.table import Settings
from protocol.event import Event
from protocol.invitation import parse_address
from protocol.keys import parse_fingerprint
from server.admin.line import Line, NoServer
from server.admin.vocabulary import AskState, BackUp, BeginDrain, CancelDrain, Done, State
from tests.kit.servers.jumping import WallClock

HOUR: Final = 3600.0
JUMPS: Final = (-60.0, 60.0, -2 * HOUR, 2 * HOUR, -87_600 * HOUR, 87_600 * HOUR)
"""Jumps in seconds: a minute, two hours, ten years."""
QUICK_JUMPS: Final = (-60.0, 2 * HOUR, -87_600 * HOUR)
"""Jumps of each size once, in both directions."""
OPENING_SECONDS: Final = 40.0
LIMIT_SECONDS: Final = 1
DELAY_SECONDS: Final = 1
DRAIN_MINUTES: Final = 30


class Relay(asyncio.Protocol):
    """A mail server that accepts everything."""

    def __init__(self, taken: "asyncio.Queue[bytes]") -> None:
        self._taken, self._is_letter, self._text = taken, False, b""

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        transport.write(b"220 relay ESMTP\r\n")

    def data_received(self, data: bytes) -> None:
        """Accept each line."""
        *lines, self._text = (self._text + data).split(b"\r\n")
        for line in lines:
            if self._is_letter and line != b".":
                if line.startswith(b"Subject:"):
                    self._taken.put_nowait(line)
                continue
            self._is_letter = line.upper() == b"DATA"
            self._transport.write(b"354 go on\r\n" if self._is_letter else b"250 yes\r\n")


@attrs.define(eq=False)
class Place:
    """The server, its clients and helpers for the phases."""

    reactor: Any
    folder: Path
    address: str
    fingerprint: str
    clock: WallClock
    patience: float
    """Maximum seconds of a phase; shorter than the shortest jump, which may end a standstill."""
    jumps: Sequence[float]
    letters: "asyncio.Queue[bytes]" = attrs.field(factory=asyncio.Queue)
    host: Client = attrs.field(init=False)
    bot: BotPlayer = attrs.field(init=False)
    watcher: Client = attrs.field(init=False)

    def client(self, name: str) -> Client:
        """Return an unconnected client."""
        start = Start(
            parse_address(self.address),
            name,
            "en",
            parse_fingerprint(self.fingerprint),
            self.folder / name,
            has_fresh_key=True,
            keeps_no_server=True,
        )
        return connect(start, self.reactor)

    async def open(self) -> None:
        """Open a table with a time limit for a person and a bot, and play some answers."""
        self.host, self.watcher = self.client("host"), self.client("watcher")
        self.bot = BotPlayer(self.host.port, self.host.model)
        self.bot.party = 2
        await self.host.online()
        await self.watcher.online()
        model = self.host.model
        await self.host.until(lambda: model.lobby.scenarios is not None)
        assert model.lobby.scenarios is not None
        scenario = model.lobby.scenarios[0].scenario
        settings = Settings(
            spectators=True,
            time_limit_seconds=LIMIT_SECONDS,
            spectators_delay_seconds=DELAY_SECONDS,
        )
        opened = [
            reply
            async for reply in self.host.replies(
                lambda serial: messages.OpenTable(serial, settings, scenario)
            )
            if isinstance(reply, messages.TableOpened)
        ]
        self.host.port.enter(opened[0].room_id)
        await self.host.until(lambda: model.view is not None)
        self.host.port.add_bot()
        self.watcher.port.watch(opened[0].watch_code)
        await self.watcher.until(lambda: self.watcher.model.view is not None)
        await self.answers(4)

    def times_of(self, kind: type[Event]) -> list[int]:
        """Return the times of all records of a kind, from the host's view."""
        assert self.host.model.view is not None
        return [one.time for one in self.host.model.view.records if isinstance(one.event, kind)]

    async def answers(self, count: int) -> None:
        """Let the host play until `count` more of its answers are on the log."""
        wanted = len(self.times_of(Answered)) + count
        self.bot.react()
        await self.host.until(lambda: len(self.times_of(Answered)) >= wanted)

    async def jumped(self, phases: Sequence["Phase"]) -> dict[str, list[float]]:
        """Run phases concurrently under each jump; return the jumps that each did not survive."""
        failed: dict[str, list[float]] = {phase.__name__: [] for phase in phases}

        async def survive(phase: "Phase", jump: float) -> None:
            try:
                async with asyncio.timeout(self.patience):
                    await phase(self, jump)
            except (TimeoutError, AssertionError, NotReached):
                failed[phase.__name__].append(jump)

        for jump in self.jumps:
            await asyncio.gather(*(survive(phase, jump) for phase in phases))
            self.clock.move(0.0)
        return failed


async def login(place: Place, jump: float) -> None:
    """Connect one client before the jump and one after it; connected clients stay."""
    before, after = place.client("before"), place.client("after")
    before.connection.start()
    place.clock.move(jump)
    await before.online()
    await after.online()
    assert place.host.model.is_online
    await before.close()
    await after.close()


async def question(place: Place, jump: float) -> None:
    """Answer questions while the clock is wrong, and after it is set right."""
    place.clock.move(jump)
    await place.answers(1)
    place.clock.move(0.0)
    await place.answers(1)


async def limit(place: Place, jump: float) -> None:
    """Let a question time out: its limit must be neither shorter nor longer."""
    place.bot.stop()
    await place.host.until(lambda: bool(place.times_of(TimedOut)))
    count = len(place.times_of(TimedOut))
    place.clock.move(jump)
    await place.host.until(lambda: len(place.times_of(TimedOut)) > count)
    before, after = place.times_of(TimedOut)[count - 1 : count + 1]
    assert 1000 * LIMIT_SECONDS <= after - before < 1000 * place.patience


async def delay(place: Place, jump: float) -> None:
    """Chat: a spectator must see the line after the delay, not before."""
    view = place.watcher.model.view
    assert view is not None

    def heard() -> int:
        return sum(isinstance(one.event, Chatted) for one in view.records)

    count, loop = heard(), asyncio.get_running_loop()
    said_at = loop.time()
    place.host.port.chat("a word")
    place.clock.move(jump)
    await place.watcher.until(lambda: heard() > count)
    assert loop.time() - said_at >= DELAY_SECONDS


async def mail(place: Place, jump: float) -> None:
    """Request a mail code, and wait until the relay gets the letter."""
    place.clock.move(jump)
    address = f"ann{jump}@example.org"
    async for reply in place.host.replies(lambda serial: messages.SetMail(serial, address)):
        assert isinstance(reply, messages.Done)
    await place.letters.get()


def ask_operator(place: Place, jump: float) -> None:
    """Begin to drain, let the clock jump, make a backup, and check the time that remains."""
    line = Line.to(place.folder / "server")
    try:
        line.ask(BeginDrain(DRAIN_MINUTES), Done, place.patience)
        place.clock.move(jump)
        target = place.folder / f"server/backup{jump:+.0f}"
        line.ask(BackUp(str(target)), Done, place.patience)
        left = line.ask(AskState(), State, place.patience).ends_in_seconds
        line.ask(CancelDrain(), Done, place.patience)
    finally:
        line.close()
    assert 60 * DRAIN_MINUTES - 3 * place.patience < left <= 60 * DRAIN_MINUTES
    assert target.is_dir()


async def backup(place: Place, jump: float) -> None:
    """Back up a draining server while its clock jumps; the deadline must not move."""
    try:
        await asyncio.to_thread(ask_operator, place, jump)
    except NoServer as error:
        raise AssertionError(str(error)) from error


Phase: TypeAlias = Callable[[Place, float], Coroutine[Any, Any, None]]
PHASES: Final[Sequence[Sequence[Phase]]] = (
    (login,),
    (question,),
    (mail,),
    (backup,),
    (limit, delay),
)
"""Phases in the order in which they run; those in one tuple run together.

During the last two, the game goes on by itself.
"""


async def main(reactor: Any) -> int:
    """Run the named phases."""
    folder, address, fingerprint, clock, port, patience, jumps, *names = sys.argv[1:]
    path = Path(folder)
    place = Place(
        *(reactor, path, address, fingerprint, WallClock(Path(clock)), float(patience)),
        [float(jump) for jump in jumps.split(",")],
    )
    loop = asyncio.get_running_loop()
    relay = await loop.create_server(lambda: Relay(place.letters), "127.0.0.1", int(port))
    async with asyncio.timeout(OPENING_SECONDS):
        await place.open()
    for phases in PHASES:
        wanted = [phase for phase in phases if phase.__name__ in names]
        print(json.dumps(await place.jumped(wanted)), flush=True)
    relay.close()
    return 0


if __name__ == "__main__":
    sys.exit(run(main))
