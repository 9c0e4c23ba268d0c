"""Wrapping: lines broken between words, for terminals that would break them anywhere."""

import re

from client.text.printable import width_of, wrap

_GLUED = re.compile(r"(?<=«) | (?=[»:;!?](?:\W|$))")
"""Spaces at which no line is broken."""


def wrapped(line: str, columns: int) -> list[str]:
    """Return a line broken between words; whole where a word of it, to be copied, would not be."""
    if any(width_of(word) > columns for word in line.split(" ")):
        return [line]
    # What is printed has no unbreakable spaces any more, and French puts spaces around these.
    return wrap(_GLUED.sub("\N{NO-BREAK SPACE}", line), columns)
