"""
A map of steady height: it keeps its size while questions of many lengths come and go below it.

Whoever looks at a board knows where things lie on the screen. So the map stays as low as the
longest question of this round and the last one has made it, and grows again when those are over,
when the board is another one, or when the screen is.
"""

import attrs

Board = tuple[object, ...]
"""Identities of board and screen: when either changes, the view is computed again."""


@attrs.define
class Steady:
    """How low a map has been of late."""

    _board: Board = attrs.field(default=(), init=False)
    _least: dict[int, int] = attrs.field(factory=dict, init=False)
    """The fewest rows, by round: of this one and the last."""

    def height(self, board: Board, round_number: int, rows: int, at_least: int) -> int:
        """
        Return how many rows the map takes.

        Args:
            board: of what.
            round_number: in which round.
            rows: as many as there are for it now.
            at_least: as many as it needs, of these.
        """
        if board != self._board:
            self._board, self._least = board, {}
        known = {at: least for at, least in self._least.items() if abs(round_number - at) <= 1}
        known[round_number] = min(rows, known.get(round_number, rows))
        self._least = known
        return max(min(known.values()), min(rows, at_least))
