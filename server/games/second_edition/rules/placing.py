"""
Placing: the order in which one effect places or moves several figures.

Rules CONFLICT-2, DECIDE-142, MOVE-12 and FIRE-8. The players are asked only if the order matters.
"""

from collections.abc import Iterable, Sequence

from content.games.second_edition.schema.scenario import Moment
from protocol.games.second_edition.table import (
    FeatureId,
    FeatureKind,
    InvestigatorId,
    MonsterId,
    SpaceId,
)
from server.games.second_edition.rules import (
    abilities,
    adjacency,
    distance,
    interplay,
    monsters,
    simultaneous,
    targets,
)
from server.games.second_edition.rules.play import Play, Source

_EMPTY = ("nearest", "farthest")
"""
Words for a space without investigators. Placing a figure there changes the result for the next
figure.
"""
_FROM_ACTOR = "adjacent"
"""Word for a space next to the actor. Placing the actor changes the result for the next figure."""


async def people_in_order(
    play: Play, people: Sequence[InvestigatorId], at: str, source: Source
) -> tuple[InvestigatorId, ...]:
    """
    Return investigators in the order in which an effect places them.

    The group is asked for the order only if it matters.

    Args:
        play: the game.
        people: the investigators.
        at: the word or name for the space in the step.
        source: the source of the effect.
    """
    is_shared = at in _EMPTY or (at == _FROM_ACTOR and source.actor in people)
    spaces = () if is_shared else targets.spaces_at(play, at, source)
    matters = is_shared or _entering_matters(play, people, spaces)
    return await simultaneous.each_in_order(play, people, matters=matters)


async def walkers_in_order(
    play: Play, people: Sequence[InvestigatorId]
) -> tuple[InvestigatorId, ...]:
    """Return investigators in the order in which an effect moves them toward a space."""
    matters = _entering_matters(play, people, tuple(play.table.map.rooms))
    return await simultaneous.each_in_order(play, people, matters=matters)


def _entering_matters(
    play: Play, people: Sequence[InvestigatorId], spaces: Sequence[SpaceId]
) -> bool:
    """Return True if Fire or a trigger makes it matter who enters one of the spaces first."""
    rooms = play.table.map.rooms
    about = {*spaces, *(rooms[space] for space in spaces)}
    if interplay.trigger_matters(play, (Moment.SPACE_ENTERED, Moment.ROOM_ENTERED), about):
        return True
    return _burns(play, spaces) and interplay.harm_matters(play, people, damage=1, facedown=True)


def _burns(play: Play, spaces: Iterable[SpaceId]) -> bool:
    return any(play.table.has_feature(FeatureKind.FIRE, space) for space in spaces)


# Monsters ------------------------------------------------------------------------------------


async def monsters_in_order(
    play: Play, found: Sequence[MonsterId], at: str, source: Source
) -> tuple[MonsterId, ...]:
    """Return monsters in the order in which an effect places them; `at` names the space."""
    spaces = targets.spaces_at(play, at, source)
    matters = _burns(play, spaces) and defeats_matter(play, found, 1)
    return await simultaneous.each_monster_in_order(play, found, matters=matters)


async def movers_in_order(
    play: Play, found: Sequence[MonsterId], spaces: int, *, flee: bool = False
) -> tuple[MonsterId, ...]:
    """
    Return monsters in the order in which an effect moves each of them up to `spaces` spaces.

    The order matters if two monsters can reach one Barricade, which the first may break, or if Fire
    may defeat a monster. Monsters that flee break none.
    """
    met = [
        barricade
        for monster in found
        if not flee
        for barricade in _barricades_met(play, monster, spaces)
    ]
    matters = len(met) > len(set(met)) or (
        _burns(play, play.table.map.rooms) and defeats_matter(play, found, spaces)
    )
    return await simultaneous.each_monster_in_order(play, found, matters=matters)


def _barricades_met(play: Play, monster: MonsterId, spaces: int) -> tuple[FeatureId, ...]:
    """Return the Barricades that stop or delay a monster on ways of up to `spaces` spaces."""
    table = play.table
    away = distance.distances(
        table, table.monsters[monster].space, abilities.striving(play, monster)
    )
    met = [
        blocker.feature_id
        for space, steps in away.items()
        if steps < spaces
        for way in adjacency.ways(table, space)
        for blocker in adjacency.blockers(table, space, way)
    ]
    return tuple(dict.fromkeys(met))


def defeats_matter(play: Play, found: Iterable[MonsterId], damage: int) -> bool:
    """Return True if the order matters in which `damage` damage may defeat several monsters."""
    table = play.table
    hurt = [table.monsters[monster] for monster in found]
    doomed = [one.monster_id for one in hurt if one.damage + damage >= one.health]
    about = {name for monster in doomed for name in monsters.called(play, monster)}
    return bool(doomed) and interplay.trigger_matters(
        play, (Moment.MONSTER_DEFEATED,), about, is_several=len(doomed) > 1
    )
