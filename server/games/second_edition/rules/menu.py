"""
Menus: what may be done now, and what may not and why.

Each chapter says what it offers; the turn joins the offers to one question. What is chosen is a
deed that is then done. A reason for a refusal stands in its owner's question alone, so that it may
rest on what only they know.
"""

import functools
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

import attrs

from protocol.common.asks import RefusedChoice
from protocol.common.text import Text
from protocol.games.second_edition.table import InvestigatorId
from server.games.second_edition.rules.play import Play
from server.kernel.asks import Ask, Option, Prompt

Deed = Callable[[], Coroutine[Any, Any, None]]
"""What is done when an option is chosen."""


@attrs.frozen
class Menu:
    """Some offers of one investigator."""

    options: tuple[Option[Deed], ...] = ()
    refused: tuple[RefusedChoice, ...] = ()

    def __add__(self, other: "Menu") -> "Menu":
        """Return both menus as one."""
        return Menu(self.options + other.options, self.refused + other.refused)

    def each_done_by(self, doer: Callable[[Deed], Coroutine[Any, Any, None]]) -> "Menu":
        """Return the same menu; what is chosen of it is given to somebody who does it."""
        options = (
            attrs.evolve(option, value=functools.partial(doer, option.value))
            for option in self.options
        )
        return Menu(tuple(options), self.refused)


def refusal(text: Text, reason: Text, rule: str) -> Menu:
    """Return a menu of one thing that cannot be done now."""
    return Menu((), (RefusedChoice(text, reason, rule),))


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
