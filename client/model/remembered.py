"""
The last server, table and name of a player, stored in a file in the player's folder.

The file is for convenience only. A missing or damaged file counts as empty.
"""

import contextlib
import json
import os
from pathlib import Path

import attrs

FILE = "last.json"


@attrs.frozen
class Remembered:
    """The last server, table and name of a player. Unknown values are empty."""

    server: str = ""
    """The server as `host:port`."""
    room: str = ""
    """The room of the last followed table."""
    name: str = ""


def recall(folder: Path) -> Remembered:
    """Return the stored values; empty values if the file is missing or unreadable."""
    try:
        known = json.loads((folder / FILE).read_text("utf-8-sig"))
    except (OSError, ValueError):
        return Remembered()
    names = [field.name for field in attrs.fields(Remembered)]
    values = [known.get(name) if isinstance(known, dict) else None for name in names]
    return Remembered(*(value if isinstance(value, str) else "" for value in values))


def remember(folder: Path, what: Remembered) -> None:
    """Store the values. Do nothing if the file cannot be written."""
    if what == recall(folder):
        return
    with contextlib.suppress(OSError):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = folder / f".{FILE}.{os.getpid()}"
        draft.write_text(json.dumps(attrs.asdict(what)) + "\n", "utf-8")
        draft.replace(folder / FILE)
