"""
Rosters: numbers of players, roles and characters of a scenario.

A ruleset makes the roster of each scenario. It is data, so the client counts by the same numbers
as the server.
"""

import attrs

from protocol.bounds import COUNT, ID, MAX_CHARACTERS, MAX_ROLES, MAX_SEATS, ids
from protocol.values import frozen


@frozen
class Role:
    """One role, such as an investigator or a keeper."""

    name: str = attrs.field(validator=ID)
    """Name of the role. If there are several roles, the words have a `name` for the subject
    `role/NAME`."""
    fewest: int = attrs.field(validator=COUNT)
    """Fewest seats in this role at the start of the game."""
    most: int = attrs.field(validator=COUNT)
    """Maximum number of seats in this role."""
    characters: tuple[str, ...] = attrs.field(validator=ids(MAX_CHARACTERS))
    """Ids of the characters that a seat in this role may claim: subjects with a `name` in the
    words."""
    each: tuple[int, ...] = attrs.field(
        validator=attrs.validators.deep_iterable(COUNT, attrs.validators.max_len(MAX_SEATS))
    )
    """
    Number of characters that a seat in this role plays. The first entry is for a game of one seat,
    the second for two, and so on.
    """

    most_each: tuple[int, ...] = attrs.field(
        default=(),
        validator=attrs.validators.deep_iterable(COUNT, attrs.validators.max_len(MAX_SEATS)),
    )
    """Maximum number of characters that a seat in this role may play, listed as `each`, which then
    has the minimum; empty if a seat plays exactly `each`."""

    def count_for(self, seat_count: int) -> int:
        """Return the fewest characters of a seat in a game of `seat_count` seats; 0 if unlisted."""
        return self.each[seat_count - 1] if 0 < seat_count <= len(self.each) else 0

    def most_for(self, seat_count: int) -> int:
        """Return the most characters of a seat in a game of `seat_count` seats."""
        is_listed = 0 < seat_count <= len(self.most_each)
        fewest = self.count_for(seat_count)
        return max(fewest, self.most_each[seat_count - 1]) if is_listed else fewest


@frozen
class Roster:
    """Numbers of players, roles and characters of one scenario."""

    fewest: int = attrs.field(validator=COUNT)
    """Fewest seats of a game."""
    most: int = attrs.field(validator=COUNT)
    """Maximum number of seats of a game."""
    roles: tuple[Role, ...] = attrs.field(
        validator=attrs.validators.and_(
            attrs.validators.min_len(1), attrs.validators.max_len(MAX_ROLES)
        )
    )
    """Roles; a seat that claims no role has the first."""
    is_apart: bool = False
    """True if nobody may have seats of two roles in one game, one after the other."""

    def role(self, name: str) -> Role | None:
        """Return the role of this name, or None. The empty name means the first role."""
        if not name:
            return self.roles[0]
        return next((role for role in self.roles if role.name == name), None)

    def seating(self, count: int, wanted: str = "") -> dict[str, int] | None:
        """
        Return the number of seats of each role in a game of `count` seats; None if none fits.

        Every role has its fewest seats; earlier roles have as many of the others as they may.

        Args:
            count: number of seats.
            wanted: role that at least one seat is to have; empty for the first role.
        """
        sought = self.role(wanted)
        counts = {role.name: max(role.fewest, int(role is sought)) for role in self.roles}
        left = count - sum(counts.values())
        for role in self.roles:
            more = max(0, min(left, role.most - counts[role.name]))
            counts[role.name] += more
            left -= more
        has_enough = all(
            counts[role.name] * role.count_for(count) <= len(role.characters) for role in self.roles
        )
        is_possible = self.fewest <= count <= self.most and not left and has_enough
        return counts if is_possible and sought is not None else None

    def smallest_seating(self, wanted: str = "") -> dict[str, int]:
        """Return the seats of each role in the smallest game; none if there is no such game."""
        counts = range(self.fewest, self.most + 1)
        return next(filter(None, (self.seating(count, wanted) for count in counts)), {})

    @property
    def characters(self) -> tuple[str, ...]:
        """Characters of all roles, each once."""
        return tuple(dict.fromkeys(one for role in self.roles for one in role.characters))
