"""
Steadiness: the map keeps its height while figures gather in one space and leave another.

Players remember the positions of things on the screen. So the map keeps the largest number of rows
that was needed in this round and in the previous round. The map shrinks when these rounds are over,
or when the board or the screen changes.
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
        Return the number of rows for the map.

        Args:
            board: the board and screen that the map is drawn for.
            round_number: the round of the game.
            rows: the rows that the map needs now.
        """
        if board != self._board:
            self._board, self._most = board, {}
        # Also a later round is dropped: players may have gone back.
        known = {at: most for at, most in self._most.items() if abs(round_number - at) <= 1}
        known[round_number] = max(rows, known.get(round_number, rows))
        self._most = known
        return max(known.values())
