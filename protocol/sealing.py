"""
Sealing: an event that rules made becomes a record on the log.

What is returned beside the bytes is the event itself with its secrets sealed: nothing is read back.
That it is what a reader will read off the bytes holds as long as each value is of the type that the
event declares; the tests look at every record that they seal (`after_seal`).
"""

import functools
from collections.abc import Callable
from typing import Any

import attrs

from protocol import codec
from protocol.commitments import Opening, commit
from protocol.event import (
    EACH,
    NOBODY,
    TABLE,
    Event,
    Field,
    Knowers,
    Record,
    Sealed,
    Stored,
    declared_fields,
    whole_of,
)
from protocol.evolving import evolve

after_seal: Callable[[str, Stored, Record], None] | None = None
"""Is shown the room and what `seal` made. Tests set it, to read each record off what is stored."""


def seal(
    happened: Event,
    *,
    room_id: str,
    sequence: int,
    time: int,
    origin: int,
    knowers: Knowers,
    new_salt: Callable[[], bytes],
) -> tuple[Stored, Record]:
    """
    Turn an event with hidden values into its stored form and the record that is read off it.

    The record is made of the event's own values, which must be of the types that it declares.
    """
    heads: tuple[tuple[tuple[int, ...], bytes], ...] = ()
    whole = whole_of(type(happened))
    if whole is not None:
        public, as_read = _written(whole, happened)
        openings = _NO_OPENINGS
    else:
        secrets = _Secrets(room_id, sequence, new_salt)
        public, as_read = _with_secrets(happened, secrets, knowers)
        heads, openings = tuple(secrets.heads), codec.pack_known(tuple(secrets.openings))
    # As deep as it lies in the form, of which all else is known.
    codec.must_be_plain((public,))
    form = (sequence, time, origin, happened.tag, public, heads)
    stored = Stored(codec.pack_known(form), openings)
    record = Record(sequence, time, origin, as_read)
    if after_seal is not None:
        after_seal(room_id, stored, record)
    return stored, record


_NO_OPENINGS = codec.pack(())


def _written(field: Field, value: Any) -> tuple[Any, Any]:
    """Return the plain form of a value, and the value as it is read off the log."""
    plain = field.write(value)
    # Mappings come back in the order of the log, and whoever made them cannot change them.
    return plain, field.read_own(plain) if field.holds_mappings else value


@attrs.define
class _Secrets:
    """The secrets of one record, as they are added."""

    room_id: str
    sequence: int
    new_salt: Callable[[], bytes]
    heads: list[tuple[tuple[int, ...], bytes]] = attrs.field(factory=list)
    """Audience and commitment of each."""
    openings: list[tuple[bytes, bytes]] = attrs.field(factory=list, repr=False)
    last: tuple[Any, Field, bytes, Any] | None = attrs.field(default=None, repr=False)
    """The secret that was added last: value and field, packed, and as it is read. Several seats may
    be asked the same, which is encoded once."""

    def add(self, field: Field, audience: tuple[int, ...], value: Any) -> Sealed[Any]:
        """Commit to a value and return it as the record has it."""
        if self.last is None or self.last[0] is not value or self.last[1] is not field:
            plain, as_read = _written(field, value)
            self.last = (value, field, codec.pack(plain), as_read)
        _, _, packed, as_read = self.last
        opening = Opening(self.new_salt(), packed)
        slot = len(self.heads)
        commitment = commit(self.room_id, self.sequence, slot, opening)
        self.heads.append((audience, commitment))
        self.openings.append((opening.salt, opening.value))
        return Sealed(audience, commitment, (self.sequence, slot), as_read)


def _with_secrets(
    happened: Event, secrets: _Secrets, knowers: Knowers
) -> tuple[codec.Plain, Event]:
    """Return the public fields of an event, and the event with its secrets sealed."""
    plan = _plan_of(type(happened))
    public = plan.write_public(happened)
    values: dict[str, Any] = {
        field.name: field.read_own(public[at]) for at, field in plan.read_again
    }
    for field in plan.secrets:
        value = getattr(happened, field.name)
        assert field.to is not None
        if field.to == EACH:
            values[field.name] = {
                seat: secrets.add(field, (seat,), value[seat].value) for seat in sorted(value)
            }
        else:
            audience = _audience(happened, field.to, knowers)
            values[field.name] = secrets.add(field, audience, value.value)
    return public, evolve(happened, **values)


@attrs.frozen
class _Plan:
    """How events of a kind that has secrets are sealed."""

    write_public: Callable[[Any], tuple[codec.Plain, ...]]
    """Returns the public fields; of a secret for each seat, the seats."""
    read_again: tuple[tuple[int, Field], ...]
    """Those public fields that hold mappings, with their places among them."""
    secrets: tuple[Field, ...]


@functools.cache
def _plan_of(kind: type[Event]) -> _Plan:
    fields = declared_fields(kind)
    public = [field for field in fields if field.to in {None, EACH}]
    return _Plan(
        codec.fields_writer((f.name, f.hint if f.to is None else None) for f in public),
        tuple((at, f) for at, f in enumerate(public) if f.to is None and f.holds_mappings),
        tuple(field for field in fields if field.to is not None),
    )


def _audience(happened: Event, to: str, knowers: Knowers) -> tuple[int, ...]:
    if to == NOBODY:
        return ()
    if to == TABLE:
        return knowers.all_seats()
    knower = getattr(happened, to)
    if isinstance(knower, str):
        return knowers.seats_of(knower)
    return (knower,) if isinstance(knower, int) else tuple(sorted(knower))
