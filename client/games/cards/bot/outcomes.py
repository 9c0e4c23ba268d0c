"""Points of what a choice says that it does: the words `way/...` and their numbers."""

from collections.abc import Callable

from client.games.cards.bot.mind import Mind
from protocol.common.text import Text
from protocol.games.cards.table import PieceId
from protocol.games.cards.words import Token, Zone

LATER = 2
"""Attacks of later rounds that the defeat of an enemy saves."""
CLUE = 60.0
"""A clue, where clues are wanted."""

RESIGNING = -20.0
"""To resign, which ends the game of the bot: worse than to end the turn."""


def first(way: Text) -> Text:
    """Return the first of several outcomes."""
    while way.subject in ("way/and", "way/more"):
        assert isinstance(way.params[0], Text)
        way = way.params[0]
    return way


def outcome(mind: Mind, way: Text, piece: str = "") -> float:
    """
    Return the points of an outcome; of several, those of the first.

    Args:
        mind: what the bot knows.
        way: the words of the outcome.
        piece: the enemy that it is about; empty for the best one.
    """
    way = first(way)
    if way.subject == "way/fight":
        return _fight(mind, way, piece)
    judge = JUDGES.get(way.subject)
    return 20.0 if judge is None else judge(mind, way)


def _fight(mind: Mind, way: Text, piece: str) -> float:
    """An attack is worth the share of the enemy that it takes away."""
    value, damage = _numbers(way)
    return max(
        (
            _attack(mind, enemy, mind.chance(value, against), min(1.0, damage / max(1, left)))
            for enemy, against, left in mind.foes
            if piece in {"", enemy}
        ),
        default=0.0,
    )


def _attack(mind: Mind, piece: str, chance: float, share: float) -> float:
    card = mind.table.cards[piece]
    host = mind.table.cards.get(card.at.of) if card.at.zone is Zone.SWARM else card
    if host is None or mind.has_swarm(card):
        # A host is not defeated while it has swarm cards.
        return 4.0
    if card.code in mind.aims and chance > 0.5:
        return 30.0 + 60.0 * chance
    harm = mind.harms.get(host.piece)
    if harm is not None:
        return 12.0 + chance * share * harm * mind.price * (mind.me.actions + LATER)
    return 20.0 + 50.0 * chance * share if chance > 0.5 else 4.0


def _investigate(mind: Mind, way: Text) -> float:
    value, against, clues = _numbers(way)
    found = min(clues, mind.clues_at(mind.me.location))
    return 16.0 + CLUE * mind.chance(value, against) * found**0.5 if found else 0.0


def _evade(mind: Mind, way: Text) -> float:
    (value,) = _numbers(way)
    return max((evasion(mind, value, piece) for piece in mind.harms), default=0.0)


def evasion(mind: Mind, value: int, piece: PieceId) -> float:
    """Evading saves the attacks of this turn and of the enemy phase."""
    saved = mind.harms[piece] * mind.price * mind.me.actions
    return 12.0 + mind.chance(value, mind.evadable.get(piece, 3)) * saved


def _test(mind: Mind, way: Text) -> float:
    """A test is worth the chance of what its success does."""
    value, against = _numbers(way)
    inside = way.params[-1]
    chance = mind.chance(value, against)
    return chance * outcome(mind, inside) if isinstance(inside, Text) else 20.0 * chance


def _heal(mind: Mind, way: Text) -> float:
    """Heal what is there, the more gladly the less is left."""
    kinds = {"way/heal_damage": (Token.DAMAGE,), "way/heal_horror": (Token.HORROR,)}
    wanted = kinds.get(way.subject, (Token.DAMAGE, Token.HORROR))
    healed = sum(
        min(most, mind.table.count(mind.me.id, token))
        for most, token in zip(_numbers(way), wanted, strict=True)
    )
    return healed * mind.price


def _move(mind: Mind, way: Text) -> float:
    """Move by a card where there is nothing to do, or to get away in need."""
    del way
    if mind.is_goal_here:
        return 45.0 if mind.harm >= mind.left - 1 else 3.0
    return 48.0


def _numbers(way: Text) -> tuple[int, ...]:
    return tuple(one for one in way.params if isinstance(one, int))


def _each(points: float, more: float = 0.0) -> Callable[[Mind, Text], float]:
    return lambda _mind, way: more + points * sum(_numbers(way))


JUDGES: dict[str, Callable[[Mind, Text], float]] = {
    "way/investigate": _investigate,
    "way/evade": _evade,
    "way/test": _test,
    "way/test_to": _test,
    "way/heal_damage": _heal,
    "way/heal_horror": _heal,
    "way/heal_harm": _heal,
    "way/heal_nothing": _each(0.0),
    "way/doom": _each(60.0),
    "way/resources": _each(11.0),
    "way/draw": _each(16.0),
    "way/clues": _each(CLUE),
    "way/damage": _each(30.0),
    "way/rid": _each(0.0, 48.0),
    "way/actions": _each(18.0),
    "way/move": _move,
    "way/move_to": _move,
    "way/move_among": _move,
    "way/resign": lambda _mind, _way: RESIGNING,
    "way/end": lambda _mind, _way: 250.0,
}
"""Judges by the subject of the words."""
