"""Fire at the end of turns. K-FIRE-1, K-DECIDE-80."""

from protocol.games.first_edition.table import CharacterId
from server.games.first_edition.rules import harm, monsters, objective
from server.games.first_edition.rules.play import Play

DAMAGE = 2
"""Damage of a fire. K-FIRE-1."""


async def at_end_of_turn(play: Play, who: CharacterId) -> None:
    """Burn a character who ends the own turn, or the ally phase, in a fire. K-FIRE-1."""
    if play.table.is_burning(play.table.room_of(play.table.character(who).space)):
        await harm.suffer(play, who, damage=DAMAGE)


async def at_end_of_keeper_turn(play: Play) -> None:
    """Burn the monsters in fire at the end of the keeper's turn. K-FIRE-1, K-DECIDE-26."""
    for monster in list(play.table.monsters):
        if play.table.is_burning(play.table.room_of(play.table.monsters[monster].space)):
            monsters.hurt(play, monster, DAMAGE)
            objective.check(play)
