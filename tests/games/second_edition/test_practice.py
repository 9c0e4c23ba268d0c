"""Practice: one player continues a finished game from a checkpoint for all seats."""

import functools
import io
import random
from collections.abc import Sequence
from pathlib import Path

import pytest

from commands.speaking import LANGUAGES, words_of
from protocol.archive import Archive, load
from protocol.common import events
from protocol.common.chance import Stream
from protocol.common.table import Stage
from protocol.event import read_own
from server.authoring.driver import SeededEntropy
from server.commands import solo
from server.kernel.branching import NoCheckpoint, SecretsAreShut, branched, checkpoint_before
from server.kernel.errors import RuleFailed
from server.kernel.room import Room
from tests.games.second_edition.simulate import CoreLibrary, Simulation, core, simulate
from tests.verifying.logs import file_of

pytestmark = pytest.mark.issue(17)

SEATS = 2
FRESH = 1_000_000
"""First seed of branches, so high that no source has the same seed."""


@functools.cache
def source() -> Room:
    """Return a finished game. It is cached."""
    return simulate(1, SEATS).play().room


@functools.cache
def archive() -> Archive:
    """Return the complete archive of the finished game."""
    return load(file_of(source()))


def middle() -> int:
    """Return a checkpoint in the middle of the game."""
    return checkpoint_before(archive(), len(archive().records) // 2)


def branch(last: int, seed: int = 1) -> Room:
    # The entropy of the source would give handles that lie on the table already.
    return branched(archive(), last, CoreLibrary(core()), SeededEntropy(FRESH + seed))


def played_on(room: Room) -> Room:
    Simulation(room, random.Random(5), SEATS, core(), time=room.last_time).play_on()
    return room


def faces(room: Room, begin: int) -> list[tuple[int, ...]]:
    """Return the dice rolled from a sequence on."""
    happened = [read_own(room.room_id, stored).event for stored in room.log[begin:]]
    return [event.faces for event in happened if isinstance(event, events.Rolled)]


def test_a_branch_begins_with_the_log_of_its_source() -> None:
    """The log is equal byte for byte up to the checkpoint; then the unknown piles are shuffled."""
    begin, room = middle(), branch(middle())

    assert [stored.public for stored in room.log[: begin + 1]] == [
        stored.public for stored in source().log[: begin + 1]
    ]
    mixed = read_own(room.room_id, room.log[begin + 1]).event
    assert isinstance(mixed, events.Shuffled | events.ShuffledSome)
    assert room.table.room.ask is not None


def test_the_chance_of_a_branch_is_its_own() -> None:
    """Neither the seeds of the source nor another branch predict the chance."""
    first, second = branch(middle(), 1), branch(middle(), 2)
    keys = [room.rest.chances.keys for room in (source(), first, second)]

    for stream in Stream:
        assert len({of[stream] for of in keys if stream in of}) == sum(stream in of for of in keys)
    begin = middle() + 1
    assert faces(played_on(first), begin) != faces(played_on(second), begin)


def test_a_branch_is_played_to_its_end() -> None:
    """One branch begins at the start of the game; the source stays unchanged."""
    before = list(source().log)

    for last in (checkpoint_before(archive(), middle() // 4), len(before)):
        assert played_on(branch(last)).table.room.stage is Stage.OVER
    assert list(source().log) == before


def sources(seed: int) -> Archive:
    """Return the complete archive of a finished game with this seed."""
    return load(file_of(simulate(seed, seed % 5 + 1).play().room))


def practised(seed: int) -> None:
    """Practise a game from its beginning, its middle and near its end."""
    found = sources(seed)
    rests = [r.sequence for r in found.records if isinstance(r.event, events.CheckpointReached)]
    for last in (rests[0], rests[len(rests) // 2], rests[-3]):
        room = branched(found, last, CoreLibrary(core()), SeededEntropy(FRESH + seed))
        rng, seats = random.Random(5), len(room.table.room.seats)
        Simulation(room, rng, seats, core(), time=room.last_time).play_on()
        assert room.table.room.stage is Stage.OVER


@pytest.mark.parametrize("seed", [2, *(pytest.param(n, marks=pytest.mark.long) for n in (3, 4))])
def test_a_few_other_games_are_practised(seed: int) -> None:
    """Together with those of long runs, the games have every number of players."""
    practised(seed)


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(10))
def test_many_other_games_are_practised(chunk: int) -> None:
    for seed in range(100 + 20 * chunk, 120 + 20 * chunk):
        practised(seed)


def test_a_batch_of_a_branch_can_be_discarded() -> None:
    """The room is rebuilt from the checkpoint with the branch's own chance."""
    rests = [r.sequence for r in archive().records if isinstance(r.event, events.CheckpointReached)]
    # No other checkpoint may follow before the first question: from that the room would be built.
    room = next(room for last in rests if (room := branch(last)).rest.end == last + 1)
    before, count = room.table, len(room.log)
    room.receive(events.PresenceChanged(0, is_present=not before.room.seats[0].is_present), **LATER)

    room.discard()

    assert (room.table, len(room.log), room.halted) == (before, count, None)


LATER = {"time": 2**40, "origin": 0}


def test_what_lies_before_the_game_is_no_checkpoint() -> None:
    first = next(r.sequence for r in archive().records if isinstance(r.event, events.GameStarted))

    assert checkpoint_before(archive(), first) == first
    with pytest.raises(NoCheckpoint):
        checkpoint_before(archive(), first - 1)


def test_the_file_of_one_seat_cannot_be_played_on() -> None:
    """Such a file lacks the secrets of other seats."""
    mine = load(file_of(source(), 0))

    with pytest.raises(SecretsAreShut):
        branched(mine, len(mine.records), CoreLibrary(core()), SeededEntropy(1))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return the path of the source's archive."""
    path = tmp_path / "evening.manse"
    path.write_bytes(file_of(source()))
    return path


def run(lines: Sequence[str], *arguments: str) -> int:
    """Run the command with random lines from a list as its input."""
    with pytest.MonkeyPatch.context() as patch:
        # In a fixed order two seats could vote past each other for ever.
        typed = "".join(random.Random(1).choices(lines, k=8000)) if lines else ""
        patch.setattr("sys.stdin", io.StringIO(typed))
        patch.setattr("server.commands.practice.SystemEntropy", lambda: SeededEntropy(FRESH))
        return solo.main([*arguments])


def shown(text: str) -> str:
    """Return a line as it is printed."""
    return text.replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_game_is_practised_to_its_end(
    file: Path, language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before, words = file.read_bytes(), words_of("server", language)
    lines = ("x\n", "1\n", "2\n", "\n", "1 2\n", "999\n", "3\n")

    begin = checkpoint_before(archive(), len(archive().records) - 250)
    assert run(lines, "--practice", str(file), "--at", str(begin), "--language", language) == 0

    told = capsys.readouterr().out.splitlines()
    assert told[0] == shown(words.say("solo.practice_begins", begin, "q"))
    assert told[-1] == shown(words.say("solo.practice_over"))
    assert shown(words.say("solo.practice_again", "q")) in told
    assert not [line for line in told if "<" in line]
    assert file.read_bytes() == before


def test_practice_is_left_by_a_letter_and_by_the_end_of_input(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for lines in (("q\n",), ()):
        assert run(lines, "--practice", str(file), "--at", str(middle()), "--language", "en") == 0
        last = capsys.readouterr().out.splitlines()[-1]
        assert last == words_of("server", "en").say("solo.practice_left")


def test_what_cannot_be_practised_is_refused_in_words(
    file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Refused are a point before the game, a seat's own file, and a damaged or missing file."""
    say = words_of("server", "en").say
    mine, bad = tmp_path / "mine.manse", tmp_path / "bad.manse"
    mine.write_bytes(file_of(source(), 0))
    bad.write_bytes(file.read_bytes()[:-1])
    wanted = {
        (str(file), "--at", "1"): say("solo.no_checkpoint", file, 1),
        (str(mine), "--at", "9999"): say("solo.secrets_shut", mine),
        (str(bad), "--at", "9999"): str(bad),
        (str(tmp_path / "none"), "--at", "1"): str(tmp_path / "none"),
    }
    for arguments, words in wanted.items():
        assert run((), "--practice", *arguments, "--language", "en") == 1
        assert words in capsys.readouterr().err


def test_a_rule_that_fails_ends_practice_in_words(
    file: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The message says where the rule failed, and the exit status is that of an internal fault."""

    def fails(*_: object) -> None:
        raise RuleFailed("4711") from ZeroDivisionError()

    monkeypatch.setattr("server.commands.practice._Practice.step", fails)
    assert run((), "--practice", str(file), "--at", str(middle()), "--language", "en") == 70

    complaint = capsys.readouterr().err
    assert words_of("server", "en").say("solo.practice_failed") in complaint
    assert "ZeroDivisionError" in complaint


def test_a_file_and_a_place_to_begin_go_together(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Either argument is refused without the other: only a game in a file has a place to begin."""
    for arguments in (("--at", "7"), ("--practice", str(file))):
        with pytest.raises(SystemExit, match="2"):
            solo.main([*arguments, "--language", "en"])
        assert words_of("server", "en").say("solo.at_alone") in capsys.readouterr().err
