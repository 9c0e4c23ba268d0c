"""
Words for faults of TOML files, in the player's language.

`tomllib` reports faults as English sentences that end with the position. This module has words for
common faults. Of an unusual fault, only the position is reported.
"""

import re

import attrs

from commands.speaking import Says

_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
"""The position at the end of `tomllib`'s messages."""

_REASONS = (
    ("Invalid value", "value"),
    ("Expected newline or end of document", "end"),
    ("Expected '='", "equals"),
    ("Invalid statement", "name"),
    ("Invalid initial character for a key", "name"),
    ("Unclosed array", "open_list"),
    ("Unclosed inline table", "open_table"),
    ("Expected ']", "heading"),
    ("Unterminated string", "open_text"),
    ("Expected '\"", "open_text"),
    ('Expected "', "open_text"),
    ("Cannot", "twice"),
    ("Duplicate", "twice"),
    ("Illegal character '\\n'", "open_text"),
    ("Found invalid character '\\n'", "open_text"),
    ("Illegal character", "sign"),
    ("Found invalid character", "sign"),
    ("Unescaped", "backslash"),
)
"""Beginnings of `tomllib`'s messages with their reasons. The first match counts."""


@attrs.frozen
class TomlFault:
    """A fault in the syntax of a TOML text, with its position."""

    reason: str
    """The last part of the catalog key that describes the fault, `config.toml.<reason>`."""
    line: int | None
    """The line, from 1; None at the end of the text, or if unknown."""
    column: int | None
    """The column, from 1; None if `line` is None."""

    @classmethod
    def from_error(cls, error: ValueError) -> "TomlFault":
        """Return the fault in an error of `tomllib`, which also raises plain ValueErrors."""
        sentence = str(error)
        reason = next((means for start, means in _REASONS if sentence.startswith(start)), "other")
        place = _PLACE.search(sentence)
        if place is None:
            return cls(reason, None, None)
        if place[1] is None:
            # At the end of the text, a value is missing, not invalid.
            return cls("missing" if reason == "value" else reason, None, None)
        return cls(reason, int(place[1]), int(place[2]))

    def in_words(self, words: Says) -> str:
        """Return the fault in words, without the line, which the caller prints after the file."""
        why = words.say(f"config.toml.{self.reason}")
        if self.column is None:
            return words.say("config.no_toml", why)
        return words.say("config.no_toml_at", self.column, why)
