"""
The tables that a client follows, whose records are checked and folded.

A `TableView` is a table as one seat (or a spectator) sees the table. The view grows by records in
the order of their sequences. The view computes the hash chain, which is the same for all seats, and
checks each disclosed secret against its earlier commitment. A batch of records is applied
completely or not at all.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs

from protocol.bounds import MAX_TIME
from protocol.commitments import Opening, check, first_head, next_head
from protocol.common import standing
from protocol.common.asks import Question
from protocol.common.events import Disclosure, RoomOpened
from protocol.common.lots import is_enough_for_lot
from protocol.common.table import OpenAsk, Seat, Table, fold, know_game
from protocol.errors import BadCommitment, BrokenChain, Malformed
from protocol.event import Cut, Event, Record, Sealed, read

Ref = tuple[int, int]
"""Sequence and slot: the position of a secret's commitment on the log."""


class OutOfStep(Exception):
    """Some records before the received ones are missing. Nothing was applied."""

    def __init__(self, expected: int, found: int) -> None:
        super().__init__(f"event {expected} was due and {found} came")
        self.expected, self.found = expected, found


@attrs.frozen
class TableStep:
    """One record, with the table before the record and after the record."""

    before: Table
    record: Record
    after: Table


@attrs.define(eq=False)
class TableView:
    """A table as one viewer knows the table."""

    room_id: str
    seat: int | None
    """The viewer's seat, or in a practice game the acting seat; None for a spectator."""
    table: Table = attrs.field(factory=Table)
    head: bytes = b""
    """The last hash of the chain over all records received."""
    records: list[Record] = attrs.field(factory=list)
    cuts: list[Cut] = attrs.field(factory=list, repr=False)
    """The records as the server sent them, for the cache and for exports."""
    commitments: dict[Ref, bytes] = attrs.field(factory=dict, repr=False)
    """Commitments to all secrets on the log, whether opened or not."""
    entered_as: int | None = attrs.field(init=False)
    """The seat by which the server knows the viewer; None for a spectator."""

    def __attrs_post_init__(self) -> None:
        self.entered_as = self.seat
        self.head = self.head or first_head(self.room_id)

    @property
    def last(self) -> int:
        """The sequence of the last record received, for `EnterTable`; -1 if there is none."""
        return len(self.records) - 1

    def receive(self, cuts: Sequence[Cut]) -> tuple[TableStep, ...]:
        """
        Apply records and return the steps, oldest first.

        Records that the view has already are skipped if they are equal.

        Raises:
            OutOfStep: records before these are missing; request the records after `last` again.
            BrokenChain: a record came twice, with different content.
            BadCommitment, Malformed, UnknownTag, OverLimit: a record is invalid at this point.
            UnknownGame: the game is not installed.
        """
        steps: list[TableStep] = []
        head, table, known = self.head, self.table, dict[Ref, bytes]()
        fresh: list[Cut] = []
        for shown in cuts:
            record = read(self.room_id, shown)
            if isinstance(record.event, RoomOpened):
                # Loads the game, whose classes the records that follow need.
                know_game(record.event.ruleset)
            if record.sequence <= self.last:
                if record.sequence < 0 or self.cuts[record.sequence].public != shown.public:
                    raise BrokenChain(f"event {record.sequence} came a second time and is another")
                continue
            if not 0 <= record.time <= MAX_TIME:
                raise Malformed(f"event {record.sequence} has a time that there is not")
            due = self.last + 1 + len(steps)
            if record.sequence != due:
                raise OutOfStep(due, record.sequence)
            for opened in disclosures_in(record.event):
                ref = (opened.sequence, opened.slot)
                # A batch may open a secret that an earlier record of the same batch made.
                commitment = known.get(ref) or self.commitments.get(ref)
                if commitment is None:
                    raise BadCommitment(
                        f"event {record.sequence} opens the secret {ref} that is none"
                    )
                opening = Opening(opened.salt, opened.value)
                check(commitment, self.room_id, opened.sequence, opened.slot, opening)
            known.update(_committed(record.event))
            head, after = next_head(head, shown.public), _folded(table, record)
            steps.append(TableStep(table, record, after))
            fresh.append(shown)
            table = after
        # Only now: a fault anywhere in the batch must leave the view unchanged.
        self.head, self.table = head, table
        self.records += [step.record for step in steps]
        self.cuts += fresh
        self.commitments.update(known)
        return tuple(steps)

    # Questions about it

    @property
    def my_seat(self) -> Seat | None:
        """The viewer's own seat; None for a spectator, or if the table has lost the seat."""
        return None if self.seat is None else self.table.room.seats.get(self.seat)

    @property
    def role(self) -> str:
        return role_of(self.table, self.seat)

    @property
    def ask(self) -> OpenAsk | None:
        """The open question of the table, for any seats; None if there is none."""
        return self.table.room.ask

    @property
    def is_practice(self) -> bool:
        """Whether one player controls all seats, as in a practice game."""
        return self.table.room.source is not None

    def is_free(self, seat: int) -> bool:
        who = self.table.room.seats.get(seat)
        return who is not None and not who.name

    def my_question(self) -> Question | None:
        """
        Return the question that the viewer can answer now; None if there is none.

        A vote can be changed, so its question stays open; an answer cannot be changed.
        """
        ask = self.ask
        if ask is None or self.seat is None or self.seat not in ask.questions:
            return None
        if self.table.room.is_paused_by_operator:
            return None
        if not ask.has_open_votes and self.seat in ask.answered:
            return None
        sealed = ask.questions[self.seat]
        return sealed.value if sealed.is_open else None

    @property
    def may_interrupt(self) -> bool:
        """Whether the viewer may interrupt the seat that decides, and nobody waits for them."""
        ask = self.ask
        return ask is not None and self.seat is not None and ask.may_interrupt(self.seat)

    @property
    def standing(self) -> tuple[str, ...]:
        """The standing passes of the viewer's seat that have not lapsed, in ascending order."""
        room = self.table.room
        said = None if self.seat is None else room.standing.get(self.seat)
        if self.seat is None or said is None or not said.is_open:
            return ()
        return standing.in_force(room, self.seat)

    def can_call_tiebreak(self) -> bool:
        """Return whether the viewer may call a tiebreak: all seats voted, and too few agree.

        A viewer who has already called may call again only if the lot would then be drawn, for
        example because other players have left since.
        """
        ask = self.ask
        if ask is None or not ask.has_open_votes or self.seat not in ask.votes:
            return False
        if ask.waiting_for or ask.decision is not None:
            return False
        room = self.table.room
        return self.seat not in ask.lot_wanted_by or is_enough_for_lot(room, ask, self.seat)


def role_of(table: Table, seat: int | None) -> str:
    """Return the role of a seat; empty for a seat without a role, and if `seat` is None."""
    found = None if seat is None else table.room.seats.get(seat)
    return "" if found is None else found.role


def _folded(table: Table, record: Record) -> Table:
    try:
        return fold(table, record)
    except (AssertionError, AttributeError, LookupError, StopIteration, TypeError) as error:
        # Our folds are total on logs that rules wrote, so any other error is the sender's fault.
        raise Malformed(f"event {record.sequence} does not fit this table: {error!r}") from error


def _committed(event: Event) -> Iterator[tuple[Ref, bytes]]:
    for value in _values(event):
        for sealed in value.values() if isinstance(value, Mapping) else (value,):
            if isinstance(sealed, Sealed):
                yield sealed.ref, sealed.commitment


def disclosures_in(event: Event) -> Iterator[Disclosure]:
    for value in _values(event):
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, Disclosure):
                yield item


def _values(event: Event) -> Iterator[Any]:
    for field in attrs.fields(type(event)):  # type: ignore[arg-type]  # every Event is attrs
        yield getattr(event, field.name)
