"""The base class of all steps, and the numbers in them."""

import attrs

from content.games.second_edition.schema import targets
from content.reading.formulas import Expression


class Step:
    """One thing that an effect does."""


PASSAGE = "passage"
"""The word for a Secret Passage in a key that otherwise takes a door."""

Who = targets.Who
"""A word for the investigators that a step concerns."""

Effect = tuple[Step, ...]
"""Steps in the order in which they are resolved."""


@attrs.frozen
class Amount:
    """
    A number that can differ by game: the sum of its parts. Most amounts have one part.

    An author writes `{base: 2, each: 1}`, a list of five numbers (`listed`), or an expression. A
    plain number is read as an int instead; a field of type `Number` takes either.
    """

    base: int = 0
    each: int = 0
    """A number added once for each investigator at the start of the game. DECIDE-150."""
    listed: tuple[int, ...] = ()
    """Five numbers, one of which is added: the first for one investigator at the start, the fifth
    for five. DECIDE-150."""
    formula: Expression | None = None


Number = int | Amount
"""A number in a pack: fixed, or different from game to game."""
