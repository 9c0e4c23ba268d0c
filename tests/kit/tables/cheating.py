"""Cheating servers: one call of the rules is changed, and all the rest is consistent with it."""

import functools
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final
from unittest import mock

import attrs

from protocol.common.asks import Question, RefusedChoice
from protocol.common.text import Text
from protocol.event import Event
from server.kernel.admission.by_ruleset import RulesetAdmission
from server.kernel.asks import Ask
from server.kernel.batch_writer import BatchWriter

Cheat = Callable[..., tuple[Any, ...]]
"""
Function that returns the changed arguments of a call; the same ones if there is nothing to change.
"""
Twist = Callable[[Question], Question]
"""Function that returns a changed question; the same one if there is nothing to change."""


def _equal_cards(pile: str, items: tuple[str, ...], *rest: Any) -> tuple[Any, ...]:
    return (pile, (items[0],) * len(items), *rest)


def _one_card_twice(pile: str, items: tuple[str, ...], *rest: Any) -> tuple[Any, ...]:
    return (pile, (*items[:-1], items[0]), *rest)


def _one_card_fewer(pile: str, items: tuple[str, ...], *rest: Any) -> tuple[Any, ...]:
    return (pile, items[:-1] if len(items) > 1 else items, *rest)


def _one_option(purpose: str, names: list[str], *rest: Any) -> tuple[Any, ...]:
    return (purpose, names[:1], *rest)


def _fewer_options(purpose: str, names: list[str], *rest: Any) -> tuple[Any, ...]:
    return (purpose, names[:-1] if len(names) > 1 else names, *rest)


def _smaller_bound(purpose: str, bound: int, *rest: Any) -> tuple[Any, ...]:
    return (purpose, max(1, bound - 1), *rest)


def _bound_of_one(purpose: str, _bound: int, *rest: Any) -> tuple[Any, ...]:
    return (purpose, 1, *rest)


def _one_die_fewer(purpose: str, count: int, *rest: Any) -> tuple[Any, ...]:
    return (purpose, max(0, count - 1), *rest)


def _one_die_more(purpose: str, count: int, *rest: Any) -> tuple[Any, ...]:
    return (purpose, count + 1, *rest)


CHEATS: Final[Mapping[str, tuple[str, Cheat]]] = {
    "deck": ("shuffle", _equal_cards),
    "deck, one card twice": ("shuffle", _one_card_twice),
    "deck, one card fewer": ("shuffle", _one_card_fewer),
    "deal": ("deal", _one_option),
    "deal, fewer options": ("deal", _fewer_options),
    "bound": ("pick", _smaller_bound),
    "bound of one": ("pick", _bound_of_one),
    "secret bound": ("pick_secretly", _smaller_bound),
    "dice, one fewer": ("roll", _one_die_fewer),
    "dice, one more": ("roll", _one_die_more),
}
"""The method of the writer and the change of its arguments, by kind of cheat."""


@contextmanager
def cheating(kind: str, turn: int) -> Iterator[list[int]]:
    """
    Change one call for chance, and compute its outcome fairly from what was changed.

    Args:
        kind: one of CHEATS.
        turn: which of the calls that can be changed, from 0.

    Yields:
        The sequence of the changed record, once there is one.
    """
    name, cheat = CHEATS[kind]
    real = getattr(BatchWriter, name)
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


DRAWS: Final = ("roll", "pick", "pick_secretly", "deal")
"""Methods of the writer that can be called twice without harm to the game."""


@contextmanager
def drawing_again(name: str, turn: int) -> Iterator[list[int]]:
    """Draw twice and use the second outcome; yield the sequence of the second draw."""
    real = getattr(BatchWriter, name)
    left, done = [turn], list[int]()

    @functools.wraps(real)
    def call(writer: BatchWriter, *args: Any, **how: Any) -> Any:
        if not done and not left[0]:
            real(writer, *args, **how)
            done.append(writer.next_sequence)
        left[0] -= 1
        return real(writer, *args, **how)

    with mock.patch.object(BatchWriter, name, call):
        yield done


@contextmanager
def leaving_out_an_effect(turn: int) -> Iterator[list[int]]:
    """Drop one event that the rules emit; yield a list that then has the sequence of its place."""
    real = BatchWriter.emit
    left, done = [turn], list[int]()

    def emit(writer: BatchWriter, event: Any) -> None:
        if not done and not left[0]:
            done.append(writer.next_sequence)
            return
        left[0] -= 1
        real(writer, event)

    with mock.patch.object(BatchWriter, "emit", emit):
        yield done


def _has_room(question: Question) -> bool:
    """True if a question stays valid without its last choice."""
    last = question.choices[-1].choice_id
    return last not in question.default and len(question.choices) > max(2, question.at_most)


def _without_a_choice(question: Question) -> Question:
    if not _has_room(question):
        return question
    return attrs.evolve(question, choices=question.choices[:-1])


def _with_a_choice_refused(question: Question) -> Question:
    if not _has_room(question):
        return question
    text = question.choices[-1].text
    refused = RefusedChoice(text, Text("refused/forged"), "FORGED-1")
    shorter = question.choices[:-1]
    return attrs.evolve(question, choices=shorter, refused=(*question.refused, refused))


def _without_a_refusal(question: Question) -> Question:
    return attrs.evolve(question, refused=question.refused[:-1])


def _with_another_reason(question: Question) -> Question:
    if not question.refused:
        return question
    last = attrs.evolve(question.refused[-1], reason=Text("refused/forged"))
    return attrs.evolve(question, refused=(*question.refused[:-1], last))


def _in_another_order(question: Question) -> Question:
    return attrs.evolve(question, choices=question.choices[::-1])


def _with_another_default(question: Question) -> Question:
    ids = [choice.choice_id for choice in question.choices]
    if len(question.default) != 1:
        return question
    others = [one for one in ids if one not in question.default]
    return attrs.evolve(question, default=tuple(others[:1]) or question.default)


TWISTS: Final[Mapping[str, Twist]] = {
    "option": _without_a_choice,
    "options, in another order": _in_another_order,
    "option by default": _with_another_default,
    "refusal": _with_a_choice_refused,
    "refusal left out": _without_a_refusal,
    "refusal for another reason": _with_another_reason,
}
"""The change of a question, by kind."""


@contextmanager
def twisting(kind: str, turn: int) -> Iterator[list[int]]:
    """
    Change a question to one seat; yield the number of the question, once there is one.

    Args:
        kind: one of TWISTS.
        turn: index of the changed question among those that can be changed.
    """
    twist, real = TWISTS[kind], Ask.questions
    left, done = [turn], list[int]()

    def questions(ask: Ask[Any], ask_id: int, version: int) -> dict[int, Question]:
        asked = real(ask, ask_id, version)
        seat, question = next(iter(asked.items()))
        twisted = twist(question)
        if not done and twisted != question:
            if not left[0]:
                done.append(ask_id)
                return {**asked, seat: twisted}
            left[0] -= 1
        return asked

    with mock.patch.object(Ask, "questions", questions):
        yield done


@contextmanager
def admitting(event: Event) -> Iterator[None]:
    """Admit an input that the rules refuse."""
    real = RulesetAdmission.check

    def check(own: RulesetAdmission, table: Any, happened: Event, *args: Any, **how: Any) -> None:
        if happened is not event:
            real(own, table, happened, *args, **how)

    with mock.patch.object(RulesetAdmission, "check", check):
        yield
