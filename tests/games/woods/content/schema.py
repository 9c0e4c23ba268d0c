"""The content of a pack of the woods, as rules read it."""

from typing import Annotated

import attrs

from content.reading.meanings import Bounds


@attrs.frozen
class Content:
    """One scenario."""

    rounds: Annotated[int, Bounds(1, 20)] = 9
    tricks: Annotated[int, Bounds(0, 3)] = 0
    """How often in the game the keeper may move the snare while animals set off."""
    has_board: bool = False
    """True if animals walk from clearing to clearing by the paths of the board."""
    berries: Annotated[int, Bounds(0, 99)] = 0
    """Berries that the animals that are left need together to win after the last round."""
