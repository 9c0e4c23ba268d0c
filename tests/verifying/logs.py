"""Short logs for the two verifiers: real ones of 0.1.0, and games that the kernel plays here."""

import functools
import importlib.util
import json
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import protocol.games.second_edition.events  # noqa: F401 (declares the kinds that records are read as)
import tests.kit.tables.toy_table  # noqa: F401 (the same)
from protocol import describe, messages
from protocol.archive import MAGIC, Header, write
from protocol.common import events as on
from protocol.common.table import Settings, Stage
from protocol.event import CLOCK, cut, everything
from protocol.types_file import types_file
from server.kernel.room import Room
from tests.kit.tables.branches import begin_branch, checkpoints_of
from tests.kit.tables.playing import (
    Policy,
    Recording,
    committed,
    opened,
    play,
    ready,
    seated,
    share_of,
    started,
)
from tests.verifying.dealt import dealt_files
from tests.verifying.files import FORGER

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests" / "golden" / "0.1.0" / "short"
MOST_EVENTS = 200
"""Maximum number of events, since tests change such a log many times."""


@functools.cache
def verifier() -> ModuleType:
    """Return the independent verifier, which belongs to no package."""
    spec = importlib.util.spec_from_file_location("verify", ROOT / "docs" / "verify" / "verify.py")
    assert spec is not None and spec.loader is not None  # noqa: PT018 (one thing)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@functools.cache
def types() -> dict[str, Any]:
    """Return the file of types, extended by the kinds of the toy."""
    modules = {**describe.event_modules(), "toy": "tests.kit.tables.toy_table"}
    events = {of: describe.events_of(module) for of, module in modules.items()}
    file = types_file(messages.message_kinds().values(), events)
    whole: dict[str, Any] = json.loads(json.dumps(file))
    return whole


def file_of(room: Room, seat: int | None = None) -> bytes:
    """Return the log of a room: whole if it is over, else as a seat or a spectator may have it."""
    is_whole = room.table.room.stage is Stage.OVER and seat is None
    cuts = [everything(stored) if is_whole else cut(stored, seat) for stored in room.log]
    shown = -1 if is_whole or seat is None else seat
    header = Header(MAGIC, room.room_id, is_whole, shown, 0, 1, FORGER.public, len(cuts))
    return b"".join(write(header, cuts, (), sign=FORGER.sign))


def recorded(seed: int, seats: int) -> Recording:
    """Return a whole toy game that the kernel played, without a failed start."""
    settings = Settings(time_limit_seconds=600 * (seed % 3 == 0))
    ready_to_start = ready(seated(opened(Recording(), settings), seats))
    if seed % 2:
        # A start that fails after a share was opened, so a second one follows.
        committed(ready_to_start, attempt=7)
        if seats > 1:
            ready_to_start.give(on.ShareOpened(0, share_of(0, 7)), 0)
        missing = tuple(range(min(1, seats - 1), seats))
        ready_to_start.give(on.StartFailed(missing), CLOCK)
        ready(ready_to_start)
    return play(started(ready_to_start), Policy(seed), seats=seats)


@functools.cache
def played(seed: int) -> bytes:
    """Return the whole log of a toy game that the kernel played."""
    return file_of(recorded(seed, seed % 3 + 1).room)


@functools.cache
def branched(place: int, seat: int | None = None) -> bytes:
    """Return the log of a branch of a toy game, begun at a checkpoint and played on."""
    source = recorded(1, 2)
    begin = checkpoints_of(source.room)[place]
    branch = Recording(source.shelf)
    branch.room = begin_branch(source.room, begin, source.shelf)
    branch.time = branch.room.last_time
    return file_of(play(branch, Policy(7), seats=2).room, seat)


@functools.cache
def short_logs() -> Sequence[bytes]:
    """Return short valid logs: whole ones and cuts, of both versions."""
    golden = [path.read_bytes() for path in sorted(GOLDEN.glob("*.manse"))]
    own = [played(seed) for seed in range(6)]
    cuts = [file_of(recorded(seed, 2).room, seat=seat) for seed, seat in ((10, 0), (11, 1))]
    branches = [branched(0), branched(-1), branched(1, seat=0)]
    return (*golden, *own, *cuts, *branches, *dealt_files())
