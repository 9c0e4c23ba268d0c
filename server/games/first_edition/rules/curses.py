"""Curse tokens: how characters get and lose them. Section 9; their use is in `rerolls`."""

from protocol.games.first_edition.events import Cursed
from protocol.games.first_edition.table import CharacterId
from server.games.first_edition.rules.play import Play


def curse(play: Play, who: CharacterId) -> None:
    """Give a character exactly one curse token, whatever it has already. W-CURSE-1, W-CURSE-2."""
    play.emit(Cursed(who, 1))


def lift(play: Play, who: CharacterId, count: int) -> None:
    """Discard curse tokens of a character, at most what it has. W-CURSE-6."""
    if count := min(count, play.table.character(who).curses):
        play.emit(Cursed(who, -count))
