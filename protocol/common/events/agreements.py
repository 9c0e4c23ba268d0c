"""What all agree to about the room: going back, corrections, pauses, seats given away."""

import attrs

from protocol.common.checkpoints import up_to
from protocol.common.events.people import MAX_NAME
from protocol.common.table import Proposal, RoomEvent, RoomTable, Stage, Table, TableEvent
from protocol.event import Record, event
from protocol.values import evolve


@event("proposed", is_input=True)
class Proposed(TableEvent):
    """Somebody asks the others to agree to something."""

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
    """A seat agreed to the proposal, or refused it, which ends it."""

    seat: int
    proposal_id: int
    is_agreed: bool

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room with that voice."""
        if table.proposal is None or not self.is_agreed:
            return evolve(table, proposal=None)
        consents = tuple(sorted({*table.proposal.consents, self.seat}))
        return evolve(table, proposal=evolve(table.proposal, consents=consents))


@event("agreed_for_absent", is_input=True)
class AgreedForAbsent(RoomEvent):
    """Somebody agreed to going back for all who are away: a seat, or whoever runs the server."""

    proposal_id: int
    seats: tuple[int, ...]
    """For whom, ascending."""

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room with their voices."""
        if table.proposal is None:
            return table
        consents = tuple(sorted({*table.proposal.consents, *self.seats}))
        return evolve(table, proposal=evolve(table.proposal, consents=consents))


@event("taken_back")
class TakenBack(TableEvent):
    """The table went back to a checkpoint. Seats, talk and the draw counter stand."""

    checkpoint: int
    """The sequence of that checkpoint."""

    def fold_table(self, table: Table, record: Record) -> Table:
        """Return the table as it was then; nothing after that point can be gone back to."""
        kept = up_to(table.checkpoints, self.checkpoint)
        back = evolve(table, game=kept[self.checkpoint], checkpoints=kept)
        back = back.with_room(ask=None, proposal=None, stage=Stage.PLAYING)
        return back.with_checkpoint(record.sequence)


@event("corrected")
class Corrected(RoomEvent):
    """
    What all agreed to correct is corrected; what lies differently now is told next.

    The question that was open is asked anew.
    """

    piece: str
    amount: int

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room without the proposal, and with nothing asked."""
        return evolve(table, ask=None, proposal=None)


@event("paused_set", is_input=True)
class PausedSet(RoomEvent):
    """
    The game stands still, or goes on.

    The clock pauses it where a time-out led to a failure, and the table goes back to its last
    checkpoint; any seat lets it go on.
    """

    is_paused: bool

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room paused or not."""
        return evolve(table, is_paused=self.is_paused)


@event("seat_given")
class SeatGiven(TableEvent):
    """
    A seat has a new owner. What it was told before goes along only if `with_secrets`.

    Without a key it stands empty until somebody redeems its invitation (`SeatFilled`).
    """

    seat: int
    name: str
    key: bytes
    is_bot: bool
    with_secrets: bool

    def fold_table(self, table: Table, record: Record) -> Table:
        """Return the table with the seat in new hands, away until they come."""
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
        # What its last owner passed on, they did.
        standing = {s: kinds for s, kinds in table.room.standing.items() if s != self.seat}
        room = evolve(table.room.with_seat(seat), proposal=None, standing=standing)
        return evolve(table, room=room)


@event("seat_filled", is_input=True)
class SeatFilled(RoomEvent):
    """Somebody redeemed the invitation to a seat that was given away and stood empty."""

    seat: int
    name: str = attrs.field(validator=attrs.validators.max_len(MAX_NAME))
    key: bytes

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room with the seat in new hands."""
        seat = evolve(table.seats[self.seat], name=self.name, key=self.key)
        return table.with_seat(seat)


@event("seat_filled_knowing", is_input=True)
class SeatFilledKnowing(RoomEvent):
    """
    The same of a game that goes on, by somebody who knows its fixed setup and wants to play it.

    One record, so that nobody has such a seat of whom the table did not read it.
    """

    seat: int
    name: str = attrs.field(validator=attrs.validators.max_len(MAX_NAME))
    key: bytes

    def fold(self, table: RoomTable) -> RoomTable:
        """Return the room with the seat in new hands, and that they know the setup."""
        old = table.seats[self.seat]
        return table.with_seat(evolve(old, name=self.name, key=self.key, knows_setup=True))
