"""
Following: a question that asks the same again, as after each step of a trade or a puzzle.

Whoever listens need not hear all its choices again. A choice that is still there keeps its number,
and what is new takes numbers that are free. A number that nothing took means nothing: whoever types
what they heard before must not choose something else by it.
"""

import itertools
from collections.abc import Mapping, Sequence

from client.widgets.answering import listed
from protocol.common.asks import Choice, Question

LEAST_LONG = 6
"""Choices of a question of which it is worth saying only what changed."""

_Key = tuple[object, ...]


def follows(before: Question, question: Question) -> bool:
    """Return whether a question asks what the one before it did, but for numbers in its words."""
    first, second = before.prompt, question.prompt
    return (first.subject, first.field, _words(first.params)) == (
        second.subject,
        second.field,
        _words(second.params),
    )


def _words(params: Sequence[object]) -> list[object]:
    """Return the parameters of a text that are no counts, such as actions that are left."""
    return [None if isinstance(one, int) else one for one in params]


def in_order(
    before: Mapping[int, Choice], question: Question, groups: Sequence[str] = ()
) -> tuple[dict[int, Choice], frozenset[int]]:
    """
    Return the choices of a question by number, and the numbers that mean what they did.

    Args:
        before: the choices of the question that it follows, by number.
        question: what is asked now.
        groups: of choices, in the order in which the game lists them.

    Returns:
        What stayed under its number, and what is new under the numbers that are free; all under
        new numbers, and none that stayed, where too much changed or there is little to be heard.
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
    """Return what tells a choice from others in any question: its id is new in each."""
    return choice.text, choice.points, choice.group
