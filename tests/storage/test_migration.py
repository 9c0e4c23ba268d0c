"""Databases of earlier schemas: copied aside, migrated at once, interrupted at any moment."""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

import apsw
import pytest

from commands.speaking import words_of
from server.storage import DiskTooFull, schema
from server.storage.copying import SPARE_BYTES
from server.storage.database import open_database, set_aside_as
from server.storage.sqlite import SqliteStore
from server.system.faults import CopyTeller
from tests.golden.opening import Kept
from tests.kit.stores.contract import records
from tests.kit.stores.stepped import Stepped
from tests.storage.test_copying import Usage
from tests.storage.test_damage import EARLIER, make_first_schema, read

LOG = records(*map(str, range(300)))
ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.issue(15)


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """Return the path of a database of the first schema."""
    path = tmp_path / "old.db"
    make_first_schema(path, {"a": LOG, "b": LOG[:1]})
    return path


def version_of(path: Path) -> int:
    """Return the schema of a file, without changing it."""
    database = open_database(path, keeps_schema=True)
    try:
        return database.read(schema.version_of)
    finally:
        database.close()


def test_database_is_copied_before_it_is_brought_up(old: Path) -> None:
    Stepped(old).close()

    copy = set_aside_as(old, 1)
    assert copy.name == "old.db.schema-1"
    assert (version_of(old), version_of(copy)) == (schema.SCHEMA_VERSION, 1)
    assert read(copy, "a") == LOG


def test_copy_is_made_once(old: Path) -> None:
    Stepped(old).close()
    set_aside_as(old, 1).unlink()

    Stepped(old).close()

    assert not set_aside_as(old, 1).exists()


def test_how_far_the_copy_is_told(old: Path) -> None:
    told: list[tuple[Path, int, int]] = []

    open_database(old, told=lambda *what: told.append(what)).close()

    assert {path for path, _, _ in told} == {set_aside_as(old, 1)}
    assert told[-1][1] == told[-1][2] > 0


@pytest.mark.parametrize("language", ["en", "fr"])
def test_operator_is_told_of_the_copy(language: str) -> None:
    output = io.StringIO()
    tell = CopyTeller(output, words_of("server", language))

    for done in range(0, 101_000_001, 1_000_000):
        tell(Path("rooms.sqlite.schema-1"), done, 101_000_000)

    first, *steps, last = output.getvalue().splitlines()
    assert "rooms.sqlite.schema-1" in first
    assert len(steps) == 11
    assert "manse store restore rooms.sqlite.schema-1" in last


@pytest.mark.parametrize("times", [0, 2])
def test_database_stays_as_it_is_where_there_is_too_little_room(
    old: Path, monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    free = times * old.stat().st_size + SPARE_BYTES
    with monkeypatch.context() as patched:
        patched.setattr(shutil, "disk_usage", lambda _: Usage(10**9, 10**9 - free, free))
        with pytest.raises(DiskTooFull):
            Stepped(old)

    assert version_of(old) == 1
    assert not set_aside_as(old, 1).exists()


@pytest.mark.parametrize("version", EARLIER)
def test_no_more_room_is_taken_than_is_asked_for(tmp_path: Path, version: int) -> None:
    path = tmp_path / "old.db"
    EARLIER[version](path, {"a": LOG})
    before = path.stat().st_size

    database = open_database(path)

    after = sum(file.stat().st_size for file in tmp_path.iterdir())
    database.checkpoint(0)
    folded = sum(file.stat().st_size for file in tmp_path.iterdir())
    database.close()
    assert 2 * before < max(after, folded) - before <= 3 * before


def test_rolling_back_and_playing_on_makes_a_new_copy(old: Path) -> None:
    Stepped(old).close()
    set_aside_as(old, 1).replace(old)
    more = records("played since")
    connection = apsw.Connection(str(old))
    rows = [(one.public, one.openings) for one in more]
    connection.executemany("INSERT INTO record VALUES ('a', 300, ?, ?)", rows)
    connection.close()

    Stepped(old).close()

    assert read(set_aside_as(old, 1), "a") == [*LOG, *more]


KILLS = {
    "while the copy is made": "copying.PAGES_AT_ONCE = 1; told = lambda _, done, total:"
    " die() if done > 2 * 4096 else None",
    "before the copy has its name": "copying.sync_file = die",
    "while it is brought up": "whole = schema._add_heads;"
    " schema._add_heads = lambda *what: (whole(*what), die())",
    "before that is committed": "whole = schema.bring_up;"
    " schema.bring_up = lambda connection: (whole(connection), die())",
    "when that is committed": "whole = database._bring_up;"
    " database._bring_up = lambda *what: (whole(*what), die())",
}


@pytest.mark.parametrize("when", KILLS)
def test_killed_migration_is_made_again(old: Path, when: str) -> None:
    program = (
        "import os, signal, sys\n"
        "from pathlib import Path\n"
        "from server.storage import copying, database, schema\n"
        "die = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
        "told = lambda *_: None\n"
        f"{KILLS[when]}\n"
        "database.open_database(Path(sys.argv[1]), told=told)\n"
    )
    killed = subprocess.run([sys.executable, "-c", program, old], cwd=ROOT, check=False)
    assert killed.returncode < 0
    assert version_of(old) == (schema.SCHEMA_VERSION if when == "when that is committed" else 1)

    stepped = Stepped(old)

    assert stepped.result(partial(SqliteStore.read, room_id="a")) == LOG
    assert stepped.result(partial(SqliteStore.append, room_id="b", first=1, records=LOG)) is None
    stepped.close()
    assert read(set_aside_as(old, 1), "a") == LOG
    assert not list(old.parent.glob("*.partial"))


@pytest.mark.parametrize("release", ["0.1.0"])
def test_database_of_a_release_is_brought_up(tmp_path: Path, release: str) -> None:
    path = Kept(release).copy_server(tmp_path / "server") / "rooms.sqlite"
    before = open_database(path, keeps_schema=True)
    rows = "SELECT room, sequence, public, openings FROM record ORDER BY room, sequence"
    logs = before.read(lambda connection: list(connection.execute(rows)))
    before.close()

    after = open_database(path)

    assert after.read(lambda connection: list(connection.execute(rows))) == logs
    after.close()
    copy = open_database(set_aside_as(path, 1), keeps_schema=True)
    assert copy.read(schema.version_of) == 1
    assert copy.read(lambda connection: list(connection.execute(rows))) == logs
    copy.close()
