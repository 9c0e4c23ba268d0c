"""
Showing: what records are to their viewers, worked out once for all who see the same.

`protocol.event.cut` says what a viewer is sent. Here a record is taken apart once: its public bytes
and each of its openings, packed, with the subjects that they name. A message to a viewer is joined
of the parts that `cut` would have given them.
"""

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs

from protocol import codec
from protocol.brief import (
    Parts,
    joined_spans,
    opening_form,
    record_form,
    split_public,
    tag_of,
)
from protocol.commitments import Opening
from protocol.common.text import Catalog, subjects_in
from protocol.event import Audiences, Cut, Stored, openings_of, strings_in
from server.lobby.chunks import chunks_of
from server.lobby.words import GREETING, spoken
from server.net.handler import PackedRecords

Slots = tuple[int, ...]
"""The places of the secrets of one record that a viewer may see, ascending."""


@attrs.define(eq=False, slots=False)
class _Prepared:
    """One record in parts."""

    stored: Stored
    audiences: Audiences
    sequence: int
    time: int
    rest: bytes
    """As it is sent."""
    tag: str
    public_subjects: tuple[str, ...]

    @classmethod
    def of(cls, stored: Stored) -> "_Prepared":
        """Take a record of our own store apart; its openings only once somebody may see one."""
        sequence, time, rest = split_public(stored.public)
        subjects = _subjects(stored.public)
        tag = tag_of(rest)
        return cls(stored, Audiences.of(stored), sequence, time, codec.pack(rest), tag, subjects)

    def weight(self, slots: Slots) -> int:
        """Return about how many bytes it takes in a message."""
        openings = (self.openings[slot].opening for slot in slots)
        beside = sum([len(one.salt) + len(one.value) + 16 for one in openings]) if slots else 0
        return len(self.stored.public) + 64 + beside

    def cut(self, slots: Slots) -> Cut:
        """Return it with these openings."""
        return Cut(
            self.stored.public, tuple([(slot, self.openings[slot].opening) for slot in slots])
        )

    def form(self, slots: Slots) -> list[bytes | Parts]:
        """Return the cut as it is sent."""
        return record_form(self.rest, [self.openings[slot].form for slot in slots])

    def subjects(self, slots: Slots) -> Iterator[str]:
        """Yield the subjects that it names, in order of appearance."""
        yield from self.public_subjects
        for slot in slots:
            yield from self.openings[slot].subjects

    @functools.cached_property
    def openings(self) -> "tuple[_Opening, ...]":
        """All openings by slot."""
        return tuple(
            _Opening(one, opening_form(self.tag, slot, one), _subjects(one.value))
            for slot, one in enumerate(openings_of(self.stored))
        )


@attrs.define(eq=False)
class _Opening:
    """An opening, and how it is sent."""

    opening: Opening
    form: tuple[bytes, bytes | Parts] = attrs.field(repr=False)
    subjects: tuple[str, ...]


def _subjects(packed: bytes) -> tuple[str, ...]:
    """Return the subjects that a packed value names, in order of appearance, each once."""
    return tuple(dict.fromkeys(subjects_in(strings_in(packed))))


@attrs.frozen(eq=False)
class Shown:
    """One message of records, for all who see the same."""

    records: PackedRecords
    subjects: tuple[str, ...]
    """Those that its records name, in order of appearance, each once."""
    _needed: dict[str, tuple[str, ...]] = attrs.field(factory=dict)

    def needed(self, catalogs: Mapping[str, Catalog], language: str) -> tuple[str, ...]:
        """Return the subjects that have words; always the same for one language."""
        if language not in self._needed:
            catalog = catalogs.get(spoken(catalogs, language), {})
            all_subjects = (*GREETING, *self.subjects)
            self._needed[language] = tuple(one for one in all_subjects if catalog.get(one))
        return self._needed[language]


@attrs.define(eq=False)
class Showing:
    """The records of one batch, or of a log, for whoever follows."""

    room_id: str
    log: Sequence[Stored]
    _prepared: dict[int, _Prepared] = attrs.field(factory=dict, init=False)
    _shown: dict[object, tuple[Shown, ...]] = attrs.field(factory=dict, init=False)

    def of_batch(self, seat: int | None, since: int, sequences: range) -> tuple[Shown, ...]:
        """
        Return these records in messages for one viewer, the same for all who see the same.

        Args:
            seat: the viewer's seat; None for a spectator.
            since: the sequence from which the viewer has had that seat.
            sequences: which records; few enough to be kept.
        """
        for sequence in sequences:
            if sequence not in self._prepared:
                self._prepared[sequence] = _Prepared.of(self.log[sequence])
        pieces = [
            (one, one.audiences.slots_for(seat, since=since))
            for one in map(self._prepared.get, sequences)
            if one
        ]
        key = (sequences.start, tuple(slots for _, slots in pieces))
        if key not in self._shown:
            self._shown[key] = tuple(_messages(self.room_id, pieces))
        return self._shown[key]

    def one_by_one(self, seat: int | None, since: int, sequences: range) -> Iterator[Shown]:
        """Yield these records in messages, each made when it is asked for; arguments as above."""
        log = self.log
        prepared = (_Prepared.of(log[sequence]) for sequence in sequences)
        return _messages(
            self.room_id, ((one, one.audiences.slots_for(seat, since=since)) for one in prepared)
        )


def _messages(room_id: str, pieces: Iterable[tuple[_Prepared, Slots]]) -> Iterator[Shown]:
    weighed = ((one.weight(slots), (one, slots)) for one, slots in pieces)
    for chunk in chunks_of(weighed):
        subjects = dict.fromkeys(name for one, slots in chunk for name in one.subjects(slots))
        segments = joined_spans([(one.sequence, one.time, one.form(slots)) for one, slots in chunk])
        records = PackedRecords(room_id, tuple([one.cut(slots) for one, slots in chunk]), segments)
        yield Shown(records, tuple(subjects))
