"""The waiting room: who is there, who plays whom, and whether everybody is ready."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

import attrs

from client.keymap.keys import Action, Context
from client.model import setups
from client.model.model import ANY_SEAT, WATCH
from client.model.possible import impossible
from client.model.tables import TableView
from client.plugs.face import face_of
from client.plugs.preparation import Preparation, has_to_prepare
from client.screens.base import boxes
from client.screens.base.head import draw_head
from client.screens.base.screen import CannotDo, Desk, Hinted, TextEntry, item_clicked, usual
from client.screens.lobby.opening import OpeningScreen
from client.screens.table.inviting import renewing_box
from client.screens.table.prepare import PrepareBox
from client.settings import table_settings
from client.settings.table_settings import lasting
from client.text.printable import wrap
from client.widgets.canvas import Pane, Spot, Styled
from client.widgets.pages import draw_journal, draw_lines, draw_rule, draw_text
from client.widgets.paragraphs import HEAD, Paragraph
from protocol.common.observers import seconds_behind
from protocol.common.table import Seat, Stage
from protocol.invitation import UnreadableInvitation, parse_code

_JOURNAL_SHARE = 4
"""The journal takes one part in so many of the height."""
_MANY_ROWS = 28
"""From so many rows on there is room for both invitations."""
_LEAST_JOURNAL = 3
_LEAST_SEATS = 3
"""Rows of journal and seats on a narrow screen, titles included."""
_LEAST_PIECES = 4
"""Investigators listed at least, before what is written about one."""


@attrs.frozen
class _Choice:
    """What a seat can claim."""

    kind: str
    """`role` or `character`."""
    id: str


@attrs.define(eq=False)
class WaitingScreen:
    """A table before its game."""

    desk: Desk
    context: Context = attrs.field(default=Context.WAITING, init=False)
    _cursor: int = attrs.field(default=0, init=False)

    @property
    def view(self) -> TableView:
        """The table; there is one as long as this screen is shown."""
        view = self.desk.model.view
        assert view is not None
        return view

    def characters(self) -> Sequence[str]:
        """Return the investigators that can be chosen."""
        return self.desk.model.characters(self.view.table.room)

    def _choices(self) -> Sequence[_Choice]:
        """Return the roles, if there are several, and who can be chosen in the viewer's role."""
        roles = self.desk.model.roles(self.view.table.room)
        named = [_Choice("role", role) for role in roles]
        return [*named, *(_Choice("character", one) for one in self.characters())]

    def draw(self, pane: Pane) -> None:
        """Draw what to do next, invitation, seats, investigators and the journal."""
        desk = self.desk
        title = desk.model.title(self.view.table.room.scenario)
        named = desk.say("waiting_room.title", title) if title else ""
        body = draw_head(pane, desk, named or desk.say("waiting_room.title_unknown"))
        row = self._draw_next_step(body)
        if pane.is_narrow:
            self._draw_narrow(body.inner(row, 0))
            return
        row += 1
        row += self._draw_invitations(body.inner(row, 0))
        journal = max(4, body.rows // _JOURNAL_SHARE)
        middle = body.inner(row, 0, body.rows - row - journal)
        left = body.columns // 2 - 1
        self._draw_seats(middle.inner(0, 0, None, left))
        self._draw_choices(middle.inner(0, left + 2))
        below = body.inner(body.rows - journal, 0)
        draw_journal(below, desk.journal.lines, 0, desk.say("pane.journal"), desk.charset)

    def _draw_narrow(self, pane: Pane) -> None:
        """Draw seats, investigators and journal below one another; a key shows invitations."""
        desk, seats = self.desk, self.view.table.room.seats.values()
        journal = max(_LEAST_JOURNAL, pane.rows // _JOURNAL_SHARE)
        seated = sum(len(self._seat_lines(seat, pane.columns)) for seat in seats)
        most = pane.rows - journal - 1 - _LEAST_PIECES
        row = min(1 + seated, max(_LEAST_SEATS, most))
        if self._invitations():
            said = desk.say("waiting_room.invite_wide")
            lines = wrap(said, pane.columns)
            if row + len(lines) <= most:
                draw_lines(pane, [[("class:prompt", line)] for line in lines])
                pane = pane.inner(len(lines), 0)
        self._draw_seats(pane.inner(0, 0, row))
        self._draw_choices(pane.inner(row, 0, pane.rows - row - journal))
        below = pane.inner(pane.rows - journal, 0)
        draw_journal(below, desk.journal.lines, 0, desk.say("pane.journal"), desk.charset)

    def _draw_next_step(self, pane: Pane) -> int:
        """Draw what is to be done now; return the row below."""
        is_starting = self.view.table.room.stage is Stage.STARTING
        key = "waiting_room.starting" if is_starting else self._next_step()
        lines = wrap(self.desk.say(key, self._detail()), pane.columns)
        for row, text in enumerate(lines):
            pane.write(row, 0, text, "class:prompt")
        return len(lines)

    def _detail(self) -> str:
        """Return what the words of the next step leave open: who is not ready, how much later."""
        room = self.view.table.room
        if self.view.my_seat is None:
            model = self.desk.model
            return lasting(model.locale, seconds_behind(room.settings, model.key))
        seats = room.seats.values()
        return ", ".join(seat.name for seat in seats if not seat.is_ready)

    def _draw_invitations(self, pane: Pane) -> int:
        """Draw the lines to paste to friends; return the row below."""
        if self.desk.model.is_solo:
            return 0
        # A small screen has room for one; both are shown where they can be copied.
        seats = (ANY_SEAT, WATCH) if pane.rows >= _MANY_ROWS else (ANY_SEAT,)
        can_copy = self.desk.prefs.clipboard
        invite = "waiting_room.invite_line" if can_copy else "waiting_room.invite_shown"
        wide = "waiting_room.invite_wide_copied" if can_copy else "waiting_room.invite_wide"
        labels = {ANY_SEAT: invite, WATCH: "waiting_room.watch"}
        row = 0
        for seat in seats:
            line = self.desk.model.invitation(seat)
            if not line:
                continue
            if len(line) > pane.columns:
                # Broken in two it could not be copied, so it is shown outside alone.
                pane.write_clipped(row, 0, self.desk.say(wide), "class:prompt")
                return row + 2
            pane.write_clipped(row, 0, self.desk.say(labels[seat]), "class:prompt")
            pane.write(row + 1, 0, line, "class:invitation")
            row += 2
        return row + 1 if row else 0

    def _draw_seats(self, pane: Pane) -> None:
        """Draw who sits there, and below what holds at this table, as far as there is room."""
        desk, room = self.desk, self.view.table.room
        draw_rule(pane, 0, desk.say("waiting_room.seats"), desk.charset)
        lines = [
            line for seat in room.seats.values() for line in self._seat_lines(seat, pane.columns)
        ]
        draw_text(pane.inner(1, 0, len(lines)), [[("", line)] for line in lines], 0)
        below = pane.inner(1 + len(lines), 0)
        if below.rows > 1 and self.view.records:
            draw_rule(below, 0, desk.say("waiting_room.settings"), desk.charset)
            holds = [
                (style, line)
                for style, text in self._holds()
                for line in wrap(text, pane.columns, indent=2)
            ]
            draw_text(below.inner(1, 0), [[line] for line in holds], 0)

    def _holds(self) -> Iterator[Paragraph]:
        locale, room = self.desk.model.locale, self.view.table.room
        if fixed := setups.fixed_line(locale, room):
            yield "", fixed
        has_windows = face_of(room.ruleset).has_windows
        for line in table_settings.lines(locale, room.settings, has_windows=has_windows):
            yield "class:dim", line

    def _seat_lines(self, seat: Seat, columns: int) -> list[str]:
        return wrap(self._seat_text(seat), columns - 2, indent=4)

    def _seat_text(self, seat: Seat) -> str:
        desk, room = self.desk, self.view.table.room
        mark = "[x]" if seat.is_ready else "[ ]"
        tags = [
            desk.say(f"waiting_room.{tag}")
            for tag, has in (
                ("you", seat.seat == self.view.seat),
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
        names = ", ".join(named)
        tagged = f" ({', '.join(tags)})" if tags else ""
        return f"{mark} " + desk.say("entry.line", f"{seat.name}{tagged}", names or "-")

    def _next_step(self) -> str:
        mine, room = self.view.my_seat, self.view.table.room
        if not self.view.records:
            return "waiting_room.nothing_due"
        if mine is None:
            is_later = seconds_behind(room.settings, self.desk.model.key) > 0
            return "waiting_room.look_on_later" if is_later else "waiting_room.look_on"
        wanted = self.desk.model.count_wanted(room, mine)
        if wanted and not mine.characters:
            return "waiting_room.choose_alone" if wanted > 1 else "waiting_room.choose"
        if self.desk.model.lacks_more(room, mine):
            return "waiting_room.second"
        if self._has_to_prepare(mine):
            return "waiting_room.prepare"
        if not mine.is_ready:
            return "waiting_room.be_ready"
        if not all(seat.is_ready for seat in room.seats.values()):
            return "waiting_room.unready"
        return "waiting_room.start" if self.desk.model.is_host else "waiting_room.host_starts"

    def _preparation(self, seat: Seat) -> Preparation | None:
        """Return what a seat prepares, as the face of the game has it for its role."""
        room = self.view.table.room
        return face_of(room.ruleset).preparation_for(self.desk.model.role(room, seat))

    def _has_to_prepare(self, seat: Seat) -> bool:
        return has_to_prepare(self.desk.model, self.view, seat, self._preparation(seat))

    def _can_prepare(self) -> bool:
        """Return whether there is anything to prepare here, as far as this client knows."""
        mine = self.view.my_seat
        return mine is not None and (
            self._preparation(mine) is not None or self._has_to_prepare(mine)
        )

    def _draw_choices(self, pane: Pane) -> None:
        desk, choices = self.desk, self._choices()
        draw_rule(pane, 0, desk.say("waiting_room.pieces"), desk.charset)
        if not choices:
            return
        self._cursor = min(self._cursor, len(choices) - 1)
        under = choices[self._cursor]
        about = [
            line
            for text in desk.speaker.details(under.kind, under.id)
            for line in wrap(text, pane.columns)
        ]
        below = pane.inner(1, 0)
        half = max(_LEAST_PIECES, below.rows // 2)
        rows = min(len(choices), max(half, below.rows - 1 - len(about)))
        lines: list[Styled] = []
        for choice in choices:
            here = choice == under
            text = f"{'>' if here else ' '} {self._choice_text(choice)}"
            lines.append([("class:cursor" if here else "", text)])
        first = draw_text(below.inner(0, 0, rows), lines, self._cursor - rows + 1)
        for row in range(min(rows, len(choices) - first)):
            below.spot("item", str(first + row), row=row, rows=1)
        self._draw_about(below.inner(rows + 1, 0), about)

    def _draw_about(self, pane: Pane, about: list[str]) -> None:
        """Draw as much about an investigator as fits, and how to read the rest."""
        if len(about) > pane.rows > 0:
            about = [*about[: pane.rows - 1], self.desk.say("waiting_room.more")]
        for row, line in enumerate(about):
            pane.write(row, 0, line, "class:dim")

    def _people(self) -> list[Paragraph]:
        """Return all that is written about the investigators."""
        found: list[Paragraph] = []
        for character in self.characters():
            found.append((HEAD, self._choice_text(_Choice("character", character))))
            details = self.desk.speaker.details("character", character)
            found += [("", f"  {text}") for text in details]
            found.append(("", ""))
        return found

    def _choice_text(self, choice: _Choice) -> str:
        name, room = self.desk.speaker.name(choice.kind, choice.id), self.view.table.room
        if choice.kind == "role":
            seat = self.view.my_seat
            is_mine = seat is not None and choice.id == self.desk.model.role(room, seat)
            return f"[x] {name}" if is_mine else f"[ ] {name}"
        owner = next((s for s in room.seats.values() if choice.id in s.characters), None)
        if owner is None:
            return f"[ ] {name}"
        mine = owner.seat == self.view.seat
        return f"[x] {name}" if mine else f"[-] {name} ({owner.name})"

    # What keys and the mouse do

    def click(self, spots: Sequence[Spot]) -> None:
        """Go to the investigator that is clicked on; a second click chooses them."""
        self._cursor, is_chosen = item_clicked(spots, self._cursor)
        if is_chosen:
            self.act(Action.CLAIM, "")

    def wheel(self, _: Sequence[Spot], by: int) -> None:
        """Move by one."""
        self.act(Action.DOWN if by > 0 else Action.UP, "")

    def act(self, action: Action, key: str) -> None:
        """Do what a key means."""
        desk, choices = self.desk, self._choices()
        match action:
            case Action.HELP:
                without = frozenset(() if self._can_prepare() else {Action.PREPARE})
                without |= impossible(desk.model)
                desk.open(boxes.help_box(desk, self.context, without=without))
            case Action.LEAVE:
                desk.port.leave_table()
                desk.port.list_tables()
            case Action.INVITATION:
                desk.show_outside("\n\n".join(self._needed_invitations()))
            case Action.COPY:
                # One alone can be pasted: that for a seat, where there are others.
                desk.copy_invitation(self._needed_invitations()[0])
            case Action.CARDS:
                desk.open(boxes.TextBox(desk, "box.investigators", self._people))
            case Action.PRODUCTS:
                desk.open(boxes.Menu(desk, "box.products", self._products()))
            case Action.UP | Action.DOWN if choices:
                step = 1 if action is Action.DOWN else -1
                self._cursor = (self._cursor + step) % len(choices)
            case _:
                self._act_seated(action, key)

    def _act_seated(self, action: Action, key: str) -> None:
        desk, mine = self.desk, self.view.my_seat
        if mine is None:
            raise CannotDo("wrong.looking_on")
        match action:
            case Action.CLAIM if self._choices():
                self._claim(mine, self._choices()[self._cursor])
            case Action.READY:
                if not mine.is_ready and setups.is_known(desk.model):
                    # It was said that this is what pressing it again means.
                    desk.port.accept_setup()
                desk.port.set_ready(not mine.is_ready)
            case Action.PREPARE if self._can_prepare():
                desk.open(PrepareBox(desk, self._preparation(mine), lambda: self.view.my_seat))
            case Action.CHAT:
                desk.entry = TextEntry("entry.chat", desk.port.chat, stays=True)
            case Action.STAND_UP:
                text = desk.say("leave.seat")
                desk.open(boxes.Confirm(desk, "box.leave", text, desk.port.leave_seat))
            case _:
                self._act_host(action, key)

    def _act_host(self, action: Action, key: str) -> None:
        desk = self.desk
        actions: dict[Action, Callable[[], None]] = {
            Action.START: desk.port.start,
            Action.BOT: desk.port.add_bot,
            Action.CAMPAIGN: desk.port.continue_campaign,
            Action.SCENARIO: lambda: desk.open(OpeningScreen(desk, is_changing=True)),
            Action.SETUP: self._fix_setup,
            Action.EMPTY_SEAT: self._empty_seat,
            Action.RENEW: self._renew_invitations,
            Action.REMOVE: self._remove_table,
        }
        if action not in actions:
            raise CannotDo("wrong.key", key)
        if not desk.model.is_host:
            raise CannotDo("wrong.not_host")
        actions[action]()

    def _fix_setup(self) -> None:
        """Ask for the code of a fixed setup, or whether the table is to have its own house."""
        desk = self.desk
        if self.view.table.room.fixed_setup is None:
            desk.entry = TextEntry("entry.setup", self._take_code, "hint.fix_setup")
            return
        text = desk.say("setup.free")
        desk.open(boxes.Confirm(desk, "box.setup", text, lambda: desk.port.fix_setup("")))

    def _take_code(self, text: str) -> None:
        try:
            code = parse_code(text)
        except UnreadableInvitation as error:
            raise CannotDo("wrong.invitation", self.desk.model.locale.unreadable(error)) from error
        self.desk.port.fix_setup(code)

    def _empty_seat(self) -> None:
        """Put out who withheld their share, of several the one that is chosen."""
        desk, seats = self.desk, setups.withholding(self.view.table.room)
        if not seats:
            raise CannotDo("wrong.none_withheld")
        if len(seats) == 1:
            text = desk.say("empty_seat.ask", seats[0].name)
            (seat,) = (one.seat for one in seats)
            desk.open(
                boxes.Confirm(desk, "box.empty_seat", text, lambda: desk.port.empty_seat(seat))
            )
            return
        items = [boxes.Item(s.name, partial(desk.port.empty_seat, s.seat)) for s in seats]
        desk.open(boxes.Menu(desk, "box.empty_seat", items))

    def _renew_invitations(self) -> None:
        """Ask whether what was given out is to be worthless."""
        desk = self.desk
        self._needed_invitations()
        desk.open(renewing_box(desk))

    def _remove_table(self) -> None:
        """Ask whether the table is to go for all."""
        desk, text = self.desk, self.desk.say("remove.ask")
        desk.open(boxes.Confirm(desk, "box.remove", text, desk.port.remove_table))

    def _products(self) -> list[boxes.Item]:
        """Return what is on and off at this table, for the host to switch."""
        desk, off = self.desk, self.view.table.room.products_off
        line = desk.model.scenario(self.view.table.room.scenario)

        def switch(product: str) -> None:
            if not desk.model.is_host:
                raise CannotDo("wrong.not_host")
            others = tuple(one for one in off if one != product)
            desk.port.switch_products(others if product in off else (*off, product))

        return [
            boxes.Item(
                f"[{' ' if one.product in off else 'x'}] "
                + desk.speaker.name("product", one.product),
                lambda product=one.product: switch(product),  # type: ignore[misc]
            )
            for one in (line.products if line is not None else ())
        ]

    def _needed_invitations(self) -> list[str]:
        lines = self._invitations()
        if not lines:
            raise CannotDo("wrong.no_invitation")
        return lines

    def _invitations(self) -> list[str]:
        model = self.desk.model
        if model.is_solo:
            return []
        return [line for seat in (ANY_SEAT, WATCH) if (line := model.invitation(seat))]

    def _claim(self, mine: Seat, choice: _Choice) -> None:
        """Choose a role; or an investigator, or put them back: who is chosen stays until then."""
        if choice.kind == "role":
            self.desk.port.claim_role(choice.id)
        elif choice.id in mine.characters:
            self.desk.port.claim(tuple(one for one in mine.characters if one != choice.id))
        else:
            self.desk.port.claim((*mine.characters, choice.id))

    def hints(self) -> Hinted:
        """Return what makes sense now."""
        mine = self.view.my_seat
        found = usual(Action.CARDS, Action.HELP, Action.LEAVE)
        if mine is not None:
            found |= self._to_choose(mine)
            if mine.characters or not self.desk.model.count_wanted(self.view.table.room, mine):
                found[Action.READY] = "hint.unready" if mine.is_ready else ""
            if self._can_prepare():
                found[Action.PREPARE] = ""
            # Alone there is nobody to talk to, and nobody has chosen what is played.
            found[Action.SCENARIO if self.desk.model.is_solo else Action.CHAT] = ""
        if self.desk.model.is_host:
            found |= usual(Action.BOT)
            if all(seat.is_ready for seat in self.view.table.room.seats.values()):
                found |= usual(Action.START)
            if setups.withholding(self.view.table.room):
                found |= usual(Action.EMPTY_SEAT)
        if self._invitations():
            # The key that copies it is named above the line itself.
            found[Action.INVITATION] = ""
        never = impossible(self.desk.model)
        return {action: label for action, label in found.items() if action not in never}

    def _to_choose(self, mine: Seat) -> dict[Action, str]:
        """Return what choosing the investigator under the cursor does; nothing where it cannot."""
        choices = self._choices()
        if not choices:
            return {}
        here = choices[self._cursor % len(choices)].id
        if here in mine.characters:
            return {Action.CLAIM: "hint.put_back"}
        taken = any(here in seat.characters for seat in self.view.table.room.seats.values())
        return {} if taken else usual(Action.CLAIM)
