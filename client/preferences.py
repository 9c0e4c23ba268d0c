"""
Preferences: how one player wants the client to look and behave.

Every field has a default that suits most; the catalogs describe each under `setting.<name>`.
"""

import enum
from collections.abc import Mapping

import attrs


class Theme(enum.Enum):
    """What colours are for."""

    DARK = "dark"
    """On a dark ground."""
    LIGHT = "light"
    """On a light ground."""
    CONTRAST = "contrast"
    """Few colours, all strong."""
    PLAIN = "plain"
    """None: weight and reversal alone."""


class Lines(enum.Enum):
    """What lines are drawn with."""

    AUTO = "auto"
    """Box characters where the terminal's encoding has them."""
    BOXES = "boxes"
    ASCII = "ascii"


class MapSize(enum.Enum):
    """How large the board is drawn."""

    AUTO = "auto"
    """As large as it fits, smaller where it would have to be scrolled."""
    FULL = "full"
    COMPACT = "compact"


@attrs.frozen
class Preferences:
    """All settings of one player on one machine."""

    name: str = ""
    """What the player is called; empty for the last name, or the system's."""
    language: str = ""
    """`en` or `fr`; empty for the environment's."""
    theme: Theme = Theme.DARK
    lines: Lines = Lines.AUTO
    map: MapSize = MapSize.AUTO
    dice: bool = True
    """Whether dice are seen to fall."""
    story: bool = True
    """Whether story text opens in a box of its own, besides the journal."""
    mouse: bool = True
    bell: bool = False
    """Whether the terminal's bell rings when it is the player's turn."""
    title: bool = True
    """Whether the terminal's title says whose turn it is."""
    keys: Mapping[str, tuple[str, ...]] = attrs.field(factory=dict)
    """Keys by action, in place of the usual ones: `{"chat": ("c", "tab")}`."""
