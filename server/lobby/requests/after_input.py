"""The work that follows an input of a room."""

from collections.abc import Awaitable, Callable

import attrs

from server.lobby.rooms.host import RoomHost


@attrs.frozen
class AfterInput:
    """Work that the state of a room requires after an input: bots, setups, practice games."""

    run: Callable[[RoomHost], Awaitable[None]]
