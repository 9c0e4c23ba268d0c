"""Searching: words in lines of text, whatever their case and accents, as fingers type them."""

import functools
import unicodedata

from client.widgets.printable import printable

_ALIKE = str.maketrans(
    {**dict(zip("’‘“”–—\u00a0\u202f", "''\"\"--  ", strict=True)), "œ": "oe", "æ": "ae"}
)
"""Marks of print, and what is typed in their place."""


@functools.lru_cache(maxsize=8192)
def _bare(text: str) -> tuple[str, tuple[int, ...]]:
    """Return a text without case and accents, and from where each of its characters comes."""
    bare, places = [], []
    for at, char in enumerate(text):
        for plain in unicodedata.normalize("NFD", char.casefold().translate(_ALIKE)):
            if not unicodedata.combining(plain):
                bare.append(plain)
                places.append(at)
    return "".join(bare), tuple(places)


def find_all(wanted: str, text: str) -> list[tuple[int, int]]:
    """
    Return where a word stands in a text, from the left, no two of them overlapping.

    Args:
        wanted: as somebody typed it; blanks at its ends do not count.
        text: printable already.

    Returns:
        The first character and the one after the last, of each place.
    """
    word = _bare(printable(wanted).strip())[0]
    bare, places = _bare(text)
    found, at = [], bare.find(word) if word else -1
    while at >= 0:
        end = at + len(word)
        found.append((places[at], places[end - 1] + 1))
        at = bare.find(word, end)
    return found
