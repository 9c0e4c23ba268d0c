"""Statuses of a client away from its table: how it was launched, the lobby, finished games."""

from collections.abc import Mapping

import attrs

from client.model.review import Review
from protocol import messages


@attrs.frozen
class Launch:
    """The command that launched the client."""

    command: str
    """The command line with which the player can continue here later."""
    is_solo: bool = False
    """True if the server runs on this machine for one player, so that nobody is invited."""


PLAY = Launch("manse play")
SOLO = Launch("manse solo", is_solo=True)
TUTORIAL = Launch("manse tutorial", is_solo=True)


@attrs.frozen
class Lobby:
    """The server's listings for this player."""

    scenarios: tuple[messages.ScenarioLine, ...] | None = None
    """None until the server listed them."""
    tables: tuple[messages.TableLine, ...] | None = None
    """Tables where the player has a seat; None until the server listed them."""
    reviews: tuple[messages.ReviewLine, ...] = ()
    """Reviews that the player may join."""
    lost_seats: tuple[messages.LostSeat, ...] = ()
    """Seats that the player lost while away and was not told of yet."""
    last_room: str = ""
    """Table at which the player last had a seat; empty if none is known."""
    continued: frozenset[str] = frozenset()
    """Finished tables whose group already has another table."""


@attrs.frozen
class FinishedGames:
    """The player's reviews, practice and notes on finished games."""

    review: Review | None = None
    """The review that the player is in."""
    practice: str = ""
    """Room of the practice game that was entered from a replay; empty for none."""
    notes: Mapping[str, tuple[messages.GameNote, ...]] = attrs.field(factory=dict, repr=False)
    """Notes kept with finished games, by room, for those that were asked for."""


@attrs.frozen
class Pending:
    """Requests that are sent again once the player has confirmed them. Secret."""

    table: messages.OpenTable | None = None
    """A request to open a table with a password."""
    code: str = ""
    """Invitation to a game whose setup the player already knows, as the server said; else empty."""
