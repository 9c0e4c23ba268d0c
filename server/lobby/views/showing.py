"""
Renders each batch once per set of visible secrets.

`Viewer.cut` alone decides what a viewer may see, by `protocol.event.cut`. This module makes one
message of equal cuts, which all their viewers receive.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import attrs

from protocol.brief import Form, form_of, joined
from protocol.common.text import Catalog
from protocol.event import Cut, Stored, has_secrets
from server.lobby.views.chunks import chunks_of
from server.lobby.views.viewer import Viewer
from server.lobby.views.words import GREETING, SharedWords, spoken
from server.net.handler import PackedRecords

Slots = tuple[int, ...]
"""Positions of the secrets in one record that a viewer may see, ascending."""
_SPECTATOR: Final = Viewer()


@attrs.frozen(eq=False)
class Shown:
    """One message of records, for all viewers with equal cuts."""

    records: PackedRecords
    subjects: tuple[str, ...]
    """Subjects that the records name, in order of appearance, each once."""
    _needed: dict[str, tuple[str, ...]] = attrs.field(factory=dict)
    told: SharedWords = attrs.field(factory=dict)
    """Cache of the words that are sent before the records."""

    def needed(self, catalogs: Mapping[str, Catalog], language: str) -> tuple[str, ...]:
        """Return the named subjects that have words in a language; the result is cached."""
        if language not in self._needed:
            catalog = catalogs.get(spoken(catalogs, language), {})
            all_subjects = (*GREETING, *self.subjects)
            self._needed[language] = tuple([one for one in all_subjects if catalog.get(one)])
        return self._needed[language]


@attrs.define(eq=False)
class Showing:
    """Rendering of the records of a batch, or of a log."""

    room_id: str
    log: Sequence[Stored]
    _forms: dict[tuple[int, Slots], Form] = attrs.field(factory=dict, init=False)
    """Rendered records, by sequence and visible secrets."""
    _shown: dict[tuple[int, tuple[Slots, ...]], tuple[Shown, ...]] = attrs.field(
        factory=dict, init=False
    )
    """Messages, by the sequence of their first record and the visible secrets of all records."""
    _by_viewer: dict[tuple[Viewer, int, range], tuple[Shown, ...]] = attrs.field(
        factory=dict, init=False
    )
    """The same messages, by the arguments of `of_batch`."""

    def of_batch(self, viewer: Viewer, since: int, sequences: range) -> tuple[Shown, ...]:
        """
        Return records in messages for a viewer, shared by all viewers of the same secrets.

        Args:
            viewer: sees the result.
            since: the sequence from which the viewer has owned the seat.
            sequences: the sequences of the records; few, since all messages stay in memory.
        """
        # Each viewer is asked for twice: while the store writes the batch, and when it is sent.
        asked = viewer, since, sequences
        shown = self._by_viewer.get(asked)
        if shown is None:
            stored = self.log[sequences.start : sequences.stop]
            cuts = [viewer.cut(record, since) for record in stored]
            key = sequences.start, tuple([_slots(one) for one in cuts])
            shown = self._shown.get(key)
            if shown is None:
                pairs = zip(sequences, cuts, strict=True)
                records = [(one, self._form(sequence, one)) for sequence, one in pairs]
                shown = self._shown[key] = tuple(_messages(self.room_id, records))
            self._by_viewer[asked] = shown
        return shown

    def prepare(self, sequence: int) -> None:
        """Render one record without secrets in advance, which makes showing it faster."""
        stored = self.log[sequence]
        # A record without secrets has one form for all viewers.
        if not has_secrets(stored):
            self._form(sequence, _SPECTATOR.cut(stored, 0))

    def _form(self, sequence: int, shown: Cut) -> Form:
        key = sequence, _slots(shown)
        form = self._forms.get(key)
        if form is None:
            form = self._forms[key] = form_of(shown)
        return form

    def one_by_one(self, viewer: Viewer, since: int, sequences: range) -> Iterator[Shown]:
        """Yield records in messages, each made lazily; arguments as `of_batch`."""
        # What the log holds may be dropped meanwhile: it is kept here.
        log = self.log
        cuts = (viewer.cut(log[sequence], since) for sequence in sequences)
        return _messages(self.room_id, ((one, form_of(one)) for one in cuts))


def _slots(shown: Cut) -> Slots:
    return tuple([slot for slot, _ in shown.openings]) if shown.openings else ()


def _messages(room_id: str, records: Iterable[tuple[Cut, Form]]) -> Iterator[Shown]:
    for chunk in chunks_of((form.size, (shown, form)) for shown, form in records):
        subjects: dict[str, None] = {}
        for _, form in chunk:
            subjects.update(form.subjects)
        segments = joined([form for _, form in chunk])
        packed = PackedRecords(room_id, tuple([shown for shown, _ in chunk]), segments)
        yield Shown(packed, tuple(subjects))
