"""
Preparation: lines that a player writes for a seat before a game, such as a list of cards.

The game's face converts the lines to bytes and back. Only the game's rules can judge these bytes
(`Ruleset.prepared_fault`). Without a face, the client can show only the refusal by the rules.
"""

from collections.abc import Callable, Iterator, Sequence

import attrs

from client.locale.speaker import Speaker
from client.model.model import ClientModel
from client.model.tables import TableView
from protocol import messages
from protocol.common.padded import MAX_CONTENT
from protocol.common.table import RoomTable, Seat


class UnwritableLines(Exception):
    """The lines cannot be sent. The exception holds a catalog key and its parameters."""

    def __init__(self, key: str, *params: str | int) -> None:
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
    """The preparation that a game requires of a role, written in lines."""

    asked: Callable[[Speaker, RoomTable], Sequence[str]]
    """Returns the request to prepare, in sentences."""
    wanted: Callable[[RoomTable, Seat], bool] = lambda _room, _seat: True
    """Returns whether the rules require a preparation of a seat, judging by public facts."""
    most_lines: int = 1
    read: Callable[[bytes], Sequence[str]] = read_text
    """
    Converts the game's bytes to lines. Any bytes must be accepted, since nobody checks sealed ones.
    """
    write: Callable[[Sequence[str]], bytes] = write_text
    """Converts lines to the game's bytes, or raises UnwritableLines."""

    def bytes_of(self, lines: Sequence[str]) -> bytes:
        """
        Return the lines as the bytes to send.

        Raises:
            UnwritableLines: there are too many lines, or the result is too long.
        """
        if len(lines) > self.most_lines:
            raise UnwritableLines("prepare.many", self.most_lines)
        content = self.write(lines)
        if len(content) > MAX_CONTENT:
            raise UnwritableLines("prepare.long", MAX_CONTENT)
        return content

    def sent(self, seat: Seat) -> tuple[str, ...]:
        """Return the lines that a seat has prepared; none if the viewer may not know them."""
        if seat.prepared is None or not seat.prepared.is_open:
            return ()
        return tuple(self.read(seat.prepared.value.content))


def why_refused(speaker: Speaker, model: ClientModel, refused: messages.Refusal) -> Iterator[str]:
    """Yield the reasons for which the rules refuse a preparation, each with its rule."""
    reasons = [(speaker.text(one.text).rstrip("."), one.rule) for one in refused.reasons]
    said = [
        speaker.say("prepare.by_rule", text, speaker.rule_named(rule)) if rule else text
        for text, rule in reasons
    ]
    if len(said) < 2:
        yield speaker.say("prepare.refused", *(said or [model.words_for(refused)]))
        return
    yield speaker.say("prepare.refused_for", len(said))
    yield from (speaker.say("prepare.reason", one) for one in said)


def has_to_prepare(
    model: ClientModel, view: TableView, seat: Seat, preparation: Preparation | None
) -> bool:
    """
    Return whether a seat must prepare something before its player can be ready.

    Args:
        model: the model, which has the last refusal by the rules.
        view: the table, before its game.
        seat: the seat.
        preparation: the preparation of the seat's role; None if the face has none.
    """
    if seat.seat == view.seat and model.unfit_here is not None:
        return True
    if preparation is None or seat.prepared is not None:
        return False
    return preparation.wanted(view.table.room, seat)
