"""
Sealing: turns an event that rules made into a record of the log.

The record is the event itself with its secrets sealed; it is not read back from the bytes, which
would double the work. It equals what a reader gets from the bytes if each value has its declared
type; tests check this for each record that they seal (`after_seal`).
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
"""Hook that gets the room and the results of `seal`. Tests set it to compare the stored and the
live record."""


def seal(
    event: Event,
    *,
    room_id: str,
    sequence: int,
    time: int,
    origin: int,
    knowers: Knowers,
    new_salt: Callable[[], bytes],
) -> tuple[Stored, Record]:
    """
    Return an event with hidden values as its stored form and as a record.

    The values of the event must have their declared types. The other arguments are those of the
    record; `new_salt` returns 32 fresh bytes of the entropy source for each secret.
    """
    plan = _PLANS.get(type(event)) or _plan_of(type(event))
    if plan.whole is not None:
        public = plan.whole.write(event)
        # Mappings are read back: the copy has the order of the log, and rules hold no reference.
        as_read = plan.whole.read_own(public) if plan.whole.holds_mappings else event
        heads, openings = _NO_SECRETS
    else:
        public = plan.write_public(event)
        secrets = _Secrets(room_id, sequence, new_salt)
        as_read = _with_secrets(plan, event, public, secrets, knowers)
        heads, openings = tuple(secrets.heads), codec.pack_known(tuple(secrets.openings))
    stored = Stored(
        codec.pack_written((sequence, time, origin, event.tag, public, heads)), openings
    )
    record = Record(sequence, time, origin, as_read)
    if after_seal is not None:
        after_seal(room_id, stored, record)
    return stored, record


_NO_SECRETS: tuple[tuple[tuple[tuple[int, ...], bytes], ...], bytes] = ((), codec.pack(()))


class _Secrets:
    """Collects the secrets of one record."""

    def __init__(self, room_id: str, sequence: int, new_salt: Callable[[], bytes]) -> None:
        self._room_id = room_id
        self._sequence = sequence
        self._new_salt = new_salt
        self.heads: list[tuple[tuple[int, ...], bytes]] = []
        """Audience and commitment of each secret."""
        self.openings: list[tuple[bytes, bytes]] = []
        self._last: tuple[object, object] = (_NOTHING, None)
        """The value that was added last, and its field: a question to several seats is one value,
        which is encoded once."""
        self._packed = b""
        """The last value, packed."""
        self._as_read: Any = None
        """The last value as in the record."""

    def add(self, field: Field, audience: tuple[int, ...], value: Any) -> Sealed[Any]:
        """Commit to a value and return it sealed and open, as in the record."""
        last, of = self._last
        if last is not value or of is not field:
            plain = field.write(value)
            self._packed = codec.pack_written(plain)
            self._as_read = field.read_own(plain) if field.holds_mappings else value
            self._last = (value, field)
        # Fresh for each slot: a seat that knew a shared salt could test guesses at other secrets.
        slot, salt = len(self.heads), self._new_salt()
        commitment = committed(self._room_id, self._sequence, slot, salt, self._packed)
        self.heads.append((audience, commitment))
        self.openings.append((salt, self._packed))
        return Sealed(audience, commitment, (self._sequence, slot), self._as_read)


_NOTHING = object()
"""Stands for the last value before the first secret is added."""


def _with_secrets(
    plan: "_Plan",
    event: Any,
    public: tuple[codec.Plain, ...],
    secrets: _Secrets,
    knowers: Knowers,
) -> Event:
    """Return an event with its secrets sealed."""
    values: dict[str, Any] = {
        field.name: field.read_own(public[at]) for at, field in plan.read_again
    }
    for field in plan.secrets:
        value = getattr(event, field.name)
        assert field.to is not None
        if field.to == EACH:
            # Sorted: slots are numbered in the order of seats, not in that of the rules.
            values[field.name] = {
                seat: secrets.add(field, (seat,), value[seat].value) for seat in sorted(value)
            }
        else:
            audience = _audience(event, field.to, knowers)
            values[field.name] = secrets.add(field, audience, value.value)
    sealed: Event = evolve(event, **values)
    return sealed


@frozen
class _Plan:
    """Writers for the events of one kind, prepared once."""

    whole: Field | None
    """All fields as one, if the kind has no secrets."""
    write_public: Callable[[Any], tuple[codec.Plain, ...]]
    """Writer of the public fields; for a secret of each seat it writes the seats."""
    read_again: tuple[tuple[int, Field], ...]
    """Public fields that can contain mappings, with their indexes among the public fields."""
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


def _audience(event: Event, to: str, knowers: Knowers) -> tuple[int, ...]:
    if to == NOBODY:
        return ()
    if to == TABLE:
        return knowers.all_seats()
    knower = getattr(event, to)
    if isinstance(knower, str):
        return knowers.seats_of(knower)
    return (knower,) if isinstance(knower, int) else tuple(sorted(knower))
