"""Styles: the looks of all style classes, in the form of prompt_toolkit."""

import functools

from prompt_toolkit.styles import Style

from client.settings.preferences import Theme
from client.widgets.looks import COLOURS, LOOKS, Look, looks_of
from protocol.plugs import games


def style_sheet(theme: Theme, game: str = "") -> Style:
    """
    Return the styles of a theme; the same object each time, so that prompt_toolkit sees changes.

    Args:
        theme: the colours.
        game: the game whose styles are added to the shared ones; empty for all installed games. If
            two games have the same class, the look of the first game counts.
    """
    looks: dict[str, Look] = {}
    # Reversed, so that the looks of the first game win.
    for name in reversed((game,) if game else games()):
        looks |= looks_of(name)
    return _sheet(theme, tuple({**looks, **LOOKS}.items()))


@functools.lru_cache(maxsize=32)
def _sheet(theme: Theme, looks: tuple[tuple[str, Look], ...]) -> Style:
    colours = COLOURS[theme]
    return Style.from_dict(
        {name: f"{look.marks} {colours.get(look.role, '')}".strip() for name, look in looks}
    )
