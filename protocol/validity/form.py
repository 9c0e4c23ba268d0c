"""The form of a record, whatever its kind: times, origins, secrets, openings."""

from collections.abc import Iterator

import attrs

from protocol.bounds import MAX_INTEGER
from protocol.commitments import Opening, check
from protocol.common import events
from protocol.common.observers import observer_of
from protocol.common.table import claims_stand
from protocol.errors import BadCommitment
from protocol.event import CLOCK, OPERATOR, Cut, Event, Record
from protocol.event_contents import audiences_of, secrets_of
from protocol.validity.state import Invalid, State, need


def check_record(state: State, record: Record, cut: Cut) -> None:
    """Check what holds for every record."""
    _check_time(state, record)
    for sealed, to in audiences_of(record.event):
        known = sealed.audience
        if not isinstance(to, str) or _claims_stand(state):
            known = _knowers(state, to)
        # Else the game's own table knows, which its laws fold (`protocol.common.laws`).
        need(sealed.audience == known, "others know it than should", "secret")
        seats = tuple(seat for seat in state.room.seats if seat in known)
        need(known == seats, "those who know it are no seats, or do not ascend", "secret")
    _check_openings(state, record, cut)
    for opened in disclosures_of(record.event):
        need(0 <= opened.sequence < record.sequence, "it opens a secret of the future", "secret")
        secrets = list(secrets_of(state.records[opened.sequence].event))
        need(0 <= opened.slot < len(secrets), "it opens a secret that is none", "secret")
        opening = Opening(opened.salt, opened.value)
        commitment = secrets[opened.slot].commitment
        try:
            check(commitment, state.header.room_id, opened.sequence, opened.slot, opening)
        except BadCommitment as error:
            raise Invalid(str(error), "secret") from error


def _check_time(state: State, record: Record) -> None:
    need(0 <= record.time <= MAX_INTEGER, "a time that there is not", "time")
    if state.last is None:
        return
    if record.event.is_input:
        need(record.time >= state.last.time, "its time is before that of the last event", "time")
    else:
        need(record.time == state.last.time, "what follows has the time of its input", "time")


def _claims_stand(state: State) -> bool:
    """Return whether claims say who plays whom; before the room is opened, nobody plays."""
    ruleset = state.room.ruleset
    return not ruleset or claims_stand(ruleset)


def _knowers(state: State, to: "tuple[int, ...] | str | None") -> tuple[int, ...]:
    """Return the seats that a declaration means: those named, all, or those of a claim."""
    if to is None:
        return tuple(state.room.seats)
    return state.room.seats_of(to) if isinstance(to, str) else to


def _check_openings(state: State, record: Record, cut: Cut) -> None:
    slots = {slot for slot, _ in cut.openings}
    if isinstance(record.event, events.Chatted) and state.header.is_whole:
        # Talk stays with those who heard it; nothing follows from it.
        return
    for slot, sealed in enumerate(secrets_of(record.event)):
        is_known = state.header.is_whole or (
            record.sequence >= state.header.since and state.header.seat in sealed.audience
        )
        need(is_known or slot not in slots, "it opens what its viewer may not know", "secret")
        need(not is_known or slot in slots, "it hides what its viewer may know", "secret")


def disclosures_of(happened: Event) -> Iterator[events.Disclosure]:
    """Yield the openings of earlier secrets that an event holds."""
    for field in attrs.fields(type(happened)):  # type: ignore[arg-type]  # Events are attrs
        value = getattr(happened, field.name)
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, events.Disclosure):
                yield item


def by_seat(state: State, record: Record, seat: int) -> None:
    """Need an input to come from a seat that is taken, and to be about that seat."""
    need(seat in state.room.seats, "there is no such seat")
    need(record.origin == seat, "it did not come from the seat that it is about")


def by_host(state: State, record: Record) -> None:
    """Need an input to come from the host, who is seat 0 as long as nobody sits there."""
    need(record.origin == state.room.host, "it did not come from the host")


def no_observer(state: State, key: bytes) -> None:
    """Need a key that is about to have a seat to be no observer's, to whom secrets are open."""
    need(observer_of(state.room.settings, key) is None, "an observer is given a seat")


def by_clock(record: Record) -> None:
    """Need an input to come from the clock."""
    need(record.origin == CLOCK, "it did not come from the clock")


def by_operator(record: Record) -> None:
    """Need an input to come from whoever runs the server."""
    need(record.origin == OPERATOR, "it did not come from whoever runs the server")
