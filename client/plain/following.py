"""
Numbers the choices of a question that repeats the previous one, as after each step of a trade.

A listener need not hear all choices again. A remaining choice keeps its number, and a new one takes
a free number. A number that no choice took stays unused, so that a number heard earlier never
chooses something else.
"""

import itertools
from collections.abc import Mapping, Sequence

from client.widgets.answering import listed
from protocol.common.asks import Choice, Question

LEAST_LONG = 6
"""Least number of choices for which only the changes are printed."""

_Key = tuple[object, ...]


def follows(before: Question, question: Question) -> bool:
    """Return whether a question repeats the previous one, except for numbers in its words."""
    first, second = before.prompt, question.prompt
    return (first.subject, first.field, _words(first.params)) == (
        second.subject,
        second.field,
        _words(second.params),
    )


def _words(params: Sequence[object]) -> list[object]:
    """Return the parameters of a text, without counts such as remaining actions."""
    return [None if isinstance(one, int) else one for one in params]


def in_order(
    before: Mapping[int, Choice], question: Question, groups: Sequence[str] = ()
) -> tuple[dict[int, Choice], frozenset[int]]:
    """
    Return the choices of a question by number, and the numbers that kept their meaning.

    Args:
        before: the choices of the previous question, by number.
        question: the new question.
        groups: of choices, in the game's order.

    Returns:
        Choices that remain keep their numbers, and new choices get the free numbers. If too much
        changed, or there are few choices, all are numbered afresh and the set is empty.
    """
    anew = listed(question, groups)
    left, stayed = list(anew), dict[int, Choice]()
    for number, old in before.items():
        same = next((one for one in left if _key(one) == _key(old)), None)
        if same is not None:
            left.remove(same)
            stayed[number] = same
    if len(anew) < LEAST_LONG or len(stayed) * 2 < len(anew):
        return dict(enumerate(anew, 1)), frozenset()
    free = (number for number in itertools.count(1) if number not in stayed)
    new = dict(zip(free, left, strict=False))
    return dict(sorted({**stayed, **new}.items())), frozenset(stayed)


def _key(choice: Choice) -> _Key:
    """Return a key that identifies a choice across questions; its id is new in each question."""
    return choice.text, choice.points, choice.group
