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
from protocol.commitments import Opening
from protocol.common.text import Catalog, subjects_in
from protocol.event import Audiences, Cut, Stored, openings_of, strings_in
from protocol.messages import Records
from server.lobby.chunks import chunks_of
from server.lobby.words import GREETING, spoken
from server.net.handler import PackedRecords

Slots = tuple[int, ...]
"""The places of the secrets of one record that a viewer may see, ascending."""

_RECORDS = codec.pack(Records.tag)


@attrs.frozen
class _Part:
    """The public bytes of a record, or one of its openings, as it goes into every message."""

    packed: bytes = attrs.field(repr=False)
    weight: int
    subjects: tuple[str, ...]
    """In order of appearance, each once."""


@attrs.frozen(eq=False, slots=False)
class _Prepared:
    """One record in parts."""

    stored: Stored
    audiences: Audiences
    public: _Part

    @classmethod
    def of(cls, stored: Stored) -> "_Prepared":
        """Take a record of our own store apart; its openings only once somebody may see one."""
        public = _part_of(stored.public, stored.public, 64)
        return cls(stored, Audiences.of(stored), public)

    def weight(self, slots: Slots) -> int:
        """Return about how many bytes it takes in a message."""
        return self.public.weight + sum(self.openings[slot][1].weight for slot in slots)

    def cut(self, slots: Slots) -> Cut:
        """Return it with these openings."""
        return Cut(self.stored.public, tuple((slot, self.openings[slot][0]) for slot in slots))

    def packed(self, slots: Slots) -> bytes:
        """Return the packed form of `cut`."""
        shown = codec.join_packed([self.openings[slot][1].packed for slot in slots])
        return codec.join_packed((self.public.packed, shown))

    def subjects(self, slots: Slots) -> Iterator[str]:
        """Yield the subjects that it names, in order of appearance."""
        yield from self.public.subjects
        for slot in slots:
            yield from self.openings[slot][1].subjects

    @functools.cached_property
    def openings(self) -> tuple[tuple[Opening, _Part], ...]:
        """All openings by slot."""
        return tuple(
            (one, _part_of((slot, (one.salt, one.value)), one.value, len(one.salt) + 16))
            for slot, one in enumerate(openings_of(self.stored))
        )


def _part_of(plain: codec.Plain, shown: bytes, beside: int) -> _Part:
    """
    Return a part.

    Args:
        plain: what goes into the message.
        shown: the packed value in it that a viewer reads.
        beside: what the part weighs beside that value.
    """
    subjects = dict.fromkeys(subjects_in(strings_in(shown)))
    return _Part(codec.pack(plain), len(shown) + beside, tuple(subjects))


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
        cuts = codec.join_packed([one.packed(slots) for one, slots in chunk])
        payload = codec.join_packed((_RECORDS, codec.pack(room_id), cuts))
        records = PackedRecords(room_id, tuple(one.cut(slots) for one, slots in chunk), payload)
        yield Shown(records, tuple(subjects))
