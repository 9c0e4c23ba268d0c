"""Laws of the woods: in a round each animal that is left walks exactly once."""

from protocol.common.laws import GameLaws, hold, register_laws
from protocol.common.table import GameTable
from protocol.event import Record
from tests.games.woods.protocol.events import RoundEnded, Walked
from tests.games.woods.protocol.table import RULESET, WoodsTable


class WoodsLaws(GameLaws):
    """Checker that follows one game."""

    def check(self, game: GameTable, record: Record) -> None:
        """Check a record against the table before it."""
        super().check(game, record)
        if not isinstance(game, WoodsTable):
            return
        still = {animal.name for animal in game.living() if not animal.has_walked}
        if isinstance(record.event, Walked):
            hold(
                still.issuperset(dict(record.event.walks)), "others walked than those who are left"
            )
        elif isinstance(record.event, RoundEnded):
            hold(not still, "the round ended before everybody had walked")


register_laws(RULESET, WoodsLaws)
