"""
Room limits: the lines between two map rooms that figures cross like the lines within a room.

A game whose effects stop at these lines has them drawn differently. Impassable lines look the same
everywhere.
"""

import functools

import attrs

from client.boards.sketch import Sketch
from client.boards.walls import Glyph
from client.settings.preferences import Charset

LIMITS = ("┇", "┅")
"""Box characters of an upright limit and of a level one."""
ASCII_LIMIT = ";"
"""The ASCII character of both."""
_BORDER, _LIMIT = "class:map.border", "class:map.limit"


@functools.lru_cache(maxsize=32)
def with_limits(board: Sketch, charset: Charset) -> Sketch:
    """Return a board on which the borders between two rooms are room limits."""
    rooms = board.board.rooms
    room_at = {cell: rooms[space] for space, cells in board.board.cells.items() for cell in cells}

    def parts_rooms(one: tuple[int, int], other: tuple[int, int]) -> bool:
        return one in room_at and other in room_at and room_at[one] != room_at[other]

    glyphs = dict(board.glyphs)
    for (row, column), glyph in board.glyphs.items():
        is_upright = parts_rooms((row, column - 1), (row, column + 1))
        is_limit = is_upright or parts_rooms((row - 1, column), (row + 1, column))
        if glyph.style == _BORDER and is_limit:
            char = ASCII_LIMIT if charset is Charset.ASCII else LIMITS[not is_upright]
            glyphs[row, column] = Glyph(char, _LIMIT)
    return attrs.evolve(board, glyphs=glyphs)
