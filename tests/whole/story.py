"""A story: a server and its players, their troubles, and a check of all promises.

Everything follows from the seed: who plays, what breaks and when. After the trouble everything is
mended, and the table has to go on. Faults are collected as sentences.
"""

import hashlib
from collections import Counter
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any, Final

import apsw
import attrs
from twisted.internet.task import Clock
from twisted.logger import LogLevel, globalLogPublisher
from twisted.python.failure import Failure

from protocol import messages
from protocol.archive import load
from protocol.common import events
from protocol.common.events.people import Chatted
from protocol.common.events.questions import Answered
from protocol.common.table import Settings, Stage
from protocol.event import OPERATOR, Event, Record, Stored, cut, everything, read
from server.kernel.errors import Refused
from server.lobby.rooms.host import RoomHost
from server.net.session import WireSession
from server.storage import StorageError
from server.storage.sqlite import SqliteStore
from tests.kit.closing import close_for
from tests.kit.servers.memory_network import MemoryNetwork
from tests.kit.stores.disk import Disk, DiskFile
from tests.kit.stores.powercut import Machine
from tests.kit.stores.stepped import Stepped
from tests.whole.life import DATABASE, Life, MortalClock, WallReactor
from tests.whole.player import Player, Way

JUMPS_MS: Final = (5_000, 60_000, 2 * 3_600_000, 10 * 365 * 86_400_000)
"""Jumps of the wall clock in milliseconds, forward or back."""
TROUBLE_SECONDS: Final = 60.0
"""Seconds for which things break."""
CALM_SECONDS: Final = 150.0
"""
Seconds for which the table has to go on after the trouble. A client needs less to find a dead
connection and to come back.
"""

MORE_TABLES: Final = 0.2
"""Share of the stories with two tables."""
MOST_PEOPLE: Final = 6
QUIET_SECONDS: Final = 10.0
"""Seconds to wait for what is still under way."""


@attrs.define(eq=False)
class Weather(MemoryNetwork):
    """A network whose delay differs from piece to piece."""

    random: Random = attrs.field(factory=Random)
    delays: tuple[float, ...] = (0.01,)

    def __getattribute__(self, name: str) -> Any:
        """Draw the delay anew at each read."""
        if name == "delay":
            return self.random.choice(self.delays)
        return super().__getattribute__(name)


@attrs.define(eq=False)
class Story:
    """All that one seed does to a server and its players."""

    seed: int
    faults: list[str] = attrs.field(factory=list)
    happened: Counter[str] = attrs.field(factory=Counter)
    """Number of troubles of each kind."""
    records: int = 0
    """Number of records on the logs in the end."""
    _random: Random = attrs.field(init=False)
    _clock_random: Random = attrs.field(init=False)
    _clock: Clock = attrs.field(factory=Clock)
    _network: Weather = attrs.field(init=False)
    _disk: Disk = attrs.field(init=False)
    _life: Life | None = attrs.field(default=None, init=False)
    _lives: int = 0
    _release: int = 1
    _players: list[Player] = attrs.field(factory=list)
    _trace: Any = attrs.field(factory=hashlib.sha256)
    _chances: dict[str, float] = attrs.field(factory=dict)
    """Probability that a call fails, for each call that changes the disk."""
    _is_calm: bool = False
    _words: int = 0
    _ahead_ms: int = 0
    """Error of the wall clock in milliseconds."""

    def __attrs_post_init__(self) -> None:
        self._random = Random(f"story {self.seed}")
        self._clock_random = Random(f"clock {self.seed}")
        self._disk = Disk(Random(f"disk {self.seed}"))
        self._network = Weather(self._clock, random=Random(f"network {self.seed}"))
        for _ in range(2 if self._random.random() < MORE_TABLES else 1):
            self._seat_people()

    def _seat_people(self) -> None:
        """Seat some people at a table, and let one spectate at times."""
        people, bots = self._random.randint(1, 3), self._random.randint(0, 1)
        party = max(2, people + bots)
        has_guest = len(self._players) + people < MOST_PEOPLE and self._random.random() < 0.3
        limit = self._random.choice((0, 0, 0, 15, 60))
        settings = Settings(spectators=has_guest, time_limit_seconds=limit)
        host: Player | None = None
        for at in range(people + has_guest):
            number = len(self._players)
            player = Player(
                number,
                Random(f"player {number} of {self.seed}"),
                party if host is None else 0,
                party - people,
                host,
                self._note,
                settings,
                is_watching=at == people,
            )
            host = host or player
            self._players.append(player)

    @property
    def digest(self) -> str:
        """Return a digest of all that any player was sent, with times, and of the logs."""
        return str(self._trace.hexdigest())

    def run(self) -> "Story":
        """Run the whole story."""
        observer: Any = self._see_log
        globalLogPublisher.addObserver(observer)
        try:
            self._start_server()
            for player in self._players:
                player.begin(Way(self._network), MortalClock(self._clock))
            self._pass(20.0)
            while self._clock.seconds() < 20.0 + TROUBLE_SECONDS:
                self._break_something()
                self._pass(self._random.expovariate(1 / 5))
            self._mend()
            before = self._lengths()
            self._pass(CALM_SECONDS)
            # Nobody says anything any more, so that all that was shown has arrived.
            for player in self._players:
                player.is_resting = True
            self._pass(QUIET_SECONDS)
            self._judge(before)
        finally:
            globalLogPublisher.removeObserver(observer)
            self._end()
        return self

    # Time

    def _pass(self, seconds: float) -> None:
        """Run everything that is due in the next seconds."""
        until = self._clock.seconds() + seconds
        while True:
            calls: Any = self._clock.getDelayedCalls()
            due = min((call.getTime() for call in calls), default=until)
            if due >= until:
                break
            self._clock.advance(max(0.0, due - self._clock.seconds()))
        self._clock.advance(max(0.0, until - self._clock.seconds()))

    def _later(self, seconds: float, call: Callable[[], None]) -> None:
        self._clock.callLater(seconds, call)

    # The server

    def _start_server(self) -> None:
        if self._life is not None:
            return
        self._lives += 1
        machine = Machine(self._disk)
        machine.fault = self._disk_fault
        machine.read_fault = partial(self._disk_fault, "read")
        name = f"life {self._lives} of {self.seed}"
        clock = WallReactor(self._clock, ahead_ms=lambda: self._ahead_ms)
        release = b"%d" % self._release
        self._life = life = Life(machine, clock, name, release, self._is_over)
        life.start()
        self._open_when_ready(life)

    def _open_when_ready(self, life: Life) -> None:
        if life is not self._life:
            return
        if life.factory is None:
            self._later(0.1, lambda: self._open_when_ready(life))
        else:
            self._network.factory = life.factory

    def _is_over(self, life: Life) -> None:
        self._note_text(f"life {self._lives} is over")
        if life.failure is not None:
            self.faults.append(f"the server does not run: {life.failure.getTraceback()}")
        self._life = self._network.factory = None
        self._hang_up()
        self._later(0.5 if self._is_calm else self._random.uniform(0.2, 8.0), self._start_server)

    def _hang_up(self) -> None:
        """Let the server's ends of all connections vanish; the clients' ends notice soon."""
        for end in tuple(self._network.ends):
            if isinstance(end.protocol, WireSession):
                end.vanish()
            else:
                self._later(self._random.uniform(0.0, 2.0), end.abortConnection)

    def _disk_fault(self, call: str, _name: str) -> Exception | None:
        if self._random.random() >= self._chances.get(call, 0.0):
            return None
        if call == "write" and self._random.random() < 0.5:
            return apsw.exception_for(apsw.SQLITE_FULL)
        codes = {
            "sync": apsw.SQLITE_IOERR_FSYNC,
            "write": apsw.SQLITE_IOERR_WRITE,
            "read": apsw.SQLITE_IOERR_READ,
        }
        return apsw.exception_for(codes.get(call, apsw.SQLITE_IOERR))

    # Trouble

    def _break_something(self) -> None:
        troubles: tuple[Callable[[], None], ...] = (
            self.drop,
            self.partition,
            self.kill,
            self.power_cut,
            self.stop,
            self.disk_trouble,
            self.take_over,
            self.talk,
            self.talk,
            self.slow_down,
            self.update,
            self.jump,
            self.export,
            self.go_back,
            self.operate,
            self.stammer,
            self.arrive_together,
        )
        trouble = self._random.choice(troubles)
        self.happened[trouble.__name__] += 1
        self._note_text(trouble.__name__)
        trouble()

    def drop(self) -> None:
        """Break a player's link."""
        self._random.choice(self._players).device.way.drop()

    def partition(self) -> None:
        """Block both directions between a player and the server for a while."""
        way = self._random.choice(self._players).device.way
        way.cut(self._random.choice((1.0, 10.0, 60.0)))

    def kill(self) -> None:
        """Kill the server's process; its writes stay."""
        if self._life is not None:
            self._life.end()

    def power_cut(self) -> None:
        """Cut the power at some call that changes the disk."""
        if self._life is not None:
            self._life.machine.die_in(self._random.randint(1, 30), loses_power=True)

    def stop(self) -> None:
        """Stop the server in order."""
        if self._life is not None:
            self._network.factory = None
            self._life.stop()

    def update(self) -> None:
        """Stop the server in order, and start one with other content."""
        self._release += 1
        self.stop()

    def disk_trouble(self) -> None:
        """Let calls of the disk fail for a while."""
        chances: tuple[dict[str, float], ...] = (
            {"write": 1.0},
            {"sync": 0.3},
            {"read": 0.3},
            {"open": 0.05, "write": 0.05, "sync": 0.05, "truncate": 0.05, "delete": 0.05},
        )
        self._chances = self._random.choice(chances)
        self._later(self._random.uniform(1.0, 15.0), self._chances_end)

    def _chances_end(self) -> None:
        self._chances = {}

    def take_over(self) -> None:
        """Let a player begin on another device; the old one goes on for a while, or is gone."""
        player = self._random.choice(self._players)
        old = player.device
        player.begin(Way(self._network), MortalClock(self._clock))
        if self._random.random() < 0.5:
            old.way.cut(self._random.choice((0.0, 5.0, 30.0)))
            old.way.drop()
        self._later(self._random.uniform(0.0, 5.0), old.connection.stop)

    def jump(self) -> None:
        """Let the wall clock be wrong, by up to ten years, for a while or till the end."""
        by, seconds = self._random.choice(JUMPS_MS), self._random.uniform(1.0, 30.0)
        self._ahead_ms = by * self._clock_random.choice((-1, 1))
        if self._clock_random.random() < 0.5:
            self._later(seconds, self._set_clock_right)

    def _set_clock_right(self) -> None:
        self._ahead_ms = 0

    def export(self) -> None:
        """Let a player request the game as a file."""
        self._random.choice(self._players).device.export()

    def stammer(self) -> None:
        """Make a player's client send things twice from now on, or no longer."""
        line = self._random.choice(self._players).device.line
        line.is_stammering = not line.is_stammering

    def arrive_together(self) -> None:
        """Let all messages that players send for a while reach the server at one moment."""
        moment = self._clock.seconds() + self._random.choice((0.5, 2.0, 8.0))
        for player in self._players:
            end = player.device.way.end
            if end is not None:
                end.held_until = max(end.held_until, moment)

    def go_back(self) -> None:
        """Let a player propose to go back."""
        self._random.choice(self._players).device.go_back()

    def operate(self) -> None:
        """Let the operator pause a game for a while."""
        hosts = self._hosts()
        if hosts:
            host = hosts[self._random.choice(sorted(hosts))]
            _submit(host, events.OperatorPaused(b"a pause"))
            self._later(self._random.uniform(1.0, 20.0), self._let_all_go_on)

    def _let_all_go_on(self) -> None:
        """Resume every game that the operator has paused, now or as soon as possible."""
        paused = [
            host
            for _, host in sorted(self._hosts().items())
            if host.room.table.room.is_paused_by_operator
        ]
        for host in paused:
            _submit(host, events.OperatorResumed(b"on"))
        if self._is_calm:
            self._later(5.0, self._let_all_go_on)

    def talk(self) -> None:
        """Let a player chat."""
        self._words += 1
        self._random.choice(self._players).device.chat(f"words {self._words}")

    def slow_down(self) -> None:
        """Change the delay of bytes, and the sizes of the pieces in which they arrive."""
        self._network.delays = self._random.choice(((0.01,), (0.01, 0.1, 0.4), (0.3, 2.0)))
        self._network.slice_bytes = self._random.choice((1 << 20, 100, 1400))

    def _mend(self) -> None:
        self._is_calm = True
        # Somebody sets the clock: whether it is right now or not, nothing may stop.
        self._ahead_ms += self._clock_random.choice((-1, 1)) * self._clock_random.choice(JUMPS_MS)
        self._let_all_go_on()
        self._note_text("calm")
        self._chances = {}
        self._network.delays = (0.01,)
        self._network.slice_bytes = 1 << 20
        if self._life is not None:
            # What it had still to live through must not come in the calm.
            self._life.machine.die_in(-1, loses_power=False)
        for player in self._players:
            if player.has_given_up():
                # Whoever meets a message that ends the client starts it again.
                player.begin(Way(self._network), MortalClock(self._clock))

    # What came of it

    def _note(self, number: int, message: messages.ServerMessage) -> None:
        self._note_text(f"{self._clock.seconds():.6f} {number} ")
        self._trace.update(messages.encode_message(message))

    def _note_text(self, text: str) -> None:
        self._trace.update(text.encode())

    def _see_log(self, event: Any) -> None:
        if "log_failure" in event or event.get("log_level") is LogLevel.critical:
            failure = event.get("log_failure")
            told = "" if failure is None else failure.getTraceback()
            self.faults.append(f"logged: {event.get('log_format')} {told}")

    def _hosts(self) -> dict[str, RoomHost]:
        if self._life is None or self._life.lobby is None:
            return {}
        return dict(self._life.lobby.registry.hosts)

    def _lengths(self) -> dict[str, int]:
        return {room_id: len(log) for room_id, log in _read_logs(self._disk).items()}

    def _judge(self, before: dict[str, int]) -> None:
        if self._life is None or self._life.factory is None:
            self.faults.append("the server does not come back")
            return
        logs = _read_logs(self._disk)
        self.records = sum(map(len, logs.values()))
        opened = {
            room_id: [read(room_id, everything(one)) for one in log]
            for room_id, log in sorted(logs.items())
        }
        for room_id, records in opened.items():
            self._trace.update(b"".join(one.public for one in logs[room_id]))
            self._judge_log(room_id, records)
        for player in self._players:
            self.faults += player.faults
            self._judge_shown(player, logs)
            self._judge_view(player)
            self._judge_exports(player, logs)
        self._judge_words(opened)
        self._judge_progress(before, logs)

    def _judge_exports(self, player: Player, logs: dict[str, list[Stored]]) -> None:
        """Check that exported files agree with the logs."""
        for room_id, data in player.exports:
            publics = [one.public for one in load(data).cuts]
            if publics != [one.public for one in logs.get(room_id, ())[: len(publics)]]:
                self.faults.append(f"{player.name} has a file of {room_id} that is not its log")

    def _judge_progress(self, before: dict[str, int], logs: dict[str, list[Stored]]) -> None:
        """Check that each table with people went on while nothing broke."""
        views = (player.device.model.view for player in self._players)
        for view in {view.room_id: view for view in views if view is not None}.values():
            is_over = view.table.room.stage is Stage.OVER
            grown = len(logs.get(view.room_id, ())) - before.get(view.room_id, 0)
            if grown <= 0 and not is_over:
                self.faults.append(
                    f"nothing happened in {CALM_SECONDS} calm seconds at {view.room_id}"
                )

    def _judge_log(self, room_id: str, log: list[Record]) -> None:
        """Check that no answer was taken twice."""
        open_since, answered = -1, set[tuple[int, int]]()
        for record in log:
            event = record.event
            if type(event).__name__ == "TakenBack":
                open_since, answered = record.sequence, set()
            if isinstance(event, Answered):
                if (event.seat, event.ask_id) in answered:
                    self.faults.append(f"{room_id} {open_since}: answered twice at {record}")
                answered.add((event.seat, event.ask_id))

    def _judge_shown(self, player: Player, logs: dict[str, list[Stored]]) -> None:
        """Check that all that a player was shown is on the logs, and was theirs to see."""
        for (room_id, seat, sequence), shown in player.shown.items():
            log = logs.get(room_id, [])
            if sequence >= len(log) or log[sequence].public != shown.public:
                self.faults.append(f"{player.name} was shown {sequence} of {room_id}, and lost it")
                return
            host = self._hosts().get(room_id)
            seats = {} if host is None else host.room.table.room.seats
            since = seats[seat].since if seat in seats else 0
            if shown != cut(log[sequence], None if seat < 0 else seat, since=since):
                self.faults.append(f"{player.name} was shown {sequence} of {room_id} wrongly")
                return

    def _judge_view(self, player: Player) -> None:
        device = player.device
        view, host = device.model.view, None
        if device.model.fault:
            self.faults.append(f"{player.name} trusts the table no more: {device.model.fault}")
        if view is not None:
            host = self._hosts().get(view.room_id)
        if view is None or host is None or not device.model.is_online:
            self.faults.append(f"{player.name} is not at the table: {device.model.status}")
        elif view.head != host.room.head or view.table != close_for(host.room.table, view.seat):
            self.faults.append(f"{player.name} sees another table than the server's")

    def _judge_words(self, logs: dict[str, list[Record]]) -> None:
        """Check that each chat line is on the logs once at most, and certainly if acknowledged."""
        said = Counter(
            words.value.decode()
            for log in logs.values()
            for record in log
            if isinstance(record.event, Chatted) and (words := record.event.words).value is not None
        )
        self.faults += [f"{words!r} was said {n} times" for words, n in said.items() if n > 1]
        for player in self._players:
            lost = sorted(words for words in player.done if not said[words])
            self.faults += [f"{words!r} was acknowledged, and is lost" for words in lost]

    def _end(self) -> None:
        for player in self._players:
            for device in player.devices:
                device.end()
        if self._life is not None:
            life, self._life = self._life, None
            life.when_over = lambda _: None
            life.end()


def _submit(host: RoomHost, happened: Event) -> None:
    """Give a room an act of the operator, which may be refused or fail to be stored."""
    _ = host.submit(happened, OPERATOR).addErrback(_expected)


def _expected(failure: Failure) -> None:
    _ = failure.trap(Refused, StorageError)  # type: ignore[no-untyped-call]  # Twisted has no type here


def _read_logs(disk: Disk) -> dict[str, list[Stored]]:
    """Return all logs on a copy of a disk as readers see it now."""
    copy = Disk(Random(0))
    copy.names = {name: DiskFile(bytearray(file.seen)) for name, file in disk.names.items()}
    machine = Machine(copy)
    stepped = Stepped(DATABASE, vfs=machine.name)
    rooms = stepped.result(SqliteStore.rooms)
    logs = {
        room.room_id: stepped.result(partial(SqliteStore.read, room_id=room.room_id))
        for room in rooms
    }
    stepped.close()
    machine.kill()
    return logs
