"""The current moment of a game in words: round, phase and turn."""

from collections.abc import Sequence

import attrs

from client.locale.speaker import Speaker
from protocol.common.table import GameTable


@attrs.frozen(eq=False)
class GameMoment:
    """
    The moment of a game. This default has no words; games have their own.

    Each part is worded on demand, since most callers want one of them.
    """

    game: GameTable

    @property
    def round_number(self) -> int:
        """The round, from 1; 0 if none is counted."""
        return 0

    def phase(self, speaker: Speaker) -> Sequence[str]:  # noqa: ARG002 (for those that have one)
        """Return round, phase, and the step within the phase."""
        return ()

    def turn(self, speaker: Speaker) -> str:  # noqa: ARG002 (for those that have turns)
        """Return the turn; empty between turns."""
        return ""

    def clock(self, speaker: Speaker, *, is_short: bool = False) -> Sequence[str]:  # noqa: ARG002
        """
        Return the phase, and the time left if known.

        Args:
            speaker: words it.
            is_short: whether to omit what is shown elsewhere too.
        """
        return self.phase(speaker)

    def ending(
        self,
        speaker: Speaker,  # noqa: ARG002 (for those that end so)
        seat: int | None,  # noqa: ARG002
    ) -> Sequence[str]:
        """Return how the game ended for a seat, in paragraphs; a spectator has None for a seat."""
        return ()

    def in_words(self, speaker: Speaker) -> str:
        """Return a name for this moment, to go back to; may be empty."""
        return ", ".join(part for part in (*self.phase(speaker), self.turn(speaker)) if part)
