"""
Branches: a finished game goes on otherwise, in a room of its own, from one of its checkpoints.

The log of a branch begins with the records of its source. `Branched` ends them: it opens what the
chance of the source followed from, and says who plays all seats on. A ceremony as at the start of
every game gives the branch a chance of its own, and `BranchStarted` ends that.
"""

import attrs

from protocol.bounds import BYTES_32, SEAT
from protocol.common.table import Ceremony, RoomEvent, RoomTable, Stage, Table, TableEvent
from protocol.event import Record, event
from protocol.values import evolve, frozen


@frozen
class SourceSeed:
    """A seed of the source, as the log of the source committed to it."""

    sequence: int
    slot: int
    salt: bytes = attrs.field(validator=BYTES_32)
    value: bytes
    """Packed, as it was committed to."""


@frozen
class SourceSetup:
    """The fixed setup of the source, opened as `SetupOpened` does it."""

    salt: bytes = attrs.field(validator=BYTES_32)
    seed: bytes = attrs.field(validator=BYTES_32)


@event("branched", is_input=True)
class Branched(RoomEvent):
    """The records of the source end here; one player plays all seats on."""

    seat: int = attrs.field(validator=SEAT)
    """Any that there is: the input's origin."""
    key: bytes
    """Of the player, who has all seats from now on."""
    seeds: tuple[SourceSeed, ...]
    """That of play and that of the house."""
    setup: SourceSetup | None

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room in its second ceremony: nothing limits, stops or observes it."""
        seats = {
            n: evolve(seat, key=self.key, is_bot=False, is_present=False, since=0)
            for n, seat in table.seats.items()
        }
        settings = evolve(
            table.settings,
            spectators=False,
            time_limit_seconds=0,
            takebacks=True,
            spectators_delay_seconds=0,
            stops=False,
            observers=(),
            by_calendar=False,
        )
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
            proposal=None,
            is_paused=False,
            standing={},
            operator_reason=b"",
        )


@event("branch_started")
class BranchStarted(TableEvent):
    """All shares are open: the branch has keys of its own, and goes on from the checkpoint."""

    def fold_table(self, table: Table, record: Record) -> Table:
        """Return the table with the room playing again, at a checkpoint."""
        return table.with_room(stage=Stage.PLAYING, ceremony=None).with_checkpoint(record.sequence)
