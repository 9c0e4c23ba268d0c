"""
Events of chance: rolls, picks, deals and shuffles.

Each draw names its stream, its purpose, and its number among the draws for this purpose
(`protocol.common.chance`). In a log of version 1 it is the number among the draws of the stream.
"""

from collections.abc import Mapping

from protocol.common.chance import Stream
from protocol.common.table import Handle, Table, TableEvent
from protocol.event import Record, Sealed, event, secret, upcast
from protocol.upcasts import Change, Constant, Kept, Mapped, Source
from protocol.values import evolve, frozen


def row_of(version: int, stream: Stream, purpose: str) -> str:
    """
    Return the name of the counter that numbers a draw.

    Args:
        version: version of the log; version 1 has one counter for each stream.
        stream: stream of the draw.
        purpose: purpose of the draw.
    """
    # By purpose: a server cannot shift a die by a superfluous draw for another purpose.
    return stream.value if version == 1 else f"{stream.value} {purpose}"


class DrawEvent(TableEvent):
    """One use of chance. The number of the draw stays used up even if the game goes back."""

    number: int
    purpose: str

    @property
    def drawn_from(self) -> Stream:
        """The stream of the draw."""
        raise NotImplementedError

    def fold_table(self, table: Table, record: Record) -> Table:  # noqa: ARG002 (as declared)
        """Return the table with the draw counted; other events apply the outcome."""
        row = row_of(table.room.version, self.drawn_from, self.purpose)
        return table.with_room(draws={**table.room.draws, row: self.number + 1})


@event("rolled/2")
class Rolled(DrawEvent):
    """Dice were rolled publicly."""

    stream: Stream
    number: int
    purpose: str
    sides: int
    faces: tuple[int, ...]
    """Face of each die, from 0 to sides - 1."""

    @property
    def drawn_from(self) -> Stream:
        return self.stream


@event("picked/2")
class Picked(DrawEvent):
    """One of several things was picked at random, publicly."""

    stream: Stream
    number: int
    purpose: str
    bound: int
    result: int
    """Index of the picked thing, from 0 to bound - 1."""

    @property
    def drawn_from(self) -> Stream:
        return self.stream


@frozen
class SecretPick:
    """A pick from a list whose contents depend on secrets."""

    bound: int
    result: int
    """Index of the picked thing, from 0 to bound - 1."""


@event("picked_secretly")
class PickedSecretly(DrawEvent):
    """One of several things was picked. Their number is secret, too: it may reveal the list."""

    stream: Stream
    number: int
    purpose: str
    knowers: tuple[int, ...]
    """Seats that may know the result; empty for nobody."""
    choice: Sealed[SecretPick] = secret(to="knowers")

    @property
    def drawn_from(self) -> Stream:
        return self.stream


@frozen
class SecretDeal:
    """The thing that was dealt, and all things that could have been dealt."""

    options: tuple[str, ...]
    """Names of the options, sorted, without duplicates."""
    result: str


@event("dealt")
class Dealt(DrawEvent):
    """One of several things was dealt; the outcome depends on their names, not on their order."""

    number: int
    purpose: str
    knowers: tuple[int, ...]
    choice: Sealed[SecretDeal] = secret(to="knowers")

    @property
    def drawn_from(self) -> Stream:
        return Stream.DEAL


@event("shuffled/2")
class Shuffled(DrawEvent):
    """A pile was shuffled. Its cards have new handles, and only `knowers` know the order."""

    stream: Stream
    number: int
    purpose: str
    pile: str
    handles: tuple[Handle, ...]
    knowers: tuple[int, ...]
    order: Sealed[tuple[str, ...]] = secret(to="knowers")

    @property
    def drawn_from(self) -> Stream:
        return self.stream

    def fold_table(self, table: Table, record: Record) -> Table:
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
