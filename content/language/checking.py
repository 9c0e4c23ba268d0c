"""How a game declares its checks, by the class of the objects that they look at."""

from collections.abc import Callable
from typing import Any, TypeVar

from content.reading.schema import Check
from content.reading.sheet import Complaint

T = TypeVar("T")


class Checks(dict[type, Check]):
    """The check of each class that has one."""

    def of(
        self, *classes: type
    ) -> Callable[[Callable[[T, Complaint], None]], Callable[[T, Complaint], None]]:
        """Declare a function as a check of these classes, after the checks that they have."""

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
