"""Roles kept apart, in the kernel and for verifiers of the log."""

from typing import Any

import attrs
import pytest

from protocol.archive import BadArchive, load
from protocol.audit import audit
from protocol.common import events as on
from protocol.common.absence import ABSENCE_MS, absentees
from protocol.common.proposals import GiveSeat
from protocol.common.roster import Roster
from protocol.common.table import Proposal, Stage
from protocol.event import OPERATOR
from server.kernel.admission.by_table import CHECKS
from tests.kernel.test_roles import ANN, BEN, KEEPER, Evening, started, whole
from tests.kit.tables.keeper import KeptRules
from tests.kit.tables.playing import key_of

pytestmark = pytest.mark.issue(39)

NEW = b"z" * 32


class Apart(KeptRules):
    """The keeper's game with roles that are kept apart."""

    def roster(self, content: Any) -> Roster:
        return attrs.evolve(super().roster(content), is_apart=True)


@pytest.fixture
def evening() -> Evening:
    """Return a game at the keeper's question, with everybody present."""
    evening = started(Apart())
    for seat in (KEEPER, ANN, BEN):
        evening.give(on.PresenceChanged(seat, is_present=True), seat)
    return evening


def proposal(evening: Evening, seat: int, key: bytes = b"") -> on.Proposed:
    """Return the host's proposal to give a seat to a key, or to the next person invited."""
    gift = GiveSeat(seat, "Zoe" if key else "", key, is_bot=False)
    return on.Proposed(Proposal.of(gift, evening.room.table.room.next_proposal_id, KEEPER))


def agree(evening: Evening, *seats: int) -> None:
    """Consent to the open proposal, as long as it needs it."""
    for seat in seats:
        open_now = evening.room.table.room.proposal
        if open_now is not None:
            evening.give(on.Consented(seat, open_now.proposal_id, is_agreed=True), seat)


def given(evening: Evening, seat: int, key: bytes = b"") -> None:
    """Give a seat away, with the consent of everybody."""
    evening.give(proposal(evening, seat, key), KEEPER)
    agree(evening, *(one for one in (ANN, BEN) if evening.room.table.room.seats[one].key))


def read(evening: Evening) -> None:
    """Play the game to its end, and audit its log."""
    evening.answer(KEEPER)
    evening.answer(ANN)
    assert evening.room.table.room.stage is Stage.OVER
    audit(load(whole(evening.room.log)))


def test_a_key_of_another_role_is_proposed_no_seat(evening: Evening) -> None:
    given(evening, BEN, NEW)

    assert evening.refusal(proposal(evening, KEEPER, key_of(BEN)), KEEPER) == "table/role_apart"


def test_a_key_of_another_role_fills_no_seat(evening: Evening) -> None:
    given(evening, BEN, NEW)
    given(evening, KEEPER)

    filled = on.SeatFilled(KEEPER, "Ben", key_of(BEN))

    assert evening.refusal(filled, KEEPER) == "table/role_apart"
    evening.give(on.SeatFilled(KEEPER, "Zoe", b"y" * 32), KEEPER)
    read(evening)


def test_a_role_of_a_former_owner_stays_known_over_several_seats(evening: Evening) -> None:
    """Ben returns as Ann, and is still no keeper."""
    given(evening, BEN, NEW)
    given(evening, ANN)
    evening.give(on.SeatFilled(ANN, "Ben", key_of(BEN)), ANN)
    given(evening, ANN)
    given(evening, KEEPER)

    filled = on.SeatFilled(KEEPER, "Ben", key_of(BEN))

    assert evening.refusal(filled, KEEPER) == "table/role_apart"


def test_a_game_that_does_not_keep_them_apart_lets_anybody_in() -> None:
    evening = started()
    given(evening, BEN, NEW)
    given(evening, KEEPER)

    evening.give(on.SeatFilled(KEEPER, "Ben", key_of(BEN)), KEEPER)

    assert evening.room.table.room.seats[KEEPER].key == key_of(BEN)


@pytest.mark.parametrize("origin", [ANN, OPERATOR])
def test_a_seat_agrees_for_the_absent_after_a_day_and_the_operator_never(
    evening: Evening, origin: int
) -> None:
    evening.give(on.PresenceChanged(BEN, is_present=False), BEN)
    evening.give(proposal(evening, BEN, NEW), KEEPER)
    agree(evening, ANN)
    room = evening.room.table.room
    assert absentees(room) == (BEN,)
    vote = on.AgreedForAbsent(0, (BEN,))
    evening.time = room.proposed_at + ABSENCE_MS - 1
    assert evening.refusal(vote, ANN) == "proposal/too_early"
    evening.time += 1

    if origin == OPERATOR:
        assert evening.refusal(vote, OPERATOR) == "proposal/no_voice"
        return
    evening.give(vote, ANN)

    assert evening.room.table.room.seats[BEN].key == NEW
    evening.answer(KEEPER)
    evening.answer(ANN)
    counts = audit(load(whole(evening.room.log))).counts
    assert (counts.gifts, counts.absences) == (1, 0)


# What a server might write all the same, and an audit finds


def test_an_audit_refuses_a_seat_for_somebody_of_another_role(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    given(evening, BEN, NEW)
    given(evening, KEEPER)
    monkeypatch.setattr("server.kernel.admission.by_table.is_kept_out", lambda *_: False)
    evening.give(on.SeatFilled(KEEPER, "Ben", key_of(BEN)), KEEPER)

    with pytest.raises(BadArchive, match="knows another role"):
        read(evening)


def test_an_audit_refuses_to_give_a_seat_to_somebody_of_another_role(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    given(evening, BEN, NEW)
    monkeypatch.setattr("server.kernel.admission.by_table.is_kept_out", lambda *_: False)
    given(evening, KEEPER, key_of(BEN))

    with pytest.raises(BadArchive, match="knows another role"):
        read(evening)


def test_an_audit_refuses_a_seat_that_is_given_without_its_secrets(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.kernel.rule_runner.goes_with_secrets", lambda _: False)
    given(evening, BEN, NEW)

    with pytest.raises(BadArchive, match="was agreed"):
        read(evening)


def test_an_audit_refuses_a_seat_that_not_everybody_gave(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.kernel.admission.by_table.needs_absent", lambda _: False)
    evening.give(on.PresenceChanged(BEN, is_present=False), BEN)
    evening.give(proposal(evening, BEN, NEW), KEEPER)
    agree(evening, ANN)

    with pytest.raises(BadArchive):
        read(evening)


def test_an_audit_refuses_an_operator_who_agrees_for_the_absent(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.kernel.room.check_for_absent", lambda *_, **__: None)
    evening.give(on.PresenceChanged(BEN, is_present=False), BEN)
    evening.give(proposal(evening, BEN, NEW), KEEPER)
    agree(evening, ANN)
    evening.give(on.AgreedForAbsent(0, (BEN,)), OPERATOR)

    with pytest.raises(BadArchive, match="may agree to going back alone"):
        read(evening)


def proposed_meanwhile(evening: Evening) -> on.SeatFilled:
    """Propose the keeper's seat to Zoe; return that she fills Ben's, which is empty."""
    given(evening, BEN)
    evening.give(proposal(evening, KEEPER, NEW), KEEPER)
    return on.SeatFilled(BEN, "Zoe", NEW)


def test_nobody_who_is_proposed_a_seat_fills_another_meanwhile(evening: Evening) -> None:
    filled = proposed_meanwhile(evening)

    assert evening.refusal(filled, BEN) == "table/already_seated"


def test_an_audit_refuses_a_second_seat_for_whoever_filled_one_meanwhile(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would be a seat of another role."""
    filled = proposed_meanwhile(evening)
    monkeypatch.setitem(CHECKS, on.SeatFilled, lambda *_: None)
    evening.give(filled, BEN)
    agree(evening, ANN, BEN)
    assert evening.room.table.room.seats[KEEPER].key == NEW

    with pytest.raises(BadArchive, match="has a seat"):
        read(evening)
