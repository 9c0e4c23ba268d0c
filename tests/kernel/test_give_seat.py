"""Giving a seat away: its key, the open question, and what the new owner may see."""

import pytest

from protocol.common import events
from protocol.common.table import Proposal, Settings
from protocol.event import cut, hidden, read
from tests.kit.tables.playing import (
    ROOM_ID,
    Recording,
    SeededEntropy,
    at_card,
    begin,
    cuts_for,
    facts,
    key_of,
    refused,
)
from tests.kit.tables.resuming import resume
from tests.kit.tables.toy_table import OmenDealt

NEW = b"z" * 32


def given(recording: Recording, seat: int = 2) -> Recording:
    """Give a seat of three to a new key."""
    recording.propose_gift(0, seat, NEW)
    recording.consent(next(s for s in (1, 2) if s != seat))
    return recording


def test_a_seat_gets_a_new_key() -> None:
    recording = begin(3)

    given(recording)

    seat = recording.table.room.seats[2]
    assert (seat.key, seat.name, seat.is_present) == (NEW, "Zoe", False)
    assert seat.characters == ("hare",)
    assert recording.table.room.seat_of(key_of(2)) is None


def test_an_owner_who_is_away_has_no_voice_and_all_who_are_here_have() -> None:
    """The owner may be gone for good."""
    recording = begin(4)
    recording.propose_gift(0, 2, NEW)
    recording.consent(1)
    assert not recording.happened(events.SeatGiven)

    recording.consent(3)

    assert len(recording.happened(events.SeatGiven)) == 1


def test_nobody_waits_for_the_voice_of_a_second_one_who_is_away() -> None:
    """If absent owners had a voice, two absent players would keep each other's seats for ever."""
    recording = begin(4)
    recording.propose_gift(0, 2, NEW)
    recording.give(events.PresenceChanged(3, is_present=False), 3)

    recording.consent(1)

    assert len(recording.happened(events.SeatGiven)) == 1


def test_an_owner_who_is_here_is_asked_for_their_own_seat() -> None:
    """At a table of two nobody else would be asked, and the seat's secrets may go along."""
    recording = begin(2)
    recording.give(events.PresenceChanged(1, is_present=True), 1)
    proposal = Proposal(0, "give_seat", 0, seat=1, name="Zoe", key=NEW)

    recording.give(events.Proposed(proposal), 0)
    assert not recording.happened(events.SeatGiven)
    recording.consent(1)

    assert len(recording.happened(events.SeatGiven)) == 1


def test_the_same_question_is_asked_again() -> None:
    recording = begin(3)
    recording.answer(0, "pass")
    recording.answer(1, "pass")
    before, old = recording.question(2), recording.ask

    given(recording)

    assert recording.ask.ask_id == old.ask_id + 1
    assert [c.text for c in recording.question(2).choices] == [c.text for c in before.choices]
    late = events.Answered(2, old.ask_id, hidden((before.choices[0].choice_id,)))
    assert refused(recording, late, 2) == "answer/stale"
    recording.answer(2, "pass")
    assert recording.ask.rule == "TOY-8"


def test_a_question_to_others_is_not_asked_again() -> None:
    recording = begin(3)
    before = recording.ask

    given(recording)

    assert recording.ask == before


def test_answers_and_votes_are_given_again() -> None:
    ballot = at_card("ballot")
    ballot.answer(2, "stake/hare/2")
    ballot.answer(1, "stake/fox/2")
    moot = at_card("moot")
    moot.vote(2, "fog")

    given(ballot)
    given(moot)

    assert ballot.ask.waiting_for == moot.ask.waiting_for == (0, 1, 2)
    for seat, piece in enumerate(("bear", "fox", "hare")):
        ballot.answer(seat, f"stake/{piece}/1")
    assert ballot.ask.rule == "TOY-2"


@pytest.mark.parametrize("go_along", [True, False])
def test_what_was_told_before_goes_along_as_the_settings_say(go_along: bool) -> None:
    recording = begin(3, settings=Settings(secrets_go_along=go_along))
    came = recording.table.room.seats[2].since
    recording.give(events.Chatted(1, hidden(b"before")), 1)
    given(recording)
    recording.give(events.Chatted(1, hidden(b"after")), 1)

    seen = [read(ROOM_ID, shown).event for shown in cuts_for(recording, 2)]

    assert recording.table.room.seats[2].since == (came if go_along else first_of(recording))
    omens = [e.omen for e in seen if isinstance(e, OmenDealt) and e.piece == "hare"]
    assert [omen.is_open for omen in omens] == [go_along]
    talk = [e.words.is_open for e in seen if isinstance(e, events.Chatted)]
    assert talk == [go_along, True]


def first_of(recording: Recording) -> int:
    """Return the sequence of the first gift of a seat."""
    return next(r.sequence for r in recording.records if isinstance(r.event, events.SeatGiven))


def test_the_question_that_is_open_can_be_read_without_old_secrets() -> None:
    recording = begin(3, settings=Settings(secrets_go_along=False))
    recording.answer(0, "pass")
    recording.answer(1, "pass")

    given(recording)

    since = recording.table.room.seats[2].since
    last = read(ROOM_ID, cut(recording.log[-1], 2, since=since)).event
    assert isinstance(last, events.Asked)
    assert last.questions[2].is_open


def test_a_room_comes_back_with_its_new_owner() -> None:
    recording = given(at_card("ballot"))
    recording.answer(2, "stake/hare/2")

    room = resume(ROOM_ID, recording.log, recording.shelf, SeededEntropy())

    assert facts(room) == facts(recording.room)


def test_a_gift_is_discarded_whole() -> None:
    recording = at_card("ballot")
    recording.answer(1, "stake/fox/2")
    recording.propose_gift(0, 2, NEW)
    before = facts(recording.room)
    number = recording.table.room.next_proposal_id - 1

    recording.room.receive(events.Consented(1, number, is_agreed=True), time=0, origin=1)
    recording.room.discard()

    assert facts(recording.room) == before


def test_a_seat_can_be_given_to_a_bot() -> None:
    recording = begin(2)
    number = recording.table.room.next_proposal_id
    gift = Proposal(number, "give_seat", 0, seat=1, name="Bot", key=NEW, is_bot=True)

    recording.give(events.Proposed(gift), 0)

    assert recording.table.room.seats[1].is_bot
