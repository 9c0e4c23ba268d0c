"""
Events of branches: a finished game is continued from a checkpoint, in a room of its own.

The log of a branch begins with the records of its source. `Branched` ends them: it opens the seeds
of the source and names the player of all seats. A ceremony as at the start of any game then fixes
new keys of chance for the branch; `BranchStarted` ends it.
"""

import attrs

from protocol.bounds import BYTES_32, SEAT
from protocol.common.table import Ceremony, RoomEvent, RoomTable, Stage, Table, TableEvent
from protocol.event import Record, event
from protocol.values import evolve, frozen


@frozen
class SourceSeed:
    """A seed of the source, and the place of its commitment on the log of the source."""

    sequence: int
    slot: int
    salt: bytes = attrs.field(validator=BYTES_32)
    value: bytes
    """The packed value."""


@frozen
class SourceSetup:
    """The seed of the source's fixed setup, as in `setup_opened`."""

    salt: bytes = attrs.field(validator=BYTES_32)
    seed: bytes = attrs.field(validator=BYTES_32)


@event("branched", is_input=True)
class Branched(RoomEvent):
    """The records of the source end; one player controls all seats from here on."""

    seat: int = attrs.field(validator=SEAT)
    """
    Seat named as the origin of the input; any existing seat is valid, because one player has all
    seats.
    """
    key: bytes
    """Public key of the player who practises."""
    seeds: tuple[SourceSeed, ...]
    """The seeds of play and of the setup."""
    setup: SourceSetup | None

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room in a new ceremony: one owner, no limits, no spectators or observers."""
        # From event 0: a log that may be branched has opened all secrets of its game.
        seats = {
            n: evolve(seat, key=self.key, is_bot=False, is_present=False, since=0)
            for n, seat in table.seats.items()
        }
        # One player, alone: limits, spectators and observers were for a game of several people.
        settings = evolve(
            table.settings,
            spectators=False,
            time_limit_seconds=0,
            takebacks=True,
            spectators_delay_seconds=0,
            stops=False,
            strict_windows=False,
            observers=(),
            by_calendar=False,
        )
        # The seeds of the source are open, so the branch draws from new ones.
        return evolve(
            table,
            stage=Stage.STARTING,
            settings=settings,
            seats=seats,
            ceremony=Ceremony(),
            fixed_setup=None,
            opened_setup=None,
            play_seed=None,
            house_seed=None,
            ask=None,
            timer=None,
            proposal=None,
            is_paused=False,
            standing={},
            operator_reason=b"",
            # Signed about the table of the source.
            stated={},
            opened={},
            # One player has the seats of all roles.
            is_apart=False,
            past_roles={},
        )


@event("branch_started")
class BranchStarted(TableEvent):
    """All shares are open: the branch has new keys and continues from the checkpoint."""

    def fold_table(self, table: Table, record: Record) -> Table:
        return table.with_room(stage=Stage.PLAYING, ceremony=None).with_checkpoint(record.sequence)
