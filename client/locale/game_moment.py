"""Words for the current moment of a game: round, phase and turn."""

from collections.abc import Sequence

import attrs

from client.locale.speaker import Speaker
from protocol.common.table import GameTable


@attrs.frozen(eq=False)
class GameMoment:
    """
    Words for the current moment of a game; games override the methods, which are empty by default.

    Each part of a moment has its own method, since most callers want one part only.
    """

    game: GameTable

    @property
    def round_number(self) -> int:
        """The number of the round, from 1; 0 if the game counts no rounds."""
        return 0

    def phase(self, speaker: Speaker) -> Sequence[str]:  # noqa: ARG002 (for those that have one)
        """Return round, phase, and the step within the phase."""
        return ()

    def turn(self, speaker: Speaker) -> str:  # noqa: ARG002 (for those that have turns)
        """Return a text about whose turn it is; empty between turns."""
        return ""

    def clock(self, speaker: Speaker, *, is_short: bool = False) -> Sequence[str]:  # noqa: ARG002
        """
        Return the phase, and the remaining time if it is known.

        Args:
            speaker: the words.
            is_short: whether to omit parts that the screen also shows elsewhere.
        """
        return self.phase(speaker)

    def ending(
        self,
        speaker: Speaker,  # noqa: ARG002 (for those that end so)
        seat: int | None,  # noqa: ARG002
    ) -> Sequence[str]:
        """
        Return paragraphs about the end of the game for a seat; None stands for a spectator.

        Where there are none, who won and the scores are shown, as `GameTable.came_out` has them.
        """
        return ()

    def in_words(self, speaker: Speaker) -> str:
        """Return the moment as the name of a checkpoint, such as round and phase; may be empty."""
        return ", ".join(part for part in (*self.phase(speaker), self.turn(speaker)) if part)
