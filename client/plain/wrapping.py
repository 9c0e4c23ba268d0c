"""Wraps lines between words, for terminals that would break words."""

import re

from client.text.printable import width_of, wrap

_GLUED = re.compile(r"(?<=«) | (?=[»:;!?](?:\W|$))")
"""Spaces where a line must not break."""


def wrapped(line: str, columns: int) -> list[str]:
    """Return a line wrapped between words. A line that would break inside a word stays whole."""
    if any(width_of(word) > columns for word in line.split(" ")):
        return [line]
    # Printable text has no no-break spaces any more, and French puts spaces around these signs.
    return wrap(_GLUED.sub("\N{NO-BREAK SPACE}", line), columns)
