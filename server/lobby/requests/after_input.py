"""The work that follows an input of a room."""

from collections.abc import Awaitable, Callable

import attrs

from server.lobby.rooms.host import RoomHost


@attrs.frozen
class AfterInput:
    """Lets bots play, opens closed setups and begins practice games, as the room is by now."""

    run: Callable[[RoomHost], Awaitable[None]]
