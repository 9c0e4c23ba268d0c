"""
Hindsight on a finished game, as replays show it.

The client knows no rules: whoever starts it passes a function that looks back, if there is one.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

import attrs

from protocol.archive import Archive, WordsOf
from protocol.common.hindsight import Hindsight


@attrs.frozen
class LookedBack:
    """What looking back on a game has found."""

    found: tuple[Hindsight, ...] = ()
    """In the order of the log; empty in a game that has no hindsight."""
    words: tuple[WordsOf, ...] = attrs.field(default=(), repr=False)
    """The words of what was found, by language."""
    problem: str = ""
    """Why nothing was found: the last part of a catalog key `hindsight.`; empty for no problem."""

    def words_for(self, archive: Archive) -> Archive:
        """Return a file with these words too, in the languages that it has itself."""
        has = {chunk.language for chunk in archive.words}
        added = tuple(chunk for chunk in self.words if chunk.language in has)
        return attrs.evolve(archive, words=(*archive.words, *added))


LookBack: TypeAlias = Callable[[bytes, str, Sequence[str]], LookedBack]
"""Looks back, given the bytes of an audited file, its game, and packs that the player named."""
LookBackLater: TypeAlias = Callable[[bytes, str, Callable[[LookedBack], None]], Callable[[], None]]
"""
Looks back on a fetched game without blocking, and passes the result to a function. Returns a
function that cancels it.
"""
NOTHING = LookedBack()
