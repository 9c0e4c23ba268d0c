"""
Filling: the names and signs written into the spaces of a board.

If a space has enough rows, its name and its signs have separate rows. Otherwise they share one row,
or the signs stand alone. Both ends of a row are kept free for the brackets that mark the target of
a choice, so walls and signs keep their positions when the cursor moves. `needs_of` tells the sketch
how much room they need.
"""

import functools
from collections.abc import Iterator, Mapping, Sequence

import attrs

from client.boards.areas import BRACKETS, Area
from client.boards.labels import Label
from client.boards.signs import Sign
from client.boards.sketch import LEAST_COLUMNS, Need
from client.text.printable import width_of, wrap

NAME = "class:map.room"
_BEFORE_WORDS = 3
"""Columns between a sign and its words: two brackets and a blank."""
_MOST_COLUMNS = 9
"""The maximum number of columns that a space keeps for signs. Further signs take more rows."""

_Placed = tuple[int, int, str, str]
"""Row, column, text and style."""


_LEAST_NAME = 6
"""Minimum number of columns of the row with the name, in a space that has a row of this width."""
_LEAST_ROWS = 2
"""A name takes two rows only in a space with more rows than this number."""


@attrs.frozen
class Filling:
    """The name and the signs of one space, with the row and column of each on the board."""

    name: tuple[_Placed, ...]
    """One line or two; empty if there is no room for a name."""
    signs: tuple[tuple[int, int, Sign], ...]
    missing: int
    """The number of signs for which the space has no room."""
    is_coded: bool = False
    """True if the name is a code, which the legend explains."""
    words: tuple[tuple[int, int, Sign], ...] = ()
    """The signs whose words are beside the sign, with row and column."""


@functools.lru_cache(maxsize=512)
def fill(
    area: Area,
    label: Label,
    signs: tuple[Sign, ...],
    lit: frozenset[Sign],
    *,
    has_ends: bool,
    is_spelled: bool = False,
) -> Filling:
    """
    Lay out a space: name and signs in separate rows, else in one row, else the signs alone.

    Args:
        area: the cells to write on.
        label: the name of the space.
        signs: the pieces in the space.
        lit: the signs that a choice points at.
        has_ends: whether both ends of the rows are taken, by the brackets of a choice that points
            at the space. A name may cover the ground there.
        is_spelled: whether to give each sign a row with its words, if there are rows for all signs.
    """
    if is_spelled and (spelled := _spelled(area, label, signs)) is not None:
        return spelled
    # From the roomiest layout to the tightest.
    ways = [(way, area) for way in (_on_two_lines, _apart, _together)]
    if not has_ends:
        # Without brackets at the ends, a short name close to the wall is better than none.
        runs = tuple((row, column - 1, width + BRACKETS) for row, column, width in area.runs)
        ways.append((_together, attrs.evolve(area, runs=runs)))
    # The first layout that leaves no sign out.
    for way, within in ways:
        found = way(within, label, signs, lit)
        if found is not None and not found.missing:
            return found
    placed = _packed(area.runs, 0, signs, lit)
    return Filling((), placed, len(signs) - len(placed))


def _spelled(area: Area, label: Label, signs: Sequence[Sign]) -> Filling | None:
    """Return the name above one row for each sign and its words; None if the space is too small."""
    names = wrap(label.name, area.width)
    rows = [run for run in area.runs if run[2] == area.width]
    if len(names) + len(signs) > len(rows):
        return None
    gap = 1 if len(names) + len(signs) < len(rows) else 0
    below = rows[len(names) + gap :][: len(signs)]
    words = tuple(
        (row, column + len(sign.char) + _BEFORE_WORDS, sign)
        for (row, column, _), sign in zip(below, signs, strict=True)
    )
    if any(at + width_of(sign.words) > rows[0][1] + area.width for _, at, sign in words):
        return None
    title = [
        (row, column + (width - width_of(line)) // 2, line, NAME)
        for (row, column, width), line in zip(rows, names, strict=False)
    ]
    # One column in, since a sign may get brackets around it.
    placed = tuple(
        (row, column + 1, sign) for (row, column, _), sign in zip(below, signs, strict=True)
    )
    return Filling(tuple(title), placed, 0, words=words)


def _on_two_lines(
    area: Area, label: Label, signs: Sequence[Sign], lit: frozenset[Sign]
) -> Filling | None:
    """Return a layout with the name on two rows; None if one row is enough or two are too few."""
    if len(area.runs) <= _LEAST_ROWS:
        return None
    upper, lower, *rest = area.runs
    lines = wrap(label.name, min(upper[2], lower[2]))
    is_whole = label.room in label.within(upper[2] + BRACKETS)
    if is_whole or len(lines) != len((upper, lower)) or " ".join(lines) != label.name:
        return None
    placed = _packed(rest, 0, signs, lit)
    name = tuple(
        (row, column + (width - width_of(line)) // 2, line, NAME)
        for (row, column, width), line in zip((upper, lower), lines, strict=True)
    )
    return Filling(name, placed, len(signs) - len(placed))


def _apart(area: Area, label: Label, signs: Sequence[Sign], lit: frozenset[Sign]) -> Filling | None:
    # The topmost row that is wide enough; in a narrow space the first of the widest.
    wanted = min(area.width, _LEAST_NAME)
    at = next((n for n, (_, _, width) in enumerate(area.runs) if width >= wanted), None)
    if at is None:
        return None
    row, column, width = area.runs[at]
    if len(area.runs) > 1:
        # The brackets of the space are drawn on the other rows.
        column, width = column - 1, width + BRACKETS
    name = label.within(width)
    rest = area.runs[:at] + area.runs[at + 1 :]
    placed = _packed(rest, 0, signs, lit)
    here = (row, column + (width - width_of(name)) // 2, name, NAME)
    is_coded = name == label.code and name != label.name
    return Filling((here,) if name else (), placed, len(signs) - len(placed), is_coded)


def _together(
    area: Area, label: Label, signs: Sequence[Sign], lit: frozenset[Sign]
) -> Filling | None:
    # The longest name that costs no sign its place.
    ways = ((form, _packed(area.runs, width_of(form) + 1, signs, lit)) for form in label.forms)
    whole = ((form, placed) for form, placed in ways if len(placed) == len(signs))
    shortest = label.code, _packed(area.runs, width_of(label.code) + 1, signs, lit)
    name, placed = next(whole, shortest)
    if not placed:
        return None
    row, column, _ = placed[0]
    # A sign that a choice points at has a bracket before it.
    first = column - width_of(name) - 1 - (1 if placed[0][2] in lit else 0)
    is_coded = name == label.code and name != label.name
    return Filling(((row, first, name, NAME),), placed, len(signs) - len(placed), is_coded)


def _packed(
    runs: Sequence[tuple[int, int, int]], taken: int, signs: Sequence[Sign], lit: frozenset[Sign]
) -> tuple[tuple[int, int, Sign], ...]:
    """Place as many signs as fit, centred, beginning in the middle row.

    Args:
        runs: row, first column and width of each run of free cells, from the top.
        taken: the number of cells to keep free for a name in the first row that is filled.
        signs: the signs, the most important first.
        lit: the signs that need two more cells for brackets.

    Returns:
        Row, column and sign of each sign that fits.
    """
    placed: list[tuple[int, int, Sign]] = []
    todo = list(signs)
    # From the middle row down, so that a few figures are in the middle of their space.
    for row, column, width in (*runs[len(runs) // 2 :], *runs[: len(runs) // 2]):
        # Only the first row shares its cells with a name.
        used = 0 if placed else taken
        line: list[tuple[int, Sign]] = []
        while todo:
            brackets = BRACKETS if todo[0] in lit else 0
            need = len(todo[0].char) + brackets + (1 if line else 0)
            if used + need > width:
                break
            sign = todo.pop(0)
            line.append((used + need - len(sign.char) - brackets // 2, sign))
            used += need
        placed += [(row, column + (width - used) // 2 + at, sign) for at, sign in line]
    return tuple(placed)


def needs_of(
    signs: Mapping[str, Sequence[Sign]], labels: Mapping[str, Label], *, has_codes: bool
) -> Iterator[Need]:
    """
    Yield a `Need` for each space or door that is too small for its signs at minimum size.

    Args:
        signs: the signs of each space or door.
        labels: the label of each space.
        has_codes: whether each space keeps room for its code as well.
    """
    for place, here in sorted(signs.items()):
        # A door is a run of cells in either direction: its columns stand for its length.
        if place not in labels and len(here) > 1:
            yield Need(place, len(here), 1)
    for space, label in sorted(labels.items()):
        width = sum(len(sign.char) + 1 for sign in signs.get(space, ()))
        code = width_of(label.code) if has_codes else 0
        # Brackets need room beside signs; a name gives way to them.
        need = max(width - 1 + BRACKETS, width + code - BRACKETS)
        columns = min(need + BRACKETS, _MOST_COLUMNS)
        rows = -(-need // (columns - BRACKETS))
        if columns > LEAST_COLUMNS or rows > 1:
            yield Need(space, columns, rows, need)
