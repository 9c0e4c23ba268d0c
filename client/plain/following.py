"""
Following: a question that asks the same again, as after each step of a trade or a puzzle.

Whoever listens need not hear all its choices again. A choice that is still there keeps its number;
what is new takes the numbers that are free, so that there is no gap and only what changed is told.
"""

from collections.abc import Iterator, Sequence

from client.screens.answering import listed
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
    before: Sequence[Choice], question: Question
) -> tuple[tuple[Choice, ...], frozenset[int]]:
    """
    Return the choices of a question in their order, and the places of those that stayed.

    Args:
        before: the choices of the question that it follows, as they were numbered.
        question: what is asked now.

    Returns:
        The choices as they are listed anew, and no places, where too much changed or there is
        little to be heard.
    """
    anew = listed(question)
    if len(anew) < LEAST_LONG:
        return anew, frozenset()
    left = list(anew)
    places: list[Choice | None] = []
    for old in before[: len(anew)]:
        same = next((one for one in left if _key(one) == _key(old)), None)
        if same is not None:
            left.remove(same)
        places.append(same)
    places += [None] * (len(anew) - len(places))
    kept = frozenset(at for at, one in enumerate(places) if one is not None)
    if len(kept) * 2 < len(anew):
        return anew, frozenset()
    return tuple(_filled(places, left)), kept


def _filled(places: Sequence[Choice | None], new: Sequence[Choice]) -> Iterator[Choice]:
    """Yield the choice of each place, the free ones taken by what is new in its order."""
    rest = iter(new)
    for one in places:
        yield next(rest) if one is None else one


def _key(choice: Choice) -> _Key:
    """Return what tells a choice from others in any question: its id is new in each."""
    return choice.text, choice.points, choice.group
