"""The client's styles as CSS, for light and dark backgrounds."""

from collections.abc import Iterable, Mapping

from client.settings.preferences import Theme
from client.widgets.style import style_sheet

_ANSI: Mapping[str, str] = {
    "ansiblack": "#000000",
    "ansired": "#cd3131",
    "ansigreen": "#4ec96b",
    "ansiyellow": "#d7ba3d",
    "ansiblue": "#6c9eff",
    "ansimagenta": "#d670d6",
    "ansicyan": "#3fc8d8",
    "ansigray": "#cccccc",
    "ansibrightblack": "#9a9a9a",
    "ansibrightred": "#ff7b72",
    "ansibrightgreen": "#7ee787",
    "ansibrightyellow": "#f0d060",
    "ansibrightblue": "#79b8ff",
    "ansibrightmagenta": "#e08cff",
    "ansibrightcyan": "#7fe9f5",
    "ansiwhite": "#ffffff",
}
"""Terminal colours, adapted to the page's dark background."""


def css_of(styles: Iterable[str], game: str) -> str:
    """Return CSS rules for the styles of a game, as the classes s0, s1, and so on."""
    # Numbered, since the names of styles have signs that no class may have.
    wanted = tuple(styles)
    dark = "".join(_rule(at, style, Theme.DARK, game) for at, style in enumerate(wanted))
    light = "".join(_rule(at, style, Theme.LIGHT, game) for at, style in enumerate(wanted))
    return f"{dark}@media (prefers-color-scheme: light){{{light}}}"


def _rule(at: int, style: str, theme: Theme, game: str) -> str:
    look = style_sheet(theme, game).get_attrs_for_style_str(style)
    said = []
    ink, ground = _colour(look.color), _colour(look.bgcolor)
    if look.reverse:
        ink, ground = ground or "var(--ground)", ink or "var(--ink)"
    if ink:
        said.append(f"color:{ink}")
    if ground:
        said.append(f"background:{ground}")
    if look.bold:
        said.append("font-weight:bold")
    if look.italic:
        said.append("font-style:italic")
    if look.underline:
        said.append("text-decoration:underline")
    return f".s{at}{{{';'.join(said)}}}" if said else ""


def _colour(name: str | None) -> str:
    """Return a terminal colour as a CSS colour; empty if the colour is inherited."""
    if not name or name == "default":
        return ""
    return _ANSI.get(name, f"#{name}")
