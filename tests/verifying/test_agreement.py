"""Our verifier and the independent one name the same first wrong record, or none."""

import functools
import random
from collections.abc import Sequence

import pytest

from protocol.archive import BadArchive, load_for_audit
from protocol.common import events
from protocol.event import Event
from protocol.validity import judge_log
from protocol.validity.state import LOG_RULES
from tests.verifying.dealt import dealt_files
from tests.verifying.files import taken_apart
from tests.verifying.forgers import FORGERS, forged
from tests.verifying.logs import GOLDEN, short_logs
from tests.verifying.mutations import mutated
from tests.verifying.rules.verdicts import VALID, Verdict, theirs

NOT_KNOWN = "not known"
"""Verdict on the log of a game that is not installed here, such as one whose name was changed."""


def ours(data: bytes) -> tuple[Verdict, str]:
    """Return the first fault that our own verifier finds: its place, and the reason."""
    try:
        judge_log(load_for_audit(data))
    except BadArchive as wrong:
        return (NOT_KNOWN if wrong.kind == "unknown_game" else wrong.sequence), wrong.reason
    return VALID, ""


def check_agreement(data: bytes, what: str) -> bool:
    """Compare the two verdicts; return True if the file is valid."""
    mine, reason = ours(data)
    other, said = theirs(data)
    if mine != NOT_KNOWN:
        assert mine == other, f"{what}: ours {mine} ({reason}), theirs {other} ({said})"
    return mine == VALID


LOGS = 24
"""Number of `short_logs`, known here so that collecting tests plays no game."""


@functools.cache
def brief() -> tuple[bytes, ...]:
    """Return the shortest logs of both versions, for every run."""
    return tuple(log for log in short_logs() if len(log) < 32_000)


def check_mutations(first: int, count: int, logs: Sequence[bytes]) -> None:
    """Compare `count` mutations, each of which follows from its number."""
    valid = 0
    for number in range(first, first + count):
        rng = random.Random(number)
        data = mutated(rng, rng.choice(logs))
        valid += check_agreement(data, f"mutation {number}")
    assert valid < count / 2


@pytest.mark.parametrize("number", range(LOGS))
def test_both_take_every_log_that_a_server_wrote(number: int) -> None:
    assert len(short_logs()) == LOGS
    assert check_agreement(short_logs()[number], f"log {number}")


@pytest.mark.issue(10)
def test_both_read_the_first_form_of_an_opening() -> None:
    """The settings of the first form are shorter than any release's; no golden log begins so."""
    file = taken_apart((GOLDEN / "with-talk.manse").read_bytes())
    del file.lines[file.of("start_requested")[0] :]
    file.header[2] = False
    opened = file.lines[0]
    assert opened.tag == "room_opened/2"
    opened.public[3], settings = "room_opened", opened.fields[4]

    opened.fields[4] = settings[:4]
    assert check_agreement(file.sealed(), "four settings")
    opened.fields[4] = settings[:5]
    assert not check_agreement(file.sealed(), "five settings")


@pytest.mark.issue(10)
@pytest.mark.parametrize(
    "part", [0, *(pytest.param(n, marks=pytest.mark.long) for n in range(1, 10))]
)
def test_both_name_the_same_wrong_record_of_500_mutations(part: int) -> None:
    """Every run has a tenth of them."""
    check_mutations(part * 50, 50, brief())


@pytest.mark.long
@pytest.mark.issue(10)
@pytest.mark.parametrize("part", range(100))
def test_both_name_the_same_wrong_record_of_100_000_mutations(part: int) -> None:
    check_mutations(500 + part * 1000, 1000, short_logs())


def check_forgeries(first: int, count: int, logs: Sequence[bytes]) -> None:
    """Compare `count` forgeries, each of which follows from its number."""
    names = sorted(FORGERS)
    for number in range(first, first + count):
        rng = random.Random(number)
        name = names[number % len(names)]
        file = taken_apart(rng.choice(logs))
        try:
            data = forged(rng, file, name)
        except (LookupError, ValueError, StopIteration):
            # There was nothing in this log to forge.
            continue
        check_agreement(data, f"{name} {number}")


@pytest.mark.issue(10)
@pytest.mark.parametrize(
    "part", [0, *(pytest.param(n, marks=pytest.mark.long) for n in range(1, 6))]
)
def test_both_name_the_same_wrong_record_of_forgeries(part: int) -> None:
    """Every run has one of each kind."""
    check_forgeries(part * len(FORGERS), len(FORGERS), brief())


@pytest.mark.long
@pytest.mark.issue(10)
@pytest.mark.parametrize("part", range(20))
def test_both_name_the_same_wrong_record_of_10_000_forgeries(part: int) -> None:
    check_forgeries(1000 + part * 540, 540, short_logs())


@pytest.mark.issue(10)
@pytest.mark.parametrize("knowers", [[1, 0], [0, 0], [0, 7], [-1]])
def test_who_knows_a_secret_are_seats_in_their_order(knowers: list[int]) -> None:
    file = taken_apart(dealt_files()[0])
    at = next(at for at in file.of("shuffled") if file.lines[at].fields[5] == [0, 1])
    file.lines[at].fields[5] = file.lines[at].secrets[0][0] = knowers
    data = file.sealed()

    assert ours(data)[0] == at == theirs(data)[0]


@pytest.mark.issue(10)
def test_a_secret_of_a_character_before_the_room_is_opened_is_refused() -> None:
    """Before the opening, no game has claims that say who plays the character."""
    file = next(file for file in map(taken_apart, brief()) if file.of("toy"))
    dealt = next(line for line in file.lines if line.tag == "toy/omen_dealt")
    file.lines.remove(dealt)
    file.lines.insert(0, dealt)
    data = file.renumbered().committed_anew().sealed()

    assert ours(data)[0] == 0 == theirs(data)[0]


@pytest.mark.issue(10)
@pytest.mark.parametrize(("place", "value"), [(3, -2), (4, -1)])
def test_the_bounds_of_a_header_are_kept(place: int, value: int) -> None:
    file = taken_apart(dealt_files()[4])
    assert check_agreement(file.sealed(), "a watcher's file")
    file.header[place] = value

    assert ours(file.sealed())[0] is None
    assert theirs(file.sealed())[0] is None


@pytest.mark.issue(10)
@pytest.mark.parametrize("kind", [events.SeatTaken, events.GameStarted, events.RoomClosed])
def test_a_rule_that_one_of_them_forgets_is_noticed(
    kind: type[Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The verifiers do not agree merely because neither looks."""
    monkeypatch.setitem(LOG_RULES, kind, lambda *_: None)

    with pytest.raises(AssertionError, match=r"ours .* theirs"):
        check_forgeries(0, 3 * len(FORGERS), brief())
