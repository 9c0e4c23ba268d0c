"""
Rosters: who can play a scenario, in which roles, and as which characters.

A ruleset makes the roster of each scenario. It is data, so that the client that reads it on the
card of the scenario counts as the server does.
"""

import attrs

from protocol.bounds import COUNT, ID, MAX_CHARACTERS, MAX_ROLES, MAX_SEATS, ids
from protocol.values import frozen


@frozen
class Role:
    """What a seat can be, such as an investigator or a keeper."""

    name: str = attrs.field(validator=ID)
    """Where there are several roles, `role/NAME` is a subject whose `name` is among the words."""
    fewest: int = attrs.field(validator=COUNT)
    """How many seats must have it when the game starts."""
    most: int = attrs.field(validator=COUNT)
    """How many seats may have it."""
    characters: tuple[str, ...] = attrs.field(validator=ids(MAX_CHARACTERS))
    """What a seat in this role may claim, by id: subjects whose `name` is among the words."""
    each: tuple[int, ...] = attrs.field(
        validator=attrs.validators.deep_iterable(COUNT, attrs.validators.max_len(MAX_SEATS))
    )
    """
    How many of them each such seat plays: first where one seat plays, then where two do, and so on.
    """

    def count_for(self, seat_count: int) -> int:
        """Return how many characters a seat in this role plays when so many seats play."""
        return self.each[seat_count - 1] if 0 < seat_count <= len(self.each) else 0


@frozen
class Roster:
    """Who can play one scenario."""

    fewest: int = attrs.field(validator=COUNT)
    """Seats that a game needs."""
    most: int = attrs.field(validator=COUNT)
    """Seats that it has."""
    roles: tuple[Role, ...] = attrs.field(
        validator=attrs.validators.and_(
            attrs.validators.min_len(1), attrs.validators.max_len(MAX_ROLES)
        )
    )
    """The first is that of every seat that claims none."""

    def role(self, name: str) -> Role | None:
        """Return the role of a seat by what it claimed (nothing: the first); None for no role."""
        if not name:
            return self.roles[0]
        return next((role for role in self.roles if role.name == name), None)

    @property
    def characters(self) -> tuple[str, ...]:
        """Everybody who can be claimed in some role, each once."""
        return tuple(dict.fromkeys(one for role in self.roles for one in role.characters))
