"""
ASCII substitutes for signs that an output cannot encode.

Importing this module registers the codec error handler SIGNS. Encoding with SIGNS may lose signs,
but never fails.
"""

import codecs
import unicodedata
from collections.abc import Mapping
from typing import Final

SIGNS: Final = "manse-signs"
REPLACEMENT: Final = "?"
"""Replacement of signs that have no ASCII substitute."""
_PLAIN: Final[Mapping[str, str]] = {
    **dict(zip("’‘“”«»–—×·\u00a0\u202f", '\'\'""""--x.  ', strict=True)),
    "…": "...",
    "œ": "oe",
    "Œ": "OE",
    "æ": "ae",
    "Æ": "AE",
    "ß": "ss",
    "€": "EUR",
    "№": "No",
}
"""ASCII substitutes of signs that do not consist of an ASCII letter and accents."""


def plain_sign(letter: str, width: int) -> str:
    """Return the ASCII substitute of a letter with accents, or `width` signs if it has none."""
    if letter in _PLAIN:
        return _PLAIN[letter]
    base = unicodedata.normalize("NFD", letter)[0]
    return base if base.isascii() else REPLACEMENT * width


def _substituted(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    letters = error.object[error.start : error.end]
    return "".join(plain_sign(each, _width_of(each)) for each in letters), error.end


def _width_of(char: str) -> int:
    if unicodedata.category(char) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


codecs.register_error(SIGNS, _substituted)
