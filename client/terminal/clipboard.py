"""
The terminal's clipboard: the sequence OSC 52, which asks it to keep a text for pasting.

Terminals may refuse, and do not say whether they do. Nothing is ever asked back from one.
"""

import base64
from collections.abc import Mapping

MAX_TEXT = 1000
"""Characters of a text that are copied; an invitation has a third of them at most."""


def sequence(text: str, environment: Mapping[str, str]) -> str:
    """
    Return what a terminal is written for a text to be copied.

    Args:
        text: one printable line, of at most MAX_TEXT characters. ValueError for anything else.
        environment: says whether tmux stands in between.
    """
    if not text.isprintable() or len(text) > MAX_TEXT:
        raise ValueError("only a short printable line is copied")
    plain = f"\x1b]52;c;{base64.b64encode(text.encode()).decode()}\x07"
    if not environment.get("TMUX"):
        return plain
    # tmux takes the one for its own clipboard or hands the other on, as its settings have it.
    escaped = plain.replace("\x1b", "\x1b\x1b")
    return f"{plain}\x1bPtmux;{escaped}\x1b\\"
