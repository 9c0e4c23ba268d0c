"""The end of a game, and the secrets that are opened on its log."""

import attrs

from protocol.common.table import RoomEvent, RoomTable, Stage
from protocol.event import event


@attrs.frozen
class Disclosure:
    """The opening of a secret that was committed to earlier on the same log."""

    sequence: int
    slot: int
    salt: bytes
    value: bytes
    """The packed value."""


@event("room_closed")
class RoomClosed(RoomEvent):
    """The result is final. The seeds are opened, so that everybody can check every draw."""

    seeds: tuple[Disclosure, ...]
    """The seed of play and the seed of the setup; empty where the settings keep them."""

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room with its game over."""
        return attrs.evolve(table, stage=Stage.OVER, ask=None, proposal=None)
