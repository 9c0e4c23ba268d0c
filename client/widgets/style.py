"""
Styles: how the classes that widgets name look.

Nothing is told by colour alone: `MARKS` holds for everybody, and a theme only adds colours to it.
What has the same marks is told apart by a sign, a word or its place.
"""

import functools
from collections.abc import Mapping

from prompt_toolkit.styles import Style

from client.settings.preferences import Theme

MARKS: Mapping[str, str] = {
    "status": "reverse",
    "status.away": "reverse bold",
    "title": "bold",
    "title.open": "bold reverse",
    "rule": "",
    "cursor": "reverse",
    "choice": "",
    "refused": "",
    "prompt": "bold",
    "hint": "",
    "key": "bold",
    "bar": "",
    "bar.wrong": "bold reverse",
    "box": "",
    "dim": "",
    "away": "",
    "card": "bold",
    "search": "underline",
    "search.here": "reverse bold",
    "invitation": "bold",
    "map.lit": "reverse bold",
    "map.room": "bold",
    "map.wall": "",
    "map.door": "bold",
    "map.border": "",
    "map.impassable": "",
    "token": "bold",
    "feature": "bold",
    "feature.barricade": "bold",
    "feature.darkness": "bold",
    "feature.fire": "bold",
    "feature.secret_passage": "bold",
    "monster": "bold",
    "figure": "bold",
    **{f"figure.{at}": "bold" for at in range(6)},
    "damage": "",
    "horror": "",
    "clues": "",
    "marker": "bold",
    "turn": "bold",
    "journal.round": "bold",
    "journal.step": "bold",
    "journal.story": "",
    "journal.deed": "",
    "journal.card": "",
    "journal.dice": "",
    "journal.private": "italic",
    "journal.chat": "",
    "journal.room": "",
}
"""Weight, slant and reversal: all there is where there are no colours."""

_Roles = Mapping[str, str]
"""The colours of a theme, by their purpose."""

_DARK: _Roles = {
    "faint": "ansibrightblack",
    "line": "ansibrightblack",
    "way": "ansiyellow",
    "name": "ansicyan",
    "good": "ansigreen",
    "bad": "ansibrightred",
    "strange": "ansibrightmagenta",
    "figures": "ansigreen ansicyan ansibrightmagenta #87afff ansiyellow ansiwhite",
}
"""On a dark ground: the terminal's own colours, whichever its owner gave them."""
_LIGHT: _Roles = {
    "faint": "#585858",
    "line": "#585858",
    "way": "#875f00",
    "name": "#00005f",
    "good": "#005f00",
    "bad": "#af0000",
    "strange": "#870087",
    "figures": "#005f00 #0000af #870087 #005f5f #875f00 #000000",
}
"""On a light ground: dark colours, since those of terminals are made for a dark one."""
_CONTRAST: _Roles = {
    "faint": "",
    "line": "",
    "way": "#ffff00 bg:#000000",
    "name": "#ffffff bg:#000000",
    "good": "#00ff00 bg:#000000",
    "bad": "#ff8787 bg:#000000",
    "strange": "#ff87ff bg:#000000",
    "figures": "#00ff00 #00ffff #ff87ff #ffaf00 #ffff00 #ffffff",
}
"""Each on a ground of its own, so that the terminal's does not matter; and nothing is faint."""


def _colours(roles: _Roles) -> dict[str, str]:
    """Return the colours of the classes in one theme."""
    ground = " bg:#000000" if "bg:" in roles["way"] else ""
    figures = roles["figures"].split()
    by_role = {
        "faint": ("dim", "hint", "refused", "journal.room"),
        "line": ("rule", "map.border", "feature.darkness"),
        "way": ("map.door", "token", "feature.barricade", "marker", "away", "journal.dice"),
        "name": ("map.room", "journal.round"),
        "good": ("clues", "turn", "journal.chat"),
        "bad": ("monster", "damage", "feature.fire", "map.impassable", "bar.wrong"),
        "strange": ("horror", "feature.secret_passage", "journal.private"),
    }
    return {
        **{name: roles[role] for role, names in by_role.items() for name in names},
        **{f"figure.{at}": f"{colour}{ground}" for at, colour in enumerate(figures)},
    }


COLOURS: Mapping[Theme, Mapping[str, str]] = {
    Theme.DARK: _colours(_DARK),
    Theme.LIGHT: _colours(_LIGHT),
    Theme.CONTRAST: _colours(_CONTRAST),
    Theme.PLAIN: {},
}
"""Rules that each theme adds to the marks."""


@functools.cache
def style_sheet(theme: Theme) -> Style:
    """Return the styles of a theme; the same object each time, so that switching is noticed."""
    colours = COLOURS[theme]
    return Style.from_dict(
        {name: f"{marks} {colours.get(name, '')}".strip() for name, marks in MARKS.items()}
    )
