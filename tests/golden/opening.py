"""Opens files of an earlier release with today's code.

`Kept` is the folder of one release; its `facts.json` says what was true of each file when it was
made. Only this module depends on the server's internals, so that the tests name only what must stay
true.
"""

import functools
import hashlib
import json
import lzma
import random
import shutil
from collections.abc import Callable, Coroutine, Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs
from twisted.internet.task import Clock

from content.games.second_edition.schema.pack import Pack
from protocol.common import events
from protocol.common.asks import Question
from protocol.common.table import RoomTable, Stage
from protocol.event import CLOCK, Stored
from protocol.keys import SigningKey
from server.authoring.driver import Driver, SeededEntropy
from server.identity.identity import load_identity
from server.kernel.room import Room
from server.lobby.finished.export import ArchiveMaker, ExportRequest, export_parts
from server.lobby.lobby import Lobby
from server.lobby.rooms.room_clock import missing_at_start
from server.lobby.services.seams import LobbyServices
from server.lobby.views.followers import catalogs_of
from server.packs.shelf import PackShelf
from server.packs.zips import read_zip
from server.process.app import DATABASE
from server.storage.sqlite import SqliteStore
from server.storage.worker import Task
from tests.kit import compiled
from tests.kit.tables.resuming import resume

FOLDER = Path(__file__).parent
EXPORTED_AT = 1_900_000_000_000


def key_of(name: str) -> SigningKey:
    """Return a person's test key, which is the same in all files."""
    return SigningKey.from_seed(hashlib.sha256(b"manse golden " + name.encode()).digest())


class AtOnce:
    """A worker without a thread: it runs each task at once."""

    def __init__(self, name: str) -> None:
        pass

    def do(self, task: Task) -> None:
        task()

    def quit(self) -> None:
        pass


def _call(function: Callable[..., object], /, *args: object) -> None:
    function(*args)


async def _awaited(deferred: Any) -> Any:
    return await deferred


def done(waited: Any) -> Any:
    """Return the result of a coroutine or Deferred that never has to wait."""
    coroutine: Coroutine[Any, Any, Any] = _awaited(waited)
    try:
        coroutine.send(None)
    except StopIteration as stop:
        return stop.value
    raise AssertionError("the store did not answer at once")


@attrs.frozen
class Kept:
    """The files of one release."""

    release: str

    @property
    def folder(self) -> Path:
        """The release's folder."""
        return FOLDER / self.release

    @functools.cached_property
    def facts(self) -> Mapping[str, Any]:
        """Return the facts recorded when the files were made."""
        facts: Mapping[str, Any] = json.loads((self.folder / "facts.json").read_text("utf-8"))
        return facts

    @property
    def rooms(self) -> Mapping[str, Mapping[str, Any]]:
        """Return the recorded facts of each room, by name."""
        rooms: Mapping[str, Mapping[str, Any]] = self.facts["rooms"]
        return rooms

    @property
    def archives(self) -> Mapping[str, Mapping[str, Any]]:
        """Return the recorded facts of each archive, by name."""
        archives: Mapping[str, Mapping[str, Any]] = self.facts["archives"]
        return archives

    def named(self, *stages: str) -> list[str]:
        """Return the names of the rooms at the given stages."""
        return [name for name, facts in self.rooms.items() if facts["stage"] in stages]

    def archive(self, name: str) -> bytes:
        plain = self.folder / f"{name}.manse"
        if plain.exists():
            return plain.read_bytes()
        return lzma.decompress((self.folder / "archives" / f"{name}.manse.xz").read_bytes())

    def copy_server(self, target: Path) -> Path:
        """Copy the server's folder to `target` and return the copy."""
        target.mkdir(mode=0o700)
        for file in (self.folder / "server").iterdir():
            if file.suffix == ".xz":
                (target / file.stem).write_bytes(lzma.decompress(file.read_bytes()))
            else:
                shutil.copyfile(file, target / file.name)
        for file in target.iterdir():
            file.chmod(0o600)
        return target

    def copy_home(self, target: Path) -> Path:
        """Copy the player's folder to `target` and return the copy."""
        shutil.copytree(self.folder / "home", target)
        for file in target.iterdir():
            file.chmod(0o600)
        return target


@attrs.define(eq=False)
class Opened:
    """A server's folder, opened with today's store and shelf."""

    kept: Kept
    folder: Path
    store: SqliteStore
    shelf: PackShelf
    _rooms: dict[str, Room] = attrs.field(factory=dict, init=False)

    @classmethod
    def of(cls, kept: Kept, folder: Path) -> "Opened":
        """Open a copy of a server's folder."""
        store = SqliteStore.open(folder / DATABASE, _call, start_worker=AtOnce)
        shelf = PackShelf(compiled.kept)
        done(shelf.load(store))
        return cls(kept, folder, store, shelf)

    def offer(self, pack_id: str) -> None:
        """Offer an author's pack for new tables, as an operator does by `--pack`."""
        zipped = (self.kept.folder / "packs" / f"{pack_id}.zip").read_bytes()
        done(self.shelf.keep(*read_zip(pack_id, zipped), self.store))

    def close(self) -> None:
        """Close the database."""
        done(self.store.close())

    def log(self, name: str) -> list[Stored]:
        """Return the log of a room, by the room's name."""
        records = done(self.store.read(self.kept.rooms[name]["room_id"]))
        return [Stored(record.public, record.openings) for record in records]

    def resume(self, name: str, *, from_start: bool = False) -> Room:
        """Return a room resumed from its log, or replayed from its start."""
        room_id = self.kept.rooms[name]["room_id"]
        entropy = SeededEntropy(7)
        return resume(room_id, self.log(name), self.shelf, entropy, from_start=from_start)

    def room(self, name: str) -> Room:
        """Return a room as `resume` does, cached for tests that only read it."""
        if name not in self._rooms:
            self._rooms[name] = self.resume(name)
        return self._rooms[name]

    def again(self, room: Room) -> Room:
        """Return a room rebuilt from the current log of another."""
        return resume(room.room_id, room.log, self.shelf, SeededEntropy(8))

    def export(self, room: Room, seat: int | None) -> bytes:
        """Return the archive that a seat or a spectator is given of a room."""
        identity = load_identity(self.folder, bytes)
        maker = ArchiveMaker(
            ExportRequest.of(room, seat, len(room.log)),
            catalogs_of(self.shelf, room),
            now=EXPORTED_AT,
            sign=identity.sign,
            public=identity.public,
        )
        return b"".join(data for _, data in export_parts(maker, room.log))

    def lobby(self, clock: Clock) -> Lobby:
        """Return the lobby of a server that has loaded this folder."""
        identity = load_identity(self.folder, bytes)
        services = LobbyServices(
            store=self.store,
            shelf=self.shelf,
            clock=clock,
            now=lambda: EXPORTED_AT + int(clock.seconds() * 1000),
            entropy=SeededEntropy(9),
        )
        lobby = Lobby(services, sign=identity.sign, public=identity.public)
        done(lobby.load())
        return lobby


# Playing on ---------------------------------------------------------------------------------


@attrs.define(eq=False)
class AnyAnswer(Driver):
    """A policy that plays on with any legal answers."""

    def answer(self, seat: int, question: Question) -> tuple[str, ...]:
        """Return random choices, as many as the question allows."""
        ids = [choice.choice_id for choice in question.choices]
        most = question.at_most if question.can_repeat else min(question.at_most, len(ids))
        count = self.rng.randint(question.at_least, max(question.at_least, most))
        if question.can_repeat:
            return tuple(self.rng.choice(ids) for _ in range(count))
        return tuple(self.rng.sample(ids, count))


def play_on(room: Room, pack: Pack, shares: Mapping[int, bytes]) -> None:
    """Play a room to its end from its current state.

    Args:
        room: a room that is not over.
        pack: the pack that is played.
        shares: shares that seats have committed to on the log; a start that lacks others fails and
            is repeated.
    """
    state = room.table.room
    players = AnyAnswer(
        room, random.Random(5), len(state.seats), pack, state.scenario, time=room.last_time
    )
    if state.stage is Stage.STARTING:
        for seat in missing_at_start(state):
            if seat in shares:
                players.give(events.ShareOpened(seat, shares[seat]), seat)
    if room.table.room.stage is Stage.STARTING:
        players.give(events.StartFailed(missing_at_start(room.table.room)), CLOCK)
    if room.table.room.stage is Stage.LOBBY:
        for seat, piece in _to_claim(room.table.room, pack):
            players.give(events.CharactersClaimed(seat, (piece,)), seat)
        for seat in room.table.room.seats:
            players.give(events.ReadySet(seat, is_ready=True), seat)
        players.start()
    if room.table.room.is_paused:
        players.give(events.PausedSet(is_paused=False), 0)
    players.play_on()


def _to_claim(room: RoomTable, pack: Pack) -> Iterator[tuple[int, str]]:
    taken = {piece for seat in room.seats.values() for piece in seat.characters}
    free = (piece for piece in pack.investigators if piece not in taken)
    for seat in room.seats.values():
        if not seat.characters:
            yield seat.seat, next(free)
