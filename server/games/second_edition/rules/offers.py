"""
Menus: what may be done now, and what may not and why.

Each chapter says what it offers; the turn joins the offers to one question, and carries out the
action that is chosen. The reason for a refusal is in its owner's question alone, since it may
depend on what only they know.
"""

import functools
from collections.abc import Callable, Coroutine, Iterable, Sequence
from typing import Any

from protocol.common.asks import RefusedChoice
from protocol.common.text import Text
from protocol.games.second_edition.table import InvestigatorId
from protocol.values import frozen
from server.games.second_edition.rules.play import Play
from server.kernel.asks import Ask, Option, Prompt

RISK = "risk"
"""The group of choices that are hardly ever meant: whoever takes one is asked to do so twice."""

PlayerAction = Callable[[], Coroutine[Any, Any, None]]
"""What is done when an option is chosen."""


@frozen
class Offers:
    """What one investigator can do now, and what is refused them with the reason."""

    options: tuple[Option[PlayerAction], ...] = ()
    refused: tuple[RefusedChoice, ...] = ()

    def __add__(self, other: "Offers") -> "Offers":
        """Return the offers of both."""
        return Offers(self.options + other.options, self.refused + other.refused)

    def each_done_by(self, doer: Callable[[PlayerAction], Coroutine[Any, Any, None]]) -> "Offers":
        """Return the same offers, each of whose actions is passed to `doer` once it is chosen."""
        options: list[Option[PlayerAction]] = [
            Option(functools.partial(doer, one.value), one.text, one.points, one.group, one.ends)
            for one in self.options
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
    play: Play,
    investigator: InvestigatorId,
    options: Sequence[Option[Any]],
    *,
    refused: tuple[RefusedChoice, ...] = (),
    rule: str,
    about: Text,
    prompt: Text,
) -> Any:
    """Have an investigator's seat choose what to do; a time-out takes the last, which rests."""
    seat = play.seat_of(investigator)
    question = Prompt(prompt, tuple(options), refused, default=(len(options) - 1,))
    return (await play.ask(Ask(rule, about, {seat: question})))[seat][0]
