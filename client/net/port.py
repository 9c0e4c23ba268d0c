"""
The port to a server: what a person does is sent, and what the server says goes to the model.

`ServerPort` sends what a person does over a line, and does by itself what needs no person: it
enters the table again after an interruption, and takes part in the start with its share of chance.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

import attrs

from client.cache.table_cache import TableCache
from client.cache.table_file import Part
from client.keyring.shares import KeptShare, KeptShares, Own, UnreadableShares, judged
from client.model.found_games import FoundGames, wanted_of
from client.model.model import (
    ANY_SEAT,
    WATCH,
    Bar,
    ClientModel,
    HeldAnswer,
    Stops,
    Unfit,
)
from client.model.status import Online, Status
from client.model.tables import OutOfStep, TableStep, TableView
from client.net.ceremony import OwnPart
from client.net.client_port import ClientPort
from client.net.fetching import Fetching
from client.net.kept import KeptTable
from client.net.practice import PracticePart
from client.net.review_part import hear_review
from commands.faults import why_refused
from protocol import messages
from protocol.common.asks import Settle
from protocol.common.events import GameStarted, RoomClosed, SeatEmptied, SeatLeft, TakenBack
from protocol.common.table import Stage
from protocol.errors import ProtocolError

_MENDS = (TakenBack, RoomClosed)
"""After these a game that was halted goes on, or is over."""
_NEWS = frozenset({"table/again", "table/invitations_renewed", "review/open"})
"""Notices of nothing that went wrong."""


_PASSING = frozenset({"table/stopped", "table/too_busy", "server/error"})
"""Why the server refuses for now what it may grant a moment later."""


class PortConnection(Protocol):
    """The part of a connection that a port needs; `client.net.connection.Connection` has it."""

    def next_serial(self) -> int:
        """Return a serial that was not used yet."""

    def send(self, message: messages.ClientMessage) -> None:
        """Say something; raises an exception of `unsendable` where there is no line."""

    def set_language(self, language: str) -> None:
        """Log in with this language from the next time on."""

    def try_again(self) -> None:
        """Try to reach the server at once, where it is waited to try again."""


@attrs.define(eq=False)
class ServerPort(ClientPort):
    """A `ClientPort` to a server, and the listener of its connection."""

    model: ClientModel
    line: PortConnection
    new_share: Callable[[], bytes] = attrs.field(repr=False)
    """Draws 32 bytes from the entropy source."""
    unsendable: tuple[type[Exception], ...] = ()
    """What `line.send` raises without a connection."""
    shares: KeptShares | None = None
    """Where the shares that are opened are kept, if anywhere."""
    cache: TableCache | None = None
    """Where it is kept what tables have shown, if anywhere."""
    later: Callable[[Callable[[], None]], object] = lambda work: work()
    """Does work after whatever else waits, such as keys and drawing."""
    _kept: KeptTable = attrs.field(init=False)
    _part: OwnPart = attrs.field(init=False)
    _practice: PracticePart = attrs.field(init=False)
    _fetching: Fetching = attrs.field(init=False)
    _nothing_due: Bar | None = attrs.field(default=None, init=False)
    """What was said to a spectator of a table of which nothing may be seen yet."""
    _halted: Bar | None = attrs.field(default=None, init=False)
    """What was said of a game that cannot go on by itself."""
    _is_shut_out: bool = attrs.field(default=False, init=False)
    """Whether the server could not let us back to the table just now; it is asked again."""
    _was_held: bool = attrs.field(default=False, init=False)
    """Whether some records were here before this session, which was not told their words."""
    _is_back: bool = attrs.field(default=False, init=False)
    """Whether a table was entered, and what the server may have forgotten was not said again."""
    _is_recalled: bool = attrs.field(default=False, init=False)
    """Whether the table followed came from this machine, and the server has not let us in yet."""
    _spoken: str = attrs.field(default="", init=False)
    """The language in which the words that are held were sent."""
    _watched: dict[str, str] = attrs.field(factory=dict, init=False, repr=False)
    """By room, the code of a spectator's invitation; it has to be shown on each connection."""

    def __attrs_post_init__(self) -> None:
        """Prepare for the start of a game."""
        self._fetching = Fetching(self.model)
        self._part = OwnPart(self.new_share, self._keep_share)
        self._practice = PracticePart(self.model, self, self.new_share)
        self._kept = KeptTable(self.cache, self.model.words, self._say_not_kept)

    # The connection's side

    def status_changed(self, status: Status) -> None:
        """Hear how the connection fares; after an interruption, ask for what was missed."""
        came_back = isinstance(status, Online) and not self.model.is_online
        self.model.status = status
        if not isinstance(status, Online):
            self.model.sent = {}
            self._fetching.forget()
            self._practice.offline()
        reason = getattr(status, "reason", "")
        if reason:
            self.model.bar = Bar(reason, is_wrong=True)
        if came_back:
            self.model.bar = Bar("")
            self.list_tables()
            if self.model.review is not None:
                self.join_review(self.model.review.room_id)
            self._come_back()
        elif isinstance(status, Online) and self._is_shut_out:
            # It is heard of at each ping.
            self._come_back()
        self.model.changed()

    def received(self, message: messages.ServerMessage) -> None:
        """Hear what the server says."""
        serial = getattr(message, "serial", None)
        asked = None
        if serial is not None:
            sent = dict(self.model.sent)
            asked = sent.get(serial)
            # Of a file, the last part is the reply: what is typed after it is typed to the replay.
            if not isinstance(message, messages.ExportPart) or message.is_last:
                sent.pop(serial, None)
            self.model.sent = sent
        if isinstance(asked, messages.RenewInvitations) and isinstance(message, messages.Done):
            self.model.bar = Bar(self.model.locale.say("invitation.renewed"))
        if isinstance(asked, messages.PlayAgain) and not isinstance(message, messages.Refusal):
            self.leave_table()
        if isinstance(asked, messages.ShareGame) and isinstance(message, messages.Done):
            key = "games.agreed" if asked.is_agreed else "games.withdrawn"
            self.model.bar = Bar(self.model.locale.say(key))
        if isinstance(asked, messages.FindGames) and isinstance(message, messages.GamesFound):
            self.model.found_games = FoundGames(wanted_of(asked), message)
        if not self._practice.hear(message, asked):
            self._hear(message, asked)
        if hear_review(self.model, message, asked):
            self.list_reviews()
        self.model.changed()

    def _hear(self, message: messages.ServerMessage, asked: messages.ClientMessage | None) -> None:
        model = self.model
        match message:
            case messages.Records():
                self._take(message)
            case messages.Words():
                model.words.add(message.language, message.subjects)
            case messages.Refusal():
                model.bar = Bar(self._sentence(message), is_wrong=True)
                self._refused(message, asked)
            case messages.Notice():
                self._noticed(message)
            case messages.Announcement():
                model.bar = Bar(model.locale.say("announcement", message.words))
            case messages.Goodbye():
                model.bar = Bar(message.reason, is_wrong=True)
            case messages.Entered():
                self._entered(message)
            case messages.Done() if isinstance(asked, messages.ChooseLanguage):
                self._spoken = asked.language
                model.reworded()
                self._have_all_told()
            case messages.Joined():
                self.joined(message, asked.code if isinstance(asked, messages.WatchTable) else "")
            case _:
                self._hear_lobby(message)

    def _has_asked_for(self, notice: messages.Notice) -> bool:
        """Whether a notice says what this client just did, which the reply will say."""
        sent = self.model.sent.values()
        is_renewing = any(isinstance(one, messages.RenewInvitations) for one in sent)
        return is_renewing and notice.code == "table/invitations_renewed"

    def _refused(self, refused: messages.Refusal, asked: messages.ClientMessage | None) -> None:
        if refused.code == "table/halted":
            self._halted = self.model.bar
        if isinstance(asked, messages.CommitShare | messages.OpenShare):
            self._part.again()
        elif refused.code == "setup/known":
            self._knows_setup()
        elif refused.code == "prepared/unfit" and self.model.view is not None:
            self.model.unfit = Unfit.of(self.model.view, refused)
        elif isinstance(asked, messages.JoinTable | messages.OpenTable):
            self._note_question(refused, asked)
        elif isinstance(asked, messages.EnterTable) and self._is_recalled:
            # What the table showed once is not shown as if it were followed.
            self._is_recalled = False
            self.model.follow(None)
        elif isinstance(asked, messages.EnterTable) and refused.code == "table/no_seat":
            view = self.model.view
            is_followed = view is not None and view.room_id == asked.room_id
            if is_followed and view is not None and view.table.room.stage is Stage.LOBBY:
                # The seat was emptied while its owner was away.
                self.model.follow(None)
        elif isinstance(asked, messages.EnterTable | messages.WatchTable) and (
            refused.code in _PASSING and self.model.view is not None
        ):
            self._is_shut_out = True

    def _note_question(
        self, refused: messages.Refusal, asked: messages.JoinTable | messages.OpenTable
    ) -> None:
        """Note what the server wants to hear before it does what was asked."""
        if isinstance(asked, messages.JoinTable):
            self.model.unjoined = asked.code if refused.code == "setup/known_game" else ""
        else:
            is_asked = refused.code in {"table/password", "table/wrong_password"}
            self.model.unopened = asked if is_asked else None

    def _knows_setup(self) -> None:
        view = self.model.view
        if view is not None and (setup := view.table.room.fixed_setup) is not None:
            self.model.setup_known = (view.room_id, setup)

    def _have_all_told(self) -> None:
        """Ask for the words of what was here before this session, which told again the rest."""
        if self._was_held and self.model.view is not None:
            self._enter(self.model.view.room_id, -1)

    def _noticed(self, notice: messages.Notice) -> None:
        model = self.model
        if not self._has_asked_for(notice):
            model.bar = Bar(self._sentence(notice), is_wrong=notice.code not in _NEWS)
        if model.view is None or notice.room_id != model.view.room_id:
            return
        self._noticed_here(notice, model.view)

    def _noticed_here(self, notice: messages.Notice, view: TableView) -> None:
        model = self.model
        if notice.code == "setup/known":
            self._knows_setup()
        elif notice.code == "table/stopped":
            model.is_stopped = True
        elif notice.code == "table/halted":
            self._halted = model.bar
        elif notice.code == "table/unreadable":
            model.is_stopped, model.bar = True, Bar(self._sentence(notice))
        elif notice.code == "table/invitations_renewed":
            model.codes.pop(notice.room_id, None)
        elif notice.code == "table/again":
            model.continued |= {notice.room_id}
        elif notice.code == "table/removed":
            self._kept.forget()
            self._removed(view)
        elif notice.code == "table/goes_on":
            model.is_stopped, model.bar = False, Bar(self._sentence(notice))
            self._do_my_share(view)

    def _hear_lobby(self, message: messages.ServerMessage) -> None:
        model = self.model
        match message:
            case messages.Tables():
                model.tables = message.lines
            case messages.Scenarios():
                model.scenarios = message.lines
            case messages.TableOpened():
                model.unopened = None
                codes = {ANY_SEAT: message.code, WATCH: message.watch_code}
                model.codes[message.room_id] = {seat: code for seat, code in codes.items() if code}
                self.enter(message.room_id)
            case messages.SetupResults():
                model.results = message
            case messages.LostSeats():
                model.lost_seats += message.lines
            case messages.ExportPart():
                self._fetching.take(message)
            case messages.InvitationMade():
                seat = WATCH if message.is_to_watch else message.seat
                model.codes.setdefault(message.room_id, {})[seat] = message.code
                model.bar = Bar(model.locale.say("invitation.made"))
            case _:
                pass

    def _sentence(self, message: messages.Refusal | messages.Notice) -> str:
        said = self.model.words_for(message)
        if isinstance(message, messages.Notice) and message.report:
            return self.model.locale.say("error.report", said, message.report)
        return said

    def _entered(self, message: messages.Entered) -> None:
        seat = message.seat if message.seat >= 0 else None
        self._is_recalled = False
        self._open_kept(message.room_id)
        view = self.model.view
        if message.is_other:
            self._kept.forget()
        shown = None if view is None else (view.room_id, view.entered_as)
        if message.is_other or shown != (message.room_id, seat):
            self.model.follow(TableView(message.room_id, seat))
        self.model.next_sequence, self.model.is_stopped = message.next_sequence, False
        self._is_back = True
        self._say_again()
        if self.model.view is not None and not self.model.is_catching_up:
            self._do_my_share(self.model.view)
        if seat is None and not message.next_sequence:
            self._nothing_due = self.model.bar = Bar(
                self.model.locale.say("waiting_room.nothing_due")
            )
        if message.is_other:
            self.model.bar = Bar(self.model.locale.say("table.other_log"), is_wrong=True)
        if self._spoken != self.model.locale.language:
            # Its reply says that all words have come with the records.
            self._choose_language()

    def _say_again(self) -> None:
        """Say what the server keeps in memory alone, once all that happened is here."""
        view, model = self.model.view, self.model
        if view is None or model.is_catching_up or not self._is_back:
            return
        self._is_back = False
        if view.room_id in model.stops and view.seat is not None:
            self.set_stops(model.stops[view.room_id])
        if model.held is not None and model.held_pick is not None:
            self._hold(model.held)

    def _take(self, message: messages.Records) -> None:
        view = self.model.view
        if view is None or view.room_id != message.room_id or self.model.fault:
            return
        held = len(view.cuts)
        try:
            steps = view.receive(message.cuts)
        except OutOfStep:
            self._catch_up()
        except ProtocolError as error:
            self.model.fault = error.code
            self.model.bar = Bar(self.model.fault_in_words, is_wrong=True)
        else:
            self._put_away(steps)
            self._kept.keep(view, held)
            if view.is_practice:
                self._practice.turn(view)
            self.model.took(steps)
            self._say_again()
            self._warn_of_start(view, steps)
            if self._is_put_out(view):
                self._put_out()
            else:
                self._do_my_share(view)

    def _put_away(self, steps: Sequence[TableStep]) -> None:
        """Take away what was said of a table that is otherwise by now."""
        out_of_date = [self._nothing_due]
        if any(isinstance(step.record.event, _MENDS) for step in steps):
            out_of_date.append(self._halted)
        if any(self.model.bar is bar for bar in out_of_date):
            self.model.bar = Bar("")

    def _is_put_out(self, view: TableView) -> bool:
        """Whether the host has emptied this player's seat, who has not sat down again."""
        is_seated = view.seat is None or view.my_seat is not None
        if is_seated or self.model.is_catching_up or view.table.room.stage is not Stage.LOBBY:
            return False
        happened = (record.event for record in reversed(view.records))
        gone = (one for one in happened if isinstance(one, SeatEmptied | SeatLeft))
        return isinstance(next((one for one in gone if one.seat == view.seat), None), SeatEmptied)

    def _put_out(self) -> None:
        """Leave a table at which the host has emptied this player's seat."""
        self._leave_for_the_list()
        self.model.tell(self.model.locale.say("lobby.emptied"), is_wrong=True)

    def _removed(self, view: TableView) -> None:
        """Leave a table that its host has removed; the bar says so to everybody else."""
        model = self.model
        if model.is_practising:
            self._practice.come_back(is_there=False)
        else:
            self._leave_for_the_list()
        if model.last_room == view.room_id:
            model.last_room = ""
        if view.seat is not None and (view.is_practice or view.seat == view.table.room.host):
            model.bar = Bar(model.locale.say("lobby.removed"))

    def _leave_for_the_list(self) -> None:
        self._kept.close()
        self.model.follow(None)
        self.list_tables()

    def _come_back(self) -> None:
        """Follow the table again after an interruption."""
        view, self._is_shut_out = self.model.view, False
        if view is None:
            self._spoken = self.model.locale.language
        elif view.seat is None and view.room_id in self._watched:
            self.watch(self._watched[view.room_id])
        else:
            self._catch_up()

    def _catch_up(self) -> None:
        view = self.model.view
        if view is not None:
            self._enter(view.room_id, self._held(view))

    def _enter(self, room_id: str, after: int) -> None:
        self._was_held = after >= 0
        view = self.model.view
        is_held = view is not None and (view.room_id, view.last) == (room_id, after)
        head = view.head if view is not None and is_held and after >= 0 else b""
        self.say(messages.EnterTable(self.next_serial(), room_id, after, head))

    # What is kept on this machine

    def _open_kept(self, room_id: str) -> None:
        status = self.model.status
        if isinstance(status, Online):
            self._kept.open(status.fingerprint, room_id, self.model.locale.language)

    def _say_not_kept(self, error: OSError) -> None:
        say = self.model.locale.say
        self.model.tell(say("table.not_kept", why_refused(error, say)))

    def _recall(self) -> bool:
        """Take what is kept of a table, in parts, then ask for the rest; False for nothing."""
        view = self._kept.view()
        if view is None:
            return False
        self._is_recalled = True
        self.model.follow(view)
        self.model.next_sequence = self._kept.following
        self._recall_more(view, self._kept.parts())
        return True

    def _recall_more(self, view: TableView, parts: Iterator[Sequence[Part]]) -> None:
        if self.model.view is not view:
            return
        try:
            part = next(parts, ())
            steps = [step for one in part for step in view.receive(one.cuts)]
        except (OutOfStep, ProtocolError):
            # Whatever it is, the server has the true one.
            self._kept.forget()
            self.model.follow(TableView(view.room_id, view.seat))
            self._enter(view.room_id, -1)
            return
        if not part:
            self._enter(view.room_id, view.last)
            return
        self.model.took(tuple(steps))
        self._warn_of_start(view, steps)
        self.model.changed()
        self.later(lambda: self._recall_more(view, parts))

    def _held(self, view: TableView) -> int:
        """Return the last record that is held with words in the right language."""
        return view.last if self._spoken == self.model.locale.language else -1

    def _do_my_share(self, view: TableView) -> None:
        """Commit to a share once the server has bound itself, open it once all have."""
        due = self._practice.due(view) if view.is_practice else self._part.due(view)
        for make in due:
            self.say(make(self.next_serial()))

    def _keep_share(self, room_id: str, kept: KeptShare) -> None:
        """Keep a share that is opened next; a start does not fail for want of a file."""
        if self.shares is None:
            return
        say = self.model.locale.say
        try:
            self.shares.keep(room_id, kept)
        except OSError as error:
            why = why_refused(error, say)
            self.model.tell(say("share.not_kept", str(self.shares.path), why), is_wrong=True)

    def _warn_of_start(self, view: TableView, steps: Sequence[TableStep]) -> None:
        """Say what lets the server choose the dice, or shows that it may have."""
        say, text = self.model.locale.say, ""
        if wasted := self._part.wasted(view, steps):
            text = say("share.wasted", wasted)
        if self._part.is_replaced(view):
            text = say("share.replaced")
        if self._part.is_of_old_keys(view):
            text = say("share.old_keys")
        if any(isinstance(step.record.event, GameStarted) for step in steps) and (
            self._is_other_start(view)
        ):
            text = say("share.missing")
        if text:
            self.model.bar = Bar(text, is_wrong=True)

    def _is_other_start(self, view: TableView) -> bool:
        """Whether the game began with another start than the one that a share was kept for."""
        if self.shares is None or view.seat is None:
            return False
        try:
            return judged(view.records, self.shares.of(view.room_id)) is Own.MISSING
        except UnreadableShares:
            # `manse verify` says so; the game does not stop for it.
            return False

    # The player's side

    def next_serial(self) -> int:
        """Return a serial that was not used yet."""
        return self.line.next_serial()

    def room_id(self) -> str:
        """Return the room of the table that is followed now; empty for none."""
        return self.model.view.room_id if self.model.view is not None else ""

    def say(self, message: messages.ClientMessage) -> None:
        """Send a message, or tell the person that there is no line."""
        seat = self._practice.seat_to_say(message)
        if seat is not None:
            self._send(messages.SpeakFor(self.next_serial(), self.room_id(), seat))
        if self._send(message):
            self.model.sent = {**self.model.sent, message.serial: message}

    def _send(self, message: messages.ClientMessage) -> bool:
        """Send a message, or tell the player that there is no line; return whether it went."""
        try:
            self.line.send(message)
        except self.unsendable:
            self.model.tell(self.model.locale.say("error.offline"), is_wrong=True)
            return False
        return True

    def try_again(self) -> None:
        """Try to reach the server at once, where it is waited to try again."""
        self.line.try_again()

    def set_language(self, language: str) -> None:
        """Speak one of the client's languages from now on, and be spoken to in it."""
        self.line.set_language(language)
        # Its words are in the language from before.
        self._kept.close()
        self.model.speak(language)
        if self.model.is_online:
            self._choose_language()

    def _choose_language(self) -> None:
        self.say(messages.ChooseLanguage(self.next_serial(), self.model.locale.language))

    def enter(self, room_id: str) -> None:
        """Follow a table where this player has a seat."""
        view = self.model.view
        if view is not None and view.room_id == room_id:
            self._enter(room_id, self._held(view))
            return
        self._open_kept(room_id)
        if not self._recall():
            self._enter(room_id, -1)

    def joined(self, message: messages.Joined, code: str = "") -> None:
        """
        Enter the table of an invitation.

        Args:
            message: what the server said to it.
            code: of an invitation to spectate; empty for one to a seat.
        """
        view = self.model.view
        self.model.unjoined = ""
        if code:
            self._watched[message.room_id] = code
        if view is not None and view.room_id == message.room_id and view.seat is not None:
            # A spectator who had a seat may see less than they have seen already.
            self.say(messages.EnterTable(self.next_serial(), message.room_id, -1))
        else:
            self.enter(message.room_id)

    def leave_table(self) -> None:
        """Follow it no more; the seat stays. From practice, go back to where that was begun."""
        if self.model.is_practising:
            self._practice.come_back()
            return
        if self.model.view is not None:
            super().leave_table()
        self.let_go()
        self.model.changed()

    def go_to_practice(self, room_id: str) -> None:
        """Follow a practice game; the replay that it was opened from stays below it."""
        self._practice.go_to(room_id)

    def let_go(self) -> None:
        """Follow no table, without a word to the server."""
        self._kept.close()
        self.model.follow(None)

    def leave_seat(self) -> None:
        """Give up the seat, before the game."""
        super().leave_seat()
        self._kept.forget()
        self._kept.close()
        self.model.follow(None)
        self.model.changed()

    def answer(self, ask_id: int, picks: tuple[str, ...]) -> None:
        """Answer the question that this seat is asked."""
        ask = self.model.view.ask if self.model.view is not None else None
        if ask is not None and (ask.ask_id, ask.settle) == (ask_id, Settle.WINDOW):
            self.model.held = HeldAnswer(self.room_id(), ask_id, picks[0])
            self._hold(self.model.held)
            self.model.changed()
        else:
            super().answer(ask_id, picks)

    def _hold(self, held: HeldAnswer) -> None:
        serial = self.next_serial()
        # It has no reply to wait for.
        self._send(messages.AnswerInWindow(serial, held.room_id, held.ask_id, held.choice_id))

    def set_stops(self, stops: Stops) -> None:
        """Say on which kinds of window this seat stops the game; nobody else is told."""
        self.model.stops[self.room_id()] = stops
        super().set_stops(stops)
