"""Settings: what holds at this table, and how this client draws. Rule APP-13."""

from collections.abc import Iterator

import attrs

from client import table_settings
from client.locale import LANGUAGES
from client.locale.speaker import Speaker
from client.screens.boxes import Item, Menu
from client.screens.screen import Desk
from client.widgets.scene import Charset
from protocol.common.table import Settings


def settings_menu(desk: Desk) -> Menu:
    """Return the menu of the settings: what can be changed here is changed when it is chosen."""
    view = desk.model.view
    items = [Item(desk.say(f"settings.{desk.charset.value}"), lambda: _switch(desk))]
    items += _languages(desk)
    if view is not None:
        lines = table_lines(desk.speaker, view.table.room.settings)
        items += [Item(line, lambda: None) for line in lines]
    return Menu(desk, "box.settings", items)


def _switch(desk: Desk) -> None:
    """Draw with the other characters from now on."""
    is_ascii = desk.charset is Charset.ASCII
    desk.charset = Charset.BOXES if is_ascii else Charset.ASCII


def _languages(desk: Desk) -> Iterator[Item]:
    """Yield what is spoken, and what can be spoken instead, each by its own name."""
    for language in LANGUAGES:
        mark = "x" if language == desk.model.locale.language else " "
        text = f"[{mark}] {desk.say(f'language.{language}')}"
        yield Item(text, lambda chosen=language: _speak(desk, chosen))  # type: ignore[misc]


def _speak(desk: Desk, language: str) -> None:
    """Speak a language from now on."""
    desk.prefs = attrs.evolve(desk.prefs, language=language)
    desk.port.set_language(language)


def table_lines(speaker: Speaker, settings: Settings) -> Iterator[str]:
    """Yield what the host fixed when the table was opened, a line for each setting."""
    return table_settings.lines(speaker.locale, settings)
