"""
Abilities: the texts on the backs of monsters' tokens. Rule MONSTER-4.

A monster on the table lists the names of its abilities, open to all; the pack holds their effects.
"""

from content.games.second_edition.schema.monsters import Ability
from protocol.games.second_edition.table import MonsterId
from server.games.second_edition.rules.adjacency import Obstacle, Passing
from server.games.second_edition.rules.play import Play

_PASSES = {
    # MOVE-8: what goes through walls is stopped by no Barricade either.
    "walls": (Obstacle.WALL, Obstacle.BARRICADE),
    "impassable": (Obstacle.IMPASSABLE,),
    "barricades": (Obstacle.BARRICADE,),
    "unexplored": (Obstacle.UNEXPLORED,),
}


def of(play: Play, monster: MonsterId) -> tuple[Ability, ...]:
    known = play.content.pack.abilities
    return tuple(known[ability] for ability in play.table.monsters[monster].abilities)


def passing(play: Play, monster: MonsterId) -> Passing:
    """Return the obstacles that do not stop a monster. Rules MOVE-6 to MOVE-9 and GOLDEN-3."""
    return tuple(
        obstacle
        for ability in of(play, monster)
        for passed in ability.passes
        for obstacle in _PASSES[passed.value]
    )


def striving(play: Play, monster: MonsterId) -> Passing:
    """
    Return the obstacles that a monster passes by its abilities, and Barricades, which it can break.

    Routes of the monster are measured as if it passed all of these obstacles (DECIDE-89).
    """
    return (*passing(play, monster), Obstacle.BARRICADE)


def barricade_dice(play: Play, monster: MonsterId) -> int:
    """
    Return the dice that a monster's abilities add to its rolls against Barricades.

    Rule BARRICADE-12.
    """
    return sum(ability.barricade_dice for ability in of(play, monster))
