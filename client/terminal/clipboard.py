"""
The terminal's clipboard: the sequence OSC 52, which asks a terminal to copy a text.

Terminals may refuse without a reply. The clipboard is never read.
"""

import base64
from collections.abc import Mapping

MAX_TEXT = 1000
"""The maximum length of a copied text; an invitation has at most a third of this length."""


def sequence(text: str, environment: Mapping[str, str]) -> str:
    """
    Return the sequence that copies a text.

    Args:
        text: one printable line of at most MAX_TEXT characters. Any other text raises ValueError.
        environment: tells whether tmux runs between the client and the terminal.
    """
    if not text.isprintable() or len(text) > MAX_TEXT:
        raise ValueError("only a short printable line is copied")
    plain = f"\x1b]52;c;{base64.b64encode(text.encode()).decode()}\x07"
    if not environment.get("TMUX"):
        return plain
    # By its settings, tmux uses the one for its own clipboard or passes the other on.
    escaped = plain.replace("\x1b", "\x1b\x1b")
    return f"{plain}\x1bPtmux;{escaped}\x1b\\"
