"""
Steady: keeps the height of a map while figures gather in one space and leave another.

Players remember where things are on the screen. So the map keeps the most rows that it needed in
this round and the last one. It shrinks when these are over, or when board or screen change.
"""

import attrs

Board = tuple[object, ...]
"""Everything that the height depends on besides the figures, to be compared by value."""


@attrs.define
class Steady:
    """The height of one map over the last two rounds."""

    _board: Board = attrs.field(default=(), init=False)
    _most: dict[int, int] = attrs.field(factory=dict, init=False)
    """Most rows needed, by round: this one and the last."""

    def height(self, board: Board, round_number: int, rows: int) -> int:
        """
        Return the rows of the map.

        Args:
            board: the board and screen that it is drawn for.
            round_number: the round of the game.
            rows: the rows that it needs now.
        """
        if board != self._board:
            self._board, self._most = board, {}
        # Also a later round is dropped: players may have gone back.
        known = {at: most for at, most in self._most.items() if abs(round_number - at) <= 1}
        known[round_number] = max(rows, known.get(round_number, rows))
        self._most = known
        return max(known.values())
