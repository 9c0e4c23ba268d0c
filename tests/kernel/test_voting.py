"""Votes: on lists, by majority, and hidden until all are in; and rows of questions."""

from collections.abc import Callable

import pytest

from protocol.common import events
from protocol.common.asks import Audience, Settle
from protocol.common.text import Text
from protocol.event import CLOCK, Cut, Sealed, cut, hidden
from server.kernel.asks import Ask, Option, Prompt
from server.kernel.batch_writer import BatchWriter
from server.kernel.rule_runner import RuleRunner
from server.kernel.steps import Steps
from tests.kernel.twins import Difference, compare
from tests.kit.tables.playing import Recording, at_card, refused
from tests.kit.tables.toy_table import BidsShown, WeatherSet

pytestmark = pytest.mark.issue(11)


def weather_of(recording: Recording) -> str:
    """Return the weather that was decided last."""
    weather: str = recording.happened(WeatherSet)[-1].weather
    return weather


def seat_drawn(recording: Recording) -> int:
    """Return the seat that the tiebreak by lot picked."""
    [drawn] = (picked for picked in recording.happened(events.Picked) if picked.purpose == "lot")
    asked = next(one for one in recording.happened(events.Asked) if one.settle.is_vote)
    seat: int = asked.voters[drawn.result][1]
    return seat


# Lists


def test_a_list_is_agreed_on_in_its_order() -> None:
    recording = at_card("march")
    recording.vote_for_list(0, "fog", "rain")
    recording.vote_for_list(1, "rain", "fog")
    recording.vote_for_list(2, "rain", "fog")
    assert recording.ask.decision is None

    recording.vote_for_list(0, "rain", "fog")

    days = [one.weather for one in recording.happened(WeatherSet)[-2:]]
    assert days == ["rain", "fog"]


def test_the_lot_takes_a_whole_list() -> None:
    recording = at_card("march")
    lists = (("fog", "rain"), ("rain", "fog"), ("sun", "hail"))
    for seat, days in enumerate(lists):
        recording.vote_for_list(seat, *days)

    recording.give(events.TiebreakCalled(0, recording.ask.ask_id), 0)

    days = tuple(one.weather for one in recording.happened(WeatherSet)[-2:])
    assert days == lists[seat_drawn(recording)]


def test_a_list_of_another_length_is_refused() -> None:
    recording = at_card("march")
    picks = (recording.choice(0, "fog"),)

    assert refused(recording, events.Voted(0, recording.ask.ask_id, picks)) == "answer/wrong_number"


# Majorities


def test_more_than_half_decide() -> None:
    recording = at_card("poll")
    recording.vote(0, "hail")
    assert recording.ask.settle is Settle.MAJORITY

    recording.vote(2, "hail")

    assert weather_of(recording) == "hail"


@pytest.mark.parametrize(("seats", "enough"), [(2, 2), (3, 2), (4, 3)])
def test_half_is_no_majority(seats: int, enough: int) -> None:
    recording = at_card("poll", seats=seats)

    for seat in range(enough):
        assert recording.ask.rule == "TOY-12"
        recording.vote(seat, "hail")

    assert recording.ask.rule == "TOY-2"


def test_the_lot_decides_where_no_choice_has_a_majority() -> None:
    recording = at_card("poll")
    for seat, weather in enumerate(("fog", "hail", "rain")):
        recording.vote(seat, weather)

    recording.give(events.TiebreakCalled(1, recording.ask.ask_id), 1)

    assert weather_of(recording) == ("fog", "hail", "rain")[seat_drawn(recording)]


@pytest.mark.issue(14)
def test_who_wants_a_lot_is_noted_until_somebody_votes_again() -> None:
    recording = at_card("poll")
    wanted = events.LotWanted(0, recording.ask.ask_id)
    assert refused(recording, wanted) == "answer/not_all_voted"
    for seat, weather in enumerate(("fog", "hail", "rain")):
        recording.vote(seat, weather)

    recording.give(wanted, 0)
    assert list(recording.ask.lot_wanted_by) == [0]
    assert refused(recording, wanted) == "answer/lot_wanted"
    recording.vote(1, "sun")

    assert not recording.ask.lot_wanted_by
    assert refused(recording, events.LotWanted(7, recording.ask.ask_id)) == "answer/not_asked"


# Votes that nobody reads


def test_a_hidden_vote_settles_nothing_before_all_are_in() -> None:
    """Settling at an early majority would tell how those who voted decided."""
    recording = at_card("urn")
    recording.answer(0, "hail")
    recording.answer(1, "hail")
    assert recording.ask.rule == "TOY-12"
    assert not recording.ask.votes

    recording.answer(2, "fog")

    assert weather_of(recording) == "hail"


def test_all_hidden_votes_are_shown_together() -> None:
    recording = at_card("urn")

    for seat in (2, 0, 1):
        recording.answer(seat, "hail")

    [shown] = recording.happened(events.VotesShown)
    givers = {one.picks.ref: one.seat for one in recording.happened(events.Answered)}
    assert [givers[one.sequence, one.slot] for one in shown.votes] == [0, 1, 2]


def test_the_lot_falls_at_once_where_hidden_votes_differ() -> None:
    recording = at_card("urn")

    for seat, weather in enumerate(("fog", "hail", "rain")):
        recording.answer(seat, weather)

    assert weather_of(recording) == ("fog", "hail", "rain")[seat_drawn(recording)]


def test_time_that_is_up_counts_the_hidden_votes_that_are_in() -> None:
    recording = at_card("urn")
    recording.answer(1, "rain")
    recording.answer(2, "rain")

    recording.give(events.TimedOut(recording.ask.ask_id), CLOCK)

    assert weather_of(recording) == "rain"
    assert len(recording.happened(events.VotesShown)[0].votes) == 2


def test_a_hidden_vote_is_refused_where_it_is_none() -> None:
    recording = at_card("urn")
    ask_id, picks = recording.ask.ask_id, (recording.choice(0, "hail"),)
    recording.answer(0, "hail")

    assert refused(recording, events.Voted(0, ask_id, picks)) == "answer/no_vote"
    assert refused(recording, events.Answered(0, ask_id, hidden(picks))) == "answer/given_already"
    assert refused(recording, events.TiebreakCalled(0, ask_id)) == "answer/no_vote"
    poll = at_card("poll")
    answer = events.Answered(0, poll.ask.ask_id, hidden(picks))
    assert refused(poll, answer) == "answer/vote_instead"


@pytest.mark.parametrize("kind", ["poll", "urn", "march", "packing"])
def test_a_room_comes_back_in_the_middle(kind: str) -> None:
    recording = at_card(kind)
    words = {"march": ("rain", "fog"), "packing": ("stake/bear/1",)}.get(kind, ("hail",))
    is_open = recording.ask.has_open_votes
    (recording.vote_for_list if is_open else recording.answer_row)(0, *words)
    before = recording.table

    recording.restart()

    assert recording.table == before


# Twins: what others are sent before all are in

Vote = tuple[int, str]


def _sent(votes: tuple[Vote, ...], viewer: int | None) -> list[Cut]:
    recording = at_card("urn")
    for seat, weather in votes:
        recording.answer(seat, weather)
    return [cut(stored, viewer) for stored in recording.log]


def told(first: tuple[Vote, ...], second: tuple[Vote, ...]) -> Difference | None:
    """Return the difference in what a seat that has not voted, or a spectator, is sent."""
    viewers = ({0, 1, 2} - {seat for seat, _ in first}) | {None}
    found = (compare(_sent(first, viewer), _sent(second, viewer)) for viewer in viewers)
    return next((difference for difference in found if difference is not None), None)


TWINS = [
    (((0, "fog"),), ((0, "sun"),)),
    (((0, "fog"), (1, "fog")), ((0, "fog"), (1, "sun"))),
    (((2, "hail"), (1, "hail")), ((2, "sun"), (1, "fog"))),
]


@pytest.mark.parametrize(("first", "second"), TWINS)
def test_hidden_votes_tell_nothing_but_who_has_voted(
    first: tuple[Vote, ...], second: tuple[Vote, ...]
) -> None:
    assert told(first, second) is None


def test_who_has_voted_is_seen() -> None:
    """If viewers were not sent who has voted, the comparison of twins would prove nothing."""
    assert told(((0, "fog"),), ((1, "fog"),)) is not None


def _shown_at_once(_: RuleRunner, writer: BatchWriter, answer: events.Answered) -> Steps[None]:
    yield
    writer.write(events.VotesShown(answer.ask_id, (writer.disclose(_last(writer, answer.seat)),)))


def _counted_early(runner: RuleRunner, writer: BatchWriter, answer: events.Answered) -> Steps[None]:
    assert runner.running is not None
    runner.running.answers[answer.seat] = answer.picks.value
    if len(set(runner.running.answers.values())) < len(runner.running.answers):
        yield from runner._count_ballots(writer)


def _last(writer: BatchWriter, seat: int) -> Sealed[tuple[str, ...]]:
    ask = writer.table.room.ask
    assert ask is not None
    return ask.ballots[seat]


@pytest.mark.parametrize("leak", [_shown_at_once, _counted_early])
def test_a_planted_leak_of_hidden_votes_is_seen(
    leak: Callable[..., Steps[None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    right = RuleRunner._answer

    def wrong(runner: RuleRunner, writer: BatchWriter, answer: events.Answered) -> Steps[None]:
        is_ballot = writer.table.room.ask is not None and writer.table.room.ask.has_ballots
        yield from (leak if is_ballot else right)(runner, writer, answer)

    monkeypatch.setattr(RuleRunner, "_answer", wrong)

    assert any(told(first, second) is not None for first, second in TWINS)


# Rows of questions


def test_a_row_is_answered_as_a_whole() -> None:
    recording = at_card("packing")
    recording.answer_row(1, "stake/fox/2", "rain", "fog")
    recording.answer_row(0, "hail", "stake/bear/1")
    recording.answer_row(2, "stake/hare/0")

    [shown] = recording.happened(BidsShown)
    assert dict(shown.bids) == {
        0: "stake/bear/1+hail",
        1: "stake/fox/2+fog+rain",
        2: "stake/hare/0",
    }


def test_others_see_that_a_row_is_answered_and_no_more() -> None:
    short, long = at_card("packing"), at_card("packing")
    short.answer_row(1, "stake/fox/2")
    long.answer_row(1, "stake/fox/2", "rain", "fog")
    sent = [[cut(stored, 2) for stored in one.log] for one in (short, long)]

    assert compare(*sent) is None
    assert short.ask.answered == (1,)


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ((), "answer/wrong_number"),
        (("rain",), "answer/wrong_number"),
        (("stake/fox/1", "rain", "fog", "sun"), "answer/wrong_number"),
        (("stake/fox/1", "stake/fox/2"), "answer/wrong_number"),
        (("stake/fox/1", "rain", "rain"), "answer/repeated"),
    ],
)
def test_a_row_is_refused_where_one_answer_of_it_is_wrong(
    words: tuple[str, ...], code: str
) -> None:
    recording = at_card("packing")
    picks = tuple(recording.choice(1, word) for word in words)

    answer = events.Answered(1, recording.ask.ask_id, hidden(picks))
    assert refused(recording, answer, 1) == code


def test_a_row_is_refused_with_what_none_of_it_offers() -> None:
    recording = at_card("packing")
    picks = (recording.choice(1, "stake/fox/1"), "nothing")

    answer = events.Answered(1, recording.ask.ask_id, hidden(picks))
    assert refused(recording, answer, 1) == "answer/not_offered"


def test_a_time_out_takes_the_defaults_of_the_whole_row() -> None:
    recording = at_card("packing")
    recording.answer_row(1, "stake/fox/2", "rain")

    recording.give(events.TimedOut(recording.ask.ask_id), CLOCK)

    [shown] = recording.happened(BidsShown)
    assert dict(shown.bids) == {0: "stake/bear/0", 1: "stake/fox/2+rain", 2: "stake/hare/0"}


# Mistakes in a rule

ONE = Prompt(Text("x"), (Option(1, Text("x")), Option(2, Text("y"))))
SEVERAL = Prompt(Text("x"), ONE.options, at_most=2)
MOST = Prompt(Text("x"), ONE.options * 33, at_least=0, at_most=33)


@pytest.mark.parametrize(
    ("make", "why"),
    [
        (lambda: Ask("X", Text("x"), {0: ONE}, audience=Audience.NOBODY), "nobody votes"),
        (lambda: Ask("X", Text("x"), {0: SEVERAL}, Settle.MAJORITY, (("a", 0),)), "or a list"),
        (lambda: Ask("X", Text("x"), {0: ONE}, Settle.MAJORITY), "no lot"),
        (lambda: Ask("X", Text("x"), {0: ONE.followed_by([ONE])}, Settle.ANY_ONE), "for itself"),
        (lambda: Ask("X", Text("x"), {0: ONE.followed_by([ONE.followed_by([ONE])])}), "inside"),
        (lambda: Ask("X", Text("x"), {0: MOST.followed_by([MOST])}), "no message"),
    ],
)
def test_votes_and_rows_that_cannot_be_are_refused_where_they_are_asked(
    make: Callable[[], object], why: str
) -> None:
    """A mistake in a rule raises where it asks."""
    with pytest.raises(ValueError, match=why):
        make()
