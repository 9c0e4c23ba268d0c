"""The grid for the question who starts with which possession: a row for each possession."""

import string
from collections.abc import Iterator, Sequence

from client.boards.signs import letters
from client.games.second_edition.panes.scene import scene_of
from client.widgets import scene as any_game
from client.widgets.grid import Grid, GridRow
from protocol.common.asks import Choice
from protocol.common.text import Text

_STANDS = "choice/as_proposed"
_CARRIES = "choice/carries"
_INSTEAD = "choice/carries_instead"
_DISPUTED = "disputed"


def starting_grid(base: any_game.Scene, choices: Sequence[Choice]) -> Grid | None:
    """
    Return the grid of the question about the starting possessions; None for other questions.

    Args:
        base: the table.
        choices: the choices of the question, in the order of their numbers.
    """
    game = scene_of(base).game
    stands = [at for at, choice in enumerate(choices) if choice.text.subject == _STANDS]
    left = [at for at, choice in enumerate(choices) if choice.text.subject == _INSTEAD]
    if game is None or len(stands) != 1 or len(left) != len(choices) - 1:
        return None
    people = tuple(game.investigators)
    rows: list[GridRow] = []
    for carried in _each(choices[stands[0]].text):
        card, owner = _strings(carried, 2)
        if owner not in people:
            return None
        cells: list[int | None] = []
        for who in people:
            # Of two equal cards with one owner, each row gets its own choices, in their order.
            found = (at for at in left if _strings(choices[at].text, 3) == (card, who, owner))
            cell = None if who == owner else next(found, None)
            cells.append(cell)
            if cell is not None:
                left.remove(cell)
        is_disputed = carried.field == _DISPUTED
        at = None if is_disputed else people.index(owner)
        note = "question.grid_vote" if is_disputed else ""
        rows.append(GridRow("card", card, tuple(cells), at, note))
    # A choice without a cell could not be reached.
    if left or not rows:
        return None
    names = tuple(base.speaker.name("investigator", who) for who in people)
    signs = letters(names, string.ascii_uppercase)
    first = (name.split(" ")[0] for name in names)
    return Grid(
        tuple(zip(first, signs, strict=True)),
        tuple(rows),
        tuple(stands),
        "question.grid_stands",
        "question.grid_how",
    )


def _each(text: Text) -> Iterator[Text]:
    """Yield the text of each single possession in a proposal, whose text nests them in pairs."""
    if text.subject == _CARRIES:
        yield text
        return
    for part in text.params:
        if isinstance(part, Text):
            yield from _each(part)


def _strings(text: Text, count: int) -> tuple[str, ...]:
    """Return the parameters of a text that are ids; empty strings if there are not `count` ids."""
    ids = tuple(one for one in text.params if isinstance(one, str))
    return ids if len(ids) == count else ("",) * count
