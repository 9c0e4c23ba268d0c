"""Passes and the time for objections: how verifiers judge them."""

import copy
from collections.abc import Callable

import pytest

from protocol.archive import BadArchive, load
from protocol.common import events
from protocol.event import CLOCK
from protocol.validity import judge
from tests.kit.tables.playing import Recording, at_card
from tests.kit.tables.toy_table import MOTION_SECONDS
from tests.verifying.files import File, taken_apart
from tests.verifying.logs import file_of

pytestmark = pytest.mark.issue(11)

WINDOW = MOTION_SECONDS * 1000


def verdict(recording: Recording, seat: int = 0) -> str:
    """Return why the log so far, as a seat has it, is invalid; empty if it is valid."""
    return verdict_of(file_of(recording.room, seat=seat))


def verdict_of(data: bytes) -> str:
    """Return why a file is invalid; empty if it is valid."""
    try:
        judge(load(data))
    except BadArchive as wrong:
        return str(wrong)
    return ""


def moved(*away: int) -> Recording:
    """Return a game with a motion open to objections, in which some seats may be absent."""
    recording = at_card("motion")
    for seat in range(3):
        if seat not in away:
            recording.give(events.PresenceChanged(seat, is_present=True), seat)
    return recording


def time_out(recording: Recording, after: int) -> None:
    """Let time run out `after` milliseconds after the last record."""
    last = recording.records[-1].time
    recording.give(events.TimedOut(recording.ask.ask_id), CLOCK, time=last + after)


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_it_stands_once_its_time_is_over(seat: int) -> None:
    recording = moved()

    time_out(recording, WINDOW)

    assert verdict(recording, seat) == ""


def test_it_does_not_stand_before_its_time() -> None:
    recording = moved()

    time_out(recording, WINDOW - 1)

    assert "time is up before it is" in verdict(recording)


def test_the_time_in_which_somebody_is_away_does_not_count() -> None:
    early, recording = moved(2), moved(2)
    for one in (early, recording):
        one.give(events.PresenceChanged(2, is_present=True), 2, time=one.time + 2 * WINDOW)

    time_out(early, WINDOW - 1)
    time_out(recording, WINDOW)

    assert "time is up before it is" in verdict(early)
    assert verdict(recording) == ""


def test_whoever_has_passed_may_be_away() -> None:
    recording = moved(2)
    recording.answer(2, "toy/pass")

    time_out(recording, WINDOW)

    assert verdict(recording) == ""


def test_whoever_passes_while_away_does_not_make_up_for_the_time_before() -> None:
    """Until they passed, they might have objected."""
    recording = moved(2)
    recording.time += WINDOW
    recording.answer(2, "toy/pass")

    time_out(recording, WINDOW - 1)

    assert "time is up before it is" in verdict(recording)


# Standing passes


def _remove(file: File, at: int) -> None:
    del file.lines[at]


def _repeat(file: File, at: int) -> None:
    file.lines.insert(at, copy.deepcopy(file.lines[at]))


def _by(*seats: int) -> Callable[[File, int], None]:
    def change(file: File, at: int) -> None:
        file.lines[at].fields[1] = list(seats)

    return change


def _keep(file: File, at: int) -> None:
    pass


def standing() -> Recording:
    """Return a game with a question on which seat 2 always passes."""
    recording = at_card("ambush")
    for seat in range(3):
        recording.answer(seat, "toy/pass")
    recording.stand(2, "toy/ambush")
    recording.answer(1, "peek")
    recording.answer(1, recording.game.hand("fox")[0])
    assert recording.happened(events.PassedStanding)
    return recording


@pytest.mark.parametrize(
    ("change", "seat", "why"),
    [
        (_keep, 2, ""),
        (_keep, 0, ""),
        (_remove, 2, "the log ends inside a batch"),
        (_remove, 0, ""),
        (_repeat, 2, "a pass on no question"),
        (_by(0), 2, "it is not as the seats said"),
        (_by(0, 2), 2, "it is not as the seats said"),
        (_by(2, 0), 2, "seats that do not ascend"),
        (_by(2, 7), 2, "a seat that is not asked"),
        (_by(), 2, "nobody who passes"),
    ],
)
def test_standing_passes_are_those_that_the_seats_said(
    change: Callable[[File, int], None], seat: int, why: str
) -> None:
    file = taken_apart(file_of(standing().room, seat=seat))
    [at] = file.of("passed_standing")
    change(file, at)

    said = verdict_of(file.renumbered().committed_anew().sealed())
    assert (why in said) if why else not said
