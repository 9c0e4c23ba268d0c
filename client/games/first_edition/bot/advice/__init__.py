"""
Advice: what bots know about the bundled cards and stories before they play.

A bot cannot read what a card or an objective says. A person who has played a story before knows
what it is about, and so do bots, by these tables. Without advice a bot plays by the board alone.

Each story has a module, whose `ADVICE` is a line of `STORIES`; `box` is about the cards that any
story can use, and `forms` says what advice can say. Points are compared with those of everything
else that a bot could do: ending the turn is worth 10, exploring a room that nobody has seen 45 to
100, a fight 30 to 60, a step towards something about as much as the thing, less 14 % for each step.
"""

from collections.abc import Iterable, Mapping
from typing import TypeVar

from client.games.first_edition.bot.advice import (
    box,
    lot_forty,
    low_water,
    ninth_stone,
    roll_call,
    six_rooms,
    twelfth_night,
    understudy,
)
from client.games.first_edition.bot.advice.forms import (
    Advice,
    Cards,
    Goals,
    Scheme,
)
from protocol.games.first_edition.table import CardId

STORIES: tuple[Advice, ...] = (
    six_rooms.ADVICE,
    twelfth_night.ADVICE,
    lot_forty.ADVICE,
    understudy.ADVICE,
    low_water.ADVICE,
    roll_call.ADVICE,
    ninth_stone.ADVICE,
)
"""All stories that bots know."""

NO_ADVICE = Advice("")
NO_GOALS, NO_SCHEME = Goals(), Scheme()

ValueT = TypeVar("ValueT")


def advice_on(story: str) -> Advice:
    """Return the advice on a story."""
    return next((one for one in STORIES if one.story == story), NO_ADVICE)


def _joined(parts: Iterable[Mapping[CardId, ValueT]]) -> Mapping[CardId, ValueT]:
    return {card: value for part in parts for card, value in part.items()}


_ALL = (box.CARDS, *(one.cards for one in STORIES))

CARDS = Cards(
    openers=_joined(one.openers for one in _ALL),
    healing=_joined(one.healing for one in _ALL),
    uses=_joined(one.uses for one in _ALL),
    mythos=_joined(one.mythos for one in _ALL),
    actions=_joined(one.actions for one in _ALL),
)
"""The cards of the box and of all stories."""
