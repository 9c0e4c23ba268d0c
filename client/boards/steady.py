"""
A map of steady height: it keeps its size while figures gather here and there.

Whoever looks at a board knows where things lie on the screen. So the map stays as high as it had to
be in this round and the last one, and gets lower when those are over, when the board is another
one, or when the screen is.
"""

import attrs

Board = tuple[object, ...]
"""Identities of board and screen: when either changes, the view is computed again."""


@attrs.define
class Steady:
    """How high a map has been of late."""

    _board: Board = attrs.field(default=(), init=False)
    _most: dict[int, int] = attrs.field(factory=dict, init=False)
    """The most rows, by round: of this one and the last."""

    def height(self, board: Board, round_number: int, rows: int) -> int:
        """
        Return how many rows the map takes.

        Args:
            board: of what.
            round_number: in which round.
            rows: as many as it needs now.
        """
        if board != self._board:
            self._board, self._most = board, {}
        known = {at: most for at, most in self._most.items() if abs(round_number - at) <= 1}
        known[round_number] = max(rows, known.get(round_number, rows))
        self._most = known
        return max(known.values())
