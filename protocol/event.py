"""
Events: the entries of the log, and who may see which part of them.

An event class declares its public fields and its secrets; the declaration of a secret names its
knowers. The stored form, the commitments and the view of each seat follow from this declaration
alone. One function makes views (`cut`), and it adds to an empty view instead of removing secrets
from a full one, so what is forgotten stays hidden.

An event has three forms:

* an event with *hidden* values (`hidden(value)`), as rules make it;
* `Stored`: the public bytes, which are hashed, and the openings of its secrets, as in the store;
* a `Record`: sequence, time, origin, and the event with its secrets `Sealed`, open or not, as
  tables fold it. Server and client read it from the stored form with the same function.
"""

import functools
import itertools
import typing
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, ClassVar, Generic, TypeVar, cast, dataclass_transform

import attrs

from protocol import codec
from protocol.commitments import COMMITMENT_BYTES, Opening, check
from protocol.encoding import forms
from protocol.errors import (
    BadCommitment,
    ImpossibleValue,
    Malformed,
    ProtocolError,
    SealedError,
    UnknownTag,
)
from protocol.memo import memo
from protocol.upcasts import Change, Shape
from protocol.values import frozen

T = TypeVar("T")
C = TypeVar("C", bound=type)

NOBODY = "nobody"
"""Audience of secrets that no seat may know before publication."""
TABLE = "table"
"""Audience of secrets that all seats may know, and nobody else."""
EACH = "each"
"""Audience of a mapping by seat: each entry is a secret of its own, known to that seat."""

EVERYBODY = -1
"""Member of the audience of a disclosed secret: everybody, including spectators."""

ROOM = -1
"""Origin of events that follow from other events. Origins from 0 up are seats."""
CLOCK = -2
"""Origin of inputs by the clock."""
OPERATOR = -3
"""Origin of inputs by the operator of the server."""


class _Hole:
    """Placeholder of a value that is sealed."""

    def __repr__(self) -> str:
        return "<sealed>"


_HOLE = _Hole()


@frozen(repr=False)
class Sealed(Generic[T]):
    """A secret in a table or an event: audience, commitment, and the value if it is open."""

    audience: tuple[int, ...]
    """Seats that may know the value, ascending."""
    commitment: bytes
    ref: tuple[int, int]
    """Sequence and slot of the value's commitment on the log."""
    _value: T | _Hole = _HOLE

    @property
    def is_open(self) -> bool:
        """True if the value is known here."""
        return not isinstance(self._value, _Hole)

    @property
    def value(self) -> T:
        """The value. SealedError if it is not open: only its audience may read it."""
        if isinstance(self._value, _Hole):
            raise SealedError(f"secret {self.ref} is sealed here")
        return self._value

    def closed(self) -> "Sealed[T]":
        return Sealed(self.audience, self.commitment, self.ref)

    def opened(self, value: T) -> "Sealed[T]":
        return Sealed(self.audience, self.commitment, self.ref, value)

    def seen_by(self, audience: tuple[int, ...]) -> "Sealed[T]":
        """Return the secret with these seats added to its audience."""
        seats = tuple(sorted({*self.audience, *audience}))
        return Sealed(seats, self.commitment, self.ref, self._value)

    def __repr__(self) -> str:
        # Never the value: tables get into log lines and error reports.
        return f"Sealed(audience={self.audience}, ref={self.ref})"


def hidden(value: T) -> Sealed[T]:
    """Wrap a value for a secret field of an event to emit."""
    return Sealed((), b"", (-1, -1), value)


def secret(*, to: str) -> Any:
    """
    Declare a secret field. Its type is `Sealed[...]`; with `to=EACH` a mapping from seat to Sealed.

    Args:
        to: NOBODY, TABLE, EACH, or the name of the field that has the knower: a seat, a tuple of
            seats, or the name of a character, a role or a side, which `Knowers` resolves.
    """
    return attrs.field(metadata={"to": to})


class Knowers(typing.Protocol):
    """Resolves knowers to seats when an event is emitted."""

    def all_seats(self) -> tuple[int, ...]:
        """Return all seats of the table, ascending."""

    def seats_of(self, knower: str) -> tuple[int, ...]:
        """Return the seats that know the secrets of a character, a role or a side."""


class Event:
    """An entry of the log. Subclasses are declared with `@event`."""

    __slots__ = ()

    tag: ClassVar[str]
    is_input: ClassVar[bool]
    """True if the event comes from outside (a person, the clock); all other events follow from
    inputs."""
    stays_shut: ClassVar[bool]
    """True if observers, who see all other secrets, may not see the secrets of this kind."""

    def fold(self, table: Any) -> Any:  # noqa: ARG002 (subclasses need it)
        """
        Return the game's table after this event.

        Never raises on a valid log, and never reads a sealed value: seats that know different
        secrets must fold the same table.
        """
        raise TypeError(f"{type(self).__name__} has no fold")

    def fold_table(self, table: Any, record: "Record") -> Any:  # noqa: ARG002 (as above)
        """Return the whole table, room and game, after this event."""
        raise TypeError(f"{type(self).__name__} has no fold")


@frozen
class Field:
    """A declared field of a kind of event, with its type and, if it is secret, its knowers."""

    name: str
    hint: Any
    to: str | None
    """
    Declared audience of a secret, such as NOBODY or the name of a field; None for a public field.
    """

    @functools.cached_property
    def write(self) -> Callable[[Any], codec.Plain]:
        """The writer of the field's values; for a secret, of the value inside."""
        return codec.writer(self.hint)

    @functools.cached_property
    def read(self) -> Callable[[codec.Plain], Any]:
        """The strict reader of the field's values, for bytes from elsewhere."""
        return codec.strict_reader(self.hint)

    @functools.cached_property
    def read_own(self) -> Callable[[codec.Plain], Any]:
        """The reader of the field's values in bytes that we wrote."""
        return codec.own_reader(self.hint)

    @functools.cached_property
    def holds_mappings(self) -> bool:
        """True if its values can contain a mapping."""
        return forms.holds_mappings(self.hint)


_KINDS: dict[str, type[Event]] = {}
_FIELDS: dict[type[Event], tuple[Field, ...]] = {}
_WHOLES: dict[type[Event], Field | None] = {}


@dataclass_transform(frozen_default=True, field_specifiers=(attrs.field, secret))
def event(tag: str, *, is_input: bool = False, stays_shut: bool = False) -> Callable[[C], C]:
    """
    Declare a kind of event: a frozen attrs class registered under a stable tag.

    Args:
        tag: is never changed and never reused; a changed shape takes a new tag ("insane/2") and an
            upcast.
        is_input: true if the room receives it from outside.
        stays_shut: true if its secrets are hidden even from observers.
    """

    def declare(cls: C) -> C:
        if tag in _KINDS:
            raise ValueError(f"two kinds of event with the tag {tag!r}")
        cls.tag = tag  # type: ignore[attr-defined]  # C is bound to type; Event declares these
        cls.is_input = is_input  # type: ignore[attr-defined]
        cls.stays_shut = stays_shut  # type: ignore[attr-defined]
        declared = frozen(cls)
        _KINDS[tag] = declared
        return declared

    return declare


def kinds() -> Mapping[str, type[Event]]:
    """Return all declared kinds of event by tag."""
    return dict(_KINDS)


def declared_fields(kind: type[Event]) -> tuple[Field, ...]:
    """Return the fields of a kind of event, in order."""
    if kind not in _FIELDS:
        hints = typing.get_type_hints(kind)
        _FIELDS[kind] = tuple(
            Field(a.name, _bare(hints[a.name]), a.metadata.get("to"))
            for a in attrs.fields(kind)  # type: ignore[arg-type]  # every Event is attrs
        )
    return _FIELDS[kind]


def whole_of(kind: type[Event]) -> Field | None:
    """Return one field that encodes all fields of a kind together; None if the kind has secrets."""
    if kind not in _WHOLES:
        is_public = all(field.to is None for field in declared_fields(kind))
        _WHOLES[kind] = Field("", kind, to=None) if is_public else None
    return _WHOLES[kind]


def _bare(hint: Any) -> Any:
    """Strip `Sealed` (also inside a mapping by seat) off a type."""
    if typing.get_origin(hint) is Sealed:
        return typing.get_args(hint)[0]
    arguments = typing.get_args(hint)
    if arguments and typing.get_origin(arguments[-1]) is Sealed:
        return typing.get_args(arguments[-1])[0]
    return hint


# Stored form -------------------------------------------------------------------------------


@frozen
class Stored:
    """A record as in the store."""

    public: bytes
    """`[sequence, time, origin, tag, public fields, [[audience, commitment], …]]`, packed."""
    openings: bytes = attrs.field(repr=False)
    """`[[salt, packed value], …]`, a pair for each secret of the record, packed."""


@frozen
class Cut:
    """A record as one viewer may see it."""

    public: bytes
    openings: tuple[tuple[int, Opening], ...]
    """Slots that the viewer may see, ascending, each with its opening."""


@frozen
class Record:
    """A record as tables fold it."""

    sequence: int
    time: int
    """Time of the input that caused this record, in milliseconds since 1970."""
    origin: int
    """Seat that gave the input, CLOCK or OPERATOR; ROOM for records that follow from an input."""
    event: Event


@frozen
class _Public:
    sequence: int
    time: int
    origin: int
    tag: str
    fields: tuple[codec.Plain, ...]
    secrets: tuple[tuple[tuple[int, ...], bytes], ...]


def openings_of(stored: Stored) -> tuple[Opening, ...]:
    """
    Return the openings of all secrets of a record of our own store, by slot.

    Raises:
        Malformed: the bytes hold no array.
    """
    pairs: Any = codec.unpack_own(stored.openings)
    # A flipped bit makes an empty map of no openings.
    if type(pairs) is not tuple:
        raise Malformed("the openings are no array")
    return tuple([Opening(salt, value) for salt, value in pairs])


def time_of(public: bytes) -> int:
    """Return the time of a record, in milliseconds since 1970. Malformed if it is no record."""
    return _head(public).time


def everything(stored: Stored) -> Cut:
    """Return a record with all its secrets open, as the server folds it."""
    return Cut(stored.public, tuple(enumerate(openings_of(stored))))


def cut(stored: Stored, seat: int | None, *, since: int = 0) -> Cut:
    """
    Return the view of a seat, or of a spectator, of one record.

    Views are made here and in `cut_for_observer` alone.

    Args:
        seat: the viewer's seat; None for somebody who has none (a spectator).
        since: the sequence from which the viewer has had that seat; earlier secrets of the seat
            are not shown.
    """
    # Most records have no secrets, and this runs for each record and viewer.
    if not has_secrets(stored):
        return Cut(stored.public, ())
    audiences, openings = _secrets_of(stored)
    slots = audiences.slots_for(seat, since=since)
    return Cut(stored.public, tuple((slot, openings[slot]) for slot in slots))


# A record is cut for all its viewers in turn, and parsed once.
@memo(most=32)
def _secrets_of(stored: Stored) -> "tuple[Audiences, tuple[Opening, ...]]":
    return Audiences.of(stored), openings_of(stored)


def cut_for_observer(stored: Stored) -> Cut:
    """Return the view of an observer: everything, except secrets of kinds that stay shut."""
    tag = _own_head(stored.public).tag
    return Cut(stored.public, ()) if stays_shut(tag) else everything(stored)


def has_secrets(stored: Stored) -> bool:
    """Return whether a record of our own store has secrets."""
    return stored.openings != _NO_OPENINGS


_NO_OPENINGS = codec.pack(())


def stays_shut(tag: str) -> bool:
    """Return whether the secrets of a kind stay shut to observers. KeyError for an unknown tag."""
    while tag in _UPCASTS:
        tag, _ = _UPCASTS[tag]
    return _KINDS[tag].stays_shut


@frozen
class Audiences:
    """Audiences of the secrets of one record of our own store."""

    sequence: int
    by_slot: tuple[tuple[int, ...], ...]
    """Seats that may know each secret of the record, ascending; by slot."""

    @classmethod
    def of(cls, stored: Stored) -> "Audiences":
        """Read the audiences from the public bytes of a record."""
        head = _own_head(stored.public)
        return cls(head.sequence, tuple([audience for audience, _ in head.secrets]))

    def slots_for(self, seat: int | None, *, since: int) -> tuple[int, ...]:
        """Return the slots that one viewer may see, ascending; the arguments are those of `cut`."""
        if seat is None or self.sequence < since or not self.by_slot:
            return ()
        return tuple([slot for slot, seats in enumerate(self.by_slot) if seat in seats])


def _head(public: bytes) -> _Public:
    plain = codec.unpack(public)
    # The public fields stay plain here: only the kind's own declaration gives them types.
    if not isinstance(plain, tuple) or len(plain) != 6:
        raise Malformed("a record has six parts")
    sequence, time, origin, tag = _read_start(plain[:4])
    secrets = _read_secrets(plain[5])
    if any(len(commitment) != COMMITMENT_BYTES for _, commitment in secrets):
        raise Malformed(f"a commitment has {COMMITMENT_BYTES} bytes")
    if not isinstance(plain[4], tuple):
        raise Malformed("the fields of a record are an array")
    return _Public(sequence, time, origin, tag, plain[4], secrets)


_read_start = codec.strict_reader(tuple[int, int, int, str])
_read_secrets = codec.strict_reader(tuple[tuple[tuple[int, ...], bytes], ...])
_read_seats = codec.strict_reader(tuple[int, ...])


def _own_head(public: bytes) -> _Public:
    """Return the parts of a record of our own store. Nothing is checked."""
    return _Public(*cast("Any", codec.unpack_own(public)))


_UPCASTS: dict[str, tuple[str, Change]] = {}


def upcast(old: str, new: str, change: Change) -> None:
    """Declare how an old kind's fields are converted to those of a newer kind on reading."""
    if old in _UPCASTS or old in _KINDS:
        raise ValueError(f"the tag {old!r} is taken")
    _UPCASTS[old] = (new, change)


def earlier_kinds() -> Mapping[str, tuple[str, Change]]:
    """Return the tags of earlier forms, sorted, each with the next newer tag and the change."""
    return dict(sorted(_UPCASTS.items()))


def public_names(tag: str) -> tuple[str, ...]:
    """Return the names of the public fields of a kind, or of an earlier form, in order."""
    if tag in _UPCASTS:
        return _UPCASTS[tag][1].fields
    return tuple(f.name for f in declared_fields(_KINDS[tag]) if f.to in {None, EACH})


def read(room_id: str, shown: Cut) -> Record:
    """
    Read a record from its public bytes and some openings, checking each opening.

    Raises:
        Malformed, UnknownTag, OverLimit: it is not a record.
        BadCommitment: an opening does not fit its commitment.
    """
    return _record(room_id, _head(shown.public), shown.openings, is_ours=False)


def read_own(room_id: str, stored: Stored) -> Record:
    """
    Read a record of our own store with all its secrets open.

    Commitments are checked. Types are not, since `seal` wrote them.

    Raises:
        Malformed, UnknownTag, OverLimit, BadCommitment: it is not a record, or it is damaged.
    """
    with suppress(ProtocolError, AttributeError, LookupError, TypeError, ValueError):
        openings = tuple(enumerate(openings_of(stored)))
        return _record(room_id, _own_head(stored.public), openings, is_ours=True)
    # Read again strictly, for an error that names the fault but no value, which may be secret.
    return read_whole(room_id, stored)


def read_whole(room_id: str, stored: Stored) -> Record:
    """Read a record from any source with all its secrets open. Raises what `read` raises."""
    pairs = codec.decode(stored.openings, tuple[tuple[bytes, bytes], ...])
    openings = (Opening(salt, value) for salt, value in pairs)
    return read(room_id, Cut(stored.public, tuple(enumerate(openings))))


def _record(
    room_id: str, head: _Public, shown: tuple[tuple[int, Opening], ...], *, is_ours: bool
) -> Record:
    tag, public = head.tag, head.fields
    shapes: dict[str, list[Shape]] = {}
    # Old records are converted step by step; the bytes on the log and their hashes never change.
    while tag in _UPCASTS:
        tag, change = _UPCASTS[tag]
        public = change.apply(public, public_names(tag))
        for name, shape in change.secrets.items():
            shapes.setdefault(name, []).append(shape)
    if tag not in _KINDS:
        raise UnknownTag(f"event {head.sequence} is of the unknown kind {tag!r}")
    openings = dict(shown)
    # One order and no duplicates, so a cut has one encoding.
    if [slot for slot, _ in shown] != [at for at in range(len(head.secrets)) if at in openings]:
        raise BadCommitment(f"openings of event {head.sequence} out of order, or of no secret")
    for slot, opening in shown:
        check(head.secrets[slot][1], room_id, head.sequence, slot, opening)
    built = _build(_KINDS[tag], head, public, openings, shapes, is_ours=is_ours)
    return Record(head.sequence, head.time, head.origin, built)


def _build(
    kind: type[Event],
    head: _Public,
    public: tuple[codec.Plain, ...],
    openings: Mapping[int, Opening],
    shapes: Mapping[str, Sequence[Shape]],
    *,
    is_ours: bool,
) -> Event:
    # Fast path: most of our own records are public, and are read by a single generated function.
    whole = whole_of(kind)
    if is_ours and whole is not None and not head.secrets:
        return cast("Event", whole.read_own(public))
    parts = iter(public)
    slots = iter(range(len(head.secrets)))

    def sealed(field: Field) -> Sealed[Any]:
        slot = next(slots)
        audience, commitment = head.secrets[slot]
        ref = (head.sequence, slot)
        # Sealed here. Folding must not notice the difference.
        if slot not in openings:
            return Sealed(audience, commitment, ref)
        packed = openings[slot].value
        plain = codec.unpack_own(packed) if is_ours else codec.unpack(packed)
        plain = functools.reduce(
            lambda earlier, shape: shape.apply(earlier), shapes.get(field.name, ()), plain
        )
        value = field.read_own(plain) if is_ours else field.read(plain)
        return Sealed(audience, commitment, ref, value)

    values: dict[str, Any] = {}
    try:
        for field in declared_fields(kind):
            if field.to is None:
                values[field.name] = (field.read_own if is_ours else field.read)(next(parts))
            elif field.to == EACH:
                seats = _read_seats(next(parts))
                if any(low >= high for low, high in itertools.pairwise(seats)):
                    raise Malformed(f"event {head.sequence}: the seats of a mapping must ascend")
                values[field.name] = {seat: sealed(field) for seat in seats}
            else:
                values[field.name] = sealed(field)
    except StopIteration:
        raise Malformed(f"event {head.sequence} has too few fields") from None
    if next(parts, _HOLE) is not _HOLE or next(slots, None) is not None:
        raise Malformed(f"event {head.sequence} has too many fields")
    return _made(kind, values, head.sequence)


def _made(kind: type[Event], values: Mapping[str, Any], sequence: int) -> Event:
    try:
        return kind(**values)
    except ImpossibleValue as error:
        raise Malformed(f"event {sequence}: {error}", code=error.code) from error
    except (ValueError, TypeError) as error:
        raise Malformed(f"event {sequence}: {error}") from error
