"""A lot is drawn exactly when more than half of the people want it: audits check both sides."""

import pytest

from protocol.archive import BadArchive, load
from protocol.common import events
from protocol.validity import judge
from tests.kit.tables.playing import Recording, Shelf, opened, ready, refused, seated, started
from tests.kit.tables.toy_table import Content, a_deck
from tests.verifying.files import File, taken_apart
from tests.verifying.logs import file_of
from tests.verifying.test_hands import verdicts

pytestmark = pytest.mark.issue(36)


def at_poll() -> Recording:
    """Return a signed game of three present players who voted for three different things."""
    recording = Recording(Shelf(Content(deck=a_deck("poll"))))
    started(ready(seated(opened(recording), 3)))
    for seat in range(3):
        recording.give(events.PresenceChanged(seat, is_present=True), seat)
    recording.answer(0, "toy/go")
    recording.answer(0, "peek")
    recording.answer(0, recording.game.hand("bear")[0])
    for seat, weather in enumerate(("hail", "fog", "rain")):
        recording.vote(seat, weather)
    return recording


def found(file: File) -> int | None:
    """Return where the whole judgement refuses a file whose log alone is valid."""
    assert verdicts(file.renumbered().committed_anew()) == (None, None)
    try:
        judge(load(file.sealed()))
    except BadArchive as wrong:
        return wrong.sequence
    return None


def test_a_lot_that_most_want_is_drawn() -> None:
    recording = at_poll()
    recording.give(events.LotWanted(0, recording.ask.ask_id), 0)
    recording.give(events.TiebreakCalled(1, recording.ask.ask_id), 1)

    assert found(taken_apart(file_of(recording.room, 0))) is None


def test_a_lot_that_one_of_three_wants_is_neither_drawn_nor_valid() -> None:
    recording = at_poll()
    call = events.TiebreakCalled(1, recording.ask.ask_id)
    assert refused(recording, call, 1) == "answer/lot_wanted"
    recording.give(events.LotWanted(0, recording.ask.ask_id), 0)
    recording.give(call, 1)
    file = taken_apart(file_of(recording.room, 0))
    [wanted] = file.of("lot_wanted")
    del file.lines[wanted]

    assert found(file) == wanted


def test_a_lot_that_most_want_is_not_put_off() -> None:
    """If it could be put off, a server could withhold the lot as long as it liked."""
    recording = at_poll()
    recording.give(events.LotWanted(0, recording.ask.ask_id), 0)
    recording.give(events.TiebreakCalled(1, recording.ask.ask_id), 1)
    file = taken_apart(file_of(recording.room, 0))
    [called] = file.of("lot_called")
    file.lines[called].public[3] = "lot_wanted"
    del file.lines[called + 1 :]

    assert found(file) == called
