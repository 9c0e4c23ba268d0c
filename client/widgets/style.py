"""
Styles: how the classes that widgets name look.

Nothing is told by colour alone, so the plain sheet without colours loses no meaning.
"""

import functools

from prompt_toolkit.styles import Style

from client.preferences import Theme

_MARKS = {
    "status": "reverse",
    "status.away": "reverse bold",
    "title": "bold",
    "title.open": "bold reverse",
    "cursor": "reverse",
    "prompt": "bold",
    "map.lit": "reverse bold",
    "map.room": "bold",
    "turn": "bold",
    "marker": "bold",
    "token": "bold",
    "feature": "bold",
    "monster": "bold",
    "figure": "bold",
    "key": "bold",
    "card": "bold",
    "invitation": "bold",
    "bar.wrong": "bold reverse",
    "journal.round": "bold",
    "journal.step": "bold",
    "journal.private": "italic",
    "journal.story": "",
}

_COLOURS = {
    "rule": "ansibrightblack",
    "dim": "ansibrightblack",
    "hint": "ansibrightblack",
    "refused": "ansibrightblack",
    "away": "ansiyellow",
    "map.wall": "",
    "map.door": "ansiyellow bold",
    "map.border": "ansibrightblack",
    "map.impassable": "ansired",
    "map.room": "bold ansicyan",
    "token": "bold ansiyellow",
    "feature.barricade": "bold ansiyellow",
    "feature.darkness": "ansibrightblack",
    "feature.fire": "bold ansired",
    "feature.secret_passage": "bold ansimagenta",
    "monster": "bold ansired",
    "figure.0": "bold ansigreen",
    "figure.1": "bold ansicyan",
    "figure.2": "bold ansimagenta",
    "figure.3": "bold ansiblue",
    "figure.4": "bold ansiyellow",
    "figure.5": "bold ansiwhite",
    "damage": "ansired",
    "horror": "ansimagenta",
    "clues": "ansigreen",
    "marker": "bold ansiyellow",
    "turn": "bold ansigreen",
    "journal.round": "bold ansicyan",
    "journal.private": "italic ansimagenta",
    "journal.chat": "ansigreen",
    "journal.room": "ansibrightblack",
    "journal.dice": "ansiyellow",
    "bar.wrong": "bold ansired",
}


@functools.cache
def style_sheet(theme: Theme) -> Style:
    """Return the styles of a theme; without colours, weight, slant and reversal alone."""
    return Style.from_dict(dict(_MARKS) if theme is Theme.PLAIN else {**_MARKS, **_COLOURS})
