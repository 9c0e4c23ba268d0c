"""Claims: how many characters a seat may play, for all who choose them."""

from protocol.common.table import RoomTable, Seat
from protocol.messages import ScenarioLine


def characters_each(card: ScenarioLine | None, seat_count: int) -> int:
    """
    Return how many characters each seat plays.

    Args:
        card: of the scenario; None where the server has told nothing of it.
        seat_count: how many seats there are once the game begins.
    """
    # No card says so yet: this is what holds in every game that there is.
    del card
    return 2 if seat_count == 1 else 1


def lacks_more(card: ScenarioLine | None, mine: Seat, room: RoomTable) -> bool:
    """Return whether a seat has chosen characters, and fewer than it plays as things are."""
    return 0 < len(mine.pieces) < characters_each(card, len(room.seats))
