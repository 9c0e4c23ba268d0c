"""
Seats: what somebody with a seat can ask of their room.

Most messages become an input of the room unchanged. Those that need more than the room
(invitations, bots, the server's scenarios) have a method.
"""

from collections.abc import Callable
from typing import Any

import attrs

from protocol import messages
from protocol.common import events
from protocol.common.absence import absentees
from protocol.common.lots import is_enough_for_lot
from protocol.common.proposals import Correct, GiveSeat, GiveUp, TakeBack
from protocol.common.table import Proposal, RoomTable, Stage
from protocol.event import Event, hidden
from server.identity.invitations import InvitationKind, Invitations, InvitationTarget
from server.kernel.admission.by_table import answer_of
from server.kernel.errors import Refused
from server.lobby.rooms.host import RoomHost
from server.lobby.rooms.registry import Registry
from server.lobby.rooms.removal import invitations_by_room
from server.lobby.services.seams import Surroundings
from server.lobby.tables.bots import Bots
from server.lobby.tables.campaigns import bring_along, continuation
from server.lobby.tables.lost_seats import LostSeats
from server.lobby.tables.scenarios import card_of, digest_of, must_be_on
from server.lobby.tables.setups import Setups
from server.net.handler import Session


@attrs.frozen
class Sitter:
    """Somebody who asks: their seat in a room that is loaded, and the session they speak by."""

    host: RoomHost
    seat: int
    session: Session

    @property
    def room(self) -> RoomTable:
        """The room as it is now."""
        return self.host.room.table.room

    @property
    def key(self) -> bytes:
        """By what they are known."""
        return self.session.account.key

    def must_be_host(self) -> None:
        """Refuse what only the host of the table may ask."""
        if self.seat != self.room.host:
            raise Refused("table/host_only")


@attrs.frozen
class Seats:
    """Deals with what is asked by whoever has a seat."""

    around: Surroundings
    registry: Registry
    invitations: Invitations
    bots: Bots
    setups: Setups
    lost: LostSeats

    async def deal(self, sitter: Sitter, message: messages.RoomMessage) -> None:
        """Do what somebody asks of their room. Refused: it cannot be done now."""
        match message:
            case messages.Invite() | messages.RenewInvitations():
                await self._invite(sitter, message)
            case messages.Consent():
                consent = events.Consented(sitter.seat, message.proposal_id, message.is_agreed)
                await self._submit_agreement(sitter, consent)
            case messages.ProposeGiveSeat():
                await self._propose_give_seat(sitter, message)
            case messages.AddBot():
                await self._add_bot(sitter)
            case messages.SwitchProducts():
                await self._switch_products(sitter, message)
            case messages.ContinueCampaign():
                await self._continue_campaign(sitter)
            case messages.ChooseScenario():
                await self._choose_scenario(sitter, message)
            case messages.AcceptSetup() | messages.FixSetup():
                await self._choose_setup(sitter, message)
            case messages.AnswerInWindow() | messages.SetStops():
                self._keep_off_the_log(sitter, message)
            case _:
                await self._submit_as_it_is(sitter, message)

    async def _submit_as_it_is(self, sitter: Sitter, message: messages.RoomMessage) -> None:
        make_input = _INPUTS.get(type(message))
        if make_input is None:
            raise Refused("table/unknown_input")
        if isinstance(message, messages.EmptySeat):
            sitter.must_be_host()
        if isinstance(message, messages.SetReady) and message.is_ready:
            self.setups.known.refuse_known(sitter.room, sitter.seat)
        if isinstance(message, messages.StartGame):
            self.setups.refuse_closed(sitter.room.fixed_setup)
            await self._unready_who_know(sitter)
        happened = make_input(sitter.room, sitter.seat, message)
        room, seen_by = sitter.room, sitter.host.followers.keys()
        await sitter.host.submit(happened, sitter.seat, key=sitter.key)
        if isinstance(message, messages.EmptySeat):
            left = room.seats[message.seat]
            await self.lost.note(room, left, seen_by, messages.LossCause.EMPTIED)

    def _keep_off_the_log(
        self, sitter: Sitter, message: messages.AnswerInWindow | messages.SetStops
    ) -> None:
        if isinstance(message, messages.AnswerInWindow):
            self._hold(sitter, message)
            return
        kinds = frozenset(message.kinds)
        sitter.host.room.stop_at(sitter.seat, kinds, is_everywhere=message.is_everywhere)

    def _hold(self, sitter: Sitter, message: messages.AnswerInWindow) -> None:
        if sitter.host.stopped:
            raise Refused("table/stopped")
        sitter.host.room.hold(message.ask_id, sitter.seat, message.choice_id)

    # Who sits here

    async def _invite(
        self, sitter: Sitter, message: messages.Invite | messages.RenewInvitations
    ) -> None:
        room = sitter.room
        if isinstance(message, messages.RenewInvitations):
            await self._renew_invitations(sitter)
            return
        if message.is_to_watch and not _may_be_watched(room):
            raise Refused("table/no_spectators")
        if not message.is_to_watch and room.stage is not Stage.LOBBY:
            empty = [seat.seat for seat in room.seats.values() if not seat.key]
            if not empty or room.stage is Stage.OVER:
                raise Refused("table/already_started")
            for seat in empty:
                await self._invite_to_seat(room.room_id, seat, [sitter.session])
            return
        await self._invite_to_table(sitter, is_to_watch=message.is_to_watch)

    async def _invite_to_table(self, sitter: Sitter, *, is_to_watch: bool) -> None:
        """Invite to any free seat, or to spectate."""
        room_id = sitter.room.room_id
        place = InvitationKind.WATCH if is_to_watch else InvitationKind.ANY_SEAT
        code = await self.invitations.make(InvitationTarget(room_id, place))
        sitter.session.send(messages.InvitationMade(room_id, -1, is_to_watch, code))

    async def _renew_invitations(self, sitter: Sitter) -> None:
        """Make what was given out worthless, as where an invitation came into wrong hands."""
        sitter.must_be_host()
        room_id, followers = sitter.room.room_id, sitter.host.followers
        codes = await invitations_by_room(self.around.store, self.around.scheduler)
        await self.invitations.revoke_by_keys(codes.get(room_id, ()))
        for follower in tuple(followers.by_session.values()):
            if follower.seat is not None:
                # They may have some, which their clients still show.
                followers.tell(follower, "table/invitations_renewed")
        room = sitter.room
        if room.stage in {Stage.LOBBY, Stage.STARTING}:
            await self._invite_to_table(sitter, is_to_watch=False)
        elif room.stage is not Stage.OVER:
            for seat in [seat.seat for seat in room.seats.values() if not seat.key]:
                await self._invite_to_seat(room.room_id, seat, [sitter.session])
        if _may_be_watched(room):
            await self._invite_to_table(sitter, is_to_watch=True)

    async def _invite_to_seat(self, room_id: str, seat: int, told: list[Session]) -> None:
        """Invite somebody to a seat that was vacated just now; older invitations to it end."""
        await self.invitations.revoke_all(room_id, seat)
        code = await self.invitations.make(InvitationTarget(room_id, InvitationKind.SEAT, seat))
        made = messages.InvitationMade(room_id, seat, is_to_watch=False, code=code)
        for session in told:
            session.send(made)

    async def _propose_give_seat(self, sitter: Sitter, message: messages.ProposeGiveSeat) -> None:
        room = sitter.room
        if room.source is not None:
            raise Refused("proposal/in_practice")
        if sitter.seat not in {room.host, room.steward}:
            raise Refused("table/host_only")
        if message.to_bot and self.around.make_bot is None:
            raise Refused("table/no_bots")
        name, key = self.bots.new_name(room) if message.to_bot else ("", b"")
        gift = GiveSeat(message.seat, name, key, message.to_bot)
        proposal = Proposal.of(gift, room.next_proposal_id, sitter.seat)
        await self._submit_agreement(sitter, events.Proposed(proposal))

    async def _submit_agreement(
        self, sitter: Sitter, happened: events.Proposed | events.Consented
    ) -> None:
        """Submit what may complete an agreement, and invite somebody to a seat it vacates."""
        host, room = sitter.host, sitter.room
        proposal = happened.proposal if isinstance(happened, events.Proposed) else room.proposal
        gift = None if proposal is None else proposal.aim
        if proposal is None or not isinstance(gift, GiveSeat):
            await host.submit(happened, sitter.seat, key=sitter.key)
            return
        # Asked for before: one may give away the very seat that one has.
        told = [f.session for f in host.followers.by_session.values() if f.seat == proposal.by]
        seen_by = host.followers.keys()
        table = await host.submit(happened, sitter.seat, key=sitter.key)
        before, now = room.seats[gift.seat], table.room.seats[gift.seat]
        if now.key != before.key:
            await self.lost.note(room, before, seen_by, messages.LossCause.GIVEN, now.name)
        if not now.key:
            await self._invite_to_seat(room.room_id, gift.seat, told)

    async def _add_bot(self, sitter: Sitter) -> None:
        sitter.must_be_host()
        if self.around.make_bot is None:
            raise Refused("table/no_bots")
        room = sitter.room
        name, key = self.bots.new_name(room)
        taken = events.SeatTaken(free_seat(room), name, key, is_bot=True)
        await sitter.host.submit(taken, sitter.seat)

    # What is played here

    async def _choose_scenario(self, sitter: Sitter, message: messages.ChooseScenario) -> None:
        sitter.must_be_host()
        digest = digest_of(self.around.shelf, message.scenario)
        must_be_on(self.around.shelf, sitter.room, message.scenario)
        await sitter.host.submit(events.ScenarioChosen(message.scenario, digest), sitter.seat)

    async def _choose_setup(
        self, sitter: Sitter, message: messages.AcceptSetup | messages.FixSetup
    ) -> None:
        if isinstance(message, messages.AcceptSetup):
            await self._accept_setup(sitter)
            return
        sitter.must_be_host()
        fixed = self.setups.find(message.code) if message.code else None
        await sitter.host.submit(events.SetupFixed(fixed), sitter.seat, key=sitter.key)

    async def _accept_setup(self, sitter: Sitter) -> None:
        """Have the table read that somebody knows its setup and wants it, if they do know it."""
        room = sitter.room
        if room.fixed_setup is None:
            raise Refused("setup/none")
        if sitter.seat in self.setups.known.unwilling(room):
            await sitter.host.submit(events.SetupAccepted(sitter.seat), sitter.seat, key=sitter.key)

    async def _unready_who_know(self, sitter: Sitter) -> None:
        """Have nobody begin who saw the setup since they were ready; they alone are told why."""
        for seat in self.setups.known.unwilling(sitter.room):
            if not sitter.room.seats[seat].is_ready:
                continue
            await sitter.host.submit(events.ReadySet(seat, is_ready=False), seat)
            for follower in tuple(sitter.host.followers.by_session.values()):
                if follower.seat == seat:
                    sitter.host.followers.tell(follower, "setup/known")

    async def _continue_campaign(self, sitter: Sitter) -> None:
        sitter.must_be_host()
        # Before the log of another room is read for it.
        if sitter.room.stage is not Stage.LOBBY:
            raise Refused("table/already_started")
        found = await continuation(self.registry, self.around.shelf, sitter.key, sitter.room)
        must_be_on(self.around.shelf, sitter.room, found.scenario)
        table = await sitter.host.submit(found, sitter.seat)
        await bring_along(self.registry, sitter.host, table.room.seats)

    async def _switch_products(self, sitter: Sitter, message: messages.SwitchProducts) -> None:
        sitter.must_be_host()
        card = card_of(self.around.shelf, sitter.room.scenario)
        if any(product not in card.products for product in message.off):
            raise Refused("table/no_such_product")
        if card.product in message.off:
            raise Refused("table/product_needed")
        off = tuple(product for product in card.products if product in message.off)
        await sitter.host.submit(events.ProductsSwitched(off), sitter.seat)


def _lot(room: RoomTable, seat: int, ask_id: int) -> Event:
    """Return what it means that a seat wants a lot: that it is drawn, once enough do."""
    ask = room.ask
    if ask is not None and ask.ask_id == ask_id and not is_enough_for_lot(room, ask, seat):
        return events.LotWanted(seat, ask_id)
    return events.TiebreakCalled(seat, ask_id)


_INPUTS: dict[type[messages.RoomMessage], Callable[[RoomTable, int, Any], Event]] = {
    messages.LeaveSeat: lambda _, seat, __: events.SeatLeft(seat),
    messages.ClaimRole: lambda _, seat, said: events.RoleClaimed(seat, said.role),
    messages.ClaimCharacters: lambda _, seat, said: events.CharactersClaimed(seat, said.characters),
    messages.EmptySeat: lambda _, __, said: events.SeatEmptied(said.seat),
    messages.Prepare: lambda _, seat, said: events.Prepared(seat, hidden(said.prepared)),
    messages.SetReady: lambda _, seat, said: events.ReadySet(seat, said.is_ready),
    messages.StartGame: lambda _, seat, __: events.StartRequested(seat),
    messages.CommitShare: lambda _, seat, said: events.ShareCommitted(seat, said.commitment),
    messages.OpenShare: lambda _, seat, said: events.ShareOpened(seat, said.share),
    messages.Answer: lambda room, seat, said: answer_of(room, seat, said.ask_id, said.picks),
    messages.SetStanding: lambda _, seat, said: events.StandingSet(seat, hidden(said.kinds)),
    messages.Vote: lambda _, seat, said: events.Voted(seat, said.ask_id, said.picks),
    messages.CallTiebreak: lambda room, seat, said: _lot(room, seat, said.ask_id),
    messages.Chat: lambda _, seat, said: events.Chatted(seat, hidden(said.words.encode())),
    messages.ProposeTakeBack: lambda room, seat, said: events.Proposed(
        Proposal.of(TakeBack(said.checkpoint), room.next_proposal_id, seat)
    ),
    messages.ProposeGiveUp: lambda room, seat, _: events.Proposed(
        Proposal.of(GiveUp(), room.next_proposal_id, seat)
    ),
    messages.ProposeCorrection: lambda room, seat, said: events.Proposed(
        Proposal.of(Correct(said.piece, said.amount), room.next_proposal_id, seat)
    ),
    messages.AgreeForAbsent: lambda room, _, said: events.AgreedForAbsent(
        said.proposal_id, absentees(room)
    ),
    messages.Resume: lambda _, __, ___: events.PausedSet(is_paused=False),
}
"""What a message means to the room, as an input of a seat."""


def free_seat(room: RoomTable) -> int:
    """Return the lowest seat that nobody has."""
    return next(seat for seat in range(len(room.seats) + 1) if seat not in room.seats)


def _may_be_watched(room: RoomTable) -> bool:
    return bool(room.settings.spectators or room.settings.observers)
