"""The server is killed in the middle of a game, and the game goes on.

Everything is real: the server's process, TLS over the loopback interface, the database file, two
bots in processes of their own, and the signal that no program can catch.
"""

import json
import os
import queue
import threading
from collections.abc import Collection, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, TextIO

import attrs
import pytest

from protocol.archive import Archive, load
from protocol.audit import audit
from protocol.commitments import first_head, next_head
from protocol.common import events
from protocol.event import Stored
from server.process.app import DATABASE
from server.storage.sqlite import SqliteStore
from tests.kit import warm
from tests.kit.compiled import with_packs

ROOT = Path(__file__).parents[2]
PATIENCE = 60
"""Maximum seconds of any wait; then the server counts as hung."""
KILLS = 2
"""Number of kills in one game."""

SERVE = "import sys; from server.commands.cli import serve; sys.exit(serve(sys.argv[1:]))"
_BOT = "import sys; from client.commands.cli import bot; sys.exit(bot(sys.argv[1:]))"


@attrs.define(eq=False)
class Process:
    """A process of ours, whose lines are read as they come."""

    popen: warm.Started
    stdout: TextIO
    lines: "queue.Queue[str | None]" = attrs.field(factory=queue.Queue)
    _reader: threading.Thread = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        for line in self.stdout:
            self.lines.put(line)
        self.lines.put(None)

    def line_with(self, part: str) -> str:
        """Return the next line that contains `part`."""
        while (line := self.lines.get(timeout=PATIENCE)) is not None:
            if part in line:
                return line
        raise AssertionError(f"it ended without {part!r}")

    def end(self) -> list[str]:
        """Wait for the end of the process; return its remaining lines."""
        assert self.popen.wait(PATIENCE) == 0
        return list(iter(lambda: self.lines.get(timeout=PATIENCE) or "", ""))

    def kill(self) -> None:
        """Kill the process."""
        self.popen.kill()
        self.popen.wait(PATIENCE)
        self._reader.join(PATIENCE)
        self.stdout.close()


@contextmanager
def running(code: str, *arguments: str, home: Path) -> Iterator[Process]:
    """Run a command of ours; the end of the block kills it at the latest."""
    home.mkdir(mode=0o700, exist_ok=True)
    env = {**os.environ, "MANSE_HOME": str(with_packs(home)), "LC_ALL": "C.UTF-8"}
    ours, theirs = os.pipe()
    with (
        Path(os.devnull).open() as nothing,
        os.fdopen(theirs, "w") as told,
        (home / "complaints.txt").open("a") as complaints,
    ):
        files = (nothing.fileno(), told.fileno(), complaints.fileno())
        popen = warm.start(warm.COMMANDS, code, *arguments, env=env, files=files)
    process = Process(popen, os.fdopen(ours))
    try:
        yield process
    finally:
        process.kill()


def serve(
    stack: ExitStack, folder: Path, port: int, code: str = SERVE, more: Sequence[str] = ()
) -> tuple[Process, dict[str, Any]]:
    """Start a server, by other code to plant a fault; return it and its first line of JSON."""
    arguments = ("--host", "127.0.0.1", "--port", str(port), "--json", "--folder", str(folder))
    server = stack.enter_context(running(code, *arguments, *more, home=folder))
    told: dict[str, Any] = json.loads(server.line_with("fingerprint"))
    return server, told


def stored_in(folder: Path, others: Collection[str] = ()) -> list[Stored]:
    """Return the log of the only room in the database of a stopped server.

    Args:
        folder: folder of the server.
        others: ids of further rooms, which are ignored.
    """
    calls: queue.Queue[Any] = queue.Queue()
    store = SqliteStore.open(folder / DATABASE, lambda call, *given: calls.put((call, given)))
    answers: list[Any] = []

    def wait_for(deferred: Any) -> Any:
        deferred.addBoth(answers.append)
        while not answers:
            call, given = calls.get(timeout=PATIENCE)
            call(*given)
        return answers.pop()

    (room,) = (room for room in wait_for(store.rooms()) if room.room_id not in others)
    records: list[Stored] = wait_for(store.read(room.room_id))
    wait_for(store.close())
    return records


@attrs.frozen
class Story:
    """The stored log at each kill, and at the end."""

    before: list[list[Stored]]
    archive: Archive
    results: list[dict[str, Any]]


def play(stack: ExitStack, folder: Path) -> Story:
    """Let two bots play one game while the server is killed every few rounds."""
    server, told = serve(stack, folder / "server", 0)
    reach = ("--server", f"{told['host']}:{told['port']}", "--fingerprint", told["fingerprint"])
    path = folder / "game.manse"
    options = ("--json", "--verbose", "--seed", "1")
    host = ("--open", "core/sluice-house", "--party", "2", "--export", str(path), *reach)
    first = stack.enter_context(running(_BOT, *host, *options, home=folder / "first"))
    invitation = json.loads(first.line_with("invitation"))["invitation"]
    second = stack.enter_context(running(_BOT, invitation, *options, home=folder / "second"))
    before = []
    for number in range(1, KILLS + 1):
        first.line_with(f"Round {number}")
        server.kill()
        before.append(stored_in(folder / "server"))
        server, _ = serve(stack, folder / "server", told["port"])
    results = [json.loads(bot.end()[-1]) for bot in (first, second)]
    return Story(before, load(path.read_bytes()), results)


@pytest.fixture(scope="module")
def story(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Story]:
    """Yield the story of one game."""
    with ExitStack() as stack:
        yield play(stack, tmp_path_factory.mktemp("kill"))


def test_nothing_that_was_stored_is_lost(story: Story) -> None:
    """The log on the disk at each kill is a prefix of the finished game's."""
    cuts = story.archive.cuts
    assert all(story.before)
    for records in story.before:
        assert [record.public for record in records] == [c.public for c in cuts[: len(records)]]


def test_the_game_goes_on_at_the_same_question(story: Story) -> None:
    happened = [record.event for record in story.archive.records]
    for records in story.before:
        at = len(records)
        asked = next(e.ask_id for e in reversed(happened[:at]) if isinstance(e, events.Asked))
        kinds = (events.Asked, events.Answered, events.Voted, events.TiebreakCalled)
        said = next(e for e in happened[at:] if isinstance(e, kinds))
        assert not isinstance(said, events.Asked)
        assert said.ask_id == asked


def test_the_game_is_played_to_its_end(story: Story) -> None:
    report = audit(story.archive)

    assert report.is_whole
    assert report.is_finished
    assert report.counts.computed.total() > 20


def test_both_players_hold_the_same_game(story: Story) -> None:
    for result in story.results:
        head = first_head(story.archive.header.room_id)
        for cut in story.archive.cuts[: result["events"]]:
            head = next_head(head, cut.public)
        assert result["events"] > len(story.before[-1])
        assert result["head"] == head.hex()
