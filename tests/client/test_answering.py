"""How an answer is composed before it is sent."""

import pytest

from client.widgets.answering import NOTHING, Answering, CannotDo, Listing
from protocol.common.asks import Choice, Question
from protocol.common.text import Text


def _answering(count: int = 5, **kinds: object) -> Answering:
    choices = tuple(Choice(f"c{at}", Text("choice")) for at in range(count))
    question = Question(Text("prompt"), choices, **kinds)  # type: ignore[arg-type]
    answering = Answering(1, question)
    answering.is_shown = True
    return answering


def _interrupting() -> Answering:
    question = Question(
        Text("prompt"), (Choice("c0", Text("a")), Choice("c1", Text("b"))), at_least=0
    )
    answering = Answering(1, question, may_interrupt=True)
    answering.is_shown = True
    return answering


@pytest.mark.issue(39)
def test_an_interruption_begins_on_nothing_and_enter_sends_nothing() -> None:
    answering = _interrupting()

    assert (answering.chosen, answering.pointed_at(), answering.is_enough) == (None, (), False)
    for _ in range(3):
        with pytest.raises(CannotDo):
            answering.confirm()
    answering.move(1)
    assert answering.confirm() == ("c0",)


@pytest.mark.issue(39)
def test_nothing_is_a_place_between_the_last_choice_and_the_first() -> None:
    answering = _interrupting()
    seen = []
    for by in (1, 1, 1, -1, -1, -1):
        answering.move(by)
        seen.append(answering.cursor)

    assert seen == [0, 1, NOTHING, 1, 0, NOTHING]


def _type(answering: Answering, digits: str) -> int:
    for digit in digits:
        answering.type_digit(digit)
    return answering.cursor + 1


def test_the_cursor_goes_around() -> None:
    answering = _answering()

    answering.move(-1)

    assert answering.confirm() == ("c4",)


@pytest.mark.parametrize(
    ("count", "digits", "number"),
    [(5, "3", 3), (12, "12", 12), (12, "1", 1), (12, "13", 3), (25, "22", 22), (25, "31", 1)],
)
def test_numbers_of_two_digits(count: int, digits: str, number: int) -> None:
    assert _type(_answering(count), digits) == number


def test_a_number_that_is_not_there() -> None:
    answering = _answering(3)

    with pytest.raises(CannotDo):
        answering.type_digit("7")

    assert answering.cursor == 0


def test_enter_after_a_number_that_is_not_there_does_not_take_the_choice_under_the_cursor() -> None:
    answering = _answering(3)
    with pytest.raises(CannotDo):
        answering.type_digit("7")

    with pytest.raises(CannotDo):
        answering.confirm()
    assert answering.confirm() == ("c0",)


def test_a_cursor_that_moves_on_makes_up_for_a_number_that_is_not_there() -> None:
    answering = _answering(3)
    with pytest.raises(CannotDo):
        answering.type_digit("7")
    answering.move(1)

    assert answering.confirm() == ("c1",)


def test_choices_are_listed_by_group() -> None:
    groups = ("rest", "fight", "move", "", "move")
    choices = tuple(
        Choice(f"c{at}", Text("choice"), (), group, ends=group == "rest")
        for at, group in enumerate(groups)
    )

    question = Question(Text("prompt"), choices)
    listed = Answering(1, question, listing=Listing(("move", "fight", ""))).choices

    assert [choice.choice_id for choice in listed] == ["c2", "c4", "c1", "c3", "c0"]


def test_a_game_that_orders_no_groups_lists_choices_as_asked() -> None:
    groups = ("rest", "fight", "move", "", "move")
    choices = tuple(
        Choice(f"c{at}", Text("choice"), (), group, ends=group == "rest")
        for at, group in enumerate(groups)
    )

    listed = Answering(1, Question(Text("prompt"), choices)).choices

    assert [choice.choice_id for choice in listed] == ["c1", "c2", "c3", "c4", "c0"]


def test_several_are_marked_and_put_back() -> None:
    answering = _answering(at_least=1, at_most=3)

    for at in (0, 1, 0):
        answering.cursor = at
        answering.mark()

    assert answering.confirm() == ("c1",)


def test_no_more_than_may_be_chosen() -> None:
    answering = _answering(at_least=1, at_most=1, can_repeat=False)
    many = _answering(at_least=0, at_most=1)
    many.mark()
    many.move(1)

    with pytest.raises(CannotDo):
        many.mark()
    with pytest.raises(CannotDo):
        answering.mark()


def test_nothing_can_be_chosen_where_that_is_offered() -> None:
    answering = _answering(at_least=0, at_most=2)

    with pytest.raises(CannotDo) as told:
        answering.confirm()
    assert told.value.key == "wrong.none_marked"
    assert answering.confirm() == ()

    answering.move(1)
    with pytest.raises(CannotDo):
        answering.confirm()


def test_order_counts_where_it_does() -> None:
    answering = _answering(at_least=2, at_most=2, is_ordered=True)
    answering.type_digit("3")
    answering.type_digit("1")

    with pytest.raises(CannotDo):
        answering.type_digit("1")

    assert answering.confirm() == ("c2", "c0")


def test_a_question_that_was_not_seen_is_not_answered() -> None:
    """An Enter that was meant for the previous question must not answer a new one."""
    answering = _answering()
    answering.is_shown = False

    with pytest.raises(CannotDo):
        answering.confirm()


def test_the_cursor_begins_on_no_choice_that_gains_nothing() -> None:
    idle = Choice("idle", Text("a"), group="idle")
    good, done = Choice("good", Text("b")), Choice("done", Text("c"), ends=True)

    def begins(*choices: Choice) -> str:
        question = Question(Text("prompt"), choices)
        chosen = Answering(1, question, vain=frozenset({"idle"})).chosen
        assert chosen is not None
        return chosen.choice_id

    assert begins(idle, done) == "done"
    assert begins(idle, good, done) == "good"
