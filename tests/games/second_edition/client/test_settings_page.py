"""docs/settings.md has a row for every setting and every action."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

from client.keymap.key_names import NAMES, written
from client.keymap.keys import USUAL, Action, Binding, Context
from client.locale import load
from client.settings.preferences import SETTINGS
from commands.toml_lines import dumped
from tests.games.second_edition.client.stage import ACCEPT

PAGE = Path(__file__).parents[4] / "docs" / "settings.md"
EN = load("en")


def code(*texts: str) -> str:
    """Return the given texts, each in backticks."""
    return ", ".join(f"`{text}`" for text in texts)


def settings() -> Iterator[str]:
    for one in SETTINGS:
        allowed = code(*map(dumped, one.allowed)) or "a name"
        yield f"| {code(one.name)} | {code(dumped(one.default))} | {allowed} | {about(one.name)} |"


def about(setting: str) -> str:
    return EN.say(f"setting.{setting}")


def row(action: Action, *bindings: Binding) -> str:
    """Return the row of an action with its keys and contexts."""
    keys = [written(key) for key in bindings[0].keys]
    shown = "`0` to `9`" if action is Action.DIGIT else code(*keys)
    places = [one for one in Context if any(one in binding.contexts for binding in bindings)]
    where = "everywhere" if len(places) == len(Context) else ", ".join(one.value for one in places)
    return f"| {code(action.value)} | {shown} | {EN.say(f'key.{action.value}')} | {where} |"


def keys() -> Iterator[str]:
    """Yield a row for each action whose keys can be changed."""
    for action in USUAL.rebindable:
        yield row(
            action, *(one for one in USUAL.bindings if one.action is action and not one.is_fixed)
        )


def fixed() -> Iterator[str]:
    return (row(one.action, one) for one in USUAL.bindings if one.is_fixed)


def places() -> Iterator[str]:
    return (f"| {code(one.value)} | {EN.say(f'context.{one.value}')} |" for one in Context)


TABLES = {
    "| Setting | Default | Allowed | What it is |": settings,
    "| Action | Keys | What it does | Where |": keys,
    "| Fixed | Keys | What it does | Where |": fixed,
    "| Name | Where that is |": places,
}


def test_the_tables_are_those_of_the_client() -> None:
    page = wanted = PAGE.read_text("utf-8")
    for head, rows in TABLES.items():
        pattern = re.compile(rf"({re.escape(head)}\n\|[ |-]+\n)(?:\|.*\n)*")
        table = "".join(f"{one}\n" for one in rows())
        wanted, count = pattern.subn(lambda found, table=table: found[1] + table, wanted)  # type: ignore[misc]
        assert count == 1, head
    if os.environ.get(ACCEPT):
        PAGE.write_text(wanted, "utf-8")
        page = wanted

    assert page == wanted, f"docs/settings.md is out of date; write it anew with {ACCEPT}=1"


def test_every_name_of_a_key_is_told() -> None:
    page = PAGE.read_text("utf-8")

    plain = {name for name in NAMES if not name.startswith(("shift-", "ctrl-", "f"))}
    assert {name for name in plain if f"`{name}`" not in page} == set()
    assert "`f1` to `f12`" in page
    assert {"f1", "f12"} <= NAMES.keys()
    assert "f13" not in NAMES
