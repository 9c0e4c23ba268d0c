"""
Routes: spaces that a move action reaches in several steps, offered as one choice.

Rules MOVE-1, MOVE-2 and MOVE-16. A route is a convenience: each of its steps is taken as if chosen
on its own, and the walk stops when a rule interrupts it, so that the player decides again with the
new information.
"""

from collections.abc import Collection, Sequence

from protocol.common.text import Text
from protocol.games.second_edition.table import InvestigatorId, SecondEditionTable, SpaceId
from protocol.values import frozen
from server.games.second_edition.rules import adjacency, fire, monsters, naming, powers
from server.games.second_edition.rules.play import Play
from server.kernel.asks import Option

MOST = 12
"""Maximum number of destinations offered, the nearest first."""


@frozen
class Route:
    """Spaces to walk through, in order; the last is the destination."""

    spaces: tuple[SpaceId, ...]


def routes(play: Play, investigator: InvestigatorId, left: int) -> tuple[Route, ...]:
    """
    Return the shortest routes to spaces that are two to `left` steps away, one for each space.

    Of several shortest routes to a space, the one with the fewest spaces with Fire or a monster is
    taken. At most `MOST` are returned, the nearest first; none in games of version 1.
    """
    start = play.table.investigators[investigator].space
    # Logs of version 1 recorded their questions without routes.
    if start is None or play.version == 1:
        return ()
    known = {start}
    longest: list[tuple[SpaceId, ...]] = [()]
    found: list[Route] = []
    for _ in range(left):
        longest = _onward(play.table, start, longest, known, powers.passing(play, investigator))
        known |= {way[-1] for way in longest}
        found += [Route(way) for way in longest if len(way) > 1]
        if len(found) >= MOST:
            break
    return tuple(found[:MOST])


def _onward(
    table: SecondEditionTable,
    start: SpaceId,
    longest: Sequence[tuple[SpaceId, ...]],
    known: Collection[SpaceId],
    passing: adjacency.Passing,
) -> list[tuple[SpaceId, ...]]:
    """Extend routes by one step; return the best route to each space not in `known`."""
    best: dict[SpaceId, tuple[SpaceId, ...]] = {}
    for way in sorted(longest, key=lambda one: sum(interrupts(table, space) for space in one)):
        for there in adjacency.steps(table, way[-1] if way else start, passing):
            if there not in known:
                best.setdefault(there, (*way, there))
    return list(best.values())


def interrupts(table: SecondEditionTable, space: SpaceId) -> bool:
    """Return True if a space on the way interrupts a walk, because of Fire or a monster."""
    return fire.burns(table, space) or bool(monsters.here(table, space))


def option(play: Play, investigator: InvestigatorId, route: Route) -> Option[Route]:
    """Return the option of a route; its text has the length and the spaces on the way."""
    table, space = play.table, play.table.investigators[investigator].space
    *between, there = (naming.space(table, one) for one in route.spaces)
    through: str | Text = between[0]
    for one in between[1:]:
        through = Text("stake/and", (through, one))
    subject = "choice/slip_away_far" if monsters.here(table, space) else "choice/go_far"
    text = Text(subject, (there, len(route.spaces), through))
    return Option(route, text, (naming.at_space(route.spaces[-1]),), "move")


def goes_on(play: Play, space: SpaceId, since: int) -> bool:
    """
    Return True if a walk continues after a step.

    It does if the step caused nothing else, and the space has neither Fire nor a monster.

    Args:
        play: the game after the step.
        space: the space entered.
        since: the sequence number of the step.
    """
    return play.next_sequence == since + 1 and not interrupts(play.table, space)
