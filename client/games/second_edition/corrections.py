"""Corrections in a game of the second edition: the damage of a monster. Rule APP-8."""

from collections.abc import Sequence

from client.games.second_edition.speaker import in_game
from client.locale import speaker
from client.plugs.face import CorrectionOffer
from protocol.common.table import Table
from protocol.games.second_edition.table import SecondEditionTable


def corrections(table: Table, base: speaker.Speaker) -> Sequence[CorrectionOffer]:
    """Return, for each monster, an offer to set its damage to another value. Rule DECIDE-49."""
    game = table.game
    offers: list[CorrectionOffer] = []
    for monster in game.monsters.values() if isinstance(game, SecondEditionTable) else ():
        name = in_game(base).monster(monster)
        others = (damage for damage in range(monster.health + 1) if damage != monster.damage)
        ways = tuple(
            (base.say("propose.damage_to", name, damage), monster.monster_id, damage)
            for damage in others
        )
        offers.append(CorrectionOffer(base.say("propose.damage", name, monster.damage), ways))
    return offers


def monster_named(table: Table, base: speaker.Speaker, piece: str) -> str:
    """Return the name of a corrected monster; words for a missing monster if it has left."""
    return in_game(base).monster_named(table, piece)
