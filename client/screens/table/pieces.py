"""The roles and characters that a seat can claim before a game: a list, and a text about each."""

from collections.abc import Sequence

import attrs

from client.keymap.keys import Action
from client.model.roles import owners_of_full
from client.plugs.face import face_of
from client.screens.base.screen import CannotDo, Desk, item_clicked
from client.text.printable import wrap
from client.widgets.canvas import Pane, Spot, Styled
from client.widgets.pages import draw_rule, draw_text
from client.widgets.paragraphs import HEAD, Paragraph
from protocol.common.table import Seat
from protocol.messages import ClaimCharacters, ClaimRole

_LEAST_LISTED = 4
"""The minimum number of rows that the text about a piece leaves to the list."""


@attrs.frozen
class _Piece:
    """A role or a character."""

    kind: str
    """`role` or `character`."""
    id: str


@attrs.define(eq=False)
class PieceList:
    """The list of pieces, with the viewer's cursor."""

    desk: Desk
    _cursor: int = attrs.field(default=0, init=False)
    _has_begun: bool = attrs.field(default=False, init=False)
    """True once the list was drawn for the viewer's seat."""

    def _pieces(self) -> Sequence[_Piece]:
        """Return the roles, if there are several, and the characters of the viewer's role."""
        model, room = self.desk.model, self.desk.view.table.room
        return [
            *(_Piece("role", one) for one in model.roles(room)),
            *(_Piece("character", one) for one in model.characters(room)),
        ]

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to claim."""
        return not self._pieces()

    def draw(self, pane: Pane) -> None:
        """Draw the list around the cursor, and below the list the text about the selected piece."""
        desk, pieces = self.desk, self._pieces()
        kinds = {piece.kind: self._title(piece.kind) for piece in pieces}
        title = " / ".join(kinds.values()) or self._title("character")
        draw_rule(pane, 0, title, desk.charset)
        if not pieces:
            return
        under = pieces[self._cursor]
        details = desk.speaker.details(under.kind, under.id)
        about = [line for text in details for line in wrap(text, pane.columns)]
        below = pane.inner(1, 0)
        # The list has half of the rows, or more where the text leaves some.
        half = max(_LEAST_LISTED, below.rows // 2)
        rows = min(len(pieces), max(half, below.rows - 1 - len(about)))
        lines: list[Styled] = []
        for piece in pieces:
            mark, style = (">", "class:cursor") if piece == under else (" ", "")
            lines.append([(style, f"{mark} {self._said(piece)}")])
        first = draw_text(below.inner(0, 0, rows), lines, self._cursor - rows + 1)
        for row in range(min(rows, len(pieces) - first)):
            below.spot("item", str(first + row), row=row, rows=1)
        rest = below.inner(rows + 1, 0)
        if len(about) > rest.rows > 0:
            # A key opens all of it.
            about = [*about[: rest.rows - 1], desk.say("waiting_room.more")]
        for row, line in enumerate(about):
            rest.write(row, 0, line, "class:dim")

    def _title(self, kind: str) -> str:
        characters = face_of(self.desk.view.table.room.ruleset).characters
        return self.desk.say("box.roles" if kind == "role" else characters)

    def paragraphs(self) -> list[Paragraph]:
        """Return the full texts about the characters, and about the roles that have any."""
        return [one for piece in self._pieces() for one in self._paragraphs_about(piece)]

    def paragraph_under_cursor(self) -> int:
        """Return the number of paragraphs before those about the piece under the cursor."""
        before = self._pieces()[: self._cursor]
        return sum(len(self._paragraphs_about(piece)) for piece in before)

    def _paragraphs_about(self, piece: _Piece) -> list[Paragraph]:
        details = self.desk.speaker.reading(piece.kind, piece.id)
        if piece.kind != "character" and not details:
            return []
        return [(HEAD, self._said(piece)), *(("", f"  {text}") for text in details), ("", "")]

    def _said(self, piece: _Piece) -> str:
        """Return the name of a piece, marked as free, the viewer's own, or another player's."""
        view, name = self.desk.view, self.desk.speaker.name(piece.kind, piece.id)
        room, mine = view.table.room, view.my_seat
        if piece.kind == "role":
            if mine is not None and piece.id == self.desk.model.role(room, mine):
                return f"[x] {name}"
            owners = owners_of_full(self.desk.model, room, piece.id)
            return f"[-] {name} ({owners})" if owners else f"[ ] {name}"
        owner = next((seat for seat in room.seats.values() if piece.id in seat.characters), None)
        if owner is None:
            return f"[ ] {name}"
        return f"[x] {name}" if owner.seat == view.seat else f"[-] {name} ({owner.name})"

    # The cursor

    def move(self, by: int) -> None:
        """Move the cursor; past either end, continue at the other."""
        self._cursor = (self._cursor + by) % len(self._pieces())

    def begin(self) -> None:
        """
        Put the cursor where it begins: on the viewer's role, or on a free character.

        To be called before each frame. Afterwards nobody but the player moves the cursor: a key
        pressed for one character never means another.
        """
        mine, pieces = self.desk.view.my_seat, self._pieces()
        # Products switched off take characters away from under the cursor.
        self._cursor = max(0, min(self._cursor, len(pieces) - 1))
        if mine is None or not pieces:
            return
        if self._has_begun:
            return
        self._has_begun = True
        if self.other_role(mine):
            # The first key of a player who comes back must not change the role.
            self._go_to_role(mine)
        if self._under().kind == "character" and not self.claimed(mine):
            self._go_to_free(mine)

    def _go_to_free(self, mine: Seat) -> None:
        """Move the cursor to the next free character, if there is one."""
        pieces = len(self._pieces())
        # A full circle ends where it began if no character is free.
        for _ in range(pieces):
            if self.free_character(mine):
                return
            self.move(1)

    def _go_to_role(self, mine: Seat) -> None:
        """Move the cursor to the viewer's own role."""
        while self.other_role(mine):
            self.move(1)

    def click(self, spots: Sequence[Spot]) -> bool:
        """Go to the clicked piece; return whether the cursor was on the piece already."""
        self._cursor, is_chosen = item_clicked(spots, self._cursor)
        return is_chosen

    def claim(self, mine: Seat) -> None:
        """
        Claim the piece under the cursor, or release the piece if the viewer has claimed it.

        A player who can play one character alone exchanges it.
        """
        piece, port, claimed = self._under(), self.desk.port, self.claimed(mine)
        if piece.kind == "role":
            port.claim_role(piece.id)
        elif piece.id in claimed:
            port.claim(tuple(one for one in claimed if one != piece.id))
        else:
            port.claim((piece.id,) if self.is_exchange(mine) else (*claimed, piece.id))

    def is_exchange(self, mine: Seat) -> bool:
        """Return whether a free character would come in place of the viewer's only one."""
        _, most = self.desk.model.counts_wanted(self.desk.view.table.room, mine)
        return most == len(self.claimed(mine)) == 1 and bool(self.free_character(mine))

    def claimed(self, mine: Seat) -> tuple[str, ...]:
        """Return the viewer's characters, with a claim that the server has not confirmed yet."""
        sent = [m for m in self.desk.model.sent.values() if isinstance(m, ClaimCharacters)]
        return sent[-1].characters if sent else mine.characters

    def other_role(self, mine: Seat) -> str:
        """Return the role under the cursor if the viewer has another one; else an empty text."""
        if self.is_empty or self._under().kind != "role":
            return ""
        model, role = self.desk.model, self._under().id
        sent = [m for m in model.sent.values() if isinstance(m, ClaimRole)]
        own = sent[-1].role if sent else model.role(self.desk.view.table.room, mine)
        return "" if role == own else role

    def free_character(self, mine: Seat) -> str:
        """Return the character under the cursor if nobody has claimed it; else an empty text."""
        pieces = self._pieces()
        if not pieces:
            return ""
        piece = self._under()
        is_free = piece.kind == "character" and piece.id not in {
            *self.claimed(mine),
            *(c for s in self.desk.view.table.room.seats.values() for c in s.characters),
        }
        return piece.id if is_free else ""

    def take(self, mine: Seat) -> None:
        """
        Claim the character under the cursor, and go to the next free one; release nothing.

        Another role is claimed instead of the viewer's role, and the cursor stays on it.

        Raise CannotDo if the viewer or another player has claimed it, or if the role is full.
        """
        piece = self._under()
        if role := self.other_role(mine):
            if owners_of_full(self.desk.model, self.desk.view.table.room, role):
                raise CannotDo("error.table/role_taken")
            self.desk.port.claim_role(role)
            return
        if piece.kind == "role":
            self._go_to_free(mine)
            return
        if self.free_character(mine):
            self.desk.port.claim((*self.claimed(mine), piece.id))
        else:
            is_mine = piece.id in self.claimed(mine)
            raise CannotDo("wrong.own_piece" if is_mine else "error.table/piece_taken")
        self.move(1)
        self._go_to_free(mine)
        self._go_to_role(mine)

    def _under(self) -> _Piece:
        pieces = self._pieces()
        return pieces[min(self._cursor, len(pieces) - 1)]

    def hints(self, mine: Seat) -> dict[Action, str]:
        """Return the hint to release or exchange a character; none for another player's."""
        if not self.is_empty and self.is_exchange(mine):
            return {Action.CLAIM: "hint.exchange"}
        if self.is_empty or self._under().id not in self.claimed(mine):
            return {}
        return {Action.CLAIM: "hint.put_back"}
