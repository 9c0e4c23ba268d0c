"""Investigators outdoors: points of actions of allies, of routes by boat and of secret votes."""

from collections.abc import Callable, Mapping

import attrs

from client.bots.weighing import END_OF_TURN
from client.games.first_edition.bot.plan import Mind
from protocol.common.asks import Choice
from protocol.common.text import Text
from protocol.games.first_edition.table import Investigator, SpaceId

FOLLOWS = 30.0
"""Points of coming along in a boat, for an ally that has something to tell."""


def go(here: float, there: float) -> float:
    """Return the points of a way, by those of both its ends."""
    return 20.0 + max(0.0, there) if there > here else 1.0 + there / 100


def _lead_ally(mind: Mind, choice: Choice) -> float:
    """Return the points of taking on an ally: first for talk, then out of danger."""
    who, name = (str(one) for one in choice.text.params)
    ally, leader = mind.game.allies[name], mind.game.investigators[who]
    is_near = mind.game.room_of(ally.space) == mind.game.room_of(leader.space)
    talk = mind.talk_worth(ally) if is_near else 0.0
    return 20.0 + talk + mind.unease(ally, ally.space) / 2


def _talk(mind: Mind, _choice: Choice) -> float:
    return 20.0 if mind.ally is None else mind.talk_worth(mind.ally)


def _lead_to(mind: Mind, choice: Choice) -> float:
    """Return the points of a step of an ally, or of an investigator by some card."""
    if not choice.points:
        return 5.0
    space, name = choice.points[0].piece, str(choice.text.params[0])
    if (ally := mind.game.allies.get(name)) is not None:
        here, there = (mind.ally_pull(ally, at) for at in (ally.space, space))
        worth = 20.0 + 2 * (there - here) if there > here else 1.0 + there / 100
        return worth * (0.4 + 0.6 * mind.evades(ally))
    who = mind.game.investigators.get(name)
    return 20.0 if who is None else _go_to(mind, who, space)


def _go_to(mind: Mind, who: Investigator, space: SpaceId) -> float:
    other = mind if who == mind.me else attrs.evolve(mind, me=who)
    return go(other.stay(who.space), other.stay(space))


def _space(mind: Mind, choice: Choice) -> float:
    """Return the points of a space to which a card takes somebody."""
    figure, space = str(mind.question.prompt.params[-1]), choice.points[0].piece
    if (ally := mind.game.allies.get(figure)) is not None:
        return 20.0 + mind.ally_pull(ally, space)
    who = mind.game.investigators.get(figure)
    return 20.0 if who is None else _go_to(mind, who, space)


def _row(mind: Mind, choice: Choice) -> float:
    """Return the points of a way by boat: rather with the others than alone."""
    me, space = mind.me, choice.points[0].piece
    if me is None:
        return 5.0
    worth = go(mind.stay(me.space), mind.stay(space, boat=space)) * (0.4 + 0.6 * mind.evades())
    return worth - (8.0 if choice.text.subject == "choice/row_alone" else 0.0)


def _board(mind: Mind, _choice: Choice) -> float:
    """Return the points of boarding: the goals across, and the water here."""
    params = mind.question.prompt.params
    space = None if len(params) < 2 else _space_of(mind, params[1])
    if space is None:
        return 5.0
    if (ally := mind.ally) is not None:
        here, there = mind.ally_pull(ally, ally.space), mind.ally_pull(ally, space)
        drowns = mind.wet(ally, ally.space, boat=space)
        follows = FOLLOWS if mind.talk_worth(ally) > 0 and there >= 0 else 0.0
        return max(follows, go(here - drowns, there))
    me = mind.me
    return 5.0 if me is None else go(mind.stay(me.space, space), mind.stay(space, space))


def _space_of(mind: Mind, name: str | int | Text) -> SpaceId | None:
    """Return the space that words name: by its room, and by its number there."""
    room, number = (name.params[0], name.params[1]) if isinstance(name, Text) else (name, 1)
    spaces = mind.game.map.spaces_of(str(room))
    return spaces[number - 1] if isinstance(number, int) and 0 < number <= len(spaces) else None


def _vote(mind: Mind, choice: Choice) -> float:
    """Return points by chance, so that each option comes as often as advice says."""
    named = choice.text.params[0]
    subject = named.subject if isinstance(named, Text) else str(named)
    often = mind.advice.votes.get(subject, 1.0)
    return 1000.0 * mind.rng.random() ** (1 / often) if often else 0.0


Judge = Callable[[Mind, Choice], float]

JUDGES: Mapping[str, Judge] = {
    "choice/lead_ally": _lead_ally,
    "choice/talk": _talk,
    "choice/lead_to": _lead_to,
    "choice/space": _space,
    "choice/row": _row,
    "choice/row_alone": _row,
    "choice/board": _board,
    "choice/answer": _vote,
}
FLAT: Mapping[str, float] = {
    "choice/ally_rests": END_OF_TURN,
    "choice/stay_ashore": END_OF_TURN,
}
