"""
ASCII folding: words without case, accents, ligatures and marks of print, as fingers type them.

Whatever compares what somebody typed, or makes a plain name of a text, asks here.
"""

import functools
import unicodedata

_TYPED = str.maketrans(
    {**dict(zip("’‘“”–—\u00a0\u202f", "''\"\"--  ", strict=True)), "œ": "oe", "æ": "ae"}
)
"""Marks of print and ligatures, and what is typed in their place."""


@functools.lru_cache(maxsize=8192)
def fold_with_places(text: str) -> tuple[str, tuple[int, ...]]:
    """Return a text folded, and for each character of that its place in the text as it was."""
    found, places = [], []
    for at, char in enumerate(text):
        for plain in unicodedata.normalize("NFD", char.casefold().translate(_TYPED)):
            if not unicodedata.combining(plain):
                found.append(plain)
                places.append(at)
    return "".join(found), tuple(places)


def ascii_fold(text: str) -> str:
    """Return a text folded; its marks and blanks stay."""
    return fold_with_places(text)[0]


@functools.lru_cache(maxsize=2048)
def folded_words(text: str) -> tuple[str, ...]:
    """Return the words of a text folded, without anything but letters and digits."""
    return tuple("".join(char if char.isalnum() else " " for char in ascii_fold(text)).split())
