"""
Steadiness: the map keeps its height while figures gather in one space and leave another.

Players remember the positions of things on the screen. So the map has the largest number of rows
that it needed in the current round or in the round before. A new board or a new size of the screen
resets the height.
"""

import attrs

Board = tuple[object, ...]
"""The values, other than the figures, that determine the height of the map."""


@attrs.define
class Steady:
    """The height of one map, with the heights that this round and the previous round needed."""

    _board: Board = attrs.field(default=(), init=False)
    _most: dict[int, int] = attrs.field(factory=dict, init=False)
    """The largest number of rows needed, by round, for this round and the previous round."""

    def height(self, board: Board, round_number: int, rows: int) -> int:
        """
        Return the number of rows for the map: the most needed in this round and the one before.

        Args:
            board: identifies board and screen; a change resets the height.
            round_number: the current round.
            rows: the rows that the map needs for the current table.
        """
        if board != self._board:
            self._board, self._most = board, {}
        # Also a later round is dropped: players may have gone back.
        known = {at: most for at, most in self._most.items() if abs(round_number - at) <= 1}
        known[round_number] = max(rows, known.get(round_number, rows))
        self._most = known
        return max(known.values())
