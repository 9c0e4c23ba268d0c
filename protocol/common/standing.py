"""
Standing passes: the kinds of question on which a seat passes without being asked, and until when.

A pass is written `KIND` or `KIND@LAPSE`. `KIND` is a kind of question or a group of kinds, which is
the part of a kind before a slash: the groups `after` and `after/defeat` both cover the kind
`after/defeat/hound`. `LAPSE` is one of the names in `GameTable.lapses`: the pass ends as soon as
the rules say that this lapses (`passes_lapsed`). Without it the pass stands until it is taken back.

Server, clients and audits all read passes with these functions.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from protocol.bounds import MAX_KINDS
from protocol.common.table import GameTable, RoomTable
from protocol.values import frozen

LAPSES_VERSION: Final = 4
"""First version of logs in which standing passes can lapse."""
_UNTIL = "@"


@frozen
class StandingPass:
    """One standing pass of a seat."""

    kind: str
    """Kind of question, or group of kinds."""
    lapse: str = ""
    """Name of the lapse that ends the pass; empty if only the seat ends it."""

    @classmethod
    def read(cls, written: str) -> "StandingPass":
        """Read a pass as it is written on the log. Any text is some pass."""
        kind, _, lapse = written.partition(_UNTIL)
        return cls(kind, lapse)

    @property
    def written(self) -> str:
        """The pass as it is written on the log."""
        return f"{self.kind}{_UNTIL}{self.lapse}" if self.lapse else self.kind


def covers(name: str, kind: str) -> bool:
    """Return whether a kind of question is the named one, or one of the named group."""
    return kind == name or kind.startswith(f"{name}/")


def groups_of(kind: str) -> Iterator[str]:
    """Yield the groups that have this kind, the widest first."""
    for at, letter in enumerate(kind):
        if letter == "/":
            yield kind[:at]


def with_groups(kinds: Iterable[str]) -> frozenset[str]:
    """Return these kinds, and all groups of them: the names that a pass may give."""
    named = tuple(kinds)
    return frozenset((*named, *(group for kind in named for group in groups_of(kind))))


def in_force(room: RoomTable, seat: int) -> tuple[str, ...]:
    """
    Return the passes of a seat, as written, that have not lapsed since the seat set them.

    Raises:
        SealedError: the viewer may not know them.
    """
    said = room.standing.get(seat)
    if said is None:
        return ()
    since, _ = said.ref
    lapsed = room.lapsed
    return tuple(one for one in said.value if lapsed.get(StandingPass.read(one).lapse, -1) < since)


def passes(room: RoomTable, seat: int, kind: str) -> bool:
    """
    Return whether a seat passes on a kind of question without being asked.

    Raises:
        SealedError: the viewer may not know the passes of the seat.
    """
    # Most questions have no kind, and nobody passes on them.
    return bool(kind) and any(
        covers(StandingPass.read(one).kind, kind) for one in in_force(room, seat)
    )


def are_passes(written: tuple[str, ...], kinds: tuple[str, ...]) -> bool:
    """
    Return whether these may be the passes of a seat: ascending, and on nothing unknown.

    Args:
        written: the passes, as written.
        kinds: the kinds of question asked at the table so far.
    """
    # Ascending and without duplicates, each set of passes has one form on the log.
    if list(written) != sorted({*written}) or len(written) > MAX_KINDS:
        return False
    known = with_groups(kinds)
    read = [StandingPass.read(one) for one in written]
    return all(
        # Nothing unknown may reach the log: the words of any subject would be sent with it.
        one.written == text and one.kind in known
        for one, text in zip(read, written, strict=True)
    )


def lapses_of(room: RoomTable, game: GameTable | None) -> tuple[str, ...]:
    """Return what passes may last until at a table: in earlier logs nothing, as nothing lapses."""
    return () if game is None or room.version < LAPSES_VERSION else game.lapses


def lapse_in(written: Iterable[str], lapses: tuple[str, ...]) -> bool:
    """Return whether these passes end, if by themselves, with one of these lapses of the game."""
    return {StandingPass.read(one).lapse for one in written} <= {"", *lapses}
