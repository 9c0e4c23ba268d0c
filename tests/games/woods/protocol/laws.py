"""Laws of the woods: the animals that walk in a round are exactly those left."""

from protocol.common.laws import GameLaws, hold, register_laws
from protocol.common.table import GameTable
from protocol.event import Record
from tests.games.woods.protocol.events import Walked
from tests.games.woods.protocol.table import RULESET, WoodsTable


class WoodsLaws(GameLaws):
    """Checker that follows one game."""

    def check(self, game: GameTable, record: Record) -> None:
        """Check a record against the table before it."""
        super().check(game, record)
        if isinstance(game, WoodsTable) and isinstance(record.event, Walked):
            walked = {animal for animal, _ in record.event.walks}
            left = {animal.name for animal in game.living()}
            hold(walked == left, "others walked than those who are left")


register_laws(RULESET, WoodsLaws)
