"""Questions on which seats act or pass: the first act settles them, or everybody's pass."""

from typing import Any

import pytest

from protocol.common import events
from protocol.common.asks import Settle
from protocol.common.text import Text
from protocol.event import CLOCK, cut, hidden
from server.kernel.asks import Ask, Option, Prompt
from tests.kit.tables.playing import Recording, at_card, begin, refused
from tests.kit.tables.toy_table import Content, Scored, WeatherSet, a_deck

pytestmark = pytest.mark.issue(11)

AMBUSH = "toy/ambush"
MOTION = "toy/motion"


def all_here(recording: Recording) -> Recording:
    """Have everybody come to the table."""
    for seat in recording.table.room.seats.values():
        if not seat.is_present:
            recording.give(events.PresenceChanged(seat.seat, is_present=True), seat.seat)
    return recording


def next_card(recording: Recording, kind: str) -> None:
    """Have the active seat turn up another card of this kind."""
    (seat,) = recording.ask.questions
    recording.answer(seat, "peek")
    piece = next(p.piece for p in recording.game.people.values() if p.seat == seat)
    recording.answer(seat, recording.game.hand(piece)[0])
    assert recording.ask.kind == kind


# The first who acts, or all who pass


def test_the_first_who_acts_settles_it() -> None:
    recording = at_card("ambush")
    recording.answer(0, "toy/pass")
    assert recording.ask.waiting_for == (1, 2)

    recording.answer(2, "toy/strike")

    assert recording.happened(Scored)[-1] == Scored("hare", 5)
    assert recording.ask.rule == "TOY-2"


def test_it_is_settled_when_all_have_passed() -> None:
    recording = at_card("ambush")

    for seat in (2, 0, 1):
        assert recording.ask.rule == "TOY-10"
        recording.answer(seat, "toy/pass")

    assert recording.happened(Scored) == []
    assert recording.ask.rule == "TOY-2"


def test_a_pass_is_open_and_an_act_is_sealed() -> None:
    recording = at_card("ambush")

    (stored,) = recording.answer(0, "toy/pass").batch.stored
    assert recording.happened(events.Passed) == [events.Passed(0, recording.ask.ask_id)]
    assert [cut(stored, viewer).openings for viewer in (0, 1, None)] == [(), (), ()]

    acted = recording.answer(1, "toy/strike").batch.stored[0]
    assert cut(acted, 1).openings
    assert not cut(acted, 2).openings


def test_all_pass_when_time_is_up() -> None:
    recording = at_card("ambush")
    recording.answer(1, "toy/pass")

    recording.give(events.TimedOut(recording.ask.ask_id), CLOCK)

    assert recording.happened(Scored) == []
    assert recording.ask.rule == "TOY-2"


def test_a_pass_is_refused_where_it_is_none() -> None:
    recording = at_card("ambush")
    ask_id = recording.ask.ask_id
    picks: tuple[str, ...] = (recording.choice(1, "toy/pass"),)
    recording.answer(0, "toy/pass")

    assert refused(recording, events.Passed(0, ask_id)) == "answer/given_already"
    assert refused(recording, events.Passed(7, ask_id)) == "answer/not_asked"
    assert refused(recording, events.Passed(1, ask_id + 1)) == "answer/stale"
    assert refused(recording, events.Answered(1, ask_id, hidden(picks))) == "answer/pass_instead"
    ballot = at_card("ballot")
    assert refused(ballot, events.Passed(0, ballot.ask.ask_id)) == "answer/no_pass"


def _put(prompts: dict[int, Prompt[int]], settle: Settle, **more: Any) -> object:
    return Ask("X", Text("x"), prompts, settle, **more)


PASS = Option(0, Text("x"), ends=True)
ACT = Option(1, Text("y"))


@pytest.mark.parametrize(
    "prompt",
    [
        Prompt(Text("x"), (ACT,)),
        Prompt(Text("x"), (PASS, PASS, ACT)),
        Prompt(Text("x"), (PASS, ACT), at_most=2),
        Prompt(Text("x"), (ACT, PASS)),
    ],
    ids=["no pass", "two", "more than one thing", "a default that acts"],
)
def test_a_question_needs_one_way_to_pass(prompt: Prompt[int]) -> None:
    """A mistake in a rule raises where it asks."""
    with pytest.raises(ValueError, match="X asks with"):
        _put({0: prompt}, Settle.FIRST_OR_ALL_PASS)


def test_a_kind_and_a_time_belong_to_their_questions() -> None:
    prompts = {0: Prompt(Text("x"), (PASS, ACT))}

    with pytest.raises(ValueError, match="on which nobody can pass"):
        _put(prompts, Settle.EACH, kind="kind/x")
    with pytest.raises(ValueError, match="a time"):
        _put(prompts, Settle.FIRST_OR_ALL_PASS, seconds=5)
    with pytest.raises(ValueError, match="a time"):
        _put(prompts, Settle.UNLESS_OBJECTED)


# Standing passes


def met(kind: str) -> Recording:
    """Return a game in which the question of a kind was asked once and everybody passed."""
    recording = at_card(kind)
    for seat in range(3):
        recording.answer(seat, "toy/pass")
    return recording


def test_a_standing_pass_is_given_as_soon_as_the_question_comes() -> None:
    recording = met("ambush")
    recording.stand(2, AMBUSH)

    next_card(recording, AMBUSH)

    assert recording.happened(events.PassedStanding) == [
        events.PassedStanding(recording.ask.ask_id, (2,))
    ]
    assert recording.ask.waiting_for == (0, 1)


def test_questions_on_which_all_pass_for_good_wait_for_nobody() -> None:
    recording = met("ambush")
    for seat in range(3):
        recording.stand(seat, AMBUSH)

    recording.answer(1, "peek")
    step = recording.answer(1, recording.game.hand("fox")[0])

    assert recording.happened(events.PassedStanding)[-1].seats == (0, 1, 2)
    assert recording.ask.rule == "TOY-2"
    assert step.batch.stored


def test_a_standing_pass_is_taken_back_at_any_time() -> None:
    recording = met("ambush")
    recording.stand(2, AMBUSH)
    next_card(recording, AMBUSH)

    assert 2 not in recording.ask.waiting_for
    recording.stand(2)
    recording.answer(0, "toy/pass")
    recording.answer(1, "toy/pass")
    next_card(recording, AMBUSH)

    assert recording.ask.waiting_for == (0, 1, 2)


def test_which_kinds_a_seat_passes_on_is_sealed_to_it() -> None:
    recording = met("ambush")

    (stored,) = recording.stand(2, AMBUSH).batch.stored

    assert AMBUSH.encode() not in stored.public
    assert [bool(cut(stored, viewer).openings) for viewer in (0, 2, None)] == [False, True, False]


def test_only_kinds_that_were_asked_can_be_passed_on() -> None:
    """A standing pass names subjects, and the words of any other subject might tell a secret."""
    recording = met("ambush")

    for kinds in (("toy/secret",), (AMBUSH, AMBUSH), (AMBUSH, MOTION)):
        said = events.StandingSet(0, hidden(kinds))
        assert refused(recording, said) == "standing/unknown_kind"
    assert refused(recording, events.StandingSet(7, hidden(()))) == "table/no_such_seat"
    assert refused(recording, events.StandingSet(0, hidden(()))) == "standing/as_it_is"


def test_a_seat_in_new_hands_passes_on_nothing() -> None:
    recording = met("ambush")
    recording.stand(2, AMBUSH)

    recording.propose_gift(0, 2, b"z" * 32)
    recording.consent(1)

    assert 2 not in recording.table.room.standing


def test_passes_stand_after_going_back() -> None:
    recording = met("ambush")
    recording.stand(2, AMBUSH)
    next_card(recording, AMBUSH)

    recording.propose_back(0, max(recording.table.checkpoints))
    for seat in (1, 2):
        recording.consent(seat)
    next_card(recording, AMBUSH)

    assert recording.ask.answered == (2,)


@pytest.mark.parametrize("is_answered", [False, True])
def test_a_room_comes_back_with_its_passes(is_answered: bool) -> None:
    recording = met("ambush")
    recording.stand(2, AMBUSH)
    next_card(recording, AMBUSH)
    if is_answered:
        recording.answer(0, "toy/pass")
    before = recording.table

    recording.restart()

    assert recording.table == before
    recording.answer(1, "toy/strike")
    assert recording.happened(Scored)[-1] == Scored("fox", 5)


# Unless somebody objects


def test_it_stands_when_its_time_is_over() -> None:
    recording = all_here(at_card("motion"))

    recording.give(events.TimedOut(recording.ask.ask_id), CLOCK)

    assert recording.happened(WeatherSet)[-1] == WeatherSet("sun")


def test_one_objection_settles_it() -> None:
    recording = all_here(at_card("motion"))
    recording.answer(0, "toy/pass")

    recording.answer(1, "hail")

    assert recording.happened(WeatherSet)[-1] == WeatherSet("hail")


def test_it_stands_as_soon_as_nobody_is_left_to_object() -> None:
    recording = at_card("motion")

    for seat in range(3):
        recording.answer(seat, "toy/pass")

    assert recording.happened(WeatherSet)[-1] == WeatherSet("sun")


def test_no_time_is_over_while_somebody_who_may_object_is_away() -> None:
    recording = all_here(at_card("motion"))
    recording.give(events.PresenceChanged(2, is_present=False), 2)
    out = events.TimedOut(recording.ask.ask_id)

    assert refused(recording, out, CLOCK) == "answer/voter_away"
    recording.answer(2, "toy/pass")
    recording.give(out, CLOCK)
    assert recording.ask.rule == "TOY-2"


def test_many_questions_in_a_row_that_all_pass_on_do_not_nest() -> None:
    """One batch may hold any number of such questions, so recursion would exhaust the stack."""
    content = Content(deck=a_deck("siege"), rounds=1)
    recording = begin(3, content)
    recording.answer(0, "peek")
    recording.answer(0, recording.game.hand("bear")[0])
    for seat in range(3):
        recording.answer(seat, "toy/pass")
        recording.stand(seat, AMBUSH)
    assert recording.ask.rule == "TOY-2"

    recording.answer(1, "peek")
    recording.answer(1, recording.game.hand("fox")[0])

    assert len(recording.happened(events.PassedStanding)) == 400
