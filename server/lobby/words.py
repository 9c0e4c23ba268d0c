"""
Words: what a session has been told so far, and what it needs before the next records.

The words of a subject are sent when a record that names it is sent, never before: a client that
held the whole catalog would hold the story.
"""

from collections.abc import Iterable, Iterator, Mapping

import attrs

from content.schema.pack import Catalog
from protocol.bounds import MAX_SUBJECTS
from protocol.common.text import subjects_in
from protocol.event import Cut, shown_strings
from protocol.messages import Words

FALLBACK = "en"
"""The language of those who ask for one that a pack does not have."""

MAX_WORDS_BYTES = 40 * 1024
"""How much text goes into one message."""

GREETING = ("language",)
"""Subjects that everybody gets at once."""


@attrs.define
class Wordsmith:
    """The words of one session, for one catalog."""

    language: str
    """What the session reads; falls back where the catalog lacks it."""
    _told: set[str] = attrs.field(factory=set, init=False)

    def for_cuts(self, catalogs: Mapping[str, Catalog], cuts: Iterable[Cut]) -> Iterator[Words]:
        """Yield the words that these records need and that were not sent yet."""
        strings = (string for cut in cuts for string in shown_strings(cut))
        return self.for_subjects(catalogs, subjects_in(strings))

    def for_subjects(
        self, catalogs: Mapping[str, Catalog], strings: Iterable[str]
    ) -> Iterator[Words]:
        """Yield the words of those strings that are subjects and were not sent yet."""
        language = self.language if self.language in catalogs else FALLBACK
        # None where the content is not there any more.
        catalog = catalogs.get(language, {})
        chunk: list[tuple[str, tuple[tuple[str, str], ...]]] = []
        size = 0
        for string in (*GREETING, *strings):
            if string in self._told or string not in catalog:
                continue
            self._told.add(string)
            fields = tuple(sorted(catalog[string].items()))
            weight = sum(len(text.encode()) + len(name) + 8 for name, text in fields)
            if chunk and (size + weight > MAX_WORDS_BYTES or len(chunk) >= MAX_SUBJECTS):
                yield Words(language, tuple(chunk))
                chunk, size = [], 0
            chunk.append((string, fields))
            size += weight
        if chunk:
            yield Words(language, tuple(chunk))
