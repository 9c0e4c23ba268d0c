"""When a question is settled, and with which answers."""

import pytest

from protocol.common import events
from protocol.common.asks import Settle
from protocol.common.text import Text
from protocol.event import CLOCK, cut, hidden
from server.kernel.asks import Ask, Option, Prompt
from tests.kit.tables.playing import at_card, begin
from tests.kit.tables.toy_table import BidsShown, Scored, WeatherSet


def test_the_first_answer_settles_any_one() -> None:
    recording = at_card("errand")

    recording.answer(2, 1)

    assert recording.happened(Scored)[-1] == Scored("hare", 2)
    assert recording.ask.rule == "TOY-2"


def test_each_waits_for_everybody() -> None:
    recording = at_card("ballot")

    step = recording.answer(1, "stake/fox/2")

    assert len(step.batch.stored) == 1
    assert recording.ask.waiting_for == (0, 2)
    recording.answer(0, "stake/bear/0")
    assert not recording.happened(BidsShown)
    recording.answer(2, "stake/hare/1")
    bids = ((0, "stake/bear/0"), (1, "stake/fox/2"), (2, "stake/hare/1"))
    assert recording.happened(BidsShown) == [BidsShown(bids)]


def test_a_partial_answer_is_secret_to_its_giver() -> None:
    recording = at_card("ballot")

    (stored,) = recording.answer(1, "stake/fox/2").batch.stored

    assert cut(stored, 1).openings
    for viewer in (0, 2, None):
        assert not cut(stored, viewer).openings


def test_agreement_is_settled_when_all_voices_are_the_same() -> None:
    recording = at_card("moot")
    recording.vote(0, "fog")
    recording.vote(1, "hail")
    recording.vote(0, "hail")
    recording.vote(2, "rain")
    assert recording.ask.settle is Settle.AGREE

    recording.vote(2, "hail")

    assert recording.happened(WeatherSet)[-1] == WeatherSet("hail")
    assert recording.ask.rule == "TOY-2"


def test_a_draw_decides_among_those_who_differ() -> None:
    recording = at_card("moot")
    for seat, weather in enumerate(("fog", "hail", "rain")):
        recording.vote(seat, weather)

    recording.give(events.TiebreakCalled(1, recording.ask.ask_id), 1)

    (drawn,) = (p for p in recording.happened(events.Picked) if p.purpose == "lot")
    assert drawn.bound == 3
    assert recording.happened(WeatherSet)[-1].weather == ("fog", "hail", "rain")[drawn.result]


def test_a_draw_decides_when_time_is_up() -> None:
    recording = at_card("moot")
    recording.vote(2, "rain")

    recording.give(events.TimedOut(recording.ask.ask_id), CLOCK)

    (drawn,) = (p for p in recording.happened(events.Picked) if p.purpose == "lot")
    assert recording.happened(WeatherSet)[-1].weather == ("fog", "fog", "rain")[drawn.result]


def test_a_character_that_plays_alone_agrees_with_itself() -> None:
    recording = at_card("moot", seats=1)

    recording.answer(0, "rain")

    assert recording.happened(WeatherSet)[-1] == WeatherSet("rain")
    assert not [p for p in recording.happened(events.Picked) if p.purpose == "lot"]


def test_a_time_out_takes_the_default_of_those_who_are_missing() -> None:
    recording = at_card("ballot")
    recording.answer(1, "stake/fox/2")

    recording.give(events.TimedOut(recording.ask.ask_id), CLOCK)

    (shown,) = recording.happened(BidsShown)
    assert dict(shown.bids) == {0: "stake/bear/0", 1: "stake/fox/2", 2: "stake/hare/0"}


def test_a_time_out_of_any_one_takes_the_first_seat() -> None:
    recording = at_card("errand")

    recording.give(events.TimedOut(recording.ask.ask_id), CLOCK)

    assert recording.happened(Scored)[-1] == Scored("bear", 1)


def test_a_time_out_where_nothing_has_to_be_picked_picks_nothing() -> None:
    recording = at_card("gust")

    recording.give(events.TimedOut(recording.ask.ask_id), CLOCK)

    assert len(recording.game.people["bear"].faceup) == 1


def test_choice_ids_are_new_in_each_question() -> None:
    """If questions shared an id, an answer to one could be taken for an answer to the other."""
    recording = begin()
    before = {c.choice_id for c in recording.question(0).choices}

    recording.answer(0, "pass")
    recording.answer(1, "pass")
    recording.answer(2, "pass")

    assert before.isdisjoint(c.choice_id for c in recording.question(0).choices)


def test_the_order_of_picks_reaches_a_rule_that_asks_for_it() -> None:
    """For questions that do not ask for the order it is dropped, since it might tell something."""
    options = tuple(Option(letter, Text("x")) for letter in "abc")
    ordered = Prompt(Text("x"), options, at_most=3, is_ordered=True)
    loose = Prompt(Text("x"), options, at_most=3)

    assert ordered.values(ordered.question(7), ("7.2", "7.0")) == ("c", "a")
    assert loose.values(loose.question(7), ("7.2", "7.0")) == ("a", "c")


@pytest.mark.parametrize(
    "make",
    [
        lambda one: Ask("X", Text("x"), {}),
        lambda one: Ask("X", Text("x"), {0: Prompt(Text("x"), ())}),
        lambda one: Ask("X", Text("x"), {0: Prompt(Text("x"), one, at_least=2, at_most=2)}),
        lambda one: Ask("X", Text("x"), {0: Prompt(Text("x"), one, default=())}),
        lambda one: Ask("X", Text("x"), {0: Prompt(Text("x"), one)}, Settle.AGREE),
        lambda one: Ask("X", Text("x"), {0: Prompt(Text("x"), one)}, Settle.AGREE, (("a", 1),)),
        lambda one: Ask(
            "X", Text("x"), {0: Prompt(Text("x"), one, at_least=0)}, Settle.AGREE, (("a", 0),)
        ),
        lambda one: Ask(
            "X",
            Text("x"),
            {0: Prompt(Text("x"), one), 1: Prompt(Text("x"), (Option(2, Text("y")), *one))},
            Settle.AGREE,
            (("a", 0),),
        ),
    ],
)
def test_a_question_that_cannot_be_settled_is_refused_where_it_is_asked(make: object) -> None:
    one = (Option(1, Text("x")),)

    with pytest.raises(ValueError, match="X"):
        make(one)  # type: ignore[operator]  # each is a function of the options


def test_a_question_says_what_is_being_resolved() -> None:
    recording = at_card("errand")

    assert recording.ask.within == (Text("toy/turn", ("bear",)), Text("toy/kind", ("errand",)))
    recording.answer(2, 1)
    assert not recording.ask.within


def test_a_question_that_is_put_again_says_the_same() -> None:
    recording = at_card("errand")
    before = recording.ask.within

    recording.restart()
    recording.propose_gift(0, 2, b"z" * 32)
    recording.consent(1)

    assert recording.ask.ask_id > 1
    assert recording.ask.within == before


END = Option("end", Text("x"), ends=True)
MORE = Option("more", Text("y"))


@pytest.mark.parametrize(
    ("settle", "mine", "theirs", "may_wait"),
    [
        (Settle.ANY_ONE, (MORE,), (MORE, END), True),
        (Settle.ANY_ONE, (MORE,), (MORE,), False),
        (Settle.ANY_ONE, (END,), (END,), False),
        (Settle.EACH, (MORE,), (END,), False),
    ],
)
def test_a_seat_may_wait_where_another_alone_can_end_it(
    settle: Settle, mine: tuple[Option[str]], theirs: tuple[Option[str]], may_wait: bool
) -> None:
    """Seats may wait only where the first answer counts; else all might wait for each other."""
    ask = Ask("X", Text("x"), {0: Prompt(Text("x"), mine), 1: Prompt(Text("x"), theirs)}, settle)

    assert ask.questions(7, version=2)[0].may_wait is may_wait


def test_a_log_of_version_1_lets_everybody_wait() -> None:
    ask = Ask("X", Text("x"), {0: Prompt(Text("x"), (END,))})

    assert ask.questions(7, version=1)[0].may_wait


def test_a_hidden_answer_asks_nobody_else_again() -> None:
    recording = at_card("ballot")
    before = recording.ask.ask_id

    pick = recording.choice(2, "stake/hare/1")
    recording.give(events.Answered(2, before, hidden((pick,))), 2)

    assert recording.ask.ask_id == before
    assert recording.ask.answered == (2,)
