"""Timed windows: how verifiers judge them."""

from collections.abc import Callable

import pytest

from protocol.common import events
from protocol.common.table import Settings
from protocol.event import CLOCK
from tests.kit.tables.playing import Recording, begin
from tests.kit.tables.toy_table import Content, a_deck
from tests.verifying.files import File, taken_apart
from tests.verifying.logs import file_of, types, verifier
from tests.verifying.test_passing import verdict, verdict_of

pytestmark = pytest.mark.issue(11)

WINDOW = Settings().window_seconds * 1000


def opened(settings: Settings | None = None, *stops: int) -> Recording:
    """Return a game with a flash just turned up, and everybody present."""
    recording = begin(3, Content(deck=a_deck("flash")), settings=settings)
    for seat in range(3):
        recording.give(events.PresenceChanged(seat, is_present=True), seat)
    for seat in stops:
        recording.room.stop_at(seat, frozenset(), is_everywhere=True)
    recording.answer(0, "peek")
    recording.answer(0, recording.game.hand("bear")[0])
    return recording


def close(recording: Recording, after: int) -> None:
    """Close the window `after` milliseconds after the last record."""
    recording.give(recording.room.closing(), CLOCK, time=recording.room.last_time + after)


@pytest.mark.parametrize("seat", [0, 1])
def test_a_window_closes_once_its_time_is_over(seat: int) -> None:
    recording = opened()
    recording.say_in_window(1, "toy/dazzle", 1)

    close(recording, WINDOW)

    assert verdict(recording, seat) == ""
    verifier().verify(file_of(recording.room, seat=seat), types())


def test_a_window_does_not_close_before_its_time() -> None:
    recording = opened()

    close(recording, WINDOW - 1)

    assert "closes before its time" in verdict(recording)


def test_a_window_that_a_server_opened_again_has_its_whole_time() -> None:
    early, recording = opened(), opened()
    for one in (early, recording):
        away = events.PresenceChanged(2, is_present=False)
        one.give(away, CLOCK, time=one.room.last_time + WINDOW - 1)
        one.give(events.PresenceChanged(2, is_present=True), 2, time=one.room.last_time)

    close(early, WINDOW - 1)
    close(recording, WINDOW)

    assert "closes before its time" in verdict(early)
    assert verdict(recording) == ""


def _keep(file: File, at: int) -> None:
    pass


def _by_a_seat(file: File, at: int) -> None:
    file.lines[at].public[2] = 0


def _without_one(file: File, at: int) -> None:
    line = file.lines[at]
    line.fields[1] = line.fields[1][:-1]
    del line.public[5][-1]


@pytest.mark.parametrize(
    ("change", "why"),
    [(_keep, ""), (_by_a_seat, "clock"), (_without_one, "not all who were asked")],
)
def test_its_record_is_that_of_the_clock_and_of_all(
    change: Callable[[File, int], None], why: str
) -> None:
    recording = opened()
    close(recording, WINDOW)
    file = taken_apart(file_of(recording.room, seat=0))
    [at] = file.of("answered_together")
    change(file, at)

    said = verdict_of(file.renumbered().committed_anew().sealed())

    assert (why in said) if why else not said


def test_a_window_passes_at_once_only_at_a_table_with_stops() -> None:
    recording = opened(Settings(stops=True))
    assert verdict(recording) == ""
    file = taken_apart(file_of(recording.room, seat=0))
    settings = list(file.lines[0].fields[4])
    settings[6] = False
    file.lines[0].fields[4] = settings

    said = verdict_of(file.renumbered().committed_anew().sealed())

    assert "nothing before calls for it" in said


@pytest.mark.issue(39)
@pytest.mark.parametrize(("stops", "why"), [(True, ""), (False, "closes before its time")])
def test_a_window_closes_early_only_at_a_table_with_stops(*, stops: bool, why: str) -> None:
    recording = opened(Settings(stops=stops), *((1,) if stops else ()))

    close(recording, 1)

    assert (why in verdict(recording)) if why else verdict(recording) == ""


@pytest.mark.issue(39)
@pytest.mark.parametrize(("waited", "why"), [(WINDOW - 1, "before its time"), (WINDOW, "")])
def test_no_time_of_a_window_runs_while_somebody_is_away(waited: int, why: str) -> None:
    recording = opened()
    began = recording.room.last_time
    gone, back = (events.PresenceChanged(2, is_present=is_here) for is_here in (False, True))
    recording.give(gone, 2, time=began + 4000)
    recording.give(back, 2, time=began + 900_000)

    close(recording, waited - 4000)

    assert (why in verdict(recording)) if why else verdict(recording) == ""


@pytest.mark.issue(39)
def test_a_window_does_not_close_while_somebody_is_away() -> None:
    recording = opened()
    recording.give(events.PresenceChanged(2, is_present=False), 2)

    close(recording, 10 * WINDOW)

    assert "before its time" in verdict(recording)


def test_a_window_at_which_somebody_stops_is_valid() -> None:
    recording = opened(Settings(stops=True), 1)
    close(recording, WINDOW)

    assert verdict(recording) == ""
