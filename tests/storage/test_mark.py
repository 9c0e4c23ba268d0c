"""Durable data that is gone: a shortened, changed or lost write-ahead log."""

from __future__ import annotations

import shutil
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from server.storage import StoreShortened, StoreUnwritable
from server.storage.mark import Reached, read_mark
from server.storage.sqlite import SqliteStore, StoreLimits
from tests.kit.stores.contract import records
from tests.kit.stores.stepped import Stepped

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.issue(15)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Return the path of the test's database."""
    return tmp_path / "manse.db"


def beside(path: Path, ending: str) -> Path:
    """Return the path of a file that belongs to a database."""
    return path.with_name(path.name + ending)


def write(stepped: Stepped, first: int, count: int) -> None:
    """Add `count` batches of one record."""
    for at in range(first, first + count):
        batch = records(str(at))
        stepped.result(partial(SqliteStore.append, room_id="a", first=at, records=batch))


def left_by_a_crash(path: Path, batches: int = 5, checkpoint_pages: int = 1000) -> None:
    """Leave a database as a process does that is killed after some commits."""
    live = path.with_name(f"live-{batches}.db")
    stepped = Stepped(live, StoreLimits(checkpoint_pages=checkpoint_pages))
    write(stepped, 0, batches)
    for ending in ("", "-wal", "-mark"):
        shutil.copyfile(beside(live, ending), beside(path, ending))
    stepped.close()


def count_in(path: Path) -> int:
    """Return the number of records in a database."""
    stepped = Stepped(path)
    try:
        return len(stepped.result(partial(SqliteStore.read, room_id="a")))
    finally:
        stepped.close()


@pytest.mark.parametrize("checkpoint_pages", [1000, 8, 1])
def test_all_that_was_stored_is_there_after_a_crash(path: Path, checkpoint_pages: int) -> None:
    for batches in range(1, 12):
        left_by_a_crash(path, batches, checkpoint_pages)

        assert count_in(path) == batches


def test_lost_log_is_noticed(path: Path) -> None:
    left_by_a_crash(path)
    beside(path, "-wal").unlink()

    with pytest.raises(StoreShortened, match=r"delete .*manse\.db-mark to go on"):
        Stepped(path)
    beside(path, "-mark").unlink()

    Stepped(path).close()


@pytest.mark.parametrize("at", [3, 20, 40, 32 + 4120 * 3 + 500, -500])
def test_changed_log_is_noticed_and_left_as_it_is(path: Path, at: int) -> None:
    left_by_a_crash(path)
    content = bytearray(beside(path, "-wal").read_bytes())
    content[at] ^= 4
    beside(path, "-wal").write_bytes(content)

    with pytest.raises(StoreShortened):
        Stepped(path)

    assert beside(path, "-wal").read_bytes() == content


def test_shortened_log_is_noticed(path: Path) -> None:
    left_by_a_crash(path)
    content = beside(path, "-wal").read_bytes()

    for length in (len(content) - 4120, 32, 0):
        beside(path, "-wal").write_bytes(content[:length])
        with pytest.raises(StoreShortened):
            Stepped(path)
    beside(path, "-wal").write_bytes(content)

    assert count_in(path) == 5


def test_older_mark_holds_nobody_up(path: Path) -> None:
    """A power cut leaves such a mark, since it is not synced."""
    live = path.with_name("live.db")
    stepped = Stepped(live)
    write(stepped, 0, 2)
    shutil.copyfile(beside(live, "-mark"), beside(path, "-mark"))
    write(stepped, 2, 3)
    for ending in ("", "-wal"):
        shutil.copyfile(beside(live, ending), beside(path, ending))
    stepped.close()

    assert count_in(path) == 5


@pytest.mark.parametrize("content", [b"", b"x", bytes(32), bytes(range(32))])
def test_mark_that_is_torn_is_none(path: Path, content: bytes) -> None:
    left_by_a_crash(path)
    beside(path, "-mark").write_bytes(content)

    assert count_in(path) == 5


def test_flipped_bit_in_the_mark_holds_nobody_up(path: Path) -> None:
    left_by_a_crash(path)
    content = beside(path, "-mark").read_bytes()

    for at in range(len(content)):
        flipped = bytearray(content)
        flipped[at] ^= 1
        beside(path, "-mark").write_bytes(flipped)
        assert read_mark(beside(path, "-mark")) is None


def test_log_that_is_folded_in_is_expected_no_more(path: Path) -> None:
    stepped = Stepped(path, StoreLimits(checkpoint_pages=1))
    write(stepped, 0, 3)
    assert beside(path, "-mark").read_bytes() == b""
    stepped.close()
    assert beside(path, "-mark").read_bytes() == b""

    beside(path, "-wal").unlink(missing_ok=True)

    assert count_in(path) == 3


def test_mark_follows_each_commit(path: Path) -> None:
    stepped = Stepped(path)
    seen = []
    for at in range(3):
        write(stepped, at, 1)
        seen.append(read_mark(beside(path, "-mark")))

    pages = [mark.pages for mark in seen if isinstance(mark, Reached)]
    assert pages == sorted(set(pages))
    assert len({mark.salts for mark in seen if mark is not None}) == 1
    stepped.close()


def test_mark_that_cannot_be_written_is_refused(path: Path) -> None:
    beside(path, "-mark").mkdir()

    with pytest.raises(StoreUnwritable, match=r"manse\.db-mark"):
        Stepped(path)


def test_killed_process_is_followed_by_one_that_misses_nothing(path: Path) -> None:
    """The mark must never name records that are not durable yet."""
    program = (
        "import os, sys, signal, threading, time\n"
        "from pathlib import Path\n"
        "from protocol.event import Stored\n"
        "from server.storage.sqlite import SqliteStore, StoreLimits\n"
        "limits = StoreLimits(checkpoint_pages=20)\n"
        "store = SqliteStore.open(\n"
        "    Path(sys.argv[1]), lambda call, *given: call(*given), limits=limits)\n"
        "threading.Timer(float(sys.argv[2]), os.kill, (os.getpid(), signal.SIGKILL)).start()\n"
        "def go_on(end):\n"
        "    done = store.append('a', end, [Stored(bytes(3000), b'')])\n"
        "    done.addCallback(lambda _: go_on(end + 1))\n"
        "def begin(end):\n"
        "    go_on(0 if end is None else end.next_sequence)\n"
        "store.end('a').addCallback(begin)\n"
        "time.sleep(60)\n"
    )
    for kill in range(4):
        seconds = str(0.05 + 0.037 * kill)
        killed = subprocess.run(
            [sys.executable, "-c", program, path, seconds], cwd=ROOT, check=False
        )
        assert killed.returncode < 0

    assert count_in(path) > 0
