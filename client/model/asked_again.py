"""Whether the open question says the same as the one before it."""

from client.model.tables import TableView
from protocol.common import events
from protocol.common.asks import Question, Settle


def is_asked_again(view: TableView, ask_id: int, question: Question) -> bool:
    """
    Return whether the viewer's open question says the same as the question before it.

    A question that any one may settle is asked again with new ids when another seat has settled it.
    A question that the viewer settled counts as another: keys pressed since were meant for more of
    the same.

    Args:
        view: the table with the open question.
        ask_id: the id of the viewer's last question.
        question: the viewer's last question.
    """
    ask, now = view.ask, view.my_question()
    if ask is None or now is None or ask.settle is not Settle.ANY_ONE or view.is_practice:
        return False
    if ask.ask_id != ask_id + 1 or question.then or now.then:
        return False
    answers = (
        record.event
        for record in reversed(view.records)
        if isinstance(record.event, events.Answered)
    )
    last = next(answers, None)
    is_others = last is not None and last.ask_id == ask_id and last.seat != view.seat
    return is_others and _worded(question) == _worded(now)


def _worded(question: Question) -> tuple[object, ...]:
    """Return a question without the ids of its choices."""
    said = [(one.text, one.points, one.group, one.ends) for one in question.choices]
    limits = (question.at_least, question.at_most, question.is_ordered, question.can_repeat)
    return question.prompt, said, question.refused, limits
