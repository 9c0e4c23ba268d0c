"""The whole server in one seed: whatever breaks, promises are kept and play goes on."""

import functools
import os
import subprocess
import sys
from collections.abc import Callable
from random import SystemRandom
from typing import Any

import pytest
from twisted.internet.defer import succeed

from protocol.common.events.people import Chatted
from protocol.event import Event, everything
from protocol.messages import Answer, Vote
from server.lobby.rooms.host import RoomHost
from server.lobby.sessions import Sessions
from server.lobby.views.viewer import Viewer
from server.storage.sqlite import SqliteStore
from tests.whole import life
from tests.whole.story import Story

SEEDS = (2, 4)
"""
Seeds of the stories in each run; each takes two to four seconds of CPU. Together they have every
kind of trouble, and 4 has two tables.
"""
MORE_SEEDS = (0, 1, 3, 5, 6, 7, 8, 9, 10, 11)
"""Seeds of stories in each long run: some with two tables, as 4, and the longest logs."""
LONG_SEEDS = 10_000
LONG_PARTS = 20
NEW_SEEDS = int(os.environ.get("MANSE_STORIES", "200"))
"""Number of new seeds in each long run."""


def faults_of(seeds: range) -> list[str]:
    """Run the story of each seed; return the faults found, each with its seed."""
    return [f"seed {seed}: {fault}" for seed in seeds for fault in Story(seed).run().faults]


@functools.cache
def lived(seed: int) -> tuple[tuple[str, ...], str]:
    """Return a story's faults and its digest, cached for all tests."""
    story = Story(seed).run()
    return tuple(story.faults), story.digest


@pytest.mark.parametrize(
    "seed", [*SEEDS, *(pytest.param(seed, marks=pytest.mark.long) for seed in MORE_SEEDS)]
)
def test_what_was_promised_is_kept_whatever_breaks(seed: int) -> None:
    faults, _ = lived(seed)
    assert faults == ()


@pytest.mark.long
@pytest.mark.parametrize("part", range(LONG_PARTS))
def test_it_is_kept_in_ten_thousand_stories(part: int) -> None:
    count = LONG_SEEDS // LONG_PARTS
    assert faults_of(range(1000 + part * count, 1000 + (part + 1) * count)) == []


@pytest.mark.long
def test_it_is_kept_in_stories_that_nobody_has_seen(
    record_property: Callable[[str, object], None],
) -> None:
    """Each run has other seeds; the summary of the run names them."""
    start = SystemRandom().randrange(100_000, 2**48)
    record_property("new_seeds", f"stories from {start}")
    assert faults_of(range(start, start + NEW_SEEDS)) == []


OTHER_HASH_SEED = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
"""A hash seed with another order of sets than this process; it draws its own unless one is set."""


def digests(*seeds: int) -> dict[int, str]:
    """Return the digests of stories in a process with another hash seed."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.whole", *map(str, seeds)],
        env={**os.environ, "PYTHONHASHSEED": OTHER_HASH_SEED},
        capture_output=True,
        text=True,
        check=True,
        timeout=250,
    )
    # One line for each story, as none finds anything wrong.
    return {int(seed): digest for seed, digest, *_ in map(str.split, done.stdout.splitlines())}


@pytest.mark.long
def test_the_same_seed_gives_the_same_trace_under_two_hash_seeds() -> None:
    """The story has most kinds of trouble."""
    assert digests(2) == {2: lived(2)[1]}


def is_found(words: str, *seeds: int) -> bool:
    """True if one of these stories finds a fault with these words."""
    return any(words in fault for seed in seeds for fault in Story(seed).run().faults)


@pytest.mark.long
def test_what_is_acknowledged_before_the_commit_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The planted fault tells the room that a batch is stored while it is still on its way."""
    append = SqliteStore.append

    def too_early(self: SqliteStore, *args: Any) -> Any:
        _ = append(self, *args).addErrback(lambda _: None)
        return succeed(None)

    monkeypatch.setattr(SqliteStore, "append", too_early)
    assert is_found("lost it", 3, 4, 5, 0)


@pytest.mark.issue(37)
def test_a_server_that_measures_by_the_wall_clock_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The planted reactor measures by the wall clock, and stands still once that is set back."""
    monkeypatch.setattr(life, "measure_by_monotonic", lambda *_: None)
    assert is_found("is not at the table", 1, 2)


@pytest.mark.long
def test_a_secret_of_another_seat_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted fault shows everybody the secrets of all seats."""
    monkeypatch.setattr(Viewer, "cut", lambda _self, stored, _since: everything(stored))
    assert is_found("wrongly", 1, 2, 3, 0)


@pytest.mark.long
def test_what_is_taken_twice_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The planted fault lets the room accept repeated messages."""
    submit = RoomHost.submit

    def twice(self: RoomHost, happened: Event, origin: int, *, key: bytes | None = None) -> Any:
        if isinstance(happened, Chatted):
            _ = submit(self, happened, origin, key=key).addErrback(lambda _: None)
        return submit(self, happened, origin, key=key)

    monkeypatch.setattr(RoomHost, "submit", twice)
    assert is_found("was said 2 times", 3, 0, 1, 2)


def test_a_table_that_hangs_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the planted fault, the server hears no answers from its second start on."""
    received, starts = Sessions.received, list[Sessions]()

    def deaf(self: Sessions, session: Any, message: Any) -> None:
        if self not in starts:
            starts.append(self)
        if len(starts) < 2 or not isinstance(message, Answer | Vote):
            received(self, session, message)

    monkeypatch.setattr(Sessions, "received", deaf)
    assert is_found("nothing happened", 2, 4, 5, 0)
