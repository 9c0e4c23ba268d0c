"""Servers that cheat: one call of the rules is changed, and all that follows is consistent."""

import functools
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final
from unittest import mock

import attrs

from protocol.common.asks import Question
from server.kernel.asks import Ask
from server.kernel.batch_writer import BatchWriter

Cheat = Callable[..., tuple[Any, ...]]
"""Returns the changed arguments of a call; the same ones if there is nothing to change."""


def _equal_cards(pile: str, items: tuple[str, ...], *rest: Any) -> tuple[Any, ...]:
    return (pile, (items[0],) * len(items), *rest)


def _one_option(purpose: str, names: list[str], *rest: Any) -> tuple[Any, ...]:
    return (purpose, names[:1], *rest)


def _smaller_bound(purpose: str, bound: int, *rest: Any) -> tuple[Any, ...]:
    return (purpose, max(1, bound - 1), *rest)


CHEATS: Final[Mapping[str, Cheat]] = {
    "shuffle": _equal_cards,
    "deal": _one_option,
    "pick": _smaller_bound,
    "pick_secretly": _smaller_bound,
}
"""By the method of the writer whose arguments are changed."""


@contextmanager
def cheating(name: str, turn: int) -> Iterator[list[int]]:
    """
    Change one call for chance, and compute its outcome fairly from what was changed.

    Args:
        name: one of CHEATS.
        turn: which of the calls that can be changed, from 0.

    Yields:
        The sequence of the changed record, once there is one.
    """
    real, cheat = getattr(BatchWriter, name), CHEATS[name]
    left, done = [turn], list[int]()

    @functools.wraps(real)
    def call(writer: BatchWriter, *args: Any, **how: Any) -> Any:
        changed = cheat(*args) if args[1] else args
        if not done and changed[1] != args[1]:
            if not left[0]:
                done.append(writer.next_sequence)
                args = changed
            left[0] -= 1
        return real(writer, *args, **how)

    with mock.patch.object(BatchWriter, name, call):
        yield done


@contextmanager
def leaving_out_a_choice(turn: int) -> Iterator[list[int]]:
    """Leave the last choice out of one question that has several; yields the question's number."""
    real = Ask.questions
    left, done = [turn], list[int]()

    def questions(ask: Ask[Any], ask_id: int, version: int) -> dict[int, Question]:
        asked = real(ask, ask_id, version)
        question = next(iter(asked.values()))
        ids = [choice.choice_id for choice in question.choices]
        fits = len(asked) == 1 and not question.then and ids[-1] not in question.default
        if not done and fits and len(ids) > max(2, question.at_most):
            if not left[0]:
                done.append(ask_id)
                shorter = attrs.evolve(question, choices=question.choices[:-1])
                return dict.fromkeys(asked, shorter)
            left[0] -= 1
        return asked

    with mock.patch.object(Ask, "questions", questions):
        yield done
