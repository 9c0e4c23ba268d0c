"""The waiting room: the seats of a table before its game, and the viewer's next step."""

from collections.abc import Iterator, Sequence

import attrs

from client.keymap.keys import Action, Context
from client.model import hosts, setups
from client.model.possible import begins_alone, impossible
from client.plugs.face import face_of
from client.plugs.preparation import Preparation, has_to_prepare
from client.screens.base.boxes import Confirm, TextBox, help_box
from client.screens.base.head import draw_head
from client.screens.base.screen import CannotDo, Desk, Hinted, TextEntry, usual
from client.screens.table.claiming import missing_step, next_claim, ready_step, start_step
from client.screens.table.hosting import act_as_host, products_menu
from client.screens.table.inviting import draw_invitations, invitations, needed_invitations
from client.screens.table.pieces import PieceList
from client.screens.table.prepare import PrepareBox
from client.settings import table_settings
from client.text.printable import wrap
from client.widgets.canvas import Pane, Spot
from client.widgets.pages import draw_journal, draw_lines, draw_rule, draw_text
from protocol.common.hosts import is_host_away
from protocol.common.observers import seconds_behind
from protocol.common.table import Seat, Stage
from protocol.messages import SetReady, StartGame

_JOURNAL_SHARE = 4
"""The height of the screen divided by this number is the height of the journal."""
_LEAST_JOURNAL, _LEAST_SEATS, _LEAST_PIECES = 3, 3, 5
"""Rows on a narrow screen, including titles."""
_HINTS = {
    "waiting_room.choose": "hint.claim",
    "waiting_room.choose_alone": "hint.claim",
    "waiting_room.choose_several": "hint.claim",
    "waiting_room.choose_few": "hint.claim",
    "waiting_room.second": "hint.claim",
    "waiting_room.second_few": "hint.claim",
    "waiting_room.take_role": "hint.claim",
    "waiting_room.second_begins": "hint.begin",
    "waiting_room.prepare": "hint.prepare",
    "waiting_room.begin": "hint.begin",
    "waiting_room.begin_or_more": "hint.begin",
    "waiting_room.begin_or_other": "hint.begin",
    "waiting_room.be_ready": "hint.ready",
    "waiting_room.be_ready_or_other": "hint.ready",
    "waiting_room.be_ready_or_more": "hint.ready",
    "waiting_room.start": "hint.start",
}
"""The hint of the key that takes the next step, by the words of the step."""


@attrs.define(eq=False)
class WaitingScreen:
    """The screen of a table before its game."""

    desk: Desk
    context: Context = attrs.field(default=Context.WAITING, init=False)
    _was_ready: bool = attrs.field(default=False, init=False)
    """Whether the viewer was ready at the last frame."""
    _is_own_change: bool = attrs.field(default=False, init=False)
    """Whether the viewer has done something that withdraws their own readiness."""
    _has_lost_ready: bool = attrs.field(default=False, init=False)
    """Whether a change by another player withdrew the viewer's readiness."""
    _pieces: PieceList = attrs.field(
        default=attrs.Factory(lambda self: PieceList(self.desk), takes_self=True), init=False
    )

    def draw(self, pane: Pane) -> None:
        """Draw the next step, the invitations, the seats, the pieces and the journal."""
        desk, room = self.desk, self.desk.view.table.room
        # Before a game nothing waits to be read page by page.
        desk.have_read(desk.view.last)
        title = desk.model.title(room.scenario)
        named = desk.say("waiting_room.title", title) if title else ""
        body = draw_head(pane, desk, named or desk.say("waiting_room.title_unknown"))
        self._watch_readiness()
        self._pieces.begin()
        is_starting = room.stage is Stage.STARTING
        key, *params = ("waiting_room.starting",) if is_starting else self._next_step()
        said = desk.say(key, *params)
        if self._has_lost_ready:
            said = f"{desk.say('waiting_room.ready_lost')} {said}"
        if not is_starting:
            lacks = missing_step(desk) if desk.view.my_seat is not None else ()
            said = " ".join((said, *self._about_host()))
            if lacks and lacks[0] != key:
                said = f"{said} {desk.say(*lacks)}"
        lines = wrap(said, body.columns)
        draw_lines(body, [[("class:prompt", line)] for line in lines])
        if pane.is_narrow:
            self._draw_narrow(body.inner(len(lines), 0))
            return
        # A blank row, then what is to be sent to friends, then two columns above the journal.
        row = len(lines) + 1
        row += draw_invitations(body.inner(row, 0), desk)
        journal = max(4, body.rows // _JOURNAL_SHARE)
        middle = body.inner(row, 0, body.rows - row - journal)
        left = body.columns // 2 - 1
        self._draw_seats(middle.inner(0, 0, None, left))
        self._pieces.draw(middle.inner(0, left + 2))
        below = body.inner(body.rows - journal, 0)
        draw_journal(below, desk.journal.lines, 0, desk.say("pane.journal"), desk.charset)

    def _draw_narrow(self, pane: Pane) -> None:
        """Draw seats, pieces and journal one below the other. Invitations appear at a key press."""
        desk, seats = self.desk, self.desk.view.table.room.seats.values()
        journal = max(_LEAST_JOURNAL, pane.rows // _JOURNAL_SHARE)
        most = pane.rows - journal - _LEAST_PIECES
        seated = sum(len(self._seat_lines(seat, pane.columns)) for seat in seats)
        rows = min(1 + seated, max(_LEAST_SEATS, most))
        # The words about inviting give way first: the key that they name is hinted as well.
        inviting = wrap(desk.say("waiting_room.invite_wide"), pane.columns)
        if invitations(desk) and rows + len(inviting) <= most:
            draw_lines(pane, [[("class:prompt", line)] for line in inviting])
            pane = pane.inner(len(inviting), 0)
        self._draw_seats(pane.inner(0, 0, rows))
        self._pieces.draw(pane.inner(rows, 0, pane.rows - rows - journal))
        below = pane.inner(pane.rows - journal, 0)
        draw_journal(below, desk.journal.lines, 0, desk.say("pane.journal"), desk.charset)

    # What is to be done next

    def _next_step(self) -> tuple[str, ...]:
        """Return the viewer's next step, with the key for it: a catalog key and its parameters."""
        desk, model, view = self.desk, self.desk.model, self.desk.view
        mine, room = view.my_seat, view.table.room
        if model.is_catching_up or (view.seat is not None and not view.records):
            return ("wrong.catching_up",)
        if not view.records:
            return ("waiting_room.nothing_due",)
        if mine is None:
            later = seconds_behind(room.settings, model.key)
            if not later:
                return ("waiting_room.look_on",)
            return "waiting_room.look_on_later", table_settings.lasting(model.locale, later)
        if role := self._pieces.other_role(mine):
            return "waiting_room.take_role", desk.speaker.name("role", role)
        begins = self._begins_with_one_more(mine)
        if claim := next_claim(desk, self._pieces, mine, begins_with_one_more=begins):
            return claim
        if self._has_to_prepare(mine):
            return ("waiting_room.prepare",)
        if not mine.is_ready:
            return ready_step(desk, self._pieces, mine, is_alone=self._is_alone())
        return start_step(desk)

    def _about_host(self) -> Iterator[str]:
        """Yield sentences about a host who is away, or who has replaced the viewer."""
        desk, view = self.desk, self.desk.view
        if names := hosts.absent_host(view):
            has_voted = view.seat in view.table.room.host_votes
            key = "waiting_room.host_voted" if has_voted else "waiting_room.host_away"
            yield desk.say(key, *names)
        if name := hosts.replaced_by(view):
            yield desk.say("waiting_room.host_replaced", name)

    def _is_alone(self) -> bool:
        """Return whether the player of a solo table starts the game by getting ready."""
        desk, room = self.desk, self.desk.view.table.room
        # A coach explains both steps, and a known setup is accepted first.
        is_plain = desk.coach is None and room.fixed_setup is None
        return is_plain and begins_alone(desk.model, room)

    def _begins_with_one_more(self, mine: Seat) -> bool:
        """Return whether the player of a solo table starts the game with one more claim."""
        wanted, _ = self.desk.model.counts_wanted(self.desk.view.table.room, mine)
        is_last = len(self._pieces.claimed(mine)) == wanted - 1 > 0
        return is_last and self._is_alone() and not self._has_to_prepare(mine)

    def _watch_readiness(self) -> None:
        """Record whether the viewer lost their readiness by another player's change."""
        mine = self.desk.view.my_seat
        is_ready = mine is not None and mine.is_ready
        if is_ready:
            self._has_lost_ready = False
        elif self._was_ready:
            self._has_lost_ready = not self._is_own_change
            self._is_own_change = False
        self._was_ready = is_ready

    def _preparation(self, seat: Seat) -> Preparation | None:
        """Return the preparation that the face of the game has for the role of a seat."""
        room = self.desk.view.table.room
        return face_of(room.ruleset).preparation_for(self.desk.model.role(room, seat))

    def _has_to_prepare(self, seat: Seat) -> bool:
        return has_to_prepare(self.desk.model, self.desk.view, seat, self._preparation(seat))

    def _can_prepare(self) -> bool:
        """Return whether the viewer's role has a preparation."""
        mine = self.desk.view.my_seat
        return mine is not None and (
            self._preparation(mine) is not None or self._has_to_prepare(mine)
        )

    # The seats

    def _draw_seats(self, pane: Pane) -> None:
        """Draw the seats, and below the seats the table's settings if there is room."""
        desk, view = self.desk, self.desk.view
        draw_rule(pane, 0, desk.say("waiting_room.seats"), desk.charset)
        seats = view.table.room.seats.values()
        lines = [line for seat in seats for line in self._seat_lines(seat, pane.columns)]
        draw_text(pane.inner(1, 0, len(lines)), [[("", line)] for line in lines], 0)
        below = pane.inner(1 + len(lines), 0)
        if below.rows > 1 and view.records:
            draw_rule(below, 0, desk.say("waiting_room.settings"), desk.charset)
            locale, room = desk.model.locale, view.table.room
            said = table_settings.lines(locale, room.settings, room.ruleset)
            settings = [
                ("", setups.fixed_line(locale, room)),
                *(("class:dim", one) for one in said),
            ]
            wrapped = [
                [(style, line)]
                for style, text in settings
                if text
                for line in wrap(text, pane.columns, indent=2)
            ]
            draw_text(below.inner(1, 0), wrapped, 0)

    def _seat_lines(self, seat: Seat, columns: int) -> list[str]:
        """Return a seat's line, wrapped: its player, pieces and state."""
        desk, view = self.desk, self.desk.view
        room = view.table.room
        tags = [
            desk.say(f"waiting_room.{tag}")
            for tag, has in (
                ("you", seat.seat == view.seat),
                ("host", seat.seat == room.host),
                ("bot", seat.is_bot),
                ("away", not seat.is_present and not seat.is_bot),
                ("withheld", seat in setups.withholding(room)),
                ("knows_setup", seat.knows_setup),
                ("prepared", seat.prepared is not None),
                ("unprepared", self._has_to_prepare(seat)),
            )
            if has
        ]
        role = desk.model.role(room, seat)
        named = [desk.speaker.name("role", role)] if role else []
        named += [desk.speaker.name("character", one) for one in seat.characters]
        tagged = f" ({', '.join(tags)})" if tags else ""
        said = desk.say("entry.line", f"{seat.name}{tagged}", ", ".join(named) or "-")
        return wrap(f"[{'x' if seat.is_ready else ' '}] {said}", columns - 2, indent=4)

    # Keys and mouse

    def click(self, spots: Sequence[Spot]) -> None:
        """Go to the clicked piece; a click on the piece under the cursor claims or releases it."""
        if self._pieces.click(spots):
            self.act(Action.CLAIM, "")

    def wheel(self, _: Sequence[Spot], by: int) -> None:
        self.act(Action.DOWN if by > 0 else Action.UP, "")

    def act(self, action: Action, key: str) -> None:
        desk = self.desk
        match action:
            case Action.HELP:
                without = frozenset(() if self._can_prepare() else {Action.PREPARE})
                without |= impossible(desk.model)
                desk.open(help_box(desk, self.context, without=without))
            case Action.LEAVE:
                desk.port.leave_table()
                desk.port.list_tables()
            case Action.INVITATION:
                if desk.model.is_host and not desk.model.is_solo and not invitations(desk):
                    # Somebody who took over from the host has none yet.
                    desk.port.invite(is_to_watch=False)
                    return
                desk.show_outside("\n\n".join(needed_invitations(desk)))
            case Action.COPY:
                # One alone can be pasted: that for a seat, where there are others.
                desk.copy_invitation(needed_invitations(desk)[0])
            case Action.CARDS:
                title = face_of(desk.view.table.room.ruleset).characters
                texts = self._pieces.paragraphs
                at = self._pieces.paragraph_under_cursor()
                desk.open(TextBox(desk, title, texts, opens_at=at))
            case Action.PRODUCTS:
                desk.open(products_menu(desk))
            case Action.UP | Action.DOWN if not self._pieces.is_empty:
                self._pieces.move(1 if action is Action.DOWN else -1)
            case _:
                self._act_seated(action, key)

    def _act_seated(self, action: Action, key: str) -> None:
        """Carry out an action that only seated players have."""
        desk, mine = self.desk, self.desk.view.my_seat
        if mine is None:
            raise CannotDo("wrong.looking_on")
        match action:
            case Action.CHOOSE:
                self._go_on(mine)
            case Action.CLAIM if not self._pieces.is_empty:
                # A ready player who changes anything withdraws their own readiness.
                self._is_own_change = mine.is_ready
                self._pieces.claim(mine)
            case Action.READY:
                self._is_own_change = mine.is_ready
                self._set_ready(is_ready=not mine.is_ready)
            case Action.PREPARE if self._can_prepare():
                self._open_preparation(mine)
            case Action.HOST:
                if not is_host_away(desk.view.table.room):
                    raise CannotDo("error.host/is_here")
                desk.port.vote_host()
            case Action.CHAT:
                desk.entry = TextEntry("entry.chat", desk.port.chat, stays=True)
            case Action.STAND_UP:
                desk.open(Confirm(desk, "box.leave", desk.say("leave.seat"), desk.port.leave_seat))
            case _:
                act_as_host(desk, action, key)

    def _go_on(self, mine: Seat) -> None:
        """
        Take the next step towards the game; undo nothing, except for another role under the cursor.

        Raise CannotDo if the player has no step to take.
        """
        desk, room = self.desk, self.desk.view.table.room
        sent = desk.model.sent.values()
        if room.stage is Stage.STARTING or any(isinstance(one, StartGame) for one in sent):
            raise CannotDo("waiting_room.starting")
        # Requests without a reply count, so that a second Enter takes the next step.
        is_ready = mine.is_ready or any(isinstance(m, SetReady) and m.is_ready for m in sent)
        (fewest, most), claimed = desk.model.counts_wanted(room, mine), self._pieces.claimed(mine)
        begins = self._begins_with_one_more(mine)
        if self._pieces.other_role(mine):
            self._is_own_change = mine.is_ready
            self._pieces.take(mine)
            return
        if len(claimed) < fewest:
            self._pieces.take(mine)
            if not begins:
                return
        elif len(claimed) > most:
            raise CannotDo("waiting_room.too_many")
        elif self._has_to_prepare(mine):
            self._open_preparation(mine)
            return
        if not is_ready:
            self._set_ready(is_ready=True)
            if not self._is_alone():
                return
        elif (step := start_step(desk))[0] != "waiting_room.start":
            raise CannotDo(*step)
        desk.port.start()

    def _set_ready(self, *, is_ready: bool) -> None:
        desk = self.desk
        fixed = desk.view.table.room.fixed_setup
        if fixed is not None and is_ready and setups.is_known(desk.model):
            # It was said that this is what pressing it again means.
            desk.port.accept_setup(fixed)
        desk.port.set_ready(is_ready)

    def _open_preparation(self, mine: Seat) -> None:
        desk = self.desk
        self._is_own_change = mine.is_ready
        desk.open(PrepareBox(desk, self._preparation(mine), lambda: desk.view.my_seat))

    def _going_on(self, mine: Seat) -> str:
        """Return the hint for the key that takes the next step; empty if there is no step."""
        key, *_ = self._next_step()
        is_claiming = _HINTS.get(key) == "hint.claim"
        can_claim = self._pieces.free_character(mine) or self._pieces.other_role(mine)
        return "" if is_claiming and not can_claim else _HINTS.get(key, "")

    def hints(self) -> Hinted:
        model, view = self.desk.model, self.desk.view
        mine, room = view.my_seat, view.table.room
        found = usual(Action.CARDS, Action.HELP, Action.LEAVE)
        if mine is not None:
            found |= self._pieces.hints(mine)
            if step := self._going_on(mine):
                found[Action.CHOOSE] = step
            if mine.is_ready:
                found[Action.READY] = "hint.unready"
            if self._can_prepare():
                found[Action.PREPARE] = ""
            # Alone there is nobody to talk to, and nobody has chosen what is played.
            found[Action.SCENARIO if model.is_solo else Action.CHAT] = ""
        if model.is_host:
            found |= usual(Action.BOT)
            if setups.withholding(room):
                found |= usual(Action.EMPTY_SEAT)
        if mine is not None and is_host_away(room) and mine.seat not in room.host_votes:
            found[Action.HOST] = ""
        if invitations(self.desk):
            # The key that copies it is named above the line itself.
            found[Action.INVITATION] = ""
        never = impossible(model)
        return {action: label for action, label in found.items() if action not in never}
