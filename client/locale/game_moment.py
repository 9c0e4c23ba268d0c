"""The moment of a game: its round, its phase and whose turn it is, in words."""

from collections.abc import Sequence

import attrs

from client.locale.speaker import Speaker
from protocol.common.table import GameTable


@attrs.frozen(eq=False)
class GameMoment:
    """
    How far a game is. This one suits a game that says nothing of it; others bring their own.

    Each part is put into words when it is asked for, since most who ask want one of them.
    """

    game: GameTable

    @property
    def round_number(self) -> int:
        """The round, from 1; 0 where none is counted."""
        return 0

    def phase(self, speaker: Speaker) -> Sequence[str]:  # noqa: ARG002 (for those that have one)
        """Return the round, the phase, and where in it the game is."""
        return ()

    def turn(self, speaker: Speaker) -> str:  # noqa: ARG002 (for those that have turns)
        """Return whose turn it is; empty between turns."""
        return ""

    def clock(self, speaker: Speaker, *, is_short: bool = False) -> Sequence[str]:  # noqa: ARG002
        """
        Return the phase, and what time is left where that is known.

        Args:
            speaker: whose words.
            is_short: whether what stands elsewhere too may be left out.
        """
        return self.phase(speaker)

    def ending(self, speaker: Speaker) -> Sequence[str]:  # noqa: ARG002 (for those that end so)
        """Return how the game ended, by paragraph; nothing as long as it goes on."""
        return ()

    def in_words(self, speaker: Speaker) -> str:
        """Return when this was, as a moment to go back to; empty where the game does not say."""
        return ", ".join(part for part in (*self.phase(speaker), self.turn(speaker)) if part)
