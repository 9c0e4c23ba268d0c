"""Refused inputs: the code of each refusal, and that nothing changes."""

from protocol.common import events
from protocol.common.table import Proposal
from protocol.event import CLOCK, hidden
from tests.kit.tables.playing import Recording, a_game, at_card, begin, key_of, refused


def answer(
    recording: Recording, seat: int, *picks: str, ask_id: int | None = None
) -> events.Answered:
    """Return an answer to the open question."""
    ask_id = recording.ask.ask_id if ask_id is None else ask_id
    return events.Answered(seat, ask_id, hidden(picks))


def test_an_answer_to_an_older_question_is_stale() -> None:
    recording = begin()
    old = recording.ask.ask_id
    pick = recording.choice(0, "peek")
    recording.answer(0, "peek")

    assert refused(recording, answer(recording, 0, pick, ask_id=old)) == "answer/stale"
    assert refused(recording, answer(recording, 0, ask_id=old + 9)) == "answer/stale"
    assert refused(recording, events.TimedOut(old), CLOCK) == "answer/stale"


def test_what_was_not_offered_cannot_be_chosen() -> None:
    recording = begin()

    assert refused(recording, answer(recording, 0, "peek")) == "answer/not_offered"
    assert refused(recording, answer(recording, 0, "0.0")) == "answer/not_offered"


def test_the_number_of_picks_is_checked() -> None:
    recording = begin()
    first, second = (c.choice_id for c in recording.question(0).choices[:2])

    assert refused(recording, answer(recording, 0)) == "answer/wrong_number"
    assert refused(recording, answer(recording, 0, first, second)) == "answer/wrong_number"


def test_one_thing_is_not_picked_twice() -> None:
    recording = at_card("gust")
    (pick,) = (c.choice_id for c in recording.question(0).choices)

    assert refused(recording, answer(recording, 0, pick, pick)) == "answer/repeated"


def test_who_is_not_asked_cannot_answer() -> None:
    recording = begin()
    pick = recording.choice(0, "pass")

    assert refused(recording, answer(recording, 1, pick), 1) == "answer/not_asked"
    assert refused(recording, answer(recording, 9, pick), 9) == "answer/not_asked"


def test_a_secret_answer_is_given_once() -> None:
    recording = at_card("ballot")
    recording.answer(1, "stake/fox/2")

    again = answer(recording, 1, recording.choice(1, "stake/fox/0"))

    assert refused(recording, again, 1) == "answer/given_already"


def test_votes_and_answers_are_not_mixed_up() -> None:
    moot, ballot = at_card("moot"), at_card("ballot")
    pick = moot.choice(0, "fog")
    ask_id = ballot.ask.ask_id

    assert refused(moot, answer(moot, 0, pick)) == "answer/vote_instead"
    assert refused(ballot, events.Voted(0, ask_id, (f"{ask_id}.0",))) == "answer/no_vote"
    assert refused(ballot, events.TiebreakCalled(0, ask_id)) == "answer/no_vote"


def test_a_tiebreak_comes_only_once_all_have_voted() -> None:
    recording = at_card("moot")
    recording.vote(0, "fog")
    recording.vote(1, "hail")
    ask_id = recording.ask.ask_id

    assert refused(recording, events.TiebreakCalled(0, ask_id)) == "answer/not_all_voted"
    assert refused(recording, events.TiebreakCalled(8, ask_id), 8) == "answer/not_asked"
    assert refused(recording, events.Voted(0, ask_id, ("nothing",))) == "answer/not_offered"


def test_a_finished_game_takes_no_answers() -> None:
    recording = a_game(1)
    checkpoint = max(recording.table.checkpoints)
    back = Proposal(recording.table.room.next_proposal_id, "take_back", 0, checkpoint=checkpoint)

    assert refused(recording, events.Answered(0, 3, hidden(("3.0",)))) == "answer/stale"
    assert refused(recording, events.TimedOut(3), CLOCK) == "answer/stale"
    assert refused(recording, events.Proposed(back)) == "table/not_playing"
    assert refused(recording, events.PausedSet(is_paused=True), CLOCK) == "table/not_playing"


def test_chat_has_a_length() -> None:
    recording = begin()

    assert refused(recording, events.Chatted(0, hidden(b""))) == "chat/too_long"
    assert refused(recording, events.Chatted(0, hidden(b"x" * 2001))) == "chat/too_long"
    assert refused(recording, events.Chatted(7, hidden(b"x")), 7) == "table/no_such_seat"


def test_proposals_are_checked() -> None:
    recording = begin()
    number = recording.table.room.next_proposal_id
    checkpoint = max(recording.table.checkpoints)

    def proposed(kind: str = "take_back", **more: object) -> events.Proposed:
        values = {"proposal_id": number, "kind": kind, "by": 1, "checkpoint": checkpoint, **more}
        return events.Proposed(Proposal(**values))  # type: ignore[arg-type]  # as the test names them

    assert refused(recording, proposed(checkpoint=checkpoint + 1)) == "proposal/no_such_rest"
    assert refused(recording, proposed(proposal_id=number + 1)) == "proposal/stale"
    assert refused(recording, proposed(consents=(0, 2))) == "proposal/no_voice"
    assert refused(recording, proposed("burn")) == "proposal/unknown"
    gift = {"seat": 2, "key": b"z" * 32}
    assert refused(recording, proposed("give_seat", **gift)) == "table/host_only"
    assert refused(recording, proposed("give_seat", by=0, seat=9)) == "table/no_such_seat"
    taken = proposed("give_seat", by=0, seat=2, key=key_of(1))
    assert refused(recording, taken) == "table/already_seated"


def test_consent_is_for_those_who_have_a_voice() -> None:
    recording = begin()
    recording.propose_gift(0, 2, b"z" * 32)
    number = recording.table.room.next_proposal_id - 1

    assert refused(recording, events.Consented(0, number, is_agreed=True)) == "proposal/no_voice"
    assert refused(recording, events.Consented(2, number, is_agreed=True), 2) == "proposal/no_voice"
    assert (
        refused(recording, events.Consented(1, number + 1, is_agreed=True), 1) == "proposal/stale"
    )


def test_only_the_clock_pauses() -> None:
    """A pause goes back to a checkpoint, for which a player would need the others' consent."""
    recording = begin()

    assert refused(recording, events.PausedSet(is_paused=True), 0) == "table/clock_only"
    assert refused(recording, events.PausedSet(is_paused=False), 0) == "table/not_paused"
