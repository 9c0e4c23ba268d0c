"""Appearance: characters, colours and mouse, as the terminal allows and the player prefers."""

import sys
from collections.abc import Mapping

import attrs

from client.settings.preferences import Charset, Keep, Lines, Preferences, Theme, keep_nothing

_BOXES = "─│┌┐└┘"
_DUMB = frozenset({"", "dumb", "unknown"})
"""Names of terminals that cannot move the cursor."""


@attrs.frozen
class Appearance:
    """The capabilities of a terminal; by default everything."""

    charset: Charset = Charset.BOXES
    """Characters used unless the player wishes otherwise."""
    has_colours: bool = True
    has_boxes: bool = True
    """True if box characters are possible for a player who wishes for them."""

    def charset_for(self, lines: Lines) -> Charset:
        """Return the line characters for a player's wish, as the terminal allows."""
        if lines is Lines.AUTO:
            return self.charset
        return Charset.BOXES if lines is Lines.BOXES and self.has_boxes else Charset.ASCII

    def theme_for(self, theme: Theme) -> Theme:
        """Return the theme for a player's wish; no colours if the terminal has none."""
        return theme if self.has_colours else Theme.PLAIN


@attrs.frozen
class Wishes:
    """The terminal's capabilities with one player's preferences."""

    appearance: Appearance = attrs.field(factory=Appearance)
    prefs: Preferences = attrs.field(factory=Preferences)
    keep: Keep = keep_nothing
    """Stores what is switched on the settings screen."""


NO_WISHES = Wishes()


def has_screen(environment: Mapping[str, str]) -> bool:
    """Return whether input and output are a terminal that can show a full screen."""
    is_able = environment.get("TERM", "") not in _DUMB or sys.platform == "win32"
    return is_able and sys.stdin.isatty() and sys.stdout.isatty()


def appearance_of(
    environment: Mapping[str, str], encoding: str | None, *, is_theme_named: bool = False
) -> Appearance:
    """
    Return the capabilities of a terminal.

    Args:
        environment: NO_COLOR, or a terminal that calls itself dumb, takes the colours away;
            MANSE_ASCII the line characters, before the player's settings.
        encoding: of the output. Only UTF-8 and its kin are trusted with line characters; others
            that have them can be wished for, though in some they are two cells wide.
        is_theme_named: whether the command line names colours: that alone outdoes NO_COLOR.
    """
    may_have_boxes = not environment.get("MANSE_ASCII")
    is_unicode = "utf" in (encoding or "").lower()
    has_colours = not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"
    return Appearance(
        Charset.BOXES if may_have_boxes and is_unicode else Charset.ASCII,
        has_colours=has_colours or is_theme_named,
        has_boxes=may_have_boxes and (is_unicode or _has_boxes(encoding)),
    )


def _has_boxes(encoding: str | None) -> bool:
    try:
        _BOXES.encode(encoding or "ascii")
    except (LookupError, UnicodeEncodeError):
        return False
    return True
