"""
Snapshots: a rest point as bytes, so that a room need not be folded from its first record.

Snapshots hold every secret of the game. They are caches: the log alone is authoritative.
"""

import functools
import hashlib
from collections.abc import Callable, Mapping
from typing import Any

import attrs

from protocol import codec
from protocol.common.chance import Stream
from protocol.common.table import Table, empty_game, know_game
from protocol.values import evolve, frozen
from server.kernel.chance import Chances, MakeChance
from server.kernel.packed import PackedCheckpoints, deltas_of, parted, unpacked
from server.kernel.rest_point import RestPoint
from server.kernel.steps import Steps, run_through
from server.kernel.structures import Structures

_LABEL = b"manse snapshot 1"
_DIGEST_BYTES = 32


class BadSnapshot(Exception):
    """A snapshot that cannot be used. The message says why, without quoting the bytes."""


class StaleSnapshot(BadSnapshot):
    """A snapshot that other code wrote, as is usual after an update."""


@frozen
class _Saved:
    end: int
    table: Table
    """The table with the live checkpoints alone."""
    packed: Mapping[int, bytes]
    """Packed checkpoints, by sequence."""
    head: bytes
    time: int
    keys: Mapping[Stream, bytes]
    has_gone_back: bool


@frozen
class _Envelope:
    code: bytes
    content: bytes
    """Hash of the content of the game."""
    room_id: str
    ruleset: str
    body: bytes = attrs.field(repr=False)


def save(rest: RestPoint, code: bytes) -> bytes:
    """Return a rest point as bytes without pausing; see `saving`."""
    return run_through(saving(rest, code))


def saving(rest: RestPoint, code: bytes) -> Steps[bytes]:
    """
    Return a rest point as bytes, in steps.

    There is one step for each live checkpoint, and some more at the end.

    Args:
        rest: a rest point of a room whose game is installed.
        code: fingerprint of the code that folds and of the classes of tables.

    Raises:
        TypeError: a value in its table has no stored form.
    """
    room = rest.table.room
    earlier, live = parted(rest.table.checkpoints)
    table = evolve(rest.table, checkpoints=live)
    keys = rest.chances.keys
    saved = _Saved(rest.end, table, earlier, rest.head, rest.time, keys, rest.has_gone_back)
    body = yield from _structures(room.ruleset).writing(saved, live.values())
    envelope = _Envelope(code, room.content_hash, room.room_id, room.ruleset, body)
    packed = codec.encode(envelope, _Envelope)
    return packed + _digest(packed)


def load(
    data: bytes, room_id: str, code_of: Callable[[str], bytes | None], make: MakeChance
) -> RestPoint:
    """
    Read a rest point from bytes. The caller has to compare its head with the head of the log.

    Args:
        data: bytes from `save`.
        room_id: the room to which the rest point must belong.
        code_of: returns today's code fingerprint of a game; None for an unknown game.
        make: makes the chance of a stream from its key.

    Raises:
        StaleSnapshot: other code wrote the bytes.
        BadSnapshot: the bytes are damaged, or of another room or other content.
    """
    packed, digest = data[:-_DIGEST_BYTES], data[-_DIGEST_BYTES:]
    # The digest is compared first, so that damaged bytes never reach the decoder.
    if digest != _digest(packed):
        raise BadSnapshot("its digest is another")
    envelope: _Envelope = codec.own_reader(_Envelope)(codec.unpack_own(packed))
    if envelope.room_id != room_id:
        raise BadSnapshot("it is of another room")
    if envelope.code != code_of(envelope.ruleset):
        raise StaleSnapshot("other code wrote it")
    # The stored values may be of the game's own classes.
    know_game(envelope.ruleset)
    saved: Any = _structures(envelope.ruleset).read(envelope.body)
    room = saved.table.room
    if (room.room_id, room.content_hash) != (room_id, envelope.content):
        raise BadSnapshot("it is of another room, or of other content")
    table = saved.table
    if saved.packed:
        deltas = deltas_of(envelope.ruleset)
        checkpoints = PackedCheckpoints(deltas, saved.packed, table.checkpoints)
        table = evolve(table, checkpoints=checkpoints)
    chances = Chances.made(saved.keys, make)
    return RestPoint(saved.end, table, saved.head, saved.time, chances, saved.has_gone_back)


def difference(one: RestPoint, other: RestPoint) -> str:
    """
    Describe the first difference of two rest points by its place and types; empty for none.

    The values are left out, since they may be secret.
    """
    return _Comparison().difference("rest", _facts(one), _facts(other))


def _facts(rest: RestPoint) -> tuple[Any, ...]:
    table = evolve(rest.table, checkpoints=unpacked(rest.table.checkpoints))
    # Of the chances only the keys: the outcomes follow from them.
    facts = (rest.end, table, rest.head, rest.time, rest.has_gone_back)
    return (*facts, dict(rest.chances.keys))


@attrs.define
class _Comparison:
    """Compares values that share many objects; each pair of objects is compared once."""

    _same: dict[tuple[int, int], tuple[Any, Any]] = attrs.field(factory=dict)
    """Equal pairs by identity; keeping the objects prevents reuse of their ids."""

    def difference(self, place: str, one: Any, other: Any) -> str:
        """Describe the first difference by its place and types; empty if the values are equal."""
        if type(one) is not type(other):
            return f"{place}: a {type(one).__name__} and a {type(other).__name__}"
        if one is other:
            return ""
        names = _names(one.__class__)
        if names is not None:
            parts = (
                (f"{place}.{name}", getattr(one, name), getattr(other, name)) for name in names
            )
        elif isinstance(one, Mapping):
            # The message must not name keys, which may be secrets. Their order counts.
            if list(one) != list(other):
                return f"{place}: other keys"
            parts = ((f"{place}[]", one[key], other[key]) for key in one)
        elif isinstance(one, tuple):
            if len(one) != len(other):
                return f"{place}: other lengths"
            parts = ((f"{place}[]", *pair) for pair in zip(one, other, strict=True))
        else:
            return "" if one == other else f"{place}: another {type(one).__name__}"
        pair = (id(one), id(other))
        if pair in self._same:
            return ""
        found = next(filter(None, (self.difference(*part) for part in parts)), "")
        if not found:
            self._same[pair] = (one, other)
        return found


@functools.cache
def _names(kind: type) -> tuple[str, ...] | None:
    """Return the field names of an attrs class; None for other classes."""
    return tuple(field.name for field in attrs.fields(kind)) if attrs.has(kind) else None


@functools.cache
def _structures(ruleset: str) -> Structures:
    return Structures(_Saved, type(empty_game(ruleset)))


def _digest(packed: bytes) -> bytes:
    return hashlib.sha256(_LABEL + packed).digest()
