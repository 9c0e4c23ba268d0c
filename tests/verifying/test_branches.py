"""Branches: both verifiers accept real ones, refuse impossible ones, and check their sources."""

import functools
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from protocol import codec
from protocol.archive import MAGIC, BadArchive, Header, load, write
from protocol.audit import audit
from protocol.common.table import Stage
from protocol.event import cut
from protocol.source_audit import compare, source_of
from protocol.validity import judge
from server.kernel.errors import Refused
from tests.kit.tables.branches import BRANCH_ID, begin_branch, checkpoints_of, log_of_branch
from tests.kit.tables.playing import Policy, Recording, SeededEntropy, play
from tests.kit.tables.resuming import resume
from tests.verifying.files import FORGER, File, Line, taken_apart
from tests.verifying.logs import branched, file_of, recorded
from tests.verifying.test_hands import played, verdicts

pytestmark = pytest.mark.issue(17)

GOLDEN = Path(__file__).parents[1] / "golden" / "branches"


@functools.cache
def whole() -> bytes:
    """Return the whole log of a branch that began in the middle of a game."""
    return branched(1)


def changed(change: Callable[[File, int], None]) -> File:
    """Return the log of `whole` after a change, which is given the place of `branched`."""
    file = taken_apart(whole())
    change(file, file.of("branched")[0])
    return file


def test_both_take_a_branch_with_hands() -> None:
    source = played()
    recording = Recording(source.shelf)
    begin = checkpoints_of(source.room)[-1]
    recording.room = begin_branch(source.room, begin, source.shelf)
    recording.time = recording.room.last_time
    data = file_of(play(recording, Policy(3)).room)

    judge(load(data))
    assert verdicts(taken_apart(data)) == (None, None)
    assert compare(load(data), load(file_of(source.room))) == begin


def check_branches_of(seed: int) -> int:
    """Play on from checkpoints of a game; return the number of branches."""
    seats = seed % 3 + 1
    source = recorded(seed, seats)
    begins = checkpoints_of(source.room)[::3]
    for begin in begins:
        branch = Recording(source.shelf)
        branch.room = begin_branch(source.room, begin, source.shelf)
        branch.time = branch.room.last_time
        # No seat is given away: who proposes it has played enough.
        with suppress(Refused):
            play(branch, Policy(seed + begin), seats=seats)
        data = file_of(branch.room, None if branch.table.room.stage is Stage.OVER else 0)
        audit(load(data))
        assert verdicts(taken_apart(data)) == (None, None)
        assert compare(load(data), load(file_of(source.room))) == begin
        for from_start in (False, True):
            log, entropy = list(branch.room.log), SeededEntropy(5)
            again = resume(BRANCH_ID, log, source.shelf, entropy, from_start=from_start)
            assert (again.table, again.halted) == (branch.table, None)
    return len(begins)


@pytest.mark.parametrize("seed", range(3))
def test_branches_of_a_few_games_hold(seed: int) -> None:
    assert check_branches_of(seed)


@pytest.mark.long
@pytest.mark.parametrize("seed", range(3, 60))
def test_branches_of_many_games_hold(seed: int) -> None:
    assert check_branches_of(seed)


# What cannot have been ---------------------------------------------------------------------


def _other_value(line: Line) -> None:
    line.fields[2][0][3] = codec.pack(b"?" * 32)


def _short_value(line: Line) -> None:
    line.fields[2][0][3] = codec.pack(b"?" * 31)


def _no_bytes(line: Line) -> None:
    line.fields[2][1][3] = codec.pack(7)


def _other_slot(line: Line) -> None:
    line.fields[2][1][1] = 0


def _one_seed(line: Line) -> None:
    del line.fields[2][1]


def _in_other_order(line: Line) -> None:
    line.fields[2].reverse()


def _no_such_seat(line: Line) -> None:
    line.fields[0] = 7


def _a_setup(line: Line) -> None:
    line.fields[3] = [b"s" * 32, b"s" * 32]


@pytest.mark.issue(36)
@pytest.mark.parametrize("forge", [_short_value, _no_bytes, _one_seed])
def test_seeds_that_are_none_are_named_where_they_are_opened(
    forge: Callable[[Line], None],
) -> None:
    file = taken_apart(branched(1, seat=0))
    [at] = file.of("branched")
    forge(file.lines[at])

    assert verdicts(file) == (at, at)


@pytest.mark.parametrize(
    "forge",
    [
        *(_other_value, _short_value, _no_bytes, _other_slot, _one_seed, _in_other_order),
        *(_no_such_seat, _a_setup),
    ],
)
def test_what_ends_a_source_is_checked_by_both(forge: Callable[[Line], None]) -> None:
    file = changed(lambda file, at: forge(file.lines[at]))
    ours, theirs = verdicts(file)

    assert ours == theirs is not None


def test_another_salt_of_a_source_is_found_by_its_draws() -> None:
    def forge(file: File, at: int) -> None:
        file.lines[at].fields[2][0][2] = b"?" * 32

    ours, theirs = verdicts(changed(forge))
    assert ours == theirs is not None


def test_another_name_of_a_source_is_found_by_its_draws() -> None:
    """The name is part of the salt of the keys."""

    def forge(file: File, _: int) -> None:
        file.lines[0].fields[6][0] = "another-room"

    ours, theirs = verdicts(changed(forge))
    assert ours == theirs is not None


@pytest.mark.parametrize("by", [-1, 1])
def test_the_end_of_a_source_stands_where_the_log_says(by: int) -> None:

    def forge(file: File, _: int) -> None:
        file.lines[0].fields[6][2] += by

    ours, theirs = verdicts(changed(forge))
    assert ours == theirs is not None


def test_a_branch_begins_behind_a_checkpoint() -> None:
    source = played()
    log = log_of_branch(source.room, checkpoints_of(source.room)[1] + 2)
    cuts = [cut(stored, 0) for stored in log]
    header = Header(MAGIC, BRANCH_ID, False, 0, 0, 1, FORGER.public, len(cuts))
    data = b"".join(write(header, cuts, (), sign=FORGER.sign))

    assert verdicts(taken_apart(data)) == (len(log) - 2, len(log) - 2)


def test_a_log_that_ends_among_the_records_of_its_source_is_no_log() -> None:
    """A server stores these records in one batch."""
    file = taken_apart(branched(1, seat=0))
    del file.lines[file.of("branched")[0] :]
    ours, theirs = verdicts(file)

    assert ours == theirs == len(file.lines)


def test_a_game_of_its_own_has_no_second_ceremony() -> None:
    file = changed(lambda file, _: file.lines[0].fields.__setitem__(6, None))
    ours, theirs = verdicts(file)

    assert ours == theirs is not None


def test_a_log_of_version_1_has_no_source() -> None:
    """The keys of version 1 need a head that a branch cannot have."""
    ours, theirs = verdicts(changed(lambda file, _: file.lines[0].fields.__setitem__(5, 1)))

    assert ours == theirs == 0


@pytest.mark.issue(36)
def test_no_log_is_its_own_source() -> None:
    """The log would have to contain its own head."""

    def forge(file: File, _: int) -> None:
        file.lines[0].fields[6][0] = file.header[1]

    assert verdicts(changed(forge)) == (0, 0)


def test_who_plays_on_has_a_key() -> None:
    # In a branch of version 2: later ones need that key for each share.
    file = taken_apart(golden("branch.manse"))
    file.lines[file.of("branched")[0]].fields[1] = b""

    with pytest.raises(BadArchive, match="nobody plays on"):
        judge(load(file.sealed()))


# Beside its source -------------------------------------------------------------------------


def golden(name: str) -> bytes:
    """Return a file that an earlier server wrote."""
    return (GOLDEN / name).read_bytes()


def test_a_golden_branch_is_read_audited_and_compared() -> None:
    branch, source = load(golden("branch.manse")), load(golden("source.manse"))
    report = audit(branch)
    begun = source_of(branch)

    assert verdicts(taken_apart(golden("branch.manse"))) == (None, None)
    assert report.is_finished
    assert begun is not None
    assert compare(branch, source) == begun.sequence


def test_what_a_source_does_not_say_is_named() -> None:
    source = load(golden("source.manse"))
    file = taken_apart(golden("branch.manse"))
    at = file.of("ready_set")[0]
    file.lines[at].fields[1] = not file.lines[at].fields[1]

    with pytest.raises(BadArchive) as wrong:
        compare(load(file.sealed()), source)
    assert wrong.value.sequence == at
    assert wrong.value.kind == "other_source"


def test_another_secret_than_that_of_the_source_is_named() -> None:
    """The commitment to the secret may be correct."""
    source = load(golden("source.manse"))
    file = taken_apart(golden("branch.manse"))
    at = file.of("answered")[0]
    [[_, opening]] = file.lines[at].openings
    opening[1] = codec.pack(("something else",))

    with pytest.raises(BadArchive) as wrong:
        compare(load(file.committed_anew().sealed()), source)
    assert wrong.value.sequence == at


def test_another_game_is_no_source() -> None:
    branch, source = load(golden("branch.manse")), load(golden("source.manse"))
    with pytest.raises(BadArchive) as error:
        compare(branch, load(file_of(played().room)))
    assert error.value.kind == "other_source"
    with pytest.raises(BadArchive) as error:
        compare(source, branch)
    assert error.value.kind == "no_source"
    file = taken_apart(golden("source.manse"))
    file.lines[1].public[1] += 1
    with pytest.raises(BadArchive) as error:
        compare(branch, load(file.sealed()))
    assert error.value.kind == "other_source"
