"""
Deltas: bytes of a value, relative to another value that shares most of its parts.

Two successive tables of a game share nearly all their objects. So a delta describes where the
*earlier* value differs from the *later* one. Parts are compared by identity; an equal part that is
another object is written, which costs bytes but is harmless.

A difference is the number of a part that is written whole (`Structures`), or a tuple that begins
with an operation on the later value:

* `_MEMBERS`: changes fields of an object, or values of a mapping. The place of each changed member
is followed by its difference.
* `_MIDDLE`: replaces the middle of a tuple. Two numbers say how many members are kept at its
beginning and at its end; the new parts between them follow.
* `_RUNS`: builds a mapping from runs of entries. Each run has four pieces: its first place in the
later mapping, the number of entries kept from that place on, the number of new entries that follow,
and the parts of these entries, each key before its value.

The bytes are trusted, as the bytes of `Structures` are.
"""

from collections.abc import Mapping
from typing import Any, Final

from protocol import codec
from server.kernel.structures import Structures, Writer

_MEMBERS, _MIDDLE, _RUNS = 0, 1, 2
_SCALARS: Final = frozenset((type(None), bool, int, str, bytes))

Difference = Any
"""A number or a tuple, in the format of the module docstring; None if two values are equal."""


class Deltas:
    """Writer and reader of deltas."""

    def __init__(self, structures: Structures) -> None:
        """Create a writer and reader; `structures` serialises the parts that are written whole."""
        self._structures = structures

    def write(self, earlier: object, later: object) -> bytes:
        """
        Return the bytes of an earlier value, relative to a later value.

        Raises:
            TypeError: a part of the earlier value has no stored form.
        """
        writer = self._structures.writer()
        difference = self._difference(writer, earlier, later)
        return codec.pack((tuple(writer.scalars), tuple(writer.nodes), difference))

    def read(self, packed: bytes, later: object) -> Any:
        """Return the earlier value, from the bytes of `write` and a copy of the later value."""
        content: Any = codec.unpack_own(packed)
        scalars, nodes, difference = content
        # The references of scalars are negative, and found from the end of the list.
        parts = self._structures.parts_of(scalars, nodes)
        in_order = [*parts[len(scalars) :], *parts[: len(scalars)][::-1]]
        return self._applied(difference, later, in_order)

    def _difference(self, writer: Writer, earlier: Any, later: Any) -> Difference:
        if earlier is later:
            return None
        kind = type(earlier)
        # Scalars, and parts of another type, are written whole.
        if kind is not type(later) or kind in _SCALARS:
            return writer.add(earlier)
        if kind is tuple:
            return _middle(writer, earlier, later)
        if kind is dict:
            # The order of keys is part of a table.
            if tuple(earlier) != tuple(later):
                return _runs(writer, earlier, later)
            # The keys and their order are equal: only values can differ.
            return self._members(writer, earlier.values(), later.values())
        fields = self._structures.fields_of(earlier)
        if fields is None:
            return writer.add(earlier)
        return self._members(writer, fields, self._structures.fields_of(later))

    def _members(self, writer: Writer, earlier: Any, later: Any) -> Difference:
        found: list[Difference] = [_MEMBERS]
        for place, (before, after) in enumerate(zip(earlier, later, strict=True)):
            if before is not after:
                found += (place, self._difference(writer, before, after))
        return tuple(found)

    def _applied(self, difference: Difference, later: Any, parts: list[Any]) -> Any:
        if difference is None:
            return later
        if isinstance(difference, int):
            return parts[difference]
        how, *told = difference
        if how == _MIDDLE:
            first, last, *between = told
            kept = later[len(later) - last :]
            return (*later[:first], *(parts[at] for at in between), *kept)
        if how == _RUNS:
            return _joined(told, later, parts)
        fields = self._structures.fields_of(later)
        members = list(later.values() if fields is None else fields)
        for place, inner in zip(told[::2], told[1::2], strict=True):
            members[place] = self._applied(inner, members[place], parts)
        if fields is None:
            return dict(zip(later, members, strict=True))
        return type(later)(*members)


def _middle(writer: Writer, earlier: tuple[Any, ...], later: tuple[Any, ...]) -> Difference:
    first = last = 0
    for before, after in zip(earlier, later, strict=False):
        if before is not after:
            break
        first += 1
    # The two kept ends must not overlap in the shorter tuple.
    most = min(len(earlier), len(later)) - first
    for before, after in zip(reversed(earlier), reversed(later), strict=False):
        if last == most or before is not after:
            break
        last += 1
    between = earlier[first : len(earlier) - last]
    return (_MIDDLE, first, last, *map(writer.add, between))


def _runs(writer: Writer, earlier: Mapping[Any, Any], later: Mapping[Any, Any]) -> Difference:
    """Return the `_RUNS` difference of a mapping whose keys or order have changed."""
    places = {key: place for place, key in enumerate(later)}
    there, at = later.get, places.get
    found: list[int] = [_RUNS]
    # Positions of the two counts of the current run, and the place that would continue it.
    kept, follow, following = 0, 0, -1
    for key, value in earlier.items():
        place = at(key, -1) if there(key) is value else -1
        if place < 0:
            if not follow:
                found += (0, 0, 0)
                kept, follow = len(found) - 2, len(found) - 1
            found += (writer.add(key), writer.add(value))
            found[follow] += 1
            following = -1
        elif place == following:
            found[kept] += 1
            following += 1
        else:
            found += (place, 1, 0)
            kept, follow, following = len(found) - 2, len(found) - 1, place + 1
    return tuple(found)


def _joined(told: list[int], later: Mapping[Any, Any], parts: list[Any]) -> Mapping[Any, Any]:
    """Rebuild the earlier mapping from a `_RUNS` difference and the later mapping."""
    entries = list(later.items())
    joined: dict[Any, Any] = {}
    at = 0
    while at < len(told):
        begin, kept, follow = told[at : at + 3]
        at += 3
        joined.update(entries[begin : begin + kept])
        end = at + 2 * follow
        joined.update((parts[told[k]], parts[told[k + 1]]) for k in range(at, end, 2))
        at = end
    return joined
