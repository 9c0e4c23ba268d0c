"""Hindsight: what the rules say of a finished game, and nobody could know while it was played."""

from protocol.common.text import Text
from protocol.values import frozen


@frozen
class Hindsight:
    """One fact of a finished game that follows from secrets which are open now."""

    sequence: int
    """Sequence of the record after which it holds."""
    kind: str
    """Name of its kind, for programs."""
    text: Text
    lasts: bool = False
    """True if it holds until the next one of its kind."""
