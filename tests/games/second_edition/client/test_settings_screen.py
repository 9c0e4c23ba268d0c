"""Settings screen: changes apply at once and are saved."""

import re
from pathlib import Path

import attrs
import pytest

from client.settings import config
from client.settings.appearance import Appearance, Wishes
from client.settings.preferences import (
    SETTINGS,
    Charset,
    Keep,
    NotKept,
    Preferences,
    Theme,
    Value,
    keep_nothing,
)
from tests.games.second_edition.client.scripted import asked, lobby
from tests.games.second_edition.client.stage import OnStage, model_of, play

SHOWN = [one.name for one in SETTINGS if one.allowed]
"""Names of the settings on the screen, in their order."""
COLOURED = re.compile(r"\x1b\[[0-9;]*[39][0-7][0-9;]*m")


@attrs.define
class Kept:
    """Store of the saved settings."""

    said: list[tuple[str, Value]] = attrs.field(factory=list)

    def keep(self, name: str, value: Value) -> None:
        self.said.append((name, value))


def to(name: str) -> list[str]:
    """Return the keys that open the settings and move to one of them."""
    return ["e", *["down"] * SHOWN.index(name)]


def wishes(keep: Keep = keep_nothing, **allowed: object) -> Wishes:
    """Return the default preferences (`Wishes`) on a terminal with these capabilities."""
    return Wishes(attrs.evolve(Appearance(), **allowed), keep=keep)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "key", "value"),
    [
        ("theme", "right", "light"),
        ("theme", "left", "plain"),
        ("lines", "enter", "boxes"),
        ("map", "enter", "full"),
        ("dice", "enter", False),
        ("story", "left", False),
        ("mouse", "right", False),
        ("bell", "enter", True),
        ("title", "enter", False),
    ],
)
def test_a_setting_is_switched_and_kept(name: str, key: str, value: Value) -> None:
    kept = Kept()

    async def press(stage: OnStage) -> None:
        await stage.press(*to(name), key)

    shown = play(model_of(asked()), press, wishes=wishes(kept.keep))

    setting = next(one for one in SETTINGS if one.name == name)
    assert setting.value_in(shown.terminal.ui.desk.prefs) == value
    assert kept.said == [(name, value)]


@pytest.mark.parametrize("name", SHOWN[1:])
def test_a_setting_goes_round(name: str) -> None:
    setting = next(one for one in SETTINGS if one.name == name)

    async def press(stage: OnStage) -> None:
        await stage.press(*to(name), *["right"] * len(setting.allowed))

    assert play(model_of(lobby()), press).terminal.ui.desk.prefs == Preferences()


def test_the_language_is_asked_for() -> None:

    async def press(stage: OnStage) -> None:
        await stage.press("e", "enter")

    kept = Kept()
    shown = play(model_of(asked()), press, wishes=wishes(kept.keep))

    assert shown.port.said == [("set_language", "fr")]
    assert kept.said == [("language", "fr")]


def test_colours_go_at_once() -> None:

    async def press(stage: OnStage) -> None:
        assert COLOURED.search(stage.raw)
        await stage.press(*to("theme"), "left")
        assert stage.terminal.ui.desk.theme is Theme.PLAIN
        stage.sink.raw.clear()
        await stage.press("escape")
        await stage.resize(40, 120)
        assert not COLOURED.search(stage.raw)

    play(model_of(asked()), press)


def test_the_mouse_is_given_back_at_once() -> None:

    async def press(stage: OnStage) -> None:
        await stage.press(*to("mouse"))
        stage.sink.raw.clear()
        await stage.press("enter")
        assert "\x1b[?1000l" in stage.raw

    play(model_of(asked()), press)


def test_what_this_terminal_cannot_do_is_said() -> None:
    """The setting is saved for another terminal."""

    async def press(stage: OnStage) -> None:
        await stage.press(*to("lines"), "right")
        assert "Colours            for a dark background (not on this terminal)" in stage.text
        assert "Lines              box characters (not on this terminal)" in stage.text
        assert stage.text.isascii()
        await stage.press("right")
        assert "Lines              ASCII" in stage.text
        assert "ASCII (not" not in stage.text

    poor = wishes(charset=Charset.ASCII, has_boxes=False, has_colours=False)
    play(model_of(asked()), press, wishes=poor)


def test_what_cannot_be_kept_holds_for_now() -> None:

    def keep(_name: str, _value: Value) -> None:
        raise NotKept(lambda words: words.say("config.unwritable", "disk full"))

    async def press(stage: OnStage) -> None:
        await stage.press(*to("bell"), "enter")
        assert "! This applies for now, but is not saved. it cannot be written: disk" in stage.text
        assert "Bell               on" in stage.text

    play(model_of(asked()), press, wishes=wishes(keep))


def test_what_is_switched_is_in_the_file(tmp_path: Path) -> None:
    path = tmp_path / "home" / config.FILE
    model = model_of(asked())

    async def press(stage: OnStage) -> None:
        await stage.press(*to("bell"), "enter")

    play(model, press, wishes=wishes(config.keeper(path, model.locale)))

    assert config.read(path) == Preferences(bell=True)


def test_the_table_has_its_own_and_they_stay() -> None:

    async def press(stage: OnStage) -> None:
        await stage.press("e", "up", "enter")
        assert "> Bots wait until all have read" in stage.text
        assert "! The host fixed this when the table was opened." in stage.text

    play(model_of(asked()), press)


def test_a_click_switches() -> None:

    async def click(stage: OnStage) -> None:
        await stage.press("e")
        await stage.click("Bell ")
        assert "> Bell               on" in stage.text
        await stage.wheel("Bell ", 1)
        assert "> Terminal title" in stage.text
        await stage.press("escape")
        assert "Terminal title" not in stage.text

    play(model_of(asked()), click, rows=40, columns=120)


def test_a_low_screen_scrolls_with_the_cursor() -> None:

    async def look(stage: OnStage) -> None:
        await stage.press("e", "up")
        assert "> Bots wait until all have read" in stage.text
        assert "The host fixed this when the table was" in stage.text
        await stage.press("down")
        assert "> Language / Langue" in stage.text

    play(model_of(asked()), look, rows=18, columns=50)
