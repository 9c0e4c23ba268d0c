"""Bits that a disk has flipped: none of them makes the store read another log."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

import attrs
import pytest

from protocol.common.events import RoomOpened
from protocol.common.table import know_game
from protocol.errors import ProtocolError
from protocol.event import Stored, read_own
from server.storage import StorageError
from server.storage.sqlite import SqliteStore
from tests.golden.opening import Kept, Opened
from tests.kit.stores.stepped import Stepped
from tests.storage.test_mark import beside
from tests.storage.test_powercut import new_seed

ROOMS: Final = ("short-3", "talked", "time-outs", "campaign-first-again")
FILES: Final = ("", "-wal", "-mark")

pytestmark = pytest.mark.issue(15)


@attrs.frozen
class Original:
    """A database left by a crash, with half of each log in its write-ahead log; and those logs."""

    path: Path
    logs: Mapping[str, list[Stored]] = attrs.field(repr=False)


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Original:
    """Return a database of real games."""
    folder = tmp_path_factory.mktemp("flips")
    kept = Kept("0.1.0")
    opened = Opened.of(kept, kept.copy_server(folder / "server"))
    logs = {kept.rooms[name]["room_id"]: opened.log(name) for name in ROOMS}
    opened.close()
    for room_id, log in logs.items():
        first_event = read_own(room_id, log[0]).event
        assert isinstance(first_event, RoomOpened)
        know_game(first_event.ruleset)
    half = {room_id: len(log) // 2 for room_id, log in logs.items()}
    live = folder / "live.db"
    stepped = Stepped(live)
    for room_id, log in logs.items():
        first = log[: half[room_id]]
        stepped.result(partial(SqliteStore.append, room_id=room_id, first=0, records=first))
    stepped.close()
    stepped = Stepped(live)
    for room_id, log in logs.items():
        for at in range(half[room_id], len(log), 8):
            rest = log[at : at + 8]
            stepped.result(partial(SqliteStore.append, room_id=room_id, first=at, records=rest))
    path = folder / "manse.db"
    for ending in FILES:
        shutil.copyfile(beside(live, ending), beside(path, ending))
    stepped.close()
    return Original(path, logs)


def outcome(original: Original, seed: int, folder: Path) -> str:
    """Flip one bit of the database or its write-ahead log; return the outcome for the logs."""
    random, path = Random(seed), folder / "manse.db"
    for each in FILES:
        shutil.copyfile(beside(original.path, each), beside(path, each))
    flipped = beside(path, random.choice(FILES[:2]))
    content = bytearray(flipped.read_bytes())
    content[random.randrange(len(content))] ^= 1 << random.randrange(8)
    flipped.write_bytes(content)
    return outcome_of(original, path)


def outcome_of(original: Original, path: Path) -> str:
    """Return the outcome for the logs in a file: `the same`, `noticed` or `another`."""
    try:
        stepped = Stepped(path)
    except StorageError:
        return "refused"
    try:
        found = {read(stepped, room_id, log) for room_id, log in original.logs.items()}
    finally:
        close(stepped)
    return next((each for each in ("another", "noticed") if each in found), "the same")


def read(stepped: Stepped, room_id: str, log: list[Stored]) -> str:
    """Return the outcome for one log when it is loaded."""
    try:
        found = stepped.result(partial(SqliteStore.read, room_id=room_id))
        for stored in found:
            read_own(room_id, stored)
    except (StorageError, ProtocolError):
        return "noticed"
    return "the same" if found == log else "another"


def close(stepped: Stepped) -> None:
    """Close a file that may be damaged."""
    try:
        stepped.close()
    except StorageError:
        return


def another(original: Original, seeds: range, folder: Path) -> list[int]:
    """Return the seeds whose flipped bit changes a log without being noticed."""
    return [seed for seed in seeds if outcome(original, seed, folder) == "another"]


def test_logs_are_the_same_where_no_bit_is_flipped(original: Original, tmp_path: Path) -> None:
    """If a log differed without a flip, the tests below would notice something else."""
    for each in FILES:
        shutil.copyfile(beside(original.path, each), beside(tmp_path / "manse.db", each))

    assert outcome_of(original, tmp_path / "manse.db") == "the same"


def test_no_flipped_bit_makes_another_log(original: Original, tmp_path: Path) -> None:
    assert another(original, range(30), tmp_path) == []


def test_flipped_bits_are_worth_their_name(original: Original, tmp_path: Path) -> None:
    found = {outcome(original, seed, tmp_path) for seed in range(40)}

    assert found == {"refused", "noticed", "the same"}


def test_flipped_bits_are_noticed_by_what_is_kept_for_that(
    original: Original, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the mark, a flipped bit makes a game shorter."""
    monkeypatch.setattr("server.storage.database.read_mark", lambda _: None)

    assert another(original, range(12), tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("part", range(5))
def test_no_flipped_bit_of_many_makes_another_log(
    original: Original,
    tmp_path: Path,
    part: int,
    record_property: Callable[[str, object], None],
) -> None:
    """Each run flips five hundred other bits."""
    start = new_seed(part, 100)
    record_property("new_seeds", f"flipped bits from {start}")

    assert another(original, range(start, start + 100), tmp_path) == []
