"""
Sealing: an event that rules made becomes a record on the log.

What is returned beside the bytes is the event itself with its secrets sealed: nothing is read back.
That it is what a reader will read off the bytes holds as long as each value is of the type that the
event declares; the tests look at every record that they seal (`after_seal`).
"""

from collections.abc import Callable
from typing import Any

from protocol import codec
from protocol.commitments import committed
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
from protocol.values import evolve, frozen

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
    plan = _PLANS.get(type(happened)) or _plan_of(type(happened))
    if plan.whole is not None:
        public = plan.whole.write(happened)
        # Mappings come back in the order of the log, and whoever made them cannot change them.
        as_read = plan.whole.read_own(public) if plan.whole.holds_mappings else happened
        heads, openings = _NO_SECRETS
    else:
        public = plan.write_public(happened)
        secrets = _Secrets(room_id, sequence, new_salt)
        as_read = _with_secrets(plan, happened, public, secrets, knowers)
        heads, openings = tuple(secrets.heads), codec.pack_known(tuple(secrets.openings))
    stored = Stored(
        codec.pack_written((sequence, time, origin, happened.tag, public, heads)), openings
    )
    record = Record(sequence, time, origin, as_read)
    if after_seal is not None:
        after_seal(room_id, stored, record)
    return stored, record


_NO_SECRETS: tuple[tuple[tuple[tuple[int, ...], bytes], ...], bytes] = ((), codec.pack(()))


class _Secrets:
    """The secrets of one record, as they are added."""

    def __init__(self, room_id: str, sequence: int, new_salt: Callable[[], bytes]) -> None:
        self._room_id = room_id
        self._sequence = sequence
        self._new_salt = new_salt
        self.heads: list[tuple[tuple[int, ...], bytes]] = []
        """Audience and commitment of each."""
        self.openings: list[tuple[bytes, bytes]] = []
        self._last: tuple[object, object] = (_NOTHING, None)
        """The value that was added last, and its field. Several seats may be asked the same, which
        is encoded once."""
        self._packed = b""
        """That value packed."""
        self._as_read: Any = None
        """That value as the record has it."""

    def add(self, field: Field, audience: tuple[int, ...], value: Any) -> Sealed[Any]:
        """Commit to a value and return it as the record has it."""
        last, of = self._last
        if last is not value or of is not field:
            plain = field.write(value)
            self._packed = codec.pack_written(plain)
            self._as_read = field.read_own(plain) if field.holds_mappings else value
            self._last = (value, field)
        slot, salt = len(self.heads), self._new_salt()
        commitment = committed(self._room_id, self._sequence, slot, salt, self._packed)
        self.heads.append((audience, commitment))
        self.openings.append((salt, self._packed))
        return Sealed(audience, commitment, (self._sequence, slot), self._as_read)


_NOTHING = object()
"""Stands for the value before the first."""


def _with_secrets(
    plan: "_Plan",
    happened: Any,
    public: tuple[codec.Plain, ...],
    secrets: _Secrets,
    knowers: Knowers,
) -> Event:
    """Return an event with its secrets sealed."""
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
    sealed: Event = evolve(happened, **values)
    return sealed


@frozen
class _Plan:
    """How events of a kind are sealed."""

    whole: Field | None
    """Of a kind without secrets: all its fields as one."""
    write_public: Callable[[Any], tuple[codec.Plain, ...]]
    """Returns the public fields; of a secret for each seat, the seats."""
    read_again: tuple[tuple[int, Field], ...]
    """Those public fields that hold mappings, with their places among them."""
    secrets: tuple[Field, ...]


_PLANS: dict[type[Event], _Plan] = {}


def _plan_of(kind: type[Event]) -> _Plan:
    if kind not in _PLANS:
        fields = declared_fields(kind)
        public = [field for field in fields if field.to in {None, EACH}]
        _PLANS[kind] = _Plan(
            whole_of(kind),
            codec.fields_writer((f.name, f.hint if f.to is None else None) for f in public),
            tuple((at, f) for at, f in enumerate(public) if f.to is None and f.holds_mappings),
            tuple(field for field in fields if field.to is not None),
        )
    return _PLANS[kind]


def _audience(happened: Event, to: str, knowers: Knowers) -> tuple[int, ...]:
    if to == NOBODY:
        return ()
    if to == TABLE:
        return knowers.all_seats()
    knower = getattr(happened, to)
    if isinstance(knower, str):
        return knowers.seats_of(knower)
    return (knower,) if isinstance(knower, int) else tuple(sorted(knower))
