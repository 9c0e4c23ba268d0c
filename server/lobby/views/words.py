"""
Words: tracks the words that a session has, and finds those that the next records need.

The words of a subject are sent when a record that names it is sent, never before: a client that
held the whole catalog would know the story.
"""

import functools
import itertools
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

import attrs

from protocol.bounds import MAX_SUBJECTS
from protocol.common.table import Score, Stage, Table
from protocol.common.text import Catalog
from protocol.memo import memo
from protocol.messages import Words

FALLBACK = "en"
"""Language used for words that a pack lacks in the wanted language."""

MAX_WORDS_BYTES = 40 * 1024
"""Maximum bytes of text in one message."""

Fields = tuple[tuple[str, str], ...]
"""The words of one subject, by field."""

SharedWords = dict[tuple[str, int], tuple[Words, ...]]
"""Cache of messages, by language and the bits of the subjects whose words are lacking."""

GREETING = ("language",)
"""Subjects whose words every session gets first."""


_places: defaultdict[str, int] = defaultdict(itertools.count().__next__)
"""
Index of the bit of each subject, process-wide. A session's known subjects are an integer with these
bits: a set of strings would take 6 KiB.
"""


@functools.lru_cache(maxsize=32)
def _bits_of(subjects: tuple[str, ...]) -> int:
    bits = 0
    for subject in subjects:
        bits |= 1 << _places[subject]
    return bits


@attrs.define
class Wordsmith:
    """Record of the words that one session has been sent from one catalog."""

    language: str
    """Language of the session."""
    _told: int = attrs.field(default=0, init=False)
    """Bits of the subjects whose words were sent."""

    def change(self, language: str) -> tuple[str, ...]:
        """Change the language; return the subjects whose words have to be sent again."""
        # By name: the order of the bits would tell what other sessions were sent before.
        told = sorted(name for name, place in _places.items() if self._told >> place & 1)
        self._told = 0
        self.language = language
        return tuple(told)

    def shared(
        self, catalogs: Mapping[str, Catalog], subjects: tuple[str, ...], told: SharedWords
    ) -> tuple[Words, ...]:
        """
        Return messages with the words of those subjects that the session lacks.

        Args:
            catalogs: words by language.
            subjects: the subjects of the records to come, all of which have words.
            told: cache of the messages, shared by sessions that lack the same subjects in the same
                language.
        """
        bits = _bits_of(subjects)
        if self._told & bits == bits:
            return ()
        key = self.language, bits & ~self._told
        if key not in told:
            told[key] = tuple(self.for_subjects(catalogs, subjects))
        self._told |= bits
        return told[key]

    def for_subjects(
        self, catalogs: Mapping[str, Catalog], strings: Iterable[str]
    ) -> Iterator[Words]:
        """Yield the words of all subjects among these strings that were not sent yet."""
        chunk: list[tuple[str, Fields]] = []
        size = 0
        for string in (*GREETING, *strings):
            place = _places.get(string)
            if place is not None and self._told >> place & 1:
                # The common case, decided before any catalog is read.
                continue
            fields, weight = self._untold(catalogs, string)
            if chunk and (size + weight > MAX_WORDS_BYTES or len(chunk) >= MAX_SUBJECTS):
                yield Words(self._spoken(catalogs), tuple(chunk))
                chunk, size = [], 0
                # The language may have changed while a slow reader took its time.
                fields, weight = self._untold(catalogs, string)
            if fields:
                self._told |= 1 << _places[string]
                chunk.append((string, fields))
                size += weight
        if chunk:
            yield Words(self._spoken(catalogs), tuple(chunk))

    def _spoken(self, catalogs: Mapping[str, Catalog]) -> str:
        return spoken(catalogs, self.language)

    def _untold(self, catalogs: Mapping[str, Catalog], string: str) -> tuple[Fields, int]:
        """Return a subject's unsent words and their bytes; an empty tuple and 0 without any."""
        # Without the content of the room there is no catalog.
        words = catalogs.get(self._spoken(catalogs), {}).get(string)
        if not words or self._told >> _places[string] & 1:
            return (), 0
        return _weighed(words)


# Made once for all sessions that are told the subject.
@memo(most=2048)
def _weighed(words: Mapping[str, str]) -> tuple[Fields, int]:
    """Return the words of a subject in order, and their approximate bytes."""
    fields = tuple(sorted(words.items()))
    return fields, sum([len(text.encode()) + len(name) + 8 for name, text in fields])


def subjects_of_result(winners: Iterable[str], scores: Iterable[Score]) -> tuple[str, ...]:
    """Return the subjects whose words show the sides that won, and the scores."""
    sides = (*winners, *(score.side for score in scores if score.side))
    return (*(f"role/{side}" for side in sides), *(score.name for score in scores))


def result_subjects(table: Table) -> tuple[str, ...]:
    """Return the subjects whose words show the result of a game; none before its end."""
    if table.game is None or table.room.stage is not Stage.OVER:
        return ()
    end = table.game.came_out()
    if end is None:
        return ()
    return subjects_of_result(end.winners if len(table.sides) > 1 else (), end.scores)


def spoken(catalogs: Mapping[str, Catalog], language: str) -> str:
    """Return the language if the catalogs have it, or else `FALLBACK`."""
    return language if language in catalogs else FALLBACK
