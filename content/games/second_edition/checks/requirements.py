"""Checks of requirements, beyond their types."""

from typing import Any

from content.games.second_edition.checks.registry import checks
from content.games.second_edition.schema import requirements
from content.reading.sheet import Complaint


@checks(requirements.AllOf, requirements.AnyOf)
def _several(made: requirements.AllOf | requirements.AnyOf, fault: Complaint) -> None:
    if not made.of:
        fault("of", "name at least one requirement, or leave this out")


@checks(
    *(requirements.Round, requirements.CounterWithin),
    *(requirements.Investigators, requirements.Monsters, requirements.TimerLeft),
)
def _bounds(made: Any, fault: Complaint) -> None:
    if made.at_least > made.at_most:
        fault("at_least", f"{made.at_least} is more than at_most, {made.at_most}: it never holds")
    if isinstance(made, requirements.TimerLeft):
        return
    # With the usual bounds it holds whatever the table is like.
    others = ("name", "kind", "trait", "room", "named", "within", "adjacent_to")
    kept = {name: getattr(made, name) for name in others if hasattr(made, name)}
    if type(made)(**kept) == made:
        fault("at_least", "this holds always; write at_least or at_most")
