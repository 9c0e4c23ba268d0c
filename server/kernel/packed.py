"""
Packed checkpoints: all but the latest checkpoints of a table are kept as bytes.

Checkpoints are whole tables that differ in a few parts. As objects they would take most of the
memory of a long game, and few are ever used. So each checkpoint is packed as a delta relative to
the next one (`server.kernel.deltas`), and unpacked along that chain on demand. A checkpoint is
packed once: snapshots copy its bytes.
"""

import functools
from collections.abc import Iterator, Mapping
from itertools import islice, pairwise
from typing import Final

from protocol.common.checkpoints import CHECKPOINTS_KEPT, Checkpoints
from protocol.common.table import GameTable, Table, empty_game
from protocol.values import evolve
from server.kernel.deltas import Deltas
from server.kernel.structures import Structures

LIVE_AT_MOST: Final = 4
"""Number of live checkpoints beyond which `with_packed` packs the earlier ones."""
PACKED_AT_ONCE: Final = 8
"""Maximum number of checkpoints that one call packs: a freshly folded table has many."""


class PackedCheckpoints(Checkpoints[GameTable]):
    """Checkpoints of a table; the earlier checkpoints are packed."""

    __slots__ = ("_deltas", "live", "packed")

    def __init__(
        self, deltas: Deltas, packed: Mapping[int, bytes], live: Mapping[int, GameTable]
    ) -> None:
        """
        Keep these checkpoints.

        Args:
            deltas: packs and unpacks checkpoints.
            packed: earlier checkpoints by sequence, each relative to the next.
            live: later checkpoints as objects; not empty if any checkpoint is packed.
        """
        self._deltas = deltas
        self.packed = packed
        """Earlier checkpoints by sequence, each relative to the next."""
        self.live = live
        """Later checkpoints as objects."""

    def __len__(self) -> int:
        return len(self.packed) + len(self.live)

    def __iter__(self) -> Iterator[int]:
        """Yield the sequences of the checkpoints, earliest first."""
        yield from self.packed
        yield from self.live

    def __contains__(self, sequence: object) -> bool:
        """Return True if a checkpoint has this sequence; nothing is unpacked."""
        return sequence in self.live or sequence in self.packed

    def __getitem__(self, sequence: int) -> GameTable:
        """Return the game at a checkpoint. KeyError: no checkpoint has this sequence."""
        if sequence not in self.packed:
            return self.live[sequence]
        # Unpacks from the latest on, since each checkpoint is relative to the next.
        return next(game for at, game in self._unpacking() if at == sequence)

    def __eq__(self, other: object) -> bool:
        """Compare with another mapping by sequences and games."""
        return isinstance(other, Mapping) and self.unpacked() == unpacked(other)

    __hash__ = None  # type: ignore[assignment]  # as a mapping's

    def with_one(self, sequence: int, game: GameTable) -> "PackedCheckpoints":
        packed, live = self.packed, {**self.live, sequence: game}
        if len(packed) + len(live) > CHECKPOINTS_KEPT:
            # The earliest checkpoint goes: no other checkpoint is packed relative to it.
            if packed:
                packed = dict(islice(packed.items(), 1, None))
            else:
                del live[next(iter(live))]
        return PackedCheckpoints(self._deltas, packed, live)

    def up_to(self, sequence: int) -> "PackedCheckpoints":
        packed = {at: delta for at, delta in self.packed.items() if at < sequence}
        live = {at: game for at, game in self.live.items() if at <= sequence}
        # At least one checkpoint stays live, since the last packed one is relative to it.
        return PackedCheckpoints(self._deltas, packed, live or {sequence: self[sequence]})

    def unpacked(self) -> dict[int, GameTable]:
        """Return all checkpoints as objects."""
        return {**dict(reversed(list(self._unpacking()))), **self.live}

    def packed_further(self) -> "PackedCheckpoints":
        """Return a copy with up to `PACKED_AT_ONCE` more packed checkpoints, never the last one."""
        last = min(len(self.live) - 1, PACKED_AT_ONCE)
        packed = dict(self.packed)
        for (at, game), (_, later) in islice(pairwise(self.live.items()), last):
            packed[at] = self._deltas.write(game, later)
        live = dict(islice(self.live.items(), last, None))
        return PackedCheckpoints(self._deltas, packed, live)

    def _unpacking(self) -> Iterator[tuple[int, GameTable]]:
        """Yield sequence and game of each packed checkpoint, latest first."""
        later = next(iter(self.live.values()), None)
        for at in reversed(list(self.packed)):
            later = self._deltas.read(self.packed[at], later)
            yield at, later


def unpacked(checkpoints: Mapping[int, GameTable]) -> dict[int, GameTable]:
    """Return checkpoints as a plain mapping of objects."""
    if isinstance(checkpoints, PackedCheckpoints):
        return checkpoints.unpacked()
    return dict(checkpoints)


def parted(
    checkpoints: Mapping[int, GameTable],
) -> tuple[Mapping[int, bytes], Mapping[int, GameTable]]:
    """Split checkpoints into the packed ones, as bytes, and those kept as objects."""
    if isinstance(checkpoints, PackedCheckpoints):
        return checkpoints.packed, checkpoints.live
    return {}, checkpoints


def with_packed(table: Table) -> Table:
    """
    Return an equal table; if many checkpoints are kept as objects, some of these are packed.

    Raises:
        TypeError: a value in its game has no stored form.
    """
    packed, live = parted(table.checkpoints)
    if len(live) <= LIVE_AT_MOST:
        return table
    kept = PackedCheckpoints(deltas_of(table.room.ruleset), packed, live)
    return evolve(table, checkpoints=kept.packed_further())


@functools.cache
def deltas_of(ruleset: str) -> Deltas:
    """Return the writer and reader of deltas for the checkpoints of an installed game."""
    return Deltas(Structures(type(empty_game(ruleset))))
