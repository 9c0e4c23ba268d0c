"""Seats of a table: invitations, bots, leaving, vacating and giving away."""

from collections.abc import Iterable

import attrs

from protocol import messages
from protocol.common import events
from protocol.common.absence import absentees
from protocol.common.hosts import acts_as_host, is_host_away, wins_vote
from protocol.common.proposals import GiveSeat
from protocol.common.table import Proposal, RoomTable, Stage
from protocol.event import Event
from server.identity.invitations import InvitationKind, Invitations, InvitationTarget
from server.kernel.errors import Refused
from server.lobby.requests.handlers import Needs, handles
from server.lobby.requests.pace import Cost
from server.lobby.requests.visitor import SeatHolder
from server.lobby.rooms.host import Decision
from server.lobby.rooms.removal import invitations_by_room
from server.lobby.rooms.room_clock import host_passed
from server.lobby.services.seams import LobbyServices
from server.lobby.tables.bots import Bots
from server.lobby.tables.lost_seats import LostSeats
from server.lobby.tables.seating_bots import seat_bot
from server.lobby.views.followers import Followers
from server.net.handler import Session

HOST_GRACE_SECONDS = 10
"""Seconds for which a host who is away cannot be replaced by a vote."""


# Invitations


@handles(messages.Invite, needs=Needs.SEAT, cost=Cost.STORED)
async def invite(holder: SeatHolder, message: messages.Invite, invitations: Invitations) -> None:
    """
    Make invitations: to spectate, to any seat before a game, or to each empty seat of a game.

    Refused: the table has no spectators, or no seat is empty.
    """
    await holder.turn()
    room = holder.room
    if message.is_to_watch:
        if not _may_be_watched(room):
            raise Refused("table/no_spectators")
        await _invite_to_table(holder, invitations, InvitationKind.WATCH)
    elif room.stage is Stage.LOBBY:
        await _invite_to_table(holder, invitations, InvitationKind.ANY_SEAT)
    elif room.stage is Stage.OVER or not _empty_seats(room):
        raise Refused("table/already_started")
    else:
        for seat in _empty_seats(room):
            await _invite_to_seat(invitations, room.room_id, seat, [holder.session])


@handles(messages.RenewInvitations, needs=Needs.SEAT, cost=Cost.STORED)
async def renew_invitations(
    holder: SeatHolder,
    _: messages.RenewInvitations,
    services: LobbyServices,
    invitations: Invitations,
) -> None:
    """Revoke all invitations, which may be in wrong hands, and make new ones."""
    await holder.turn()
    holder.must_be_host()
    room_id, followers = holder.room.room_id, holder.host.followers
    codes = await invitations_by_room(services.store, services.scheduler)
    await invitations.revoke_by_keys(codes.get(room_id, ()))
    for follower in tuple(followers.by_session.values()):
        if follower.seat is not None:
            # Their clients may still show an invitation.
            followers.tell(follower, "table/invitations_renewed")
    # The game may have begun while the codes were revoked.
    await holder.turn()
    room = holder.room
    if room.stage in {Stage.LOBBY, Stage.STARTING}:
        await _invite_to_table(holder, invitations, InvitationKind.ANY_SEAT)
    elif room.stage is not Stage.OVER:
        for seat in _empty_seats(room):
            await _invite_to_seat(invitations, room_id, seat, [holder.session])
    if _may_be_watched(room):
        await _invite_to_table(holder, invitations, InvitationKind.WATCH)


async def _invite_to_table(
    holder: SeatHolder, invitations: Invitations, place: InvitationKind
) -> None:
    room_id, is_to_watch = holder.room.room_id, place is InvitationKind.WATCH
    code = await invitations.make(InvitationTarget(room_id, place))
    holder.session.send(messages.InvitationMade(room_id, -1, is_to_watch, code))


async def _invite_to_seat(
    invitations: Invitations, room_id: str, seat: int, sessions: Iterable[Session]
) -> None:
    """
    Revoke all invitations to an empty seat, make a new one, and send its code to these sessions.

    The earlier invitations were meant for other people.
    """
    await invitations.revoke_all(room_id, seat)
    code = await invitations.make(InvitationTarget(room_id, InvitationKind.SEAT, seat))
    made = messages.InvitationMade(room_id, seat, is_to_watch=False, code=code)
    for session in sessions:
        session.send(made)


def _may_be_watched(room: RoomTable) -> bool:
    return bool(room.settings.spectators or room.settings.observers)


def _empty_seats(room: RoomTable) -> list[int]:
    return [seat.seat for seat in room.seats.values() if not seat.key]


# Seats


@handles(messages.AddBot, needs=Needs.SEAT, cost=Cost.STORED)
async def add_bot(
    holder: SeatHolder, message: messages.AddBot, services: LobbyServices, bots: Bots
) -> None:
    # The host's seat is the origin; the bot has none before this.
    await seat_bot(holder.host, holder.submit_as_host, services, bots, message.role)


@handles(messages.LeaveSeat, needs=Needs.SEAT, cost=Cost.STORED)
async def leave_seat(holder: SeatHolder, _: messages.LeaveSeat) -> None:
    await holder.submit(events.SeatLeft(holder.seat))


@handles(messages.VoteHost, needs=Needs.SEAT, cost=Cost.STORED)
async def vote_host(holder: SeatHolder, _: messages.VoteHost) -> None:
    """Vote to replace an absent host; the vote that completes a majority replaces the host."""

    def decide(room: RoomTable) -> Event:
        # Else a player could take over while the host only changes the network.
        has_just_left = holder.host.clock.seconds_without_host() < HOST_GRACE_SECONDS
        if is_host_away(room) and has_just_left:
            raise Refused("host/just_left")
        if wins_vote(room, holder.seat):
            return host_passed(room)
        return events.HostVoted(holder.seat)

    await holder.submit(decide)


@handles(messages.EmptySeat, needs=Needs.SEAT, cost=Cost.STORED)
async def empty_seat(holder: SeatHolder, message: messages.EmptySeat, lost: LostSeats) -> None:
    deciding = _Deciding(holder.host.followers, lambda _: events.SeatEmptied(message.seat))
    await holder.submit_as_host(deciding)
    room, seen_by = deciding.before, deciding.seen_by
    await lost.note(room, room.seats[message.seat], seen_by, messages.LossCause.EMPTIED)


@handles(messages.ProposeGiveSeat, needs=Needs.SEAT, cost=Cost.STORED)
async def propose_give_seat(
    holder: SeatHolder,
    message: messages.ProposeGiveSeat,
    services: LobbyServices,
    bots: Bots,
    invitations: Invitations,
    lost: LostSeats,
) -> None:

    def decide(room: RoomTable) -> events.Proposed:
        if room.source is not None:
            raise Refused("proposal/in_practice")
        if not acts_as_host(room, holder.seat):
            raise Refused("table/host_only")
        if message.to_bot and services.make_bot is None:
            raise Refused("table/no_bots")
        name, key = bots.new_name(room) if message.to_bot else ("", b"")
        gift = GiveSeat(message.seat, name, key, message.to_bot)
        return events.Proposed(Proposal.of(gift, room.next_proposal_id, holder.seat))

    await _submit_agreement(holder, decide, invitations, lost)


@handles(messages.Consent, needs=Needs.SEAT)
async def consent(
    holder: SeatHolder, message: messages.Consent, invitations: Invitations, lost: LostSeats
) -> None:
    consented = events.Consented(holder.seat, message.proposal_id, message.is_agreed)
    await _submit_agreement(holder, lambda _: consented, invitations, lost)


@handles(messages.AgreeForAbsent, needs=Needs.SEAT, cost=Cost.STORED)
async def agree_for_absent(
    holder: SeatHolder,
    message: messages.AgreeForAbsent,
    invitations: Invitations,
    lost: LostSeats,
) -> None:
    def decide(room: RoomTable) -> Event:
        return events.AgreedForAbsent(message.proposal_id, absentees(room))

    await _submit_agreement(holder, decide, invitations, lost)


@attrs.define(eq=False)
class _Deciding:
    """A `Decision` that records the room, the followers and the input it made."""

    followers: Followers
    decide: Decision
    before: RoomTable = attrs.field(init=False)
    event: Event = attrs.field(init=False)
    seen_by: frozenset[bytes] = attrs.field(init=False)
    """Keys of the followers when the input was made; they are shown the resulting records."""
    sessions: list[tuple[int | None, Session]] = attrs.field(init=False)
    """Sessions of these followers, each with its seat before the input, which the input may give
    away."""

    def __call__(self, room: RoomTable) -> Event:
        self.before, self.event = room, self.decide(room)
        self.seen_by = self.followers.keys()
        self.sessions = [(one.seat, one.session) for one in self.followers.by_session.values()]
        return self.event


async def _submit_agreement(
    holder: SeatHolder, decide: Decision, invitations: Invitations, lost: LostSeats
) -> None:
    """
    Submit an input that may complete an agreement to give a seat away.

    If the agreement empties the seat, the proposer gets an invitation to it. If the seat changes
    its owner, its loss is stored for the former owner.
    """
    deciding = _Deciding(holder.host.followers, decide)
    after = await holder.submit(deciding)
    before, event, seen_by = deciding.before, deciding.event, deciding.seen_by
    proposal = event.proposal if isinstance(event, events.Proposed) else before.proposal
    if proposal is None or not isinstance(gift := proposal.aim, GiveSeat):
        return
    told = [session for seat, session in deciding.sessions if seat == proposal.by]
    was, now = before.seats[gift.seat], after.seats[gift.seat]
    if now.key != was.key:
        await lost.note(before, was, seen_by, messages.LossCause.GIVEN, now.name)
    if not now.key:
        await _invite_to_seat(invitations, before.room_id, gift.seat, told)
