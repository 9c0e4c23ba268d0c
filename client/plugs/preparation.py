"""
Preparation: what a seat writes before a game begins, such as a list of cards.

It travels as the game's own bytes, which the rules alone judge (`Ruleset.prepared_fault`), so a
face says how lines become such bytes. Without one the client can only say that the rules want
something, in the words of their refusal.
"""

from collections.abc import Callable, Sequence

import attrs

from client.locale.speaker import Speaker
from client.model.model import ClientModel
from client.model.tables import TableView
from protocol.common.padded import MAX_CONTENT
from protocol.common.table import RoomTable, Seat


class UnwritableLines(Exception):
    """Lines that cannot be sent: one sentence, by the catalog's key and its parameters."""

    def __init__(self, key: str, *params: str | int) -> None:
        """Say which words of the catalog tell why."""
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
    """What somebody in a role prepares, a line each."""

    asked: Callable[[Speaker, RoomTable], Sequence[str]]
    """What is asked for, in sentences."""
    wanted: Callable[[RoomTable, Seat], bool] = lambda _room, _seat: True
    """Whether the rules want anything of this seat, by what everybody knows of the table."""
    most_lines: int = 1
    read: Callable[[bytes], Sequence[str]] = read_text
    """Returns the lines of the game's bytes; total, since nobody checks what was sealed."""
    write: Callable[[Sequence[str]], bytes] = write_text
    """Returns the game's bytes of lines. UnwritableLines for what are none."""

    def bytes_of(self, lines: Sequence[str]) -> bytes:
        """Return what is sent. UnwritableLines for too many lines, or too long ones."""
        if len(lines) > self.most_lines:
            raise UnwritableLines("prepare.many", self.most_lines)
        content = self.write(lines)
        if len(content) > MAX_CONTENT:
            raise UnwritableLines("prepare.long", MAX_CONTENT)
        return content

    def sent(self, seat: Seat) -> tuple[str, ...]:
        """Return what a seat has prepared, as far as the viewer may know it."""
        if seat.prepared is None or not seat.prepared.is_open:
            return ()
        return tuple(self.read(seat.prepared.value.content))


def has_to_prepare(
    model: ClientModel, view: TableView, seat: Seat, preparation: Preparation | None
) -> bool:
    """
    Return whether a seat has to prepare something before it can be ready.

    Args:
        model: has what the rules refused last.
        view: of the table, before its game.
        seat: whose preparation it is.
        preparation: of that seat's role; None where the face has none.
    """
    if seat.seat == view.seat and model.unfit_here is not None:
        return True
    if preparation is None or seat.prepared is not None:
        return False
    return preparation.wanted(view.table.room, seat)
