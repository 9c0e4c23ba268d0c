"""
What a player's own folder remembers between two evenings: the last server, table and name.

A convenience and nothing more: a file that is missing or broken is as good as an empty one.
"""

import contextlib
import json
import os
from pathlib import Path
from typing import Any

import attrs

FILE = "last.json"


@attrs.frozen
class Remembered:
    """The last server and what was done there; empty where nothing is known."""

    server: str = ""
    """As `host:port`."""
    room: str = ""
    """The table that was followed last."""
    name: str = ""
    """What the player wanted to be called."""


def recall(folder: Path) -> Remembered:
    """Return what is remembered; nothing where there is no such file or it cannot be read."""
    try:
        known = json.loads((folder / FILE).read_text("utf-8"))
    except (OSError, ValueError):
        return Remembered()
    return Remembered(*(_text(known, field.name) for field in attrs.fields(Remembered)))


def _text(known: Any, key: str) -> str:
    value = known.get(key, "") if isinstance(known, dict) else ""
    return value if isinstance(value, str) else ""


def remember(folder: Path, what: Remembered) -> None:
    """Write it down; does nothing where that cannot be done."""
    if what == recall(folder):
        return
    with contextlib.suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = folder / f".{FILE}.{os.getpid()}"
        draft.write_text(json.dumps(attrs.asdict(what)) + "\n", "utf-8")
        draft.replace(folder / FILE)
