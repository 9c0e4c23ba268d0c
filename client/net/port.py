"""
The port to a server: sends the player's actions, and writes the server's messages into the model.

Each part has its own file. `outbox` matches replies, `table_entry` enters tables and completes
their records, `own_shares` contributes chance, `off_log_part` repeats what the server may have
forgotten, `bulletins` words refusals and notices, `lobby_part` applies messages that concern no
table, `practice` and `review_part` follow finished games. `ServerPort` joins the parts, and passes
each message to the parts that need it.
"""

from collections.abc import Callable
from typing import TypeVar

import attrs

from client.cache.table_cache import TableCache
from client.keyring.shares import KeptShares
from client.model.model import ANY_SEAT, WATCH, Bar, ClientModel
from client.model.off_log import Stops
from client.model.status import Online, Status
from client.model.tables import OutOfStep, TableView
from client.net.bulletins import Bulletins
from client.net.client_port import ClientPort
from client.net.fetching import FetchedGame, Fetching
from client.net.kept import KeptTable
from client.net.lobby_part import apply_lobby, apply_notice, apply_refusal
from client.net.off_log_part import OffLogPart
from client.net.outbox import Answered, Outbox, PortConnection
from client.net.own_shares import OwnShares
from client.net.practice import PracticePart
from client.net.review_part import apply_review
from client.net.table_entry import TableEntry
from protocol import messages
from protocol.common.asks import Settle
from protocol.common.events import SeatEmptied, SeatLeft
from protocol.common.signed import ready_statement, start_statement
from protocol.common.table import Stage
from protocol.errors import ProtocolError

R = TypeVar("R", bound=messages.ServerMessage)

_JOINING = (
    messages.JoinTable,
    messages.JoinKnownTable,
    messages.WatchTable,
    messages.PlayAgain,
    messages.Practise,
)
"""Messages by which a player comes to a table that the server names."""


@attrs.define(eq=False)
class ServerPort(ClientPort):
    """A `ClientPort` to a server, and the listener of its connection."""

    model: ClientModel
    line: PortConnection
    new_share: Callable[[], bytes] = attrs.field(repr=False)
    unsendable: tuple[type[Exception], ...] = ()
    """Exceptions that `line.send` raises if there is no connection."""
    shares: KeptShares | None = None
    """The file of opened shares; None if shares are not stored."""
    cache: TableCache | None = None
    """The folder of tables seen so far; None if tables are not stored."""
    later: Callable[[Callable[[], None]], object] = lambda work: work()
    """Runs a function after all other pending work, such as keys and drawing."""
    sign: Callable[[bytes], bytes] | None = attrs.field(default=None, repr=False)
    """Signs with the player's key; None for a bot of the server, which has no key."""
    outbox: Outbox = attrs.field(init=False)
    _bulletins: Bulletins = attrs.field(init=False)
    _kept: KeptTable = attrs.field(init=False)
    entry: TableEntry = attrs.field(init=False)
    own_shares: OwnShares = attrs.field(init=False)
    _off_log: OffLogPart = attrs.field(init=False)
    _practice: PracticePart = attrs.field(init=False)
    _fetching: Fetching = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        model, serial = self.model, self.next_serial
        self.outbox = Outbox(model, self.line, self.unsendable)
        self._bulletins = Bulletins(model)
        self._kept = KeptTable(self.cache, model)
        self._practice = PracticePart(
            model,
            self,
            lambda: self.own_shares.new_part(),  # noqa: PLW0108 (made next)
            lambda room_id: self.own_shares.want(room_id),  # noqa: PLW0108 (made next)
        )
        self.own_shares = OwnShares(
            model, self._practice, self.new_share, self.shares, self.say, serial, self.sign
        )
        warn = self.own_shares.warn_about
        self.entry = TableEntry(model, self._kept, self.say, serial, warn, self.later)
        self._off_log = OffLogPart(model, self._send_held, serial, super().set_stops)
        self._fetching = Fetching(model)

    def set_ready(self, is_ready: bool) -> None:  # noqa: FBT001 (the field of the message)
        room_id = self.room_id()
        # Before sending, because the start may follow the reply at once.
        if is_ready:
            self.own_shares.allow(room_id)
        signed = self.own_shares.sign_statement(
            self.model.view,
            lambda room, seat, number: ready_statement(room, seat, number, is_ready=is_ready),
        )
        self.own_shares.note_ready(room_id, signed[0])
        self.say(messages.SetReady(self.next_serial(), room_id, is_ready, *signed))

    def start(self) -> None:
        signed = self.own_shares.sign_statement(self.model.view, start_statement)
        self.say(messages.StartGame(self.next_serial(), self.room_id(), *signed))

    # The connection's side

    def status_changed(self, status: Status) -> None:
        """Show the status of the connection. After an interruption, request what was missed."""
        came_back = isinstance(status, Online) and not self.model.is_online
        self.model.status = status
        if not isinstance(status, Online):
            # None of these survives a connection: replies, half a file, the announced seat.
            self.outbox.forget()
            self._fetching.forget()
            self._practice.offline()
        if reason := getattr(status, "reason", ""):
            self.model.bar = Bar(reason, is_wrong=True)
        if came_back:
            self.model.bar = Bar("")
            self.list_tables()
            if self.model.review is not None:
                self.join_review(self.model.review.room_id)
            self.entry.come_back()
        elif isinstance(status, Online):
            # The delay of a ping is part of the status, so each ping ends here.
            self.entry.pinged()
        self.model.changed()

    def received(self, message: messages.ServerMessage) -> None:
        asked = self.outbox.match(message)
        if isinstance(message, messages.Done):
            self._bulletins.say_done(asked)
        # Before the new table is entered, which the same reply leads to.
        if isinstance(asked, messages.PlayAgain) and not isinstance(message, messages.Refusal):
            self.leave_table()
        if not self._practice.handle(message, asked):
            self._handle(message, asked)
        if apply_review(self.model, message, asked):
            self.list_reviews()
        self.model.changed()

    def _handle(
        self, message: messages.ServerMessage, asked: messages.ClientMessage | None
    ) -> None:
        model = self.model
        match message:
            case messages.Records():
                self._take_records(message)
            case messages.Words():
                model.words.add(message.language, message.subjects)
            case messages.Refusal():
                self._bulletins.refuse(message, asked)
                self._handle_refusal(message, asked)
            case messages.Notice():
                self._bulletins.notify(message)
                self._handle_notice(message)
            case messages.Entered():
                # Else a server could lead its clients to other tables, as with the two below.
                if isinstance(asked, messages.EnterTable) and asked.room_id == message.room_id:
                    self._entered(message)
            case messages.ReadersAwaited() if message.room_id == self.room_id():
                # -1, so that the next report counts as new, however far the player has read.
                model.update_table(reported=-1)
            case messages.ReadSoFar() if message.room_id == self.room_id():
                model.update_table(read_so_far=message.until)
            case messages.Done() if isinstance(asked, messages.ChooseLanguage):
                self.entry.language_chosen(asked.language)
            case messages.Joined():
                if isinstance(asked, _JOINING):
                    code = asked.code if isinstance(asked, messages.WatchTable) else ""
                    self.joined(message, code)
            case messages.TableOpened():
                if isinstance(asked, messages.OpenTable | messages.PlayAgain):
                    self._opened(message)
            case _:
                apply_lobby(model, message)

    def _handle_refusal(
        self, refused: messages.Refusal, asked: messages.ClientMessage | None
    ) -> None:
        self._off_log.note_refusal(refused)
        # Whatever the reason of the refusal is, the number of the statement is free again.
        if isinstance(asked, messages.SetReady | messages.StartGame):
            self.own_shares.reuse_number(asked.room_id)
        match asked:
            case messages.CommitShare() | messages.OpenShare():
                self.own_shares.repeat()
            case _ if refused.code == "setup/known":
                self._off_log.note_notice(refused.code)
            case _ if refused.code == "prepared/unfit" and self.model.view is not None:
                self._off_log.note_unfit(refused)
            case messages.EnterTable() | messages.WatchTable():
                self.entry.refused(refused, asked)
            case _:
                apply_refusal(self.model, refused, asked)

    def _handle_notice(self, notice: messages.Notice) -> None:
        model, view = self.model, self.model.view
        if view is None or notice.room_id != view.room_id:
            return
        match notice.code:
            case "setup/known" | "answer/dropped":
                self._off_log.note_notice(notice.code)
            case "table/removed":
                # Nobody can enter this table again, so its records are of no use.
                self._kept.forget()
                self._removed(view)
            case "table/goes_on":
                model.update_table(is_stopped=False)
                # What the stopped server refused is due again: messages of a start, held answers.
                self.own_shares.send_due(view)
                self._off_log.repeat(is_new=True)
            case _:
                apply_notice(model, notice)

    def _opened(self, message: messages.TableOpened) -> None:
        self.model.update_pending(table=None)
        if not message.code:
            # The next table of a group, for somebody who watches.
            self.entry.enter_joined(message.room_id, message.watch_code)
            return
        codes = {ANY_SEAT: message.code, WATCH: message.watch_code}
        given = {seat: code for seat, code in codes.items() if code}
        self.model.set_codes(message.room_id, given)
        self.enter(message.room_id)

    # The followed table

    def _entered(self, message: messages.Entered) -> None:
        self.entry.entered(message)
        self._off_log.repeat(is_new=True)
        # While records are missing, `_take_records` does this with the newest ones.
        if self.model.view is not None and not self.model.is_catching_up:
            self.own_shares.send_due(self.model.view)
        if message.seat < 0 and not message.next_sequence:
            self._bulletins.say_nothing_due()
        if message.is_other:
            self.model.bar = Bar(self.model.locale.say("table.other_log"), is_wrong=True)
        if self.entry.has_other_language:
            # Its reply says that all words have come with the records.
            self._choose_language()

    def _take_records(self, message: messages.Records) -> None:
        view = self.model.view
        # After a fault nothing more is folded: the state would be a guess.
        if view is None or view.room_id != message.room_id or self.model.fault:
            return
        held = len(view.cuts)
        try:
            steps = view.receive(message.cuts)
        except OutOfStep:
            self.entry.catch_up()
        except ProtocolError as error:
            self.model.update_table(fault=error.code)
            self.model.bar = Bar(self.model.fault_in_words, is_wrong=True)
        else:
            self._bulletins.drop_stale(steps)
            self._kept.keep(view, held)
            if view.is_practice:
                self._practice.switch_seat(view)
            self.model.pass_steps(steps)
            self._off_log.repeat()
            self.own_shares.warn_about(view, steps)
            # While catching up, a later record may seat the player again.
            if _is_put_out(view) and not self.model.is_catching_up:
                self._leave_for_the_list()
                self.model.tell(self.model.locale.say("lobby.emptied"), is_wrong=True)
            else:
                self.own_shares.send_due(view)

    def _removed(self, view: TableView) -> None:
        """Leave a table that its host has removed; confirm the removal to the host."""
        model = self.model
        if model.is_practising:
            self._practice.come_back(is_there=False)
        else:
            self._leave_for_the_list()
        # The list must not offer to return to this table.
        if model.lobby.last_room == view.room_id:
            self.model.update_lobby(last_room="")
        if view.seat is not None and (view.is_practice or view.seat == view.table.room.host):
            model.bar = Bar(model.locale.say("lobby.removed"))

    def _leave_for_the_list(self) -> None:
        self.unfollow()
        self.list_tables()

    # The player's side

    def next_serial(self) -> int:
        return self.line.next_serial()

    def room_id(self) -> str:
        return self.model.view.room_id if self.model.view is not None else ""

    def say(self, message: messages.ClientMessage) -> None:
        self._request(message)

    def ask(self, message: messages.ClientMessage, kind: type[R], use: Callable[[R], None]) -> None:
        def answered(reply: messages.ServerMessage) -> None:
            if isinstance(reply, kind):
                use(reply)

        self._request(message, answered)

    def _request(self, message: messages.ClientMessage, answered: Answered | None = None) -> None:
        self._practice.announce_seat(message, self.outbox.send)
        self.outbox.request(message, answered)

    def _send_held(self, message: messages.ClientMessage) -> bool:
        self._practice.announce_seat(message, self.outbox.send)
        return self.outbox.send(message)

    def fetch_game(self, room_id: str, fetched: Callable[[FetchedGame], None]) -> None:
        message = messages.ExportTable(self.next_serial(), room_id)
        self.ask(message, messages.ExportPart, lambda part: self._fetching.add(part, fetched))

    def try_again(self) -> None:
        self.line.try_again()

    def set_language(self, language: str) -> None:
        self.line.set_language(language)
        # The words in the file are in the language from before.
        self._kept.close()
        self.model.speak(language)
        if self.model.is_online:
            self._choose_language()

    def _choose_language(self) -> None:
        self.say(messages.ChooseLanguage(self.next_serial(), self.model.locale.language))

    def enter(self, room_id: str) -> None:
        self.own_shares.want(room_id)
        self.follow(room_id)

    def follow(self, room_id: str) -> None:
        """Enter a table that the player or the server has named."""
        self.entry.enter(room_id)

    def joined(self, message: messages.Joined, code: str = "") -> None:
        """
        Enter the table of an invitation.

        Args:
            message: the server's reply to the invitation.
            code: the code of an invitation to spectate; empty for an invitation to a seat.
        """
        self.model.update_pending(code="")
        self.own_shares.want(message.room_id)
        self.entry.enter_joined(message.room_id, code)

    def leave_table(self) -> None:
        """Leave the table but keep the seat. From a practice game, return to the previous table."""
        if self.model.is_practising:
            self._practice.come_back()
            return
        if self.model.view is not None:
            super().leave_table()
        self.unfollow()
        self.model.changed()

    def go_to_practice(self, room_id: str) -> None:
        self.own_shares.want(room_id)
        self._practice.go_to(room_id)

    def unfollow(self) -> None:
        """Stop following a table, without telling the server."""
        self.entry.unfollow()

    def leave_seat(self) -> None:
        super().leave_seat()
        # These records were cut for a seat that the player no longer has.
        self._kept.forget()
        self.unfollow()
        self.model.changed()

    def answer(self, ask_id: int, picks: tuple[str, ...]) -> None:
        view = self.model.view
        ask, seat = (None, None) if view is None else (view.ask, view.seat)
        if view and ask and seat is not None and ask.ask_id == ask_id and ask.is_held(seat):
            # Where windows wait for stops alone, nobody waits for those who have answered.
            is_done = ask.settle is Settle.WINDOW and view.table.room.settings.stops
            self._off_log.hold(view.room_id, ask, picks, is_done=is_done)
        else:
            super().answer(ask_id, picks)

    def have_read(self, until: int) -> None:
        # Before sending, so that the next frame does not report the same record again.
        self.model.update_table(reported=until)
        super().have_read(until)

    def set_stops(self, stops: Stops) -> None:
        self._off_log.note_stops(self.room_id(), stops)
        super().set_stops(stops)


def _is_put_out(view: TableView) -> bool:
    """Return whether the host has emptied this player's seat, and the player has no new seat."""
    if view.seat is None or view.my_seat is not None or view.table.room.stage is not Stage.LOBBY:
        return False
    events = (record.event for record in reversed(view.records))
    # The latest only: a player who was put out may have sat down and left since.
    gone = (one for one in events if isinstance(one, SeatEmptied | SeatLeft))
    return isinstance(next((one for one in gone if one.seat == view.seat), None), SeatEmptied)
