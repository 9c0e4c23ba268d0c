"""Styles: every class has one, and none relies on colour alone."""

import re
from pathlib import Path

import attrs
import pytest
from prompt_toolkit.output.vt100 import ANSI_COLORS_TO_RGB
from prompt_toolkit.styles import Attrs, Style

import client
from client.games.second_edition.styles import LOOKS as OWN
from client.settings.preferences import Theme
from client.tellers.base import JournalLine, Tone
from client.widgets.canvas import Canvas
from client.widgets.looks import COLOURS, FIGURES, LOOKS, looks_of
from client.widgets.pages import journal_lines
from client.widgets.style import style_sheet
from protocol.games.second_edition.table import RULESET, FeatureKind
from tests.games.second_edition.client.scripted import asked
from tests.games.second_edition.client.stage import OnStage, model_of, play

HOME = Path(client.__file__).parent
MARKS = {name: look.marks for name, look in {**LOOKS, **OWN}.items()}
ROLES = {name: look.role for name, look in {**LOOKS, **OWN}.items() if look.role}
"""Role of each class that has a colour in every theme except the plain one, by class."""
COLOURED = [theme for theme in Theme if theme is not Theme.PLAIN]
GROUNDS = {Theme.DARK: (0, 0, 0), Theme.LIGHT: (255, 255, 255)}
"""Background for which each theme is made, as red, green and blue."""
PARTS = {
    "figure.{at % FIGURES}": [f"figure.{at}" for at in range(FIGURES)],
    "feature.{feature.kind.value}": [f"feature.{kind.value}" for kind in FeatureKind],
    "feature.{feature.value}": [],
    "journal.{line.tone.value}": [f"journal.{tone.value}" for tone in Tone],
    "map.{style}": ["map.wall", "map.door", "map.border", "map.impassable", "map.corner"],
    "{key}": ["map.door", "map.border", "map.impassable", "map.corner"],
}
"""Names of classes that the code composes, by the expression in the code."""
TOLD_BY = {
    "faint": "less to look at, and read just as well",
    "sign": "a letter or mark of its own on the map",
    "line": "a line character of its own",
    "word": "what it says",
    "head": "what its lines begin with",
}
SIGNS_OF = {
    "faint": ("dim", "hint", "rule", "choice", "box", "bar"),
    "sign": (
        *("token", "monster", "figure", "feature", "turn", "marker"),
        *(f"feature.{kind.value}" for kind in FeatureKind),
        *(f"figure.{at}" for at in range(FIGURES)),
    ),
    "line": tuple(
        f"map.{line}" for line in ("wall", "door", "border", "limit", "impassable", "corner")
    ),
    "word": (
        *("damage", "horror", "clues", "away", "key", "card", "prompt", "invitation", "title"),
        *("map.room", "refused", "bar.wrong"),
    ),
    "head": tuple(f"journal.{tone.value}" for tone in Tone),
}
"""Classes with the same marks as others, by the feature that distinguishes them besides colour."""


def _used() -> set[str]:
    """Return every class named in the client's sources, other games left out."""
    found: set[str] = set()
    for path in HOME.rglob("*.py"):
        parts = path.relative_to(HOME).parts
        if parts[0] == "games" and parts[1] != RULESET and len(parts) > 2:
            continue
        text = path.read_text(encoding="utf-8")
        for name in re.findall(r"class:((?:[a-z_.0-9]|\{[^}]*\})+)", text):
            assert "{" not in name or name in PARTS, f"{path.name} puts {name} together"
            found |= {*PARTS.get(name, [name])}
    return {name.rstrip(".") for name in found}


def test_every_class_has_a_look() -> None:
    used = _used() | {"feature", "figure"}

    assert used - {*MARKS} == set()
    assert {*MARKS} - used == set()
    assert all({*ROLES.values()} == {*COLOURS[theme]} for theme in COLOURED)
    assert LOOKS.keys().isdisjoint(OWN)


def test_what_has_the_same_marks_is_told_apart_without_colours() -> None:
    """Styles with the same marks differ by another sign, line, word or beginning of the line."""
    told = {name for names in SIGNS_OF.values() for name in names}
    alike = {name for name in MARKS if [*MARKS.values()].count(MARKS[name]) > 1}

    assert {*SIGNS_OF} == {*TOLD_BY}
    assert (alike & ROLES.keys()) - told == set()


def test_tones_of_the_journal_begin_otherwise() -> None:
    heads = {
        tone: line[0][1].removesuffix("said")
        for tone in Tone
        for line in journal_lines([JournalLine(0, 0, 0, tone, "said")], 40, 9)
    }

    plain = {Tone.STORY, Tone.ACTION, Tone.GAIN}
    marked = {tone: head for tone, head in heads.items() if tone not in plain}
    assert len({*marked.values()}) == len(marked)
    assert "" not in marked.values()


# Colours that can be read ------------------------------------------------------------------


def _rgb(colour: str) -> tuple[int, int, int]:
    if colour in ANSI_COLORS_TO_RGB:
        return ANSI_COLORS_TO_RGB[colour]
    return int(colour[0:2], 16), int(colour[2:4], 16), int(colour[4:6], 16)


def _brightness(rgb: tuple[int, int, int]) -> float:
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (value / 255 for value in rgb)
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(look: Attrs, ground: tuple[int, int, int]) -> float:
    """Return the contrast ratio of WCAG, from 1 to 21."""
    opposite = (255 - ground[0], 255 - ground[1], 255 - ground[2])
    front = _rgb(look.color) if look.color else opposite
    back = _rgb(look.bgcolor) if look.bgcolor else ground
    lights = sorted((_brightness(front), _brightness(back)))
    return (lights[1] + 0.05) / (lights[0] + 0.05)


@pytest.mark.parametrize(("theme", "least"), [(Theme.DARK, 4.5), (Theme.LIGHT, 4.5)])
@pytest.mark.parametrize("name", sorted(MARKS))
def test_colours_can_be_read_on_their_ground(theme: Theme, least: float, name: str) -> None:
    look = style_sheet(theme).get_attrs_for_style_str(f"class:{name}")

    assert _contrast(look, GROUNDS[theme]) >= least


@pytest.mark.parametrize("ground", GROUNDS.values(), ids=["black", "white"])
@pytest.mark.parametrize("name", sorted(MARKS))
def test_strong_colours_can_be_read_on_any_ground(ground: tuple[int, int, int], name: str) -> None:
    """Strong colours set their own background."""
    look = style_sheet(Theme.CONTRAST).get_attrs_for_style_str(f"class:{name}")

    assert _contrast(look, ground) >= 7


def test_without_colours_there_are_none() -> None:
    sheet: Style = style_sheet(Theme.PLAIN)

    looks = [sheet.get_attrs_for_style_str(f"class:{name}") for name in MARKS]

    assert {(look.color, look.bgcolor) for look in looks} == {("", "")}


def test_a_game_has_its_own_looks_alone() -> None:
    of_game, of_all = (
        style_sheet(Theme.DARK, game).get_attrs_for_style_str("class:monster")
        for game in ("second_edition", "")
    )

    assert of_game == of_all
    assert looks_of("chess") == {}
    plain = style_sheet(Theme.DARK, "chess").get_attrs_for_style_str("class:monster")
    assert plain.color == ""


def test_figures_have_colours_of_their_own() -> None:
    for theme in COLOURED:
        looks = {COLOURS[theme][f"figure.{at}"] for at in range(FIGURES)}
        assert len(looks) == FIGURES


def test_a_theme_is_switched_at_once() -> None:

    async def switch(stage: OnStage) -> None:
        assert "38;2;175;0;0" not in stage.raw
        desk = stage.terminal.ui.desk
        desk.prefs = attrs.evolve(desk.prefs, theme=Theme.LIGHT)
        await stage.press("down")
        before = len(stage.raw)
        desk.prefs = attrs.evolve(desk.prefs, theme=Theme.PLAIN)
        await stage.press("down")
        assert not re.search(r"\x1b\[[0-9;]*[34][0-8][0-9;]*m", stage.raw[before:])

    shown = play(model_of(asked()), switch)

    light = style_sheet(Theme.LIGHT).get_attrs_for_style_str("class:monster")
    assert light.color == "af0000"
    assert "\x1b[0;38;5;" in shown.raw or "38;2;" in shown.raw


def test_a_canvas_has_no_colours_of_its_own() -> None:
    assert not re.search(r"ansi[a-z]+|#[0-9a-f]{6}", (HOME / "widgets/canvas.py").read_text())
    assert Canvas(1, 1).plain() == ""
