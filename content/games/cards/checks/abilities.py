"""Checks of abilities and their triggers."""

import attrs

from content.games.cards.checks.registry import checks
from content.games.cards.schema.occurrences import ROLES, Moment, On
from content.reading.sheet import Complaint

_ALWAYS = frozenset([*(moment.value for moment in Moment), "is_first"])


@checks(On)
def _on(on: On, fault: Complaint) -> None:
    """Report a trigger without moment, or one that asks about a role that is not there."""
    given = [moment for moment in Moment if getattr(on, moment.value) is not None]
    if len(given) != 1:
        fault("", "a trigger has one of would, when, at and after; write one of them")
        return
    happening = on.parts()[1]
    roles = {"place" if role == "at" else role for role in ROLES[happening]}
    for field in attrs.fields(On):
        if field.name in _ALWAYS or getattr(on, field.name) == field.default:
            continue
        if field.name not in roles:
            known = ", ".join(sorted(roles)) or "nothing"
            reason = f"{happening.value} has no {field.name}; a trigger can ask about {known}"
            fault(field.name, reason)
