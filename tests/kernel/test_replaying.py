"""Replaying a log: the first record that the rules do not write is named."""

import functools
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import attrs
import pytest

from client.commands.played_again import Outcome, PlayedAgain, describe_difference
from client.commands.verify import main as verify
from client.keyring.identity import HOME_VARIABLE
from client.locale import load as load_words
from protocol.archive import Archive, load
from protocol.audit import audit
from protocol.common import events
from protocol.difference import Difference
from server.kernel import replaying
from server.kernel.batch_writer import BatchWriter
from server.kernel.errors import TooManySteps
from server.kernel.replaying import OtherRules, play_again
from server.kernel.room import Room
from tests.kit.tables.branches import begin_branch, checkpoints_of
from tests.kit.tables.playing import Policy, Recording, SeededEntropy, Shelf, play, ready, seated
from tests.kit.tables.playing import opened as table_opened
from tests.kit.tables.playing import started as table_started
from tests.verifying.logs import file_of


def a_whole_game(seed: int, seats: int = 2) -> Recording:
    """Play a toy game to its end."""
    recording = table_started(ready(seated(table_opened(Recording()), seats)))
    return play(recording, Policy(seed), seats=seats)


def archive_of(room: Room) -> Archive:
    """Return a room's log as an audited archive."""
    archive = load(file_of(room))
    audit(archive)
    return archive


def again(archive: Archive, **how: Any) -> Difference | None:
    """Replay a log of the toy; fresh entropy may be drawn only if the log differs."""
    entropy = SeededEntropy(5)
    found = play_again(archive, Shelf(), entropy, **how)
    assert found is not None or entropy.position == 0
    return found


@pytest.mark.parametrize("seed", range(6))
def test_an_honest_log_is_what_the_rules_write(seed: int) -> None:
    assert again(archive_of(a_whole_game(seed, 1 + seed % 3).room)) is None


def test_a_bound_of_steps_stops_the_rules() -> None:
    """A stranger's pack may make the rules run for ever."""
    archive = archive_of(a_whole_game(1).room)

    with pytest.raises(TooManySteps):
        again(archive, most_steps=3)


def test_a_log_whose_rules_are_gone_names_the_release(monkeypatch: pytest.MonkeyPatch) -> None:
    archive = archive_of(a_whole_game(1).room)
    version = archive.records[0].event.version  # type: ignore[attr-defined]  # RoomOpened
    monkeypatch.setattr(replaying, "RELEASES", {version: "0.1.0"})

    with pytest.raises(OtherRules) as caught:
        again(archive)

    assert (caught.value.version, caught.value.release) == (version, "0.1.0")


def cheating(
    monkeypatch: pytest.MonkeyPatch, name: str, turn: int, cheat: Callable[..., tuple[Any, ...]]
) -> list[int]:
    """Let a server change the arguments of one chance call of its rules."""
    real = getattr(BatchWriter, name)
    calls: list[int] = []
    done: list[int] = []

    @functools.wraps(real)
    def call(writer: BatchWriter, *args: Any, **how: Any) -> Any:
        calls.append(writer.next_sequence)
        if len(calls) == turn + 1:
            done.append(writer.next_sequence)
            args = cheat(*args)
        return real(writer, *args, **how)

    monkeypatch.setattr(BatchWriter, name, call)
    return done


def test_equal_cards_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """An audit alone misses equal cards, since their order on the log is right."""

    def equal(pile: str, items: tuple[str, ...], *rest: Any) -> tuple[Any, ...]:
        return (pile, (items[0],) * len(items), *rest)

    with monkeypatch.context() as patched:
        done = cheating(patched, "shuffle", 0, equal)
        archive = archive_of(a_whole_game(2).room)

    found = again(archive)

    assert found is not None
    assert found.sequence == done[0]
    assert found.place.startswith("order[")
    assert (found.logged, found.written) == ("shuffled/2", "shuffled/2")
    assert found.found != found.expected


def test_a_record_that_the_rules_do_not_write_is_named() -> None:
    archive = archive_of(a_whole_game(3).room)
    at = next(r.sequence for r in archive.records if isinstance(r.event, events.Settled))
    records = (*archive.records[:at], *archive.records[at + 1 :])
    cuts = (*archive.cuts[:at], *archive.cuts[at + 1 :])

    found = again(attrs.evolve(archive, records=records, cuts=cuts))

    assert found is not None
    assert (found.sequence, found.written) == (at, "settled")


def test_an_input_that_is_refused_is_named() -> None:
    archive = archive_of(a_whole_game(3).room)
    at = next(r.sequence for r in archive.records if isinstance(r.event, events.ReadySet))
    records = [*archive.records]
    records[at] = attrs.evolve(records[at], event=events.ReadySet(7, is_ready=True))

    found = again(attrs.evolve(archive, records=tuple(records)))

    assert found == Difference(at, events.ReadySet.tag, refused="table/no_such_seat")


@pytest.mark.issue(36)
def test_what_a_practice_game_repeats_is_not_said_to_be_played_again(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A practice game copies its first records; a replay judges only those after the copy."""
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))

    def equal(pile: str, items: tuple[str, ...], *rest: Any) -> tuple[Any, ...]:
        return (pile, (items[0],) * len(items), *rest)

    with monkeypatch.context() as patched:
        done = cheating(patched, "shuffle", 0, equal)
        source = a_whole_game(2)
    last = checkpoints_of(source.room)[-1]
    branch = Recording(source.shelf)
    branch.room = begin_branch(source.room, last, source.shelf)
    branch.time = branch.room.last_time
    archive = archive_of(play(branch, Policy(7), seats=2).room)
    assert done[0] < last
    assert again(archive) is None
    file = tmp_path / "practice.manse"
    file.write_bytes(file_of(branch.room))

    def play_file(data: bytes, _packs: Sequence[str]) -> PlayedAgain:
        found = again(load(data))
        return PlayedAgain(Outcome.SAME if found is None else Outcome.DIFFERS, difference=found)

    assert verify([str(file)], play_file) == 0
    said = capsys.readouterr().out
    assert verify(["--json", str(file)], play_file) == 0
    told = json.loads(capsys.readouterr().out)

    assert f"from event {last + 3} on: each of these is the one that they write" in said
    assert "every record is the one" not in said
    assert told["rules"] == {"outcome": "same", "from": last + 3}
    words = describe_difference(Difference(99, "rolled/2"), "it", load_words("en"), last + 3)
    assert "All events before it" not in words
    assert f"from event {last + 3} on, and are right" in words
