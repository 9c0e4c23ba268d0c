"""How checks are declared, and found by the class of what they look at."""

from collections.abc import Callable
from typing import Any, TypeVar

from content.games.second_edition.schema import effects
from content.reading.schema import Check
from content.reading.sheet import Complaint

T = TypeVar("T")

CHECKS: dict[type, Check] = {}
"""The check of each class that has one; the modules of this package fill it."""


def checks(
    *classes: type,
) -> Callable[[Callable[[T, Complaint], None]], Callable[[T, Complaint], None]]:
    """Declare what looks at all that is read of these classes, besides what does already."""

    def declare(check: Callable[[T, Complaint], None]) -> Callable[[T, Complaint], None]:
        for cls in classes:
            CHECKS[cls] = _after(CHECKS[cls], check) if cls in CHECKS else check
        return check

    return declare


def _after(first: Check, second: Check) -> Check:
    def both(part: Any, fault: Complaint) -> None:
        first(part, fault)
        second(part, fault)

    return both


def is_nothing(number: effects.Number) -> bool:
    """Return whether a number is 0 in every game."""
    return number in (0, effects.Amount())
