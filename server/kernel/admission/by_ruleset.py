"""
Checks of inputs against the ruleset, its content, the origin of the input and a halted game.

Checks against the table alone are in `server.kernel.admission.by_table`.
"""

from protocol.bounds import MAX_REASONS
from protocol.common import events
from protocol.common.hosts import wins_vote
from protocol.common.padded import Padded
from protocol.common.proposals import Correct, GiveUp, TakeBack
from protocol.common.roster import Role, Roster
from protocol.common.table import FixedSetup, Proposal, RoomTable, Table
from protocol.event import CLOCK, OPERATOR, Event, Sealed
from protocol.values import evolve, frozen
from server.kernel.admission.by_table import refuse_unless
from server.kernel.errors import Refused
from server.kernel.game import Library, Ruleset, correction_of

_NEEDS_GAME = (
    *(
        events.Answered,
        events.AnsweredTogether,
        events.Passed,
        events.Voted,
        events.TiebreakCalled,
        events.TimedOut,
    ),
    *(events.LotWanted, events.PausedSet),
)
_ANSWERS = (events.Answered, events.Voted, events.Passed)
_OF_OPERATOR = (events.OperatorPaused, events.OperatorResumed, events.OperatorClosed)


@frozen
class RulesetAdmission:
    """Checks inputs against the ruleset of their room."""

    library: Library

    def check(self, table: Table, happened: Event, origin: int, *, is_halted: bool) -> None:
        refuse_unless(not (is_halted and isinstance(happened, _NEEDS_GAME)), "table/halted")
        _refuse_who_may_not(happened, origin)
        # The clock replaces an absent host after a time, players only by a vote.
        if isinstance(happened, events.HostPassed):
            is_won = origin == CLOCK or wins_vote(table.room, origin)
            refuse_unless(is_won, "host/no_vote")
        if isinstance(happened, _ANSWERS):
            # Most inputs are answers, and the table has checked them completely.
            return
        match happened:
            case events.Proposed():
                self._proposal(table, happened.proposal, is_halted=is_halted)
            case events.SeatTaken():
                refuse_unless(len(table.room.seats) < self._roster(table).most, "table/full")
            case events.RoleClaimed():
                self._claim_role(table, happened)
            case events.CharactersClaimed():
                self._claim(table, happened)
            case events.Prepared():
                self._prepared(table, happened.seat, happened.prepared)
            case events.ReadySet():
                self._ready(table, happened)
            case events.SetupFixed():
                self._refuse_unknown_setup(happened.setup)
            case events.StartRequested():
                self._refuse_unknown_setup(table.room.fixed_setup)
                self._start(table)

    def _refuse_unknown_setup(self, setup: FixedSetup | None) -> None:
        is_known = setup is None or self.library.setup_seed(setup) is not None
        refuse_unless(is_known, "setup/unknown")

    def _ruleset(self, table: Table) -> Ruleset:
        return self.library.ruleset(table.room.ruleset)

    def _proposal(self, table: Table, proposal: Proposal, *, is_halted: bool) -> None:
        match proposal.aim:
            case TakeBack():
                # A halted game has no other way to continue.
                is_possible = table.room.settings.takebacks or is_halted
                refuse_unless(is_possible, "proposal/no_takebacks")
            case GiveUp():
                refuse_unless(not is_halted, "table/halted")
            case Correct(piece, amount):
                assert table.game is not None
                refuse_unless(not is_halted, "table/halted")
                offered = self._ruleset(table).corrections(table.game)
                fits = correction_of(offered, piece, amount) is not None
                refuse_unless(fits, "proposal/no_such_piece")

    def _roster(self, table: Table) -> Roster:
        return self._ruleset(table).roster(self.library.content(table.room))

    def _role(self, table: Table, seat: int) -> Role:
        """Return the role of a seat. Refused: the scenario was changed and lacks the role."""
        role = self._roster(table).role(table.room.seats[seat].role)
        refuse_unless(role is not None, "table/no_such_role")
        assert role is not None
        return role

    def _claim_role(self, table: Table, claim: events.RoleClaimed) -> None:
        check_role(table.room, self._roster(table), claim.seat, claim.role)

    def _claim(self, table: Table, claim: events.CharactersClaimed) -> None:
        role = self._role(table, claim.seat)
        refuse_unless({*claim.characters} <= {*role.characters}, "table/no_such_piece")
        most = role.most_for(len(table.room.seats))
        refuse_unless(len(claim.characters) <= most, "table/too_many_pieces")

    def _ready(self, table: Table, ready: events.ReadySet) -> None:
        if ready.is_ready:
            role = self._role(table, ready.seat)
            seat = table.room.seats[ready.seat]
            refuse_unless(
                seat.characters or not role.count_for(len(table.room.seats)), "table/choose_first"
            )
            self._prepared(table, ready.seat, seat.prepared)

    def _prepared(self, table: Table, seat: int, prepared: Sealed[Padded] | None) -> None:
        content, ruleset = self.library.content(table.room), self._ruleset(table)
        value = None if prepared is None else prepared.value.content
        reasons = ruleset.prepared_fault(content, table.room.seats[seat], value)
        if reasons:
            raise Refused("prepared/unfit", reasons[:MAX_REASONS])

    def _start(self, table: Table) -> None:
        roster, seats = self._roster(table), table.room.seats
        refuse_unless(len(seats) >= roster.fewest, "table/too_few")
        # The scenario may have changed since the seats were taken.
        refuse_unless(len(seats) <= roster.most, "table/too_many")
        for seat in seats.values():
            role = self._role(table, seat.seat)
            fewest, most = role.count_for(len(seats)), role.most_for(len(seats))
            is_full = fewest <= len(seat.characters) <= most
            fits = is_full and {*seat.characters} <= {*role.characters}
            refuse_unless(fits, "table/choose_first")
        players = in_roles(table.room, roster)
        for role in roster.roles:
            count = sum(player.role == role.name for player in players)
            refuse_unless(role.fewest <= count <= role.most, "table/roles_unfilled")
        fault = self._ruleset(table).start_fault(self.library.content(table.room), players)
        refuse_unless(fault is None, fault or "")


def _refuse_who_may_not(happened: Event, origin: int) -> None:
    """Refuse a kind of input that its origin (the clock, the operator or a seat) may not give."""
    match happened:
        case events.AnsweredTogether() | events.PausedSet(is_paused=True):
            # A pause goes back to a checkpoint, which players may only do by consent of all.
            refuse_unless(origin == CLOCK, "table/clock_only")
        case events.AgreedForAbsent():
            return
        case _:
            is_operators = isinstance(happened, _OF_OPERATOR)
            refuse_unless(is_operators == (origin == OPERATOR), "operator/only")


def check_role(room: RoomTable, roster: Roster, seat: int, wanted: str) -> None:
    """Refuse a role that is unknown, or that as many other seats have as may have it."""
    role = roster.role(wanted) if wanted else None
    refuse_unless(role is not None, "table/no_such_role")
    assert role is not None
    taken = sum(one.role == role.name for one in room.seats.values() if one.seat != seat)
    refuse_unless(taken < role.most, "table/role_taken")


def in_roles(room: RoomTable, roster: Roster) -> tuple[events.Player, ...]:
    """Return the players with their roles; a seat that claimed no role has the first."""
    first = roster.roles[0].name
    return tuple(evolve(one, role=one.role or first) for one in events.players_of(room))
