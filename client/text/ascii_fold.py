"""
Folds text to plain typed form: without case, accents, ligatures and typographic marks.

The folded form is used to compare typed text, and to make a plain name of a text.
"""

import functools
import unicodedata

_TYPED = str.maketrans(
    {**dict(zip("’‘“”–—\u00a0\u202f", "''\"\"--  ", strict=True)), "œ": "oe", "æ": "ae"}
)
"""Typographic marks and ligatures, with the characters typed in their place."""


@functools.lru_cache(maxsize=8192)
def fold_with_places(text: str) -> tuple[str, tuple[int, ...]]:
    """Return a folded text, with the original index of each of its characters."""
    found, places = [], []
    for at, char in enumerate(text):
        for plain in unicodedata.normalize("NFD", char.casefold().translate(_TYPED)):
            if not unicodedata.combining(plain):
                found.append(plain)
                places.append(at)
    return "".join(found), tuple(places)


def ascii_fold(text: str) -> str:
    """Return a folded text, with its punctuation and blanks."""
    return fold_with_places(text)[0]


@functools.lru_cache(maxsize=2048)
def folded_words(text: str) -> tuple[str, ...]:
    """Return the folded words of a text, with letters and digits only."""
    return tuple("".join(char if char.isalnum() else " " for char in ascii_fold(text)).split())
