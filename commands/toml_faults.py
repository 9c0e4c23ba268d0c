"""
TOML faults: why a text is not TOML, in the words of the reader's language.

`tomllib` says it in English sentences, which end with the place. The usual ones have words of ours;
what an unusual one says is left out, for the place alone leads a person there.
"""

import re

import attrs

from commands.speaking import Says

_PLACE = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
"""What `tomllib` adds to its sentences."""

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
"""How sentences begin, and what they mean; the first that fits."""


@attrs.frozen
class TomlFault:
    """What is wrong with a text."""

    reason: str
    """Ends the key of its words, `config.toml.<reason>`."""
    line: int | None
    """From 1; None for the end of the text, or where nobody knows."""
    column: int | None
    """From 1; None likewise."""

    @classmethod
    def of(cls, error: ValueError) -> "TomlFault":
        """Return what `tomllib` means; not all that it raises is of its own kind."""
        sentence = str(error)
        reason = next((means for start, means in _REASONS if sentence.startswith(start)), "other")
        place = _PLACE.search(sentence)
        if place is None:
            return cls(reason, None, None)
        if place[1] is None:
            # Where nothing follows, no sign of it is wrong.
            return cls("missing" if reason == "value" else reason, None, None)
        return cls(reason, int(place[1]), int(place[2]))

    def said(self, words: Says) -> str:
        """Return it in words; the line is for whoever names the file."""
        why = words.say(f"config.toml.{self.reason}")
        if self.column is None:
            return words.say("config.no_toml", why)
        return words.say("config.no_toml_at", self.column, why)
