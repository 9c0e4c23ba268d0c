"""
Numbers the choices of a question that repeats the previous one, such as after a step of a trade.

A listener need not hear all choices again. A remaining choice keeps its number, and a new choice
takes a free number. Other numbers stay unused, so that a number heard earlier never means something
else.
"""

import itertools
from collections.abc import Mapping, Sequence

from client.widgets.answering import AS_ASKED, Listing, listed
from protocol.common.asks import Choice, Question

LEAST_LONG = 6
"""With fewer choices than this number, the client prints all choices again."""

_Key = tuple[object, ...]


def follows(before: Question, question: Question) -> bool:
    """Return whether a question repeats the previous question, except for numbers in its words."""
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
    before: Mapping[int, Choice], question: Question, listing: Listing = AS_ASKED
) -> tuple[dict[int, Choice], frozenset[int]]:
    """
    Return the choices of a question by number, and the numbers that kept their meaning.

    Args:
        before: the choices of the previous question, by number.
        question: the new question.
        listing: the game's order of lists.

    Returns:
        Remaining choices keep their numbers, and new choices get the free numbers. If too much
        changed, or there are few choices, all get new numbers and the set is empty.
    """
    anew = listed(question, listing)
    left, stayed = list(anew), dict[int, Choice]()
    for number, old in before.items():
        # Equal choices pair off one by one, so that each of them keeps a number.
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
    """Return a key that identifies a choice across questions, unlike its id."""
    return choice.text, choice.points, choice.group
