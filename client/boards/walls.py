"""
Walls: the lines of a board as characters, with different ones for walls, borders and doors.

With box characters, walls are single lines, doors are double, borders dotted and impassable borders
crossed through; corners that can be crossed are slanting. In ASCII, most characters are the same as
in the tile's drawing.
"""

import functools
from collections.abc import Mapping

import attrs

from client.settings.preferences import Charset
from protocol.boards.maps import Cell, Covering, PlacedTile, drawn

_LEVEL, _UPRIGHT = "-", "|"
_DOORS = frozenset("=0123456789")
_JOINS_LEVEL = frozenset("-+.~=0123456789/\\X")
"""Characters that a corner joins to its left or right."""
_JOINS_UPRIGHT = frozenset("|+:!=0123456789/\\X")
"""Characters that a corner joins above or below."""

# By arms: up, down, left, right. A single arm is drawn as a straight line: boxes have no ends.
_CORNERS = {
    (0, 0, 0, 0): "┼",
    (0, 0, 0, 1): "─",
    (0, 0, 1, 0): "─",
    (0, 0, 1, 1): "─",
    (0, 1, 0, 0): "│",
    (0, 1, 0, 1): "┌",
    (0, 1, 1, 0): "┐",
    (0, 1, 1, 1): "┬",
    (1, 0, 0, 0): "│",
    (1, 0, 0, 1): "└",
    (1, 0, 1, 0): "┘",
    (1, 0, 1, 1): "┴",
    (1, 1, 0, 0): "│",
    (1, 1, 0, 1): "├",
    (1, 1, 1, 0): "┤",
    (1, 1, 1, 1): "┼",
}
SLANTING = {"X": "\u2573", "/": "\u2571", "\\": "\u2572"}
"""Box characters of corners that can be crossed."""
_PLAIN = {":": "╎", ".": "┄", "!": "╫", "~": "╪", **SLANTING}
ASCII = {**dict.fromkeys(_DOORS, "="), "!": "{", "~": "}", "/": "X", "\\": "X"}
"""
ASCII characters that replace those of the tile's drawing: `!` and `/` look like pieces, and `~`
like water.
"""
_STYLES = {
    **dict.fromkeys(":.", "border"),
    **dict.fromkeys("!~", "impassable"),
    **dict.fromkeys("/\\X", "corner"),
}


@attrs.frozen
class Glyph:
    """A character of a board's lines, with its style."""

    char: str
    style: str


@functools.lru_cache(maxsize=16)
def walls(
    tiles: tuple[PlacedTile, ...], coverings: tuple[Covering, ...], charset: Charset
) -> Mapping[Cell, Glyph]:
    """Return the character of each cell on a line of the board."""
    characters = drawn(tiles, coverings)
    glyphs: dict[Cell, Glyph] = {}
    for cell, char in characters.items():
        if char == " ":
            continue
        style = "door" if char in _DOORS else _STYLES.get(char, "wall")
        if charset is Charset.ASCII:
            shown = ASCII.get(char, char)
        else:
            row, column = cell
            places = ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
            above, below, left, right = (characters.get(place, " ") for place in places)
            shown = _in_boxes(char, above, below, left, right)
        glyphs[cell] = Glyph(shown, f"class:map.{style}")
    return glyphs


def _in_boxes(char: str, above: str, below: str, left: str, right: str) -> str:
    """Return the box character for a line, which depends on the lines around it."""
    if char in _PLAIN:
        return _PLAIN[char]
    arms = (
        above in _JOINS_UPRIGHT,
        below in _JOINS_UPRIGHT,
        left in _JOINS_LEVEL,
        right in _JOINS_LEVEL,
    )
    if char in _DOORS:
        # Digits and `=` say nothing about the direction of a door: its neighbours do.
        return "║" if (arms[0] or arms[1]) and not (arms[2] and arms[3]) else "═"
    if char == _LEVEL:
        # A level wall may run past the end of an upright one of another tile, never through `+`.
        arms = (above in "|:!", below in "|:!", True, True)
    elif char == _UPRIGHT:
        arms = (True, True, left in "-.~", right in "-.~")
    return _CORNERS[tuple(int(arm) for arm in arms)]  # type: ignore[index]  # four of them
