"""Appearance: characters, colours and mouse, by the terminal's capabilities and the preferences."""

import sys
from collections.abc import Mapping

import attrs

from client.settings.preferences import Charset, Keep, Lines, Preferences, Theme, keep_nothing

_BOXES = "─│┌┐└┘"
_DUMB = frozenset({"", "dumb", "unknown"})
"""Names of terminals that cannot move the cursor."""


@attrs.frozen
class Appearance:
    """The capabilities of a terminal. By default, a terminal can do everything."""

    charset: Charset = Charset.BOXES
    """The characters for lines, if the player has chosen none."""
    has_colours: bool = True
    has_boxes: bool = True
    """True if box characters are possible for a player who wants them."""

    def charset_for(self, lines: Lines) -> Charset:
        """Return the line characters that the player wants, if the terminal has them."""
        if lines is Lines.AUTO:
            return self.charset
        return Charset.BOXES if lines is Lines.BOXES and self.has_boxes else Charset.ASCII

    def theme_for(self, theme: Theme) -> Theme:
        """Return the theme that the player wants; no colours if the terminal has none."""
        return theme if self.has_colours else Theme.PLAIN


@attrs.frozen
class Wishes:
    """The terminal's capabilities with one player's preferences."""

    appearance: Appearance = attrs.field(factory=Appearance)
    prefs: Preferences = attrs.field(factory=Preferences)
    keep: Keep = keep_nothing
    """Stores the settings that are changed on the settings screen."""


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
        environment: NO_COLOR, or a terminal that calls itself dumb, disables colours; MANSE_ASCII
            disables line characters, regardless of the player's settings.
        encoding: the encoding of the output. Line characters are the default only in UTF-8 and
            similar encodings. In other encodings that have line characters, these may be two cells
            wide, so players must ask for them.
        is_theme_named: whether the command line names a theme, which overrides NO_COLOR.
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
