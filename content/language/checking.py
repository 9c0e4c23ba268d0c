"""The declaration of a game's checks, by the class of the checked objects."""

from collections.abc import Callable
from typing import Any, TypeVar

from content.reading.schema import Check
from content.reading.sheet import Complaint

T = TypeVar("T")


class Checks(dict[type, Check]):
    """The checks of a game by class, called for each object that is read."""

    def of(
        self, *classes: type
    ) -> Callable[[Callable[[T, Complaint], None]], Callable[[T, Complaint], None]]:
        """Return a decorator that adds a function to the checks of these classes."""

        def declare(check: Callable[[T, Complaint], None]) -> Callable[[T, Complaint], None]:
            for cls in classes:
                self[cls] = _after(self[cls], check) if cls in self else check
            return check

        return declare


def _after(first: Check, second: Check) -> Check:
    def both(part: Any, fault: Complaint) -> None:
        first(part, fault)
        second(part, fault)

    return both
