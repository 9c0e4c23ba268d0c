"""The work that follows an input of a room."""

from collections.abc import Awaitable, Callable

import attrs

from server.lobby.rooms.host import RoomHost


@attrs.frozen
class AfterInput:
    """The work that the present state of a room asks for: bots, closed setups, practice games."""

    run: Callable[[RoomHost], Awaitable[None]]
