"""
The lobby's messages: everything that a logged-in client can ask of the server.

One method for each message; what somebody with a seat asks of their room stands in
`server.lobby.tables.seats`. A method does what was asked, raises `Refused`, or returns the reply;
where it returns nothing, the reply is `Done`. Whoever speaks for a seat is known by their key
alone, so nothing that a client says can speak for another.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import chain

from twisted.logger import Logger

from protocol import messages
from protocol.common import events
from protocol.common.observers import observer_of
from protocol.common.table import LOG_VERSION, RoomTable, Settings, Stage
from protocol.common.text import Catalog, Text, strings_of, subjects_in
from server.identity.invitations import InvitationKind, Invitations, InvitationTarget
from server.kernel.errors import Refused, RuleFailed
from server.lobby.finished.export import Asked
from server.lobby.finished.exporting import Exports
from server.lobby.finished.practising import Practising
from server.lobby.finished.reviewing import Reviewing
from server.lobby.finished.sharing import SharedGames
from server.lobby.listing import Lists
from server.lobby.requests.pace import Pace
from server.lobby.requests.visitor import MAX_INBOX, Visitor
from server.lobby.rooms.host import RoomHost
from server.lobby.rooms.registry import Registry
from server.lobby.rooms.removal import invitations_by_room
from server.lobby.services.counts import Counts, NoCounts
from server.lobby.services.mailing import Mailing, deal_with_mail
from server.lobby.services.run_detached import run_detached
from server.lobby.services.seams import Surroundings
from server.lobby.tables.again import PlayingAgain
from server.lobby.tables.bots import Bots
from server.lobby.tables.joining import Joining
from server.lobby.tables.lost_seats import LostSeats
from server.lobby.tables.opening import Openers
from server.lobby.tables.scenarios import card_of, digest_of
from server.lobby.tables.seats import Seats, Sitter
from server.lobby.tables.setups import Setups
from server.lobby.views.followers import catalogs_of
from server.lobby.views.held_logs import HeldLogs
from server.lobby.views.viewer import Viewer, viewer_of
from server.lobby.views.words import Wordsmith
from server.net.handler import Account, Session
from server.storage import StorageError

QUIET_SECONDS = 1.0
"""After so long without a message nobody is expected to wait for an answer."""


class _Said:
    """Stands for a reply that was sent already."""


_SAID = _Said()
_Reply = messages.ServerMessage | _Said | None


class LobbyDesk:
    """Implements `server.net.handler.SessionHandler`."""

    _log = Logger()

    def __init__(
        self, around: Surroundings, *, sign: Callable[[bytes], bytes], public: bytes
    ) -> None:
        """
        Prepare to answer messages; `load` reads what the store keeps.

        Args:
            around: store, content, clock and entropy.
            sign: signs exports with the server's identity.
            public: the public half of that identity.
        """
        self.around = around
        self.registry = Registry(around, self._seat_bots, self._went_on_alone)
        self.invitations = Invitations(around.store, around.entropy.draw)
        self.bots = Bots(self, around)
        self.registry.when_unloaded = self.bots.leave
        seconds = around.clock.seconds
        self.openers = Openers(around.store, self.registry, around.entropy, seconds, around.aside)
        self.setups = Setups(around, self.registry)
        self.lost = LostSeats(around.store, around.now)
        self.shared = SharedGames(around.store, self.registry)
        self.reviewing = Reviewing(self)
        self.practising = Practising(self)
        self._seats = Seats(
            around, self.registry, self.invitations, self.bots, self.setups, self.lost
        )
        self._joining = Joining(self.registry, self.invitations, self.setups.known)
        self._again = PlayingAgain(
            *(around.store, self.registry, self.bots, around.shelf),
            *(self._open_table, self._joining.sit_down),
        )
        self._lists = Lists(self)
        self._exports = Exports(around, sign, public, self._refuse)
        self._held_logs = HeldLogs(around.store)
        self._visitors: dict[Session, Visitor] = {}
        self._heard_at = -QUIET_SECONDS
        self.pace = Pace()
        self.counts: Counts = NoCounts()
        self.mail: Mailing | None = None
        """Who writes mails to players who are away; None where nobody does."""

    async def load(self) -> None:
        """Read what the store holds; once, before anybody connects."""
        await self.openers.load()
        await self.setups.load()
        await self.shared.load()
        await self.lost.forget_old(self.around.scheduler)
        await self.registry.start()
        # What the end of the server kept from being opened.
        run_detached(self.setups.open_all_due())

    def close(self) -> None:
        """Stop all alarms and bots; for the end of the server."""
        self.setups.stop()
        self.bots.close()
        self.registry.stop()

    @property
    def is_quiet(self) -> bool:
        """Whether nobody waits for anything, and nobody has asked anything for a moment."""
        silent = self.around.clock.seconds() - self._heard_at
        return silent >= QUIET_SECONDS and self.registry.is_quiet

    def followed_by(self, session: Session) -> frozenset[str]:
        """Return the rooms that a session follows."""
        visitor = self._visitors.get(session)
        return frozenset() if visitor is None else frozenset(visitor.following)

    def shown_to(self, key: bytes) -> frozenset[str]:
        """Return the rooms that clients of this key show."""
        visitors = self._visitors.items()
        shown = (one.following for session, one in visitors if session.account.key == key)
        return frozenset().union(*shown)

    def sessions_of(self, keys: Collection[bytes]) -> Iterator[Session]:
        """Yield the sessions of some keys."""
        return (one for one in self._visitors if one.account.key in keys)

    # From the network

    def connected(self, session: Session) -> None:
        """See `SessionHandler.connected`."""
        self._visitors[session] = Visitor(session, Wordsmith(session.account.language))

    def received(self, session: Session, message: messages.ClientMessage) -> None:
        """See `SessionHandler.received`. What one session says is dealt with in its order."""
        self._heard_at = self.around.clock.seconds()
        visitor = self._visitors.get(session)
        if visitor is None:
            return
        if len(visitor.inbox) >= MAX_INBOX:
            self._refuse(visitor, message, Refused("table/too_busy"))
            return
        visitor.inbox.append(message)
        if not visitor.is_busy:
            run_detached(self._work(visitor))

    async def _work(self, visitor: Visitor) -> None:
        visitor.is_busy = True
        while visitor.inbox:
            message = visitor.inbox.popleft()
            since = self.counts.now()
            await self._reply(visitor, message)
            self.counts.replied(type(message).__name__, since)
            if visitor.inbox:
                # What came while a message waited for the store is no work of one turn.
                await self.around.scheduler.turn_of(visitor.party)
        visitor.is_busy = False

    def disconnected(self, session: Session) -> None:
        """See `SessionHandler.disconnected`."""
        visitor = self._visitors.pop(session, None)
        if visitor is None:
            return
        visitor.is_gone = True
        self.reviewing.reviews.disconnected(session)
        if visitor.following and self.mail is not None:
            self.mail.left(session.account.key)
        for room_id in visitor.following:
            host = self.registry.hosts.get(room_id)
            if host is not None and session in host.followers.by_session:
                host.followers.unfollow(session)
                run_detached(self._note_presence(host))

    async def _note_presence(self, host: RoomHost) -> None:
        host.users += 1
        try:
            await host.presence.note()
        finally:
            self.registry.release(host)

    async def _went_on_alone(self, host: RoomHost) -> None:
        """Look after a room in which something happened that nobody here asked for."""
        host.users += 1
        try:
            await self._look_after(host)
            # The room may have been read again.
            await self.registry.summarise(host)
        finally:
            self.registry.release(host)

    def _seat_bots(self, host: RoomHost) -> None:
        self.bots.tend(host)

    async def _look_after(self, host: RoomHost) -> None:
        self.bots.tend(host)
        await self.setups.known.note_all(host.room.table.room, host.followers.keys())
        await self.setups.open_on(host)
        await self.practising.begin(host)

    async def _reply(self, visitor: Visitor, message: messages.ClientMessage) -> None:
        try:
            reply = await self._deal(visitor, message)
        except Refused as refused:
            self._refuse(visitor, message, refused)
        except RuleFailed as failed:
            self._refuse(visitor, message, Refused("rule/failed"))
            self._notice(visitor, message, "rule/failed", failed.report)
        except StorageError as error:
            self._log.error("the store refused: {why}", why=str(error))
            self._refuse(visitor, message, Refused("table/stopped"))
        except Exception:  # noqa: BLE001 (every request gets its reply)
            self._log.failure("a request failed")
            self._refuse(visitor, message, Refused("server/error"))
        else:
            if not isinstance(reply, _Said):
                visitor.session.send(reply or messages.Done(message.serial))

    def _refuse(self, visitor: Visitor, message: messages.ClientMessage, refused: Refused) -> None:
        self.counts.refused(refused.code)
        text = refused.reason or Text(f"refusal/{refused.code}")
        room_id = message.room_id if isinstance(message, messages.RoomMessage) else ""
        host = self.registry.hosts.get(room_id) if refused.reason is not None else None
        # What a ruleset says of its own game is in the words of that game.
        catalogs = catalogs_of(self.around.shelf, host.room) if host else self._catalogs()
        for words in visitor.words.for_subjects(catalogs, subjects_in(strings_of(text))):
            visitor.session.send(words)
        visitor.session.send(messages.Refusal(message.serial, refused.code, text))

    def _notice(
        self, visitor: Visitor, message: messages.ClientMessage, code: str, report: str
    ) -> None:
        room_id = message.room_id if isinstance(message, messages.RoomMessage) else ""
        notice = messages.Notice(room_id, code, Text(f"refusal/{code}"), report)
        host = self.registry.hosts.get(room_id)
        # Its report says how far the game is.
        for session in host.followers.hearing_at_once() if host is not None else [visitor.session]:
            session.send(notice)

    def tell_words(self, visitor: Visitor, subjects: list[str]) -> None:
        """Tell somebody the words of some subjects, as far as they do not have them."""
        for words in visitor.words.for_subjects(self._catalogs(), subjects):
            visitor.session.send(words)

    def _catalogs(self) -> Mapping[str, Catalog]:
        """Return the words of what can be played here now."""
        scenarios = self.around.shelf.scenarios()
        current = self.around.shelf.current(scenarios[0].scenario) if scenarios else None
        return self.around.shelf.catalogs(current) if current is not None else {}

    def _choose_language(self, visitor: Visitor, message: messages.ChooseLanguage) -> _Reply:
        """Say all that this session was told again in another language, then the reply."""
        session, language = visitor.session, message.language
        if language == visitor.words.language:
            return None
        told = visitor.words.change(language)
        again = [visitor.words.for_subjects(self._catalogs(), told)]
        hosts = (self.registry.hosts.get(room_id) for room_id in sorted(visitor.following))
        again += [host.followers.speak(session, language) for host in hosts if host is not None]
        session.stream(chain(*again, [messages.Done(message.serial)]))
        return _SAID

    async def _deal(self, visitor: Visitor, message: messages.ClientMessage) -> _Reply:
        now, is_seated = self.around.clock.seconds(), self._is_seated(visitor, message)
        if not self.pace.allows(visitor.session, message, now, is_seated=is_seated):
            raise Refused("table/too_busy")
        if not isinstance(message, messages.RoomMessage):
            return await self._deal_with_the_house(visitor, message)
        if isinstance(message, messages.InReview):
            self.reviewing.reviews.hear(visitor.session, message)
            return None
        host = await self.registry.load(self._known_room(visitor, message))
        try:
            return await self._deal_with_a_room(visitor, host, message)
        finally:
            self.registry.release(host)

    def _known_room(self, visitor: Visitor, message: messages.RoomMessage) -> str:
        """Return the room that a message is for; that of none where its sender may know of none."""
        room_id = message.room_id
        is_watched = room_id in visitor.watching or room_id in visitor.following
        if is_watched or self.shared.may_know(room_id, visitor.session.account.key):
            return room_id
        # No id has letters beyond f. What follows is done, and takes its time, as for any of none.
        return "-" * len(room_id)

    def _is_seated(self, visitor: Visitor, message: messages.ClientMessage) -> bool:
        """Whether a message is for a room in which its sender has a seat."""
        room_id = message.room_id if isinstance(message, messages.RoomMessage) else ""
        summary = self.registry.summaries.get(room_id)
        return summary is not None and visitor.session.account.key in summary.keys

    async def _deal_with_a_room(
        self, visitor: Visitor, host: RoomHost, message: messages.RoomMessage
    ) -> _Reply:
        if isinstance(message, messages.EnterTable):
            return await self._enter(visitor, host, message)
        if isinstance(message, messages.LeaveTable):
            await self._leave(visitor, host)
            return None
        if isinstance(message, messages.ExportTable):
            await self._export(visitor, host, message)
            return _SAID
        if isinstance(
            message,
            messages.JoinReview | messages.ListGameNotes | messages.NoteGame | messages.UnnoteGame,
        ):
            await self.reviewing.deal(visitor, host, message)
            return None
        if isinstance(message, messages.Practise):
            return await self.practising.open(visitor, host, message)
        return await self._deal_with_a_seat(visitor, host, message)

    async def _deal_with_a_seat(
        self, visitor: Visitor, host: RoomHost, message: messages.RoomMessage
    ) -> _Reply:
        seat = self._seat(visitor, host.room.table.room, message)
        if isinstance(message, messages.SpeakFor):
            visitor.speaking_for[host.room.room_id] = seat
            return None
        if isinstance(message, messages.PlayAgain):
            return await self._again.bring(visitor, host, message)
        if isinstance(message, messages.ShareGame):
            key = visitor.session.account.key
            await self.shared.agree(host.room.table.room, key, is_agreed=message.is_agreed)
            return None
        if isinstance(message, messages.RemoveTable):
            await self._remove_table(Sitter(host, seat, visitor.session))
            return None
        await self._seats.deal(Sitter(host, seat, visitor.session), message)
        if isinstance(message, messages.AnswerInWindow):
            # What counted, the record of the window says, when it says so of all.
            return _SAID
        await self._look_after(host)
        return None

    def _seat(self, visitor: Visitor, room: RoomTable, message: messages.RoomMessage) -> int:
        """Return the seat for which a message is said. Refused: its sender has no such seat."""
        key = visitor.session.account.key
        chosen = visitor.speaking_for.get(room.room_id)
        if isinstance(message, messages.SpeakFor):
            chosen = message.seat
        if chosen is None:
            chosen = room.seat_of(key)
        if chosen is None or chosen not in room.seats or room.seats[chosen].key != key:
            raise Refused("table/no_seat")
        return chosen

    async def _export(
        self, visitor: Visitor, host: RoomHost, message: messages.ExportTable
    ) -> None:
        room = host.room
        is_seated = room.table.room.seat_of(visitor.session.account.key) is not None
        is_open = not is_seated and self.shared.is_open(room.room_id)
        viewer = None if is_open else self._viewer(visitor, host)
        # Before anything is given out: what was shown is known from then on.
        await self.setups.known.note(room.table.room, [visitor.session.account.key])
        if viewer is None:
            self._exports.begin_as(visitor, message, host, Asked.whole(room))
        else:
            self._exports.begin(visitor, message, host, viewer)

    async def _remove_table(self, sitter: Sitter) -> None:
        """Remove a table whose game never began. Refused: it has begun, or another is the host."""
        if sitter.room.source is None:
            sitter.must_be_host()
        codes = await invitations_by_room(self.around.store, self.around.scheduler)
        if sitter.room.stage is not Stage.LOBBY and sitter.room.source is None:
            raise Refused("table/already_started")
        room, seen_by = sitter.room, sitter.host.followers.keys()
        self.practising.forget(room.room_id)
        for seat in [one for one in room.seats.values() if one.key != sitter.key]:
            await self.lost.note(room, seat, seen_by, messages.LossCause.REMOVED)
        await self.registry.remove_at_once(sitter.host, codes.get(sitter.host.room.room_id, ()))

    async def _deal_with_the_house(
        self, visitor: Visitor, message: messages.ClientMessage
    ) -> _Reply:
        match message:
            case messages.ChooseLanguage():
                return self._choose_language(visitor, message)
            case (
                messages.ListTables()
                | messages.ListScenarios()
                | messages.ListLostSeats()
                | messages.ListAwaited()
            ):
                return await self._lists.reply(visitor, message)
            case messages.ListReviews():
                return self.reviewing.listed(visitor, message)
            case messages.FindGames():
                return self._find_games(visitor, message)
            case messages.SetMail() | messages.ConfirmMail() | messages.StopMail():
                await deal_with_mail(self.mail, visitor.session, message)
                return None
            case messages.OpenTable():
                return await self._open_table(visitor, message)
            case messages.JoinTable() | messages.JoinKnownTable():
                return await self._join_table(visitor, message)
            case messages.WatchTable():
                return await self._watch_table(visitor, message)
            case (
                messages.MakeSetup()
                | messages.ListSetups()
                | messages.ListResults()
                | messages.CloseSetup()
            ):
                return await self._deal_with_setups(visitor, message)
            case _:
                raise Refused("table/unknown_input")

    def _find_games(self, visitor: Visitor, message: messages.FindGames) -> messages.GamesFound:
        found = self.shared.find(visitor.session.account.key, message)
        self.tell_words(visitor, [line.scenario for line in found.lines])
        return found

    async def _deal_with_setups(
        self,
        visitor: Visitor,
        message: messages.MakeSetup
        | messages.ListSetups
        | messages.ListResults
        | messages.CloseSetup,
    ) -> _Reply:
        key = visitor.session.account.key
        match message:
            case messages.MakeSetup():
                return messages.SetupMade(message.serial, await self.setups.make(key))
            case messages.ListSetups():
                return messages.SetupList(message.serial, self.setups.lines(key))
            case messages.ListResults():
                results = self.setups.results(key, message, self.shared.is_open)
                self.tell_words(visitor, [line.scenario for line in results.lines])
                return results
            case messages.CloseSetup():
                await self.setups.close(key, message.code)
                run_detached(self.setups.open_all_due())
                return None

    # Tables

    async def _open_table(
        self, visitor: Visitor, message: messages.OpenTable
    ) -> messages.TableOpened:
        account = visitor.session.account
        await self.openers.admit(visitor.session, message.password)
        self.around.disk.refuse_if_low()
        card = card_of(self.around.shelf, message.scenario)
        digest = digest_of(self.around.shelf, message.scenario)
        host = self.registry.add(self.registry.new_room_id())
        try:
            with self.openers.counted(visitor.session, host.room.room_id):
                return await self._open_room(host, message, card.ruleset, digest, account)
        finally:
            self.registry.release(host)

    async def _open_room(
        self,
        host: RoomHost,
        message: messages.OpenTable,
        ruleset: str,
        digest: bytes,
        account: Account,
    ) -> messages.TableOpened:
        room_id = host.room.room_id
        if observer_of(message.settings, account.key) is not None:
            # Before anything is stored: nobody could sit down at such a table of theirs.
            raise Refused("table/observer")
        opened = events.RoomOpened(
            room_id,
            ruleset,
            message.scenario,
            digest,
            message.settings,
            LOG_VERSION,
            source=None,
        )
        await host.submit(opened, 0)
        await host.submit(events.SeatTaken(0, account.name, account.key, is_bot=False), 0)
        code = await self.invitations.make(InvitationTarget(room_id, InvitationKind.ANY_SEAT))
        watch = await self._watch_code(room_id, message.settings)
        return messages.TableOpened(message.serial, room_id, code, watch)

    async def _watch_code(self, room_id: str, settings: Settings) -> str:
        if not (settings.spectators or settings.observers):
            return ""
        return await self.invitations.make(InvitationTarget(room_id, InvitationKind.WATCH))

    async def _join_table(
        self, visitor: Visitor, message: messages.JoinTable | messages.JoinKnownTable
    ) -> messages.Joined:
        target = await self._joining.find(message.code)
        wants_known = isinstance(message, messages.JoinKnownTable)
        host = await self.registry.load(target.room_id)
        try:
            account = visitor.session.account
            seat = await self._joining.sit_down(host, target, account, wants_known=wants_known)
            await self._look_after(host)
        finally:
            self.registry.release(host)
        return messages.Joined(message.serial, target.room_id, seat)

    async def _watch_table(self, visitor: Visitor, message: messages.WatchTable) -> messages.Joined:
        target = await self.invitations.find(message.code)
        if target is None or target.place is not InvitationKind.WATCH:
            raise Refused("invitation/unknown")
        visitor.watching.add(target.room_id)
        return messages.Joined(message.serial, target.room_id, -1)

    async def _enter(
        self, visitor: Visitor, host: RoomHost, message: messages.EnterTable
    ) -> _Reply:
        room_id = host.room.room_id
        viewer = self._viewer(visitor, host)
        is_other = await self._held_logs.is_other(viewer, message)
        await self.setups.known.note(host.room.table.room, [visitor.session.account.key])
        if self._viewer(visitor, host) != viewer:
            # The seat was given away while the log was looked at.
            raise Refused("table/no_seat")
        end = host.followers.end_for(viewer)
        after = -1 if is_other else message.after
        if after >= end:
            raise Refused("table/no_such_record")
        if visitor.is_gone:
            # While the room was read: nobody is there to follow it.
            return _SAID
        visitor.following.add(room_id)
        # The reply comes first, so that the client knows what the records belong to.
        entered = messages.Entered(message.serial, room_id, viewer.name, end, is_other)
        visitor.session.send(entered)
        host.followers.follow(visitor.session, viewer, after, visitor.words.language)
        if self.mail is not None:
            self.mail.present(visitor.session.account.key)
        await host.presence.note()
        await self._again.remind(host, visitor.session)
        return _SAID

    def _viewer(self, visitor: Visitor, host: RoomHost) -> Viewer:
        """Return how a room is shown to somebody. Refused: it is not shown to them at all."""
        room = host.room.table.room
        viewer = viewer_of(room, visitor.session.account.key)
        if viewer == Viewer() and room.source is not None:
            if not self.reviewing.reviews.may_watch(room.room_id, visitor.session.account.key):
                raise Refused("table/no_seat")
            return Viewer(seats=tuple(room.seats))
        if viewer == Viewer():
            if host.room.room_id not in visitor.watching:
                raise Refused("table/no_seat")
            if not room.settings.spectators:
                # The invitation is for observers, and this key is none of theirs.
                raise Refused("table/no_spectators")
        return viewer

    async def _leave(self, visitor: Visitor, host: RoomHost) -> None:
        visitor.following.discard(host.room.room_id)
        if self.mail is not None:
            self.mail.left(visitor.session.account.key)
        host.followers.unfollow(visitor.session)
        await host.presence.note()
