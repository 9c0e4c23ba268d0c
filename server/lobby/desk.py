"""
The desk: everything that a logged-in client can ask of the server.

One method for each message. A method does what was asked, raises `Refused`, or returns the reply;
where it returns nothing, the reply is `Done`. Whoever speaks for a seat is known by their key
alone, so nothing that a client says can speak for another.
"""

from collections.abc import Callable
from typing import Any

import attrs
from twisted.logger import Logger

from protocol import messages as say
from protocol.bounds import MAX_LINES
from protocol.common import events as on
from protocol.common.table import Proposal, RoomTable, Settings, Stage
from protocol.common.text import Text
from protocol.event import Event, hidden
from server.identity.invitations import Invitations, Place, Target
from server.kernel.errors import Refused, RuleFailed
from server.lobby.bots import Bots
from server.lobby.export import export_parts
from server.lobby.host import RoomHost
from server.lobby.registry import Registry
from server.lobby.seams import Surroundings
from server.lobby.spawn import spawn
from server.lobby.words import Wordsmith
from server.net.desk import Session
from server.storage import StorageError

RULESET = "second_edition"
"""What a new table plays."""

TABLES_PER_KEY = 200
"""How many tables one key may have that are not over."""


class _Said:
    """Stands for a reply that was sent already."""


_SAID = _Said()
_Reply = say.ServerMessage | _Said | None


@attrs.define(eq=False)
class _Visitor:
    """What the desk knows of one session."""

    session: Session
    words: Wordsmith
    following: dict[str, RoomHost] = attrs.field(factory=dict)
    watching: set[str] = attrs.field(factory=set)
    """Rooms that this session was invited to look on."""


class LobbyDesk:
    """Implements `server.net.desk.Desk`."""

    _log = Logger()

    def __init__(
        self, around: Surroundings, *, sign: Callable[[bytes], bytes], public: bytes
    ) -> None:
        """
        Open the desk.

        Args:
            around: store, content, clock and entropy.
            sign: signs exports with the server's identity.
            public: the public half of that identity.
        """
        self._around = around
        self._sign, self._public = sign, public
        self.registry = Registry(around)
        self.invitations = Invitations(around.store, around.entropy.draw)
        self.bots = Bots(self, around)
        self._visitors: dict[Session, _Visitor] = {}

    async def load(self) -> None:
        """Read what the store holds; once, before anybody connects."""
        await self.registry.load()
        for host in list(self.registry.hosts.values()):
            self.bots.seat_all(host)

    def close(self) -> None:
        """Stop all alarms and bots; for the end of the server."""
        self.bots.close()
        self.registry.sleep()

    # From the network

    def connected(self, session: Session) -> None:
        """See `Desk.connected`."""
        self._visitors[session] = _Visitor(session, Wordsmith(session.account.language))

    def received(self, session: Session, message: say.ClientMessage) -> None:
        """See `Desk.received`."""
        visitor = self._visitors.get(session)
        if visitor is not None:
            spawn(self._reply(visitor, message))

    def disconnected(self, session: Session) -> None:
        """See `Desk.disconnected`."""
        visitor = self._visitors.pop(session, None)
        if visitor is not None:
            for host in visitor.following.values():
                host.unfollow(session)
                spawn(self._note_presence(host))

    async def _reply(self, visitor: _Visitor, message: say.ClientMessage) -> None:
        try:
            reply = await self._deal(visitor, message)
        except Refused as refused:
            self._refuse(visitor, message.serial, refused.code)
        except RuleFailed as failed:
            self._refuse(visitor, message.serial, "rule/failed")
            self._notice(visitor, message, "rule/failed", failed.report)
        except StorageError as error:
            self._log.error("the store refused: {why}", why=str(error))
            self._refuse(visitor, message.serial, "table/stopped")
        else:
            if not isinstance(reply, _Said):
                visitor.session.send(reply or say.Done(message.serial))

    def _refuse(self, visitor: _Visitor, serial: int, code: str) -> None:
        self._tell_words(visitor, [f"refusal/{code}"])
        visitor.session.send(say.Refused(serial, code, Text(f"refusal/{code}")))

    def _notice(
        self, visitor: _Visitor, message: say.ClientMessage, code: str, report: str
    ) -> None:
        room_id = message.room_id if isinstance(message, say.RoomMessage) else ""
        notice = say.Notice(room_id, code, Text(f"refusal/{code}"), report)
        host = self.registry.hosts.get(room_id)
        for session in [*host.followers] if host is not None else [visitor.session]:
            session.send(notice)

    def _tell_words(self, visitor: _Visitor, subjects: list[str]) -> None:
        scenarios = self._around.shelf.scenarios()
        current = self._around.shelf.current(scenarios[0].scenario) if scenarios else None
        if current is not None:
            catalogs = self._around.shelf.catalogs(current)
            for words in visitor.words.for_subjects(catalogs, subjects):
                visitor.session.send(words)

    async def _deal(self, visitor: _Visitor, message: say.ClientMessage) -> _Reply:
        if not isinstance(message, say.RoomMessage):
            return await self._deal_with_the_house(visitor, message)
        host = await self.registry.wake(message.room_id)
        if isinstance(message, say.EnterTable):
            return await self._enter(visitor, host, message)
        if isinstance(message, say.LeaveTable):
            await self._leave(visitor, host)
            return None
        seat = host.room.table.room.seat_of(visitor.session.account.key)
        if isinstance(message, say.ExportTable):
            return self._export(visitor, host, message, seat)
        if seat is None:
            raise Refused("table/no_seat")
        await self._deal_with_a_seat(visitor, host, seat, message)
        await self.registry.summarise(host)
        return None

    async def _deal_with_the_house(
        self, visitor: _Visitor, message: say.ClientMessage
    ) -> say.ServerMessage:
        match message:
            case say.ListTables():
                return await self._list_tables(visitor, message)
            case say.ListScenarios():
                return await self._list_scenarios(visitor, message)
            case say.OpenTable():
                return await self._open_table(visitor, message)
            case say.JoinTable():
                return await self._join_table(visitor, message)
            case say.WatchTable():
                return await self._watch_table(visitor, message)
            case _:
                raise Refused("table/unknown_input")

    async def _deal_with_a_seat(
        self, visitor: _Visitor, host: RoomHost, seat: int, message: say.RoomMessage
    ) -> None:
        match message:
            case say.Invite():
                await self._invite(host, visitor, message)
            case say.Consent():
                await self._consented(host, seat, message)
            case say.ProposeGiveSeat():
                await self._propose_give_seat(host, seat, message)
            case say.AddBot():
                await self._add_bot(host, seat)
            case say.ChooseScenario():
                await self._choose_scenario(host, seat, message)
            case _:
                make_input = _INPUTS.get(type(message))
                if make_input is None:
                    raise Refused("table/unknown_input")
                await host.submit(make_input(host.room.table.room, seat, message), seat)

    # Tables

    async def _list_tables(self, visitor: _Visitor, message: say.ListTables) -> say.Tables:
        key = visitor.session.account.key
        found = list(self.registry.of_key(key))[:MAX_LINES]
        self._tell_words(visitor, [summary.scenario for summary in found])
        lines = tuple(
            say.TableLine(
                summary.room_id,
                summary.scenario,
                summary.stage,
                summary.names,
                summary.keys.index(key) in summary.waiting_for,
                summary.when,
            )
            for summary in found
        )
        return say.Tables(message.serial, lines)

    async def _list_scenarios(self, visitor: _Visitor, message: say.ListScenarios) -> say.Scenarios:
        cards = self._around.shelf.scenarios()[:MAX_LINES]
        self._tell_words(visitor, [s for card in cards for s in (card.scenario, *card.pieces)])
        lines = tuple(
            say.ScenarioLine(
                card.scenario,
                Text(card.scenario, (), "name"),
                Text(card.scenario),
                card.minutes,
                card.difficulty,
                card.fewest,
                card.most,
                card.pieces,
            )
            for card in cards
        )
        return say.Scenarios(message.serial, lines)

    async def _open_table(self, visitor: _Visitor, message: say.OpenTable) -> say.TableOpened:
        account = visitor.session.account
        unfinished = [s for s in self.registry.of_key(account.key) if s.stage is not Stage.OVER]
        if len(unfinished) >= TABLES_PER_KEY:
            raise Refused("table/too_many")
        digest = self._digest(message.scenario)
        room_id = self.registry.new_room_id()
        host = self.registry.add(room_id)
        opened = on.RoomOpened(room_id, RULESET, message.scenario, digest, message.settings)
        await host.submit(opened, 0)
        await host.submit(on.SeatTaken(0, account.name, account.key, is_bot=False), 0)
        await self.registry.summarise(host)
        code = await self.invitations.make(Target(room_id, Place.ANY_SEAT))
        watch = await self._watch_code(room_id, message.settings)
        return say.TableOpened(message.serial, room_id, code, watch)

    async def _watch_code(self, room_id: str, settings: Settings) -> str:
        if not settings.spectators:
            return ""
        return await self.invitations.make(Target(room_id, Place.WATCH))

    def _digest(self, scenario: str) -> bytes:
        digest = self._around.shelf.current(scenario)
        if digest is None:
            raise Refused("table/no_such_scenario")
        return digest

    async def _join_table(self, visitor: _Visitor, message: say.JoinTable) -> say.Joined:
        target = await self.invitations.find(message.code)
        if target is None or target.place is Place.WATCH:
            raise Refused("invitation/unknown")
        host = await self.registry.wake(target.room_id)
        account = visitor.session.account
        seat = host.room.table.room.seat_of(account.key)
        if seat is None:
            seat = await self._sit_down(host, target, account.name, account.key)
            await self.registry.summarise(host)
        return say.Joined(message.serial, target.room_id, seat)

    async def _sit_down(self, host: RoomHost, target: Target, name: str, key: bytes) -> int:
        if target.place is Place.SEAT:
            await host.submit(on.SeatFilled(target.seat, name, key), target.seat)
            return target.seat
        seat = free_seat(host.room.table.room)
        await host.submit(on.SeatTaken(seat, name, key, is_bot=False), seat)
        return seat

    async def _watch_table(self, visitor: _Visitor, message: say.WatchTable) -> say.Joined:
        target = await self.invitations.find(message.code)
        if target is None or target.place is not Place.WATCH:
            raise Refused("invitation/unknown")
        visitor.watching.add(target.room_id)
        return say.Joined(message.serial, target.room_id, -1)

    async def _enter(self, visitor: _Visitor, host: RoomHost, message: say.EnterTable) -> _Reply:
        room_id = host.room.room_id
        seat = host.room.table.room.seat_of(visitor.session.account.key)
        if seat is None and room_id not in visitor.watching:
            raise Refused("table/no_seat")
        if message.after >= len(host.room.log):
            raise Refused("table/no_such_record")
        visitor.following[room_id] = host
        shown = -1 if seat is None else seat
        # The reply comes first, so that the client knows what the records belong to.
        entered = say.Entered(message.serial, room_id, shown, len(host.room.log))
        visitor.session.send(entered)
        host.follow(visitor.session, seat, message.after)
        await self._note_presence(host)
        return _SAID

    async def _leave(self, visitor: _Visitor, host: RoomHost) -> None:
        visitor.following.pop(host.room.room_id, None)
        host.unfollow(visitor.session)
        await self._note_presence(host)

    async def _note_presence(self, host: RoomHost) -> None:
        """Bring what the log says about who is here up to date."""
        present = host.seats_present()
        for seat in host.room.table.room.seats.values():
            if seat.is_present != (seat.seat in present):
                change = on.PresenceChanged(seat.seat, is_present=seat.seat in present)
                try:
                    await host.submit(change, seat.seat)
                except (Refused, StorageError) as error:
                    self._log.debug("presence: {why}", why=str(error))
                    return

    def _export(
        self, visitor: _Visitor, host: RoomHost, message: say.ExportTable, seat: int | None
    ) -> _Reply:
        if seat is None and host.room.room_id not in visitor.watching:
            raise Refused("table/no_seat")
        parts = export_parts(
            host.room,
            self._around.shelf.catalogs(host.room.table.room.content_hash),
            seat,
            now=self._around.now(),
            sign=self._sign,
            public=self._public,
        )
        room_id, serial = host.room.room_id, message.serial
        visitor.session.stream(
            say.ExportPart(serial, room_id, index, is_last, data)
            for index, (is_last, data) in enumerate(parts)
        )
        return _SAID

    # Seats

    async def _invite(self, host: RoomHost, visitor: _Visitor, message: say.Invite) -> None:
        room = host.room.table.room
        if message.is_to_watch and not room.settings.spectators:
            raise Refused("table/no_spectators")
        if not message.is_to_watch and room.stage is not Stage.LOBBY:
            if not any(not seat.key for seat in room.seats.values()):
                raise Refused("table/already_started")
            await self._invite_to_empty_seats(host, visitor.session)
            return
        place = Place.WATCH if message.is_to_watch else Place.ANY_SEAT
        code = await self.invitations.make(Target(room.room_id, place))
        visitor.session.send(say.InvitationMade(room.room_id, -1, message.is_to_watch, code))

    async def _consented(self, host: RoomHost, seat: int, message: say.Consent) -> None:
        proposal = host.room.table.room.proposal
        consent = on.Consented(seat, message.proposal_id, message.is_agreed)
        await host.submit(consent, seat)
        if proposal is not None and proposal.kind == "give_seat":
            await self._seat_was_given(host, proposal.by)

    async def _seat_was_given(self, host: RoomHost, by: int) -> None:
        """Seat the bot that was given a seat, or hand its proposer the invitation to it."""
        self.bots.seat_all(host)
        for follower in list(host.followers.values()):
            if follower.seat == by:
                await self._invite_to_empty_seats(host, follower.session)

    async def _invite_to_empty_seats(self, host: RoomHost, session: Session) -> None:
        room = host.room.table.room
        for seat in room.seats.values():
            if not seat.key and room.stage is not Stage.OVER:
                code = await self.invitations.make(Target(room.room_id, Place.SEAT, seat.seat))
                made = say.InvitationMade(room.room_id, seat.seat, is_to_watch=False, code=code)
                session.send(made)

    async def _propose_give_seat(
        self, host: RoomHost, seat: int, message: say.ProposeGiveSeat
    ) -> None:
        room = host.room.table.room
        if seat not in {room.host, room.steward}:
            raise Refused("table/host_only")
        if message.to_bot and self._around.make_bot is None:
            raise Refused("table/no_bots")
        name, key = self.bots.new_name(room) if message.to_bot else ("", b"")
        proposal = Proposal(
            room.next_proposal_id,
            "give_seat",
            seat,
            seat=message.seat,
            name=name,
            key=key,
            is_bot=message.to_bot,
        )
        await host.submit(on.Proposed(proposal), seat)
        await self._seat_was_given(host, seat)

    async def _add_bot(self, host: RoomHost, seat: int) -> None:
        room = host.room.table.room
        if seat != room.host:
            raise Refused("table/host_only")
        if self._around.make_bot is None:
            raise Refused("table/no_bots")
        name, key = self.bots.new_name(room)
        taken = on.SeatTaken(free_seat(room), name, key, is_bot=True)
        await host.submit(taken, seat)
        self.bots.seat_all(host)

    async def _choose_scenario(
        self, host: RoomHost, seat: int, message: say.ChooseScenario
    ) -> None:
        if seat != host.room.table.room.host:
            raise Refused("table/host_only")
        digest = self._digest(message.scenario)
        await host.submit(on.ScenarioChosen(message.scenario, digest), seat)


_INPUTS: dict[type[say.RoomMessage], Callable[[RoomTable, int, Any], Event]] = {
    say.LeaveSeat: lambda _, seat, __: on.SeatLeft(seat),
    say.ClaimPieces: lambda _, seat, said: on.PiecesClaimed(seat, said.pieces),
    say.SetReady: lambda _, seat, said: on.ReadySet(seat, said.is_ready),
    say.StartGame: lambda _, seat, __: on.StartRequested(seat),
    say.CommitShare: lambda _, seat, said: on.ShareCommitted(seat, said.commitment),
    say.OpenShare: lambda _, seat, said: on.ShareOpened(seat, said.share),
    say.Answer: lambda _, seat, said: on.Answered(seat, said.ask_id, hidden(said.picks)),
    say.Vote: lambda _, seat, said: on.Voted(seat, said.ask_id, said.choice_id),
    say.CallLot: lambda _, seat, said: on.LotCalled(seat, said.ask_id),
    say.Chat: lambda _, seat, said: on.Chatted(seat, hidden(said.words.encode())),
    say.ProposeTakeBack: lambda room, seat, said: on.Proposed(
        Proposal(room.next_proposal_id, "take_back", seat, said.rest)
    ),
    say.Resume: lambda _, __, ___: on.PausedSet(is_paused=False),
}
"""What a message means to the room, as an input of a seat."""


def free_seat(room: RoomTable) -> int:
    """Return the lowest seat that nobody has."""
    return next(seat for seat in range(len(room.seats) + 1) if seat not in room.seats)
