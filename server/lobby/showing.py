"""
Showing: what records are to their viewers, worked out once for all who see the same.

`protocol.event.cut` says what a viewer is sent. Here a record is taken apart once: its public bytes
and each of its openings, packed, with the subjects that they name. A message to a viewer is joined
of the parts that `cut` would have given them.
"""

import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import attrs

from protocol import codec
from protocol.brief import (
    Kind,
    Parts,
    Segment,
    joined_spans,
    kind_of,
    opening_start,
    record_form,
    rest_of,
    value_form,
)
from protocol.commitments import Opening
from protocol.common.text import Catalog
from protocol.event import Audiences, Cut, Stored, openings_of
from protocol.event_contents import subjects_of_plain
from server.lobby.chunks import chunks_of
from server.lobby.viewer import Viewer
from server.lobby.words import GREETING, SharedWords, spoken
from server.net.handler import PackedRecords

Slots = tuple[int, ...]
"""The places of the secrets of one record that a viewer may see, ascending."""


@attrs.define(eq=False, slots=False)
class _Prepared:
    """One record in parts."""

    stored: Stored
    audiences: Audiences
    time: int
    tag: str
    kind: Kind
    rest: bytes
    """As it is sent."""
    bare: list[Segment]
    """The record as it is sent without openings."""
    bare_cut: Cut
    bare_weight: int
    """About how many bytes it takes in a message without openings."""
    public_subjects: tuple[str, ...]

    @classmethod
    def of(cls, stored: Stored) -> "_Prepared":
        """Take a record of our own store apart; its openings only once somebody may see one."""
        public = stored.public
        head: Any = codec.unpack_own(public)
        sequence, time, origin, tag, _, secrets = head
        kind = kind_of(origin, tag)
        rest = rest_of(public, sequence, time, kind)
        return cls(
            stored,
            Audiences.of_secrets(sequence, secrets),
            time,
            tag,
            kind,
            rest,
            record_form(kind, rest, ()),
            Cut(public, ()),
            len(public) + 64,
            subjects_of_plain(head[3:5]),
        )

    def weight(self, slots: Slots) -> int:
        """Return about how many bytes it takes in a message."""
        if not slots:
            return self.bare_weight
        return self.bare_weight + sum([self.openings[slot].weight for slot in slots])

    def cut(self, slots: Slots) -> Cut:
        """Return it with these openings."""
        if not slots:
            return self.bare_cut
        return Cut(
            self.stored.public, tuple([(slot, self.openings[slot].opening) for slot in slots])
        )

    def form(self, slots: Slots) -> list[Segment]:
        """Return the cut as it is sent."""
        if not slots:
            return self.bare
        return record_form(self.kind, self.rest, [self.openings[slot].form for slot in slots])

    def subjects(self, slots: Slots) -> tuple[str, ...]:
        """Return the subjects that it names, in order of appearance."""
        if not slots:
            return self.public_subjects
        opened = (name for slot in slots for name in self.openings[slot].subjects)
        return (*self.public_subjects, *opened)

    @functools.cached_property
    def openings(self) -> "tuple[_Opening, ...]":
        """All openings by slot."""
        found = []
        # Several seats may have been asked the same.
        made: dict[bytes, tuple[bytes | Parts, tuple[str, ...]]] = {}
        for slot, one in enumerate(openings_of(self.stored)):
            if one.value not in made:
                plain = codec.unpack_own(one.value)
                subjects = subjects_of_plain((plain,))
                made[one.value] = value_form(self.tag, one.value, plain), subjects
            value, subjects = made[one.value]
            weight = len(one.salt) + len(one.value) + 16
            found.append(_Opening(one, weight, (opening_start(slot, one), value), subjects))
        return tuple(found)


@attrs.define(eq=False)
class _Opening:
    """An opening, and how it is sent."""

    opening: Opening = attrs.field(repr=False)
    weight: int
    form: tuple[bytes, bytes | Parts] = attrs.field(repr=False)
    subjects: tuple[str, ...]


@attrs.frozen(eq=False)
class Shown:
    """One message of records, for all who see the same."""

    records: PackedRecords
    subjects: tuple[str, ...]
    """Those that its records name, in order of appearance, each once."""
    _needed: dict[str, tuple[str, ...]] = attrs.field(factory=dict)
    told: SharedWords = attrs.field(factory=dict)
    """The words that went before it to those to whom it is shown at once."""

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
    _sequences: range | None = attrs.field(default=None, init=False)
    _last: list[_Prepared] = attrs.field(factory=list, init=False)
    """Those that somebody was shown last, and their sequences."""
    _shown: dict[object, tuple[Shown, ...]] = attrs.field(factory=dict, init=False)

    def of_batch(self, viewer: Viewer, since: int, sequences: range) -> tuple[Shown, ...]:
        """
        Return these records in messages for one viewer, the same for all who see the same.

        Args:
            viewer: to whom they are shown.
            since: the sequence from which the viewer has had their seat.
            sequences: which records; few enough to be kept.
        """
        prepared = self._batch(sequences)
        slots = tuple(
            [
                viewer.slots(one.audiences, one.tag, since) if one.audiences.by_slot else ()
                for one in prepared
            ]
        )
        key = (sequences.start, slots)
        shown = self._shown.get(key)
        if shown is None:
            pieces = zip(prepared, slots, strict=True)
            shown = self._shown[key] = tuple(_messages(self.room_id, pieces))
        return shown

    def _batch(self, sequences: range) -> list[_Prepared]:
        """Return these records in parts; nearly always everybody is shown the same."""
        if sequences != self._sequences:
            known, log = self._prepared, self.log
            for sequence in sequences:
                if sequence not in known:
                    known[sequence] = _Prepared.of(log[sequence])
            self._sequences = sequences
            self._last = [known[sequence] for sequence in sequences]
        return self._last

    def one_by_one(self, viewer: Viewer, since: int, sequences: range) -> Iterator[Shown]:
        """Yield these records in messages, each made when it is asked for; arguments as above."""
        log = self.log
        prepared = (_Prepared.of(log[sequence]) for sequence in sequences)
        return _messages(
            self.room_id,
            ((one, viewer.slots(one.audiences, one.tag, since)) for one in prepared),
        )


def _messages(room_id: str, pieces: Iterable[tuple[_Prepared, Slots]]) -> Iterator[Shown]:
    weighed = ((one.weight(slots), (one, slots)) for one, slots in pieces)
    for chunk in chunks_of(weighed):
        subjects: dict[str, None] = {}
        forms, cuts = [], []
        for one, slots in chunk:
            subjects.update(dict.fromkeys(one.subjects(slots)))
            forms.append((one.audiences.sequence, one.time, one.form(slots)))
            cuts.append(one.cut(slots))
        records = PackedRecords(room_id, tuple(cuts), joined_spans(forms))
        yield Shown(records, tuple(subjects))
