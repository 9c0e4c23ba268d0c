"""Odds: the chance of a test by the tokens that lie in the bag for all to see."""

import functools

from protocol.games.cards.words import BLESS, CURSE, FAIL, STAR, SYMBOLS

_GUESSED = {STAR: 1, BLESS: 2, CURSE: -2, **dict.fromkeys(SYMBOLS, -2)}
"""Modifiers of tokens that are no numbers, about: a bot does not read the scenario card."""


@functools.lru_cache(maxsize=1024)
def chance(bag: tuple[str, ...], value: int, difficulty: int) -> float:
    """Return the share of the tokens in the bag with which a test would succeed, 0 to 1."""
    if not bag:
        return 1.0 if value >= difficulty else 0.0
    good = sum(
        1 for token in bag if token != FAIL and max(0, value + modifier(token)) >= difficulty
    )
    return good / len(bag)


def modifier(token: str) -> int:
    """Return the modifier of a token, about."""
    return _GUESSED[token] if token in _GUESSED else int(token)
