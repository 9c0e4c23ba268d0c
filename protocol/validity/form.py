"""Rules of all kinds of record: times, origins, secrets, openings."""

from collections.abc import Iterator

import attrs

from protocol.bounds import MAX_TIME
from protocol.commitments import Opening, check
from protocol.common import events
from protocol.common.observers import observer_of
from protocol.common.table import claims_stand
from protocol.errors import BadCommitment
from protocol.event import CLOCK, OPERATOR, Cut, Event, Record
from protocol.event_contents import audiences_of, secrets_of
from protocol.validity.state import Invalid, State, need


def check_record(state: State, record: Record, cut: Cut) -> None:
    """Check the rules that hold for all kinds of record."""
    _check_time(state, record)
    for sealed, to in audiences_of(record.event):
        known = sealed.audience
        if not isinstance(to, str) or _claims_stand(state):
            known = _knowers(state, to)
        # In other games characters change hands; their laws check it (`protocol.common.laws`).
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
    # Time limits are computed from these times, so they must not go back.
    need(0 <= record.time <= MAX_TIME, "a time that there is not", "time")
    if state.last is None:
        return
    if record.event.is_input:
        need(record.time >= state.last.time, "its time is before that of the last event", "time")
    else:
        need(record.time == state.last.time, "what follows has the time of its input", "time")


def _claims_stand(state: State) -> bool:
    """True if characters stay with the seats that claimed them, or if no ruleset is known yet."""
    ruleset = state.room.ruleset
    # Before `room_opened` no ruleset is known.
    return not ruleset or claims_stand(ruleset)


def _knowers(state: State, to: "tuple[int, ...] | str | None") -> tuple[int, ...]:
    """Return the seats of declared knowers: the seats named, all seats, or those of a claim."""
    if to is None:
        return tuple(state.room.seats)
    return state.room.seats_of(to) if isinstance(to, str) else to


def _check_openings(state: State, record: Record, cut: Cut) -> None:
    slots = {slot for slot, _ in cut.openings}
    if isinstance(record.event, events.Chatted) and state.header.is_whole:
        # Exports leave out chat, which has no effects, even from a whole log.
        return
    for slot, sealed in enumerate(secrets_of(record.event)):
        # Both ways: a file that shows too much leaks, one that shows too little hides evidence.
        is_known = state.header.is_whole or (
            record.sequence >= state.header.since and state.header.seat in sealed.audience
        )
        need(is_known or slot not in slots, "it opens what its viewer may not know", "secret")
        need(not is_known or slot in slots, "it hides what its viewer may know", "secret")


def disclosures_of(event: Event) -> Iterator[events.Disclosure]:
    """Yield the disclosures in the fields of an event."""
    for field in attrs.fields(type(event)):  # type: ignore[arg-type]  # Events are attrs
        value = getattr(event, field.name)
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, events.Disclosure):
                yield item


def by_seat(state: State, record: Record, seat: int) -> None:
    """Check that an input comes from the seat that it concerns, and that this seat exists."""
    need(seat in state.room.seats, "there is no such seat")
    need(record.origin == seat, "it did not come from the seat that it is about")


def by_host(state: State, record: Record) -> None:
    """Check that an input comes from the host, which is seat 0 while all seats are empty."""
    need(record.origin == state.room.host, "it did not come from the host")


def no_observer(state: State, key: bytes) -> None:
    """Check that the new owner's key is no observer's, since observers see all secrets."""
    need(observer_of(state.room.settings, key) is None, "an observer is given a seat")


def by_clock(record: Record) -> None:
    """Check that an input comes from the clock."""
    need(record.origin == CLOCK, "it did not come from the clock")


def by_operator(record: Record) -> None:
    """Check that an input comes from the operator."""
    need(record.origin == OPERATOR, "it did not come from whoever runs the server")
