"""
Looks of the style classes that widgets name.

This module only has data and draws nothing, so that plain mode can read the looks.

No meaning depends on colour alone: the marks of a look, such as bold, are the same in all themes. A
theme only decides the colour of each role. Classes with the same marks differ by a sign, a word or
their place.

`LOOKS` are shared by all games. A game adds its own looks in the module `styles` of its folder.
These use only roles, so that every theme has a colour for each look.
"""

import functools
from collections.abc import Mapping

import attrs

from client.settings.preferences import Theme
from protocol.plugs import part_of

FIGURES = 6
"""The number of roles `figure.0`, `figure.1` and so on, whose colours differ in every theme."""


@attrs.frozen
class Look:
    """The marks and the colour role with which a style class is drawn."""

    marks: str = ""
    """Weight, slant and reversal, the only parts of the look on a terminal without colours."""
    role: str = ""
    """The purpose of the colour; empty if there is no colour."""


LOOKS: Mapping[str, Look] = {
    "status": Look("reverse"),
    "status.away": Look("reverse bold"),
    "title": Look("bold"),
    "title.open": Look("bold reverse"),
    "rule": Look(role="line"),
    "cursor": Look("reverse"),
    "choice": Look(),
    "refused": Look(role="faint"),
    "prompt": Look("bold"),
    "hint": Look(role="faint"),
    "key": Look("bold"),
    "bar": Look(),
    "bar.wrong": Look("bold reverse", role="bad"),
    "box": Look(),
    "dim": Look(role="faint"),
    "away": Look(role="way"),
    "card": Look("bold"),
    "search": Look("underline"),
    "search.here": Look("reverse bold"),
    "invitation": Look("bold"),
    "map.lit": Look("reverse bold"),
    "map.room": Look("bold", role="name"),
    "map.wall": Look(),
    "map.door": Look("bold", role="way"),
    "map.border": Look(role="line"),
    "map.limit": Look("bold", role="line"),
    "map.impassable": Look(role="bad"),
    "map.corner": Look("bold", role="way"),
    "journal.round": Look("bold", role="name"),
    "journal.step": Look("bold"),
    "journal.story": Look(),
    "journal.deed": Look(),
    "journal.card": Look(),
    "journal.gain": Look(),
    "journal.dice": Look(role="way"),
    "journal.private": Look("italic", role="strange"),
    "journal.chat": Look(role="good"),
    "journal.room": Look(role="faint"),
    "journal.hindsight": Look("italic", role="way"),
}
"""Looks that all games share, by style class."""

_Roles = Mapping[str, str]
"""The colours of a theme, by role."""

_DARK: _Roles = {
    "faint": "ansibrightblack",
    "line": "ansibrightblack",
    "way": "ansiyellow",
    "name": "ansicyan",
    "good": "ansigreen",
    "bad": "ansibrightred",
    "strange": "ansibrightmagenta",
    "figure.0": "ansigreen",
    "figure.1": "ansicyan",
    "figure.2": "ansibrightmagenta",
    "figure.3": "#87afff",
    "figure.4": "ansiyellow",
    "figure.5": "ansiwhite",
}
"""For a dark background: the terminal's own colours, as its user has configured them."""
_LIGHT: _Roles = {
    "faint": "#585858",
    "line": "#585858",
    "way": "#875f00",
    "name": "#00005f",
    "good": "#005f00",
    "bad": "#af0000",
    "strange": "#870087",
    "figure.0": "#005f00",
    "figure.1": "#0000af",
    "figure.2": "#870087",
    "figure.3": "#005f5f",
    "figure.4": "#875f00",
    "figure.5": "#000000",
}
"""For a light background: dark colours, because terminals choose theirs for a dark background."""
_CONTRAST: _Roles = {
    "faint": "",
    "line": "",
    "way": "#ffff00 bg:#000000",
    "name": "#ffffff bg:#000000",
    "good": "#00ff00 bg:#000000",
    "bad": "#ff8787 bg:#000000",
    "strange": "#ff87ff bg:#000000",
    "figure.0": "#00ff00 bg:#000000",
    "figure.1": "#00ffff bg:#000000",
    "figure.2": "#ff87ff bg:#000000",
    "figure.3": "#ffaf00 bg:#000000",
    "figure.4": "#ffff00 bg:#000000",
    "figure.5": "#ffffff bg:#000000",
}
"""Colours with a background of their own, so that the terminal's background does not matter. No
colour is faint."""


COLOURS: Mapping[Theme, _Roles] = {
    Theme.DARK: _DARK,
    Theme.LIGHT: _LIGHT,
    Theme.CONTRAST: _CONTRAST,
    Theme.PLAIN: {},
}
"""Colours by theme. The plain theme has none."""


@functools.lru_cache(maxsize=32)
def looks_of(game: str) -> Mapping[str, Look]:
    """Return the looks that a game adds; none if the game is not installed or has no `styles`."""
    part = part_of("client", game, "styles")
    looks: Mapping[str, Look] = {} if part is None else part.LOOKS
    return looks
