"""Registry of this game's checks by class of the checked object; sibling modules add to it."""

from content.games.second_edition.schema import effects
from content.language.checking import Checks

CHECKS = Checks()
checks = CHECKS.of


def is_nothing(number: effects.Number) -> bool:
    """Return whether a number is 0 in every game."""
    return number in (0, effects.Amount())
