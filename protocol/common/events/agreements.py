"""Events about agreements: going back, corrections, pauses, seats given away."""

import attrs

from protocol.common.checkpoints import up_to
from protocol.common.events.people import MAX_NAME
from protocol.common.table import Proposal, RoomEvent, RoomTable, Stage, Table, TableEvent
from protocol.event import Record, event
from protocol.values import evolve


@event("proposed", is_input=True)
class Proposed(TableEvent):
    """A seat proposed something, which needs the consent of the others."""

    proposal: Proposal

    def fold_table(self, table: Table, record: Record) -> Table:
        """Return the table with the proposal; a newer one takes the place of an older."""
        return table.with_room(
            proposal=self.proposal,
            next_proposal_id=self.proposal.proposal_id + 1,
            proposed_at=record.time,
        )


@event("consented", is_input=True)
class Consented(RoomEvent):
    """A seat consented to the proposal, or refused it. A refusal ends the proposal."""

    seat: int
    proposal_id: int
    is_agreed: bool

    def fold(self, table: RoomTable) -> RoomTable:
        if table.proposal is None or not self.is_agreed:
            return evolve(table, proposal=None)
        consents = tuple(sorted({*table.proposal.consents, self.seat}))
        return evolve(table, proposal=evolve(table.proposal, consents=consents))


@event("agreed_for_absent", is_input=True)
class AgreedForAbsent(RoomEvent):
    """A seat or the operator consented to the open proposal, on behalf of all absent seats."""

    proposal_id: int
    seats: tuple[int, ...]
    """The absent seats, ascending."""

    def fold(self, table: RoomTable) -> RoomTable:
        if table.proposal is None:
            return table
        consents = tuple(sorted({*table.proposal.consents, *self.seats}))
        return evolve(table, proposal=evolve(table.proposal, consents=consents))


@event("taken_back")
class TakenBack(TableEvent):
    """The game went back to a checkpoint. Seats, chat and numbers of draws are kept."""

    checkpoint: int
    """Sequence of the checkpoint."""

    def fold_table(self, table: Table, record: Record) -> Table:
        """Return the table as it was at the checkpoint; later checkpoints are dropped."""
        # Later checkpoints are of a future that is no longer reached.
        kept = up_to(table.checkpoints, self.checkpoint)
        # The room stays as it is, so no number of a draw or a question comes twice.
        back = evolve(table, game=kept[self.checkpoint], checkpoints=kept)
        back = back.with_room(ask=None, timer=None, proposal=None, stage=Stage.PLAYING)
        return back.with_checkpoint(record.sequence)


@event("corrected")
class Corrected(RoomEvent):
    """
    All consented to a correction; the following records make its changes.

    The question that was open is asked again.
    """

    piece: str
    amount: int

    def fold(self, table: RoomTable) -> RoomTable:
        return evolve(table, ask=None, proposal=None)


@event("paused_set", is_input=True)
class PausedSet(RoomEvent):
    """
    The game is paused or resumed.

    The clock pauses a game if rules fail at a time-out; the game goes back to its last checkpoint.
    Any seat can resume it.
    """

    is_paused: bool

    def fold(self, table: RoomTable) -> RoomTable:
        return evolve(table, is_paused=self.is_paused)


@event("seat_given")
class SeatGiven(TableEvent):
    """
    A seat has a new owner, who learns its earlier secrets only if `with_secrets` is true.

    Without a key it is empty until somebody redeems its invitation (`seat_filled`).
    """

    seat: int
    name: str
    key: bytes
    is_bot: bool
    with_secrets: bool

    def fold_table(self, table: Table, record: Record) -> Table:
        old = table.room.seats[self.seat]
        seat = evolve(
            old,
            name=self.name,
            key=self.key,
            is_bot=self.is_bot,
            is_present=False,
            knows_setup=False,
            since=old.since if self.with_secrets else record.sequence,
        )
        # Standing passes are a choice of the last owner.
        standing = {s: kinds for s, kinds in table.room.standing.items() if s != self.seat}
        room = evolve(table.room.with_seat(seat), proposal=None, standing=standing)
        room = room.with_past_role(self.key, seat.role)
        return evolve(table, room=room)


@event("seat_filled", is_input=True)
class SeatFilled(RoomEvent):
    """Somebody redeemed the invitation to an empty seat of a running game."""

    seat: int
    name: str = attrs.field(validator=attrs.validators.max_len(MAX_NAME))
    key: bytes

    def fold(self, table: RoomTable) -> RoomTable:
        seat = evolve(table.seats[self.seat], name=self.name, key=self.key)
        return table.with_seat(seat).with_past_role(self.key, seat.role)


@event("seat_filled_knowing", is_input=True)
class SeatFilledKnowing(RoomEvent):
    """
    Like `seat_filled`, by somebody who knows the fixed setup and plays nevertheless.

    It is one record, so nobody can have such a seat without the table knowing it.
    """

    seat: int
    name: str = attrs.field(validator=attrs.validators.max_len(MAX_NAME))
    key: bytes

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room with the seat's new owner, marked as knowing the setup."""
        old = table.seats[self.seat]
        room = table.with_seat(evolve(old, name=self.name, key=self.key, knows_setup=True))
        return room.with_past_role(self.key, old.role)
