"""
Rulings: what a room refuses for more than its table says.

What the table alone decides stands in `server.kernel.inputs`. Here are the checks that need the
ruleset and its content, or to know whether the game has halted.
"""

import attrs

from protocol.common import events as on
from protocol.common.padded import Padded
from protocol.common.table import FixedSetup, Proposal, Table
from protocol.event import CLOCK, Event, Sealed
from server.kernel.errors import Refused
from server.kernel.game import Library, Ruleset
from server.kernel.inputs import refuse_unless

_NEEDS_GAME = (on.Answered, on.Passed, on.Voted, on.LotCalled, on.TimedOut, on.PausedSet)


@attrs.frozen
class Rulings:
    """What the ruleset of a room has to say about an input."""

    library: Library

    def check(self, table: Table, happened: Event, origin: int, *, is_halted: bool) -> None:
        """Refuse what cannot be done now, of what the table alone would allow."""
        refuse_unless(not (is_halted and isinstance(happened, _NEEDS_GAME)), "table/halted")
        match happened:
            case on.Proposed():
                self._proposal(table, happened.proposal, is_halted=is_halted)
            case on.PausedSet():
                # A pause goes back to a rest point; from people that needs the others' consent.
                refuse_unless(not happened.is_paused or origin == CLOCK, "table/clock_only")
            case on.SeatTaken():
                most = self._ruleset(table).seat_limits(self.library.content(table.room))[1]
                refuse_unless(len(table.room.seats) < most, "table/full")
            case on.PiecesClaimed():
                self._claim(table, happened)
            case on.Prepared():
                self._prepared(table, happened.seat, happened.prepared)
            case on.ReadySet(is_ready=True):
                seat = table.room.seats[happened.seat]
                self._prepared(table, happened.seat, seat.prepared)
            case on.SetupFixed():
                self._know(happened.setup)
            case on.StartRequested():
                self._know(table.room.fixed_setup)
                self._start(table)

    def _know(self, setup: FixedSetup | None) -> None:
        is_known = setup is None or self.library.setup_seed(setup) is not None
        refuse_unless(is_known, "setup/unknown")

    def _ruleset(self, table: Table) -> Ruleset:
        return self.library.ruleset(table.room.ruleset)

    def _proposal(self, table: Table, proposal: Proposal, *, is_halted: bool) -> None:
        if proposal.kind == "take_back":
            # A game that is halted has no other way to go on.
            is_possible = table.room.settings.takebacks or is_halted
            refuse_unless(is_possible, "proposal/no_takebacks")
        elif proposal.kind == "correct":
            assert table.game is not None
            refuse_unless(not is_halted, "table/halted")
            ruleset = self._ruleset(table)
            fits = ruleset.can_correct(table.game, proposal.piece, proposal.amount)
            refuse_unless(fits, "proposal/no_such_piece")

    def _claim(self, table: Table, claim: on.PiecesClaimed) -> None:
        offered = self._ruleset(table).pieces(self.library.content(table.room))
        refuse_unless(all(p in offered for p in claim.pieces), "table/no_such_piece")
        refuse_unless(len(claim.pieces) <= self._pieces_each(table), "table/too_many_pieces")

    def _prepared(self, table: Table, seat: int, prepared: Sealed[Padded] | None) -> None:
        content, ruleset = self.library.content(table.room), self._ruleset(table)
        value = None if prepared is None else prepared.value.content
        fault = ruleset.prepared_fault(content, table.room.seats[seat], value)
        if fault is not None:
            raise Refused("prepared/unfit", fault)

    def _start(self, table: Table) -> None:
        each = self._pieces_each(table)
        content = self.library.content(table.room)
        fewest, most = self._ruleset(table).seat_limits(content)
        refuse_unless(len(table.room.seats) >= fewest, "table/too_few")
        # The scenario may be another one since they sat down.
        refuse_unless(len(table.room.seats) <= most, "table/too_many")
        offered = self._ruleset(table).pieces(content)
        for seat in table.room.seats.values():
            fits = len(seat.pieces) == each and all(p in offered for p in seat.pieces)
            refuse_unless(fits, "table/choose_first")

    def _pieces_each(self, table: Table) -> int:
        return self._ruleset(table).pieces_each(len(table.room.seats))
