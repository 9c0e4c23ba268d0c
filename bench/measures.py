"""
The measures: kernel, views, content and store, each beside what it is built on.

Those of the full-screen client stand in `bench.screens`, those of starting in `bench.starting`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from importlib import resources
from pathlib import Path
from tempfile import TemporaryDirectory

import attrs
import yaml
from twisted.internet.defer import Deferred

from bench import screens, starting
from bench.timing import Measure, Size
from client.model.tables import TableView
from content.games.second_edition.loader import load_core
from content.reading.files import read_files
from protocol import archive, codec
from protocol.audit import audit
from protocol.common.table import Table, fold
from protocol.event import Cut, Stored, cut, everything, read
from protocol.keys import SigningKey
from server.kernel.room import Room
from server.storage.sqlite import SqliteStore
from tests.games.second_edition.simulate import CoreLibrary, SeededEntropy, Simulation, simulate
from tests.storage.waiting import Inbox

Log = Sequence[Stored]


FULL = Size(seed=3, players=5, appends=200, rounds=5, presses=60, bursts=3)
QUICK = Size(seed=12, players=1, appends=10, rounds=1, presses=4, bursts=1)

Make = Callable[[Simulation, Size, ExitStack], Measure]
_MAKES: dict[str, Make] = {}


def measures(size: Size, names: Sequence[str], stack: ExitStack) -> Iterator[Measure]:
    """
    Yield the measures of these names, over one game.

    Args:
        size: how much is done.
        names: of `all_names`.
        stack: closes what the measures hold.
    """
    played = simulate(size.seed, size.players).play()
    for name in names:
        if name in screens.NAMES:
            yield screens.screen_measure(name, size, stack)
        elif name in starting.NAMES:
            yield starting.start_measure(name)
        else:
            yield _MAKES[name](played, size, stack)


def all_names() -> tuple[str, ...]:
    """Return the names of all measures."""
    return (*_MAKES, *screens.NAMES, *starting.NAMES)


def _named(name: str) -> Callable[[Make], Make]:
    def declare(make: Make) -> Make:
        _MAKES[name] = make
        return make

    return declare


# The kernel --------------------------------------------------------------------------------


@_named("game")
def _game(played: Simulation, size: Size, _: ExitStack) -> Measure:
    log = tuple(played.room.log)
    return Measure(
        "game",
        "play a whole game: kernel, rules and bots at random",
        "decode and encode its records",
        lambda: simulate(size.seed, size.players).play(),
        lambda: [codec.pack(codec.unpack(stored.public)) for stored in log],
        len(played.inputs),
        "inputs",
    )


@_named("resume")
def _resume(played: Simulation, _size: Size, __: ExitStack) -> Measure:
    log = tuple(played.room.log)
    return Measure(
        "resume",
        "load the room of a finished game",
        "read and fold its records",
        lambda: _resumed(played, log, from_start=False),
        lambda: _folded(played.room.room_id, log),
        len(log),
        "records",
    )


@_named("replay")
def _replay(played: Simulation, _size: Size, __: ExitStack) -> Measure:
    log = tuple(played.room.log)
    return Measure(
        "replay",
        "play a finished game again and compare every record",
        "read and fold its records",
        lambda: _resumed(played, log, from_start=True),
        lambda: _folded(played.room.room_id, log),
        len(log),
        "records",
    )


def _resumed(played: Simulation, log: Log, *, from_start: bool) -> Room:
    entropy = SeededEntropy(0)
    room_id = played.room.room_id
    return Room.resume(room_id, log, CoreLibrary(), entropy, from_start=from_start)


def _folded(room_id: str, log: Log) -> Table:
    table = Table()
    for stored in log:
        table = fold(table, read(room_id, everything(stored)))
    return table


# Views -------------------------------------------------------------------------------------


@_named("views")
def _views(played: Simulation, _size: Size, __: ExitStack) -> Measure:
    log = tuple(played.room.log)
    return Measure(
        "views",
        "cut and encode a log for five seats",
        "the same for one seat",
        lambda: [_encoded(log, seat) for seat in range(5)],
        lambda: _encoded(log, 0),
        5 * len(log),
        "cuts",
    )


def _encoded(log: Log, seat: int) -> list[bytes]:
    return [codec.encode(cut(stored, seat), Cut) for stored in log]


@_named("client")
def _client(played: Simulation, _size: Size, __: ExitStack) -> Measure:
    room_id, log = played.room.room_id, tuple(played.room.log)
    cuts = tuple(cut(stored, 0) for stored in log)
    return Measure(
        "client",
        "follow a whole game as a client, all checks made",
        "read and fold its records",
        lambda: TableView(room_id, 0).receive(cuts),
        lambda: _folded(room_id, log),
        len(cuts),
        "records",
    )


@_named("verify")
def _verify(played: Simulation, _size: Size, __: ExitStack) -> Measure:
    room_id, log = played.room.room_id, tuple(played.room.log)
    key = SigningKey.from_seed(bytes(32))
    header = archive.Header(archive.MAGIC, room_id, True, -1, 0, 0, key.public, len(log))
    cuts = tuple(everything(stored) for stored in log)
    data = b"".join(archive.write(header, cuts, (), sign=key.sign))
    return Measure(
        "verify",
        "verify the file of a finished game",
        "read and fold its records",
        lambda: audit(archive.load(data)),
        lambda: _folded(room_id, log),
        len(log),
        "records",
    )


# Content -----------------------------------------------------------------------------------


@_named("content")
def _content(_played: Simulation, _size: Size, __: ExitStack) -> Measure:
    files = read_files(resources.files("content") / "packs" / "second_edition" / "core")
    return Measure(
        "content",
        "load the core pack",
        "parse its YAML and build nothing",
        load_core,
        lambda: _parsed(files),
        len(files),
        "files",
    )


def _parsed(files: Mapping[str, bytes]) -> int:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return sum(1 for data in files.values() for _ in yaml.parse(data, Loader=loader))


# The store ---------------------------------------------------------------------------------


@attrs.define
class _Shop:
    """A store on the disk, with a new room for each append."""

    store: SqliteStore
    inbox: Inbox
    batch: tuple[Stored, ...]
    opened: int = 0

    def one_by_one(self, count: int) -> None:
        for _ in range(count):
            self.inbox.wait(self._append())

    def together(self, count: int) -> None:
        for answer in [self._append() for _ in range(count)]:
            self.inbox.wait(answer)

    def _append(self) -> Deferred[None]:
        self.opened += 1
        return self.store.append(f"room-{self.opened}", 0, self.batch)


@_named("store")
def _store(played: Simulation, size: Size, stack: ExitStack) -> Measure:
    folder = Path(stack.enter_context(TemporaryDirectory(prefix="manse-bench-")))
    inbox = Inbox()
    store = SqliteStore.open(folder / "rooms.sqlite", inbox.call_in_reactor)
    stack.callback(lambda: inbox.wait(store.close()))
    batch = tuple(played.room.log[-5:])
    shop = _Shop(store, inbox, batch)
    return Measure(
        "store",
        f"store {size.appends} batches that come at once",
        "store them one after another",
        lambda: shop.together(size.appends),
        lambda: shop.one_by_one(size.appends),
        size.appends,
        "batches",
    )
