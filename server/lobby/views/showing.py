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
    Known,
    Parts,
    Segments,
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
from server.lobby.views.chunks import chunks_of
from server.lobby.views.viewer import Viewer
from server.lobby.views.words import GREETING, SharedWords, spoken
from server.net.handler import PackedRecords

Slots = tuple[int, ...]
"""The places of the secrets of one record that a viewer may see, ascending."""


_Span = tuple[int, int, Segments]
"""A record as it is sent, behind its sequence and time."""
_Names = Mapping[str, None]
"""Subjects in order of appearance, each once."""
_Piece = tuple[int, tuple[_Span, Cut, _Names]]
"""What a viewer is shown of a record, behind about the bytes that it takes."""


@attrs.define(eq=False, slots=False)
class _Prepared:
    """One record in parts."""

    stored: Stored
    audiences: Audiences
    tag: str
    kind: Known
    rest: Segments
    """As it is sent."""
    bare: _Piece
    """What is shown to those who may know none of its secrets."""

    @classmethod
    def of(cls, stored: Stored) -> "_Prepared":
        """Take a record of our own store apart; its openings only once somebody may see one."""
        public = stored.public
        head: Any = codec.unpack_own(public)
        sequence, time, origin, tag, _, secrets = head
        kind = kind_of(origin, tag)
        names = subjects_of_plain(head[3:5])
        rest = rest_of(public, sequence, time, kind, names)
        span = sequence, time, record_form(kind, rest, ())
        bare = len(public) + 64, (span, Cut(public, ()), names)
        audiences = Audiences.of_secrets(sequence, secrets)
        return cls(stored, audiences, tag, kind, rest, bare)

    def piece(self, slots: Slots) -> _Piece:
        """Return what is shown to those who may know the secrets in some slots."""
        if not slots:
            return self.bare
        weight, ((sequence, time, _), _, names) = self.bare
        opened = [self.openings[slot] for slot in slots]
        named = dict(names)
        for one in opened:
            named.update(one.names)
        form = record_form(self.kind, self.rest, [one.form for one in opened])
        pairs = tuple([(slot, self.openings[slot].opening) for slot in slots])
        weight += sum([one.weight for one in opened])
        return weight, ((sequence, time, form), Cut(self.stored.public, pairs), named)

    @functools.cached_property
    def openings(self) -> "tuple[_Opening, ...]":
        """All openings by slot."""
        found = []
        # Several seats may have been asked the same.
        made: dict[bytes, tuple[bytes | Parts, _Names]] = {}
        for slot, one in enumerate(openings_of(self.stored)):
            if one.value not in made:
                plain = codec.unpack_own(one.value)
                made[one.value] = (
                    value_form(self.tag, one.value, plain),
                    subjects_of_plain((plain,)),
                )
            value, names = made[one.value]
            weight = len(one.salt) + len(one.value) + 16
            found.append(_Opening(one, weight, (opening_start(slot, one), value), names))
        return tuple(found)


@attrs.define(eq=False)
class _Opening:
    """An opening, and how it is sent."""

    opening: Opening = attrs.field(repr=False)
    weight: int
    form: tuple[bytes, bytes | Parts] = attrs.field(repr=False)
    names: _Names


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
            self._needed[language] = tuple([one for one in all_subjects if catalog.get(one)])
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
            pieces = [one.piece(known) for one, known in zip(prepared, slots, strict=True)]
            shown = self._shown[key] = tuple(_messages(self.room_id, pieces))
        return shown

    def prepare(self, sequence: int) -> None:
        """Take one record apart, so that showing it takes less time later."""
        self._prepared[sequence] = _Prepared.of(self.log[sequence])

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
            (one.piece(viewer.slots(one.audiences, one.tag, since)) for one in prepared),
        )


def _messages(room_id: str, pieces: Iterable[_Piece]) -> Iterator[Shown]:
    for chunk in chunks_of(pieces):
        names: dict[str, None] = {}
        for _, _, named in chunk:
            names.update(named)
        segments = joined_spans([span for span, _, _ in chunk])
        records = PackedRecords(room_id, tuple([cut for _, cut, _ in chunk]), segments)
        yield Shown(records, tuple(names))
