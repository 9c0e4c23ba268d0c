"""
Prints text for a person outside the full screen: before, after, or without the full screen.

On a terminal, a text is wrapped to the terminal's width. In a pipe and in a file, the text stays
one line.
"""

import os
import sys
from typing import TextIO

from client.text.printable import printable, wrap

_USUAL_COLUMNS = 80
"""The assumed width of a terminal that does not report its width."""


def tell(text: str, output: TextIO | None = None, *, indent: int = 0) -> None:
    """
    Print a text, safe for a terminal.

    Args:
        text: the text, whose line breaks are kept.
        output: the target; None for standard output.
        indent: the number of spaces before each continuation line.
    """
    stream = sys.stdout if output is None else output
    columns = columns_of(stream)
    for line in text.split("\n"):
        shown = [printable(line)] if columns is None else wrap(line, columns, indent=indent)
        stream.write("".join(f"{each}\n" for each in shown))
    stream.flush()


def columns_of(stream: TextIO) -> int | None:
    """Return the width of the terminal; None if the output is no terminal."""
    if not stream.isatty():
        return None
    try:
        # Some terminals report a width of 0.
        return os.get_terminal_size(stream.fileno()).columns or _USUAL_COLUMNS
    except (OSError, ValueError):
        return _USUAL_COLUMNS
