"""
Preparation: lines that a seat writes before a game, such as a list of cards.

It is sent as the game's own bytes, which only the rules judge (`Ruleset.prepared_fault`), so the
face converts between lines and bytes. Without that, the client can only show the refusal
of the rules in words.
"""

from collections.abc import Callable, Sequence

import attrs

from client.locale.speaker import Speaker
from client.model.model import ClientModel
from client.model.tables import TableView
from protocol.common.padded import MAX_CONTENT
from protocol.common.table import RoomTable, Seat


class UnwritableLines(Exception):
    """Lines that cannot be sent. Holds a sentence as catalog key and parameters."""

    def __init__(self, key: str, *params: str | int) -> None:
        """Keep the key and its parameters."""
        super().__init__(key)
        self.key, self.params = key, params


def read_text(content: bytes) -> tuple[str, ...]:
    """Return the lines of a text in UTF-8."""
    return tuple(content.decode("utf-8", "replace").splitlines())


def write_text(lines: Sequence[str]) -> bytes:
    """Return lines as a text in UTF-8."""
    return "\n".join(lines).encode()


@attrs.frozen
class Preparation:
    """The preparation of a role, in lines."""

    asked: Callable[[Speaker, RoomTable], Sequence[str]]
    """The request, in sentences."""
    wanted: Callable[[RoomTable, Seat], bool] = lambda _room, _seat: True
    """Whether the rules want a preparation of this seat, by public knowledge."""
    most_lines: int = 1
    read: Callable[[bytes], Sequence[str]] = read_text
    """Converts the game's bytes to lines; total, since nobody checks sealed bytes."""
    write: Callable[[Sequence[str]], bytes] = write_text
    """Converts lines to the game's bytes. May raise UnwritableLines."""

    def bytes_of(self, lines: Sequence[str]) -> bytes:
        """Return the message content. UnwritableLines for too many or too long lines."""
        if len(lines) > self.most_lines:
            raise UnwritableLines("prepare.many", self.most_lines)
        content = self.write(lines)
        if len(content) > MAX_CONTENT:
            raise UnwritableLines("prepare.long", MAX_CONTENT)
        return content

    def sent(self, seat: Seat) -> tuple[str, ...]:
        """Return the lines that a seat has prepared, if the viewer may know them."""
        if seat.prepared is None or not seat.prepared.is_open:
            return ()
        return tuple(self.read(seat.prepared.value.content))


def has_to_prepare(
    model: ClientModel, view: TableView, seat: Seat, preparation: Preparation | None
) -> bool:
    """
    Return whether a seat must prepare something before it can be ready.

    Args:
        model: knows the last refusal of the rules.
        view: of the table, before its game.
        seat: the seat that prepares.
        preparation: of that seat's role; None where the face has none.
    """
    if seat.seat == view.seat and model.unfit_here is not None:
        return True
    if preparation is None or seat.prepared is not None:
        return False
    return preparation.wanted(view.table.room, seat)
