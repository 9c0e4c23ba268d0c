"""The legend: the meaning of every sign, line and short name on the map."""

from collections.abc import Iterable

from client.boards.filling import NAME
from client.boards.labels import Label
from client.boards.limits import ASCII_LIMIT, LIMITS
from client.boards.map import Seen
from client.boards.viewport import BoardPart
from client.boards.walls import SLANTING
from client.settings.preferences import Charset
from client.widgets.canvas import Styled
from client.widgets.scene import SPACE, Scene


def map_legend(
    scene: Scene, shown: Seen | None, part: BoardPart, *, with_figures: bool = False
) -> tuple[list[Styled], int]:
    """
    Return the legend for the visible part of a board, with the most needed entries first.

    Args:
        scene: the table.
        shown: the board as it is drawn; None if there is no board yet.
        part: the part of the board that the player sees.
        with_figures: whether to explain the letters of single figures.

    Returns:
        All entries, and the number of needed ones at the beginning: they explain codes and signs
        that a player cannot guess.
    """
    if shown is None:
        return [], 0
    seen, entries = shown.signs_in(part), shown.contents.legend
    here = [entry for entry in entries if entry.signs & seen]
    coded = shown.coded(part)
    lit = [space for space in coded if scene.is_lit(SPACE, space)]
    # `room_legend` drops the duplicates.
    rooms = room_legend(shown.contents.labels[space] for space in (*lit, *coded))
    first = len(room_legend(shown.contents.labels[space] for space in lit))
    # Names under the cursor come first: their words are in the question.
    needed = [
        *rooms[:first],
        *(entry.line for entry in here if entry.is_told),
        *rooms[first:],
        *(shown.contents.figures if with_figures else ()),
    ]
    known = [entry.line for entry in here if not entry.is_told]
    beyond = [entry.line for entry in entries if not entry.signs & seen]
    return [*needed, *known, *line_legend(scene, shown), *beyond], len(needed)


def line_legend(
    scene: Scene, shown: Seen | None = None, *, has_limits: bool = False
) -> list[Styled]:
    """
    Return an entry for each kind of line and for north.

    If a board is given, leave out lines that the board does not have. Without a board, `has_limits`
    tells whether lines between rooms are drawn differently.
    """
    boxes = {
        "map.door": "═║",
        "map.border": "╎┄",
        "map.limit": "".join(LIMITS),
        "map.impassable": "╫╪",
        "map.corner": "".join(SLANTING.values()),
    }
    plain = {
        "map.door": "=",
        "map.border": ":.",
        "map.limit": ASCII_LIMIT,
        "map.impassable": "{}",
        "map.corner": "X",
    }
    chars = plain if scene.charset is Charset.ASCII else boxes
    drawn = None if shown is None else shown.board.styles
    lines: list[Styled] = [
        [(f"class:{key}", char), ("", f" {scene.speaker.say(key)}")]
        for key, char in chars.items()
        if (f"class:{key}" in drawn if drawn is not None else has_limits or key != "map.limit")
    ]
    # The board is never turned.
    return [*lines, [("", scene.speaker.say("map.north"))]]


def room_legend(labels: Iterable[Label]) -> list[Styled]:
    """Return an entry for each code with the name of its map room, in the order of the labels."""
    # A room of several spaces has one code: the number behind it needs no explanation.
    codes = dict.fromkeys((label.short, label.room) for label in labels)
    return [[(NAME, code), ("", f" {name}")] for code, name in codes]


def coded_labels(scene: Scene, shown: Seen) -> list[Label]:
    """Return the labels that are drawn as codes. Spaces that a choice points at come first."""
    spaces = sorted(shown.coded(), key=lambda space: not scene.is_lit(SPACE, space))
    return [shown.contents.labels[space] for space in spaces]
