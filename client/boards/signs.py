"""
Signs: the letter or mark of each piece on a map.

Every sign is ASCII and at most a few cells wide. Figures differ in their letters, not only in
colour. The game decides which pieces exist and how each piece looks.
"""

import functools
import string
import unicodedata

import attrs


@attrs.frozen
class Sign:
    """The mark of one piece on the map."""

    char: str
    style: str
    kind: str
    """The kind of a choice's `Point` that points at this piece."""
    piece: str
    words: str = ""
    """The meaning of the sign, written beside the sign if there is room."""
    moves_map: bool = True
    """Whether a choice that points at this piece scrolls the map to the piece."""


@functools.lru_cache(maxsize=64)
def letters(names: tuple[str, ...], alphabet: str, taken: str = "") -> tuple[str, ...]:
    """Give each name a letter that no other name has.

    Initials are preferred, then other letters of the name, then the rest of the alphabet. Names for
    which no letter is left share the sign `#`.
    """
    used = set(taken)
    found: list[str] = []
    for name in names:
        # Decomposed, so that the letter under an accent counts as itself.
        base = unicodedata.normalize("NFD", name)
        cased = base.upper() if alphabet == string.ascii_uppercase else base.lower()
        initials = [word[0] for word in cased.split()]
        wanted = (char for char in (*initials, *cased, *alphabet) if char in alphabet)
        # With more names than letters the rest share one sign.
        letter = next((char for char in wanted if char not in used), "#")
        used.add(letter)
        found.append(letter)
    return tuple(found)
