"""
Chance: what was rolled, picked, dealt and mixed.

Each draw names its stream, its purpose and its number there (`protocol.common.chance`).
"""

from collections.abc import Mapping

from protocol.common.chance import Stream
from protocol.common.table import Handle, Table, TableEvent
from protocol.event import Record, Sealed, event, secret, upcast
from protocol.upcasts import Change, Constant, Kept, Mapped, Source
from protocol.values import evolve, frozen


def row_of(version: int, stream: Stream, purpose: str) -> str:
    """
    Return the row that a draw is numbered in.

    Args:
        version: of the log; version 1 numbered each stream as a whole.
        stream: of the draw.
        purpose: of the draw.
    """
    # By purpose, so that a draw that should not be there moves no die of another purpose.
    return stream.value if version == 1 else f"{stream.value} {purpose}"


class DrawEvent(TableEvent):
    """One use of chance. Its number is used up, whatever is taken back later."""

    number: int
    purpose: str

    @property
    def drawn_from(self) -> Stream:
        """The stream of the draw."""
        raise NotImplementedError

    def fold_table(self, table: Table, record: Record) -> Table:  # noqa: ARG002 (as declared)
        """Return the table with the draw counted; what it means, the next event says."""
        row = row_of(table.room.version, self.drawn_from, self.purpose)
        return table.with_room(draws={**table.room.draws, row: self.number + 1})


@event("rolled/2")
class Rolled(DrawEvent):
    """Dice were rolled, in view of all."""

    stream: Stream
    number: int
    purpose: str
    sides: int
    faces: tuple[int, ...]
    """Each from 0 to sides - 1."""

    @property
    def drawn_from(self) -> Stream:
        """The stream of the draw."""
        return self.stream


@event("picked/2")
class Picked(DrawEvent):
    """One of several things was picked at random, in view of all: nothing of it is a secret."""

    stream: Stream
    number: int
    purpose: str
    bound: int
    result: int
    """From 0 to bound - 1."""

    @property
    def drawn_from(self) -> Stream:
        """The stream of the draw."""
        return self.stream


@frozen
class SecretPick:
    """What was picked from a list that depends on secrets."""

    bound: int
    result: int
    """From 0 to bound - 1."""


@event("picked_secretly")
class PickedSecretly(DrawEvent):
    """One of several things was picked; how many there were may tell as much as which it was."""

    stream: Stream
    number: int
    purpose: str
    knowers: tuple[int, ...]
    """The seats that may know it; nobody, where it is empty."""
    choice: Sealed[SecretPick] = secret(to="knowers")

    @property
    def drawn_from(self) -> Stream:
        """The stream of the draw."""
        return self.stream


@frozen
class SecretDeal:
    """What was dealt, and what else could have been."""

    options: tuple[str, ...]
    """By name, each once, sorted."""
    result: str


@event("dealt")
class Dealt(DrawEvent):
    """One of several things was drawn by its name, from the stream of the deal."""

    number: int
    purpose: str
    knowers: tuple[int, ...]
    choice: Sealed[SecretDeal] = secret(to="knowers")

    @property
    def drawn_from(self) -> Stream:
        """The stream of the draw."""
        return Stream.DEAL


@event("shuffled/2")
class Shuffled(DrawEvent):
    """A pile was mixed: its cards have new handles, and none but `knowers` know the order."""

    stream: Stream
    number: int
    purpose: str
    pile: str
    handles: tuple[Handle, ...]
    knowers: tuple[int, ...]
    order: Sealed[tuple[str, ...]] = secret(to="knowers")

    @property
    def drawn_from(self) -> Stream:
        """The stream of the draw."""
        return self.stream

    def fold_table(self, table: Table, record: Record) -> Table:
        """Return the table with the pile in its new order."""
        assert table.game is not None
        table = evolve(table, game=table.game.mixed(self.pile, self.handles, self.order))
        return super().fold_table(table, record)


_STREAM = Mapped("is_setup", ((False, Stream.PLAY.value), (True, Stream.SETUP.value)))
_NUMBERED: Mapping[str, Source] = {"stream": _STREAM, "number": Kept("draw")}

upcast(
    "rolled",
    "rolled/2",
    Change(("draw", "is_setup", "purpose", "sides", "faces"), _NUMBERED),
)
upcast(
    "picked",
    "picked/2",
    Change(("draw", "is_setup", "purpose", "bound", "result"), _NUMBERED),
)
upcast(
    "shuffled",
    "shuffled/2",
    Change(
        ("draw", "is_setup", "purpose", "pile", "handles"),
        {**_NUMBERED, "knowers": Constant(())},
    ),
)
