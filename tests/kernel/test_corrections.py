"""Corrections: all players agree to set something on the table, between two procedures."""

import pytest

from protocol.common import events as on
from protocol.common.table import Proposal
from tests.kit.tables.playing import ROOM_ID, Recording, SeededEntropy, Step, begin, refused
from tests.kit.tables.resuming import resume
from tests.kit.tables.toy import ToyRules
from tests.kit.tables.toy_table import Content, Scored, a_deck

rule = pytest.mark.rule


def correction(recording: Recording, piece: str = "bear", amount: int = 7) -> on.Proposed:
    """Return a proposal to set a piece's points."""
    proposal_id = recording.table.room.next_proposal_id
    return on.Proposed(Proposal(proposal_id, "correct", 0, piece=piece, amount=amount))


def propose(recording: Recording, piece: str = "bear", amount: int = 7) -> Step:
    """Let the first seat propose a correction of a piece's points."""
    return recording.give(correction(recording, piece, amount), 0)


def points(recording: Recording) -> int:
    """Return the bear's points on the table."""
    return recording.game.people["bear"].points


@rule("DECIDE-49")
def test_every_player_has_to_agree() -> None:
    recording = begin(3)
    asked = recording.ask

    propose(recording)
    recording.consent(1)
    assert points(recording) == 0
    recording.consent(2)

    assert points(recording) == 7
    assert recording.happened(on.Corrected) == [on.Corrected("bear", 7)]
    assert recording.table.room.proposal is None
    assert recording.ask.ask_id != asked.ask_id
    assert recording.ask.rule == asked.rule
    recording.answer(0, "pass")


@rule("DECIDE-49")
def test_one_refusal_leaves_it_as_it_is() -> None:
    recording = begin(2)
    asked = recording.ask.ask_id

    propose(recording)
    recording.consent(1, is_agreed=False)

    assert points(recording) == 0
    assert recording.ask.ask_id == asked


@rule("DECIDE-49")
def test_who_plays_alone_sets_it_at_once() -> None:
    recording = begin(1)
    piece = next(iter(recording.game.people))

    propose(recording, piece)

    assert recording.game.people[piece].points == 7


def test_what_is_under_way_is_finished_first() -> None:
    """A running rule may still use values that it read before the correction."""
    recording = begin(2, Content(deck=a_deck("storm")))
    recording.answer(0, "peek")
    propose(recording)
    recording.consent(1)
    assert points(recording) == 0

    recording.answer(0, recording.game.hand("bear")[0])

    events = recording.happened(on.Settled, on.Corrected, Scored)
    assert [type(event) for event in events[-2:]] == [on.Corrected, Scored]
    assert points(recording) == 7


def test_what_is_not_offered_any_more_is_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """A piece that all agreed to correct may have left the table before it is corrected."""
    recording = begin(2, Content(deck=a_deck("storm")))
    recording.answer(0, "peek")
    propose(recording)
    recording.consent(1)
    monkeypatch.setattr(ToyRules, "corrections", lambda _rules, _table: ())

    recording.answer(0, recording.game.hand("bear")[0])

    events = recording.happened(on.Corrected, Scored)
    assert [type(event) for event in events] == [Scored, on.Corrected]
    assert recording.table.room.proposal is None


def test_a_corrected_game_comes_back_as_it_was() -> None:
    recording = begin(2)
    propose(recording)
    recording.consent(1)
    recording.answer(0, "pass")

    for from_start in (False, True):
        room = resume(
            ROOM_ID, recording.log, recording.shelf, SeededEntropy(9), from_start=from_start
        )
        assert room.halted is None
        assert room.table == recording.table


CANNOT_BE = [("nobody", 3), ("bear", 10), ("bear", -1), ("bear", 0)]


@pytest.mark.parametrize(("piece", "amount"), CANNOT_BE)
def test_what_cannot_be_is_not_even_proposed(piece: str, amount: int) -> None:
    recording = begin(2)

    code = refused(recording, correction(recording, piece, amount), 0)

    assert code == "proposal/no_such_piece"
