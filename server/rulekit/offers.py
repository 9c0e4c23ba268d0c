"""
Menus of actions, and of refusals with their reasons.

Each chapter of the rules returns its own offers. The turn joins them into one question and carries
out the chosen action. The reason of a refusal is only in the question of the seat that it concerns,
since it may depend on that seat's secrets.
"""

import functools
from collections.abc import Callable, Coroutine, Iterable, Sequence
from typing import Any

from protocol.common.asks import RefusedChoice
from protocol.common.text import Text
from protocol.values import frozen
from server.kernel.asks import Ask, Option, Prompt
from server.kernel.game import Game

RISK = "risk"
"""Group of choices that are rarely intended. The client asks for confirmation."""

PlayerAction = Callable[[], Coroutine[Any, Any, None]]
"""Function that carries out a chosen option."""


@frozen
class Offers:
    """Options of a seat, and the refusals with their reasons."""

    options: tuple[Option[PlayerAction], ...] = ()
    refused: tuple[RefusedChoice, ...] = ()

    def __add__(self, other: "Offers") -> "Offers":
        return Offers(self.options + other.options, self.refused + other.refused)

    def each_done_by(self, doer: Callable[[PlayerAction], Coroutine[Any, Any, None]]) -> "Offers":
        """Return the same offers with each action wrapped in a call of `doer`."""
        options: list[Option[PlayerAction]] = [
            one.with_value(functools.partial(doer, one.value)) for one in self.options
        ]
        return Offers(tuple(options), self.refused)


def together(parts: Iterable[Offers]) -> Offers:
    """Return the offers of all parts, in order."""
    options: list[Option[PlayerAction]] = []
    refused: list[RefusedChoice] = []
    for part in parts:
        options += part.options
        refused += part.refused
    return Offers(tuple(options), tuple(refused))


def refusal(text: Text, reason: Text, rule: str) -> Offers:
    """Return one refusal and no option."""
    return Offers((), (RefusedChoice(text, reason, rule),))


async def choose_from(
    game: Game[Any, Any],
    seat: int,
    options: Sequence[Option[Any]],
    *,
    refused: tuple[RefusedChoice, ...] = (),
    rule: str,
    about: Text,
    prompt: Text,
) -> Any:
    """
    Have a seat choose one option and return its value.

    A time-out takes the last option, which should change as little as possible.
    """
    question = Prompt(prompt, tuple(options), refused, default=(len(options) - 1,))
    return (await game.ask(Ask(rule, about, {seat: question})))[seat][0]
