"""The subcommands of `manse`, as pyproject.toml declares them."""

import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Final

from commands import main as command

_PROJECT: Final = Path(__file__).parents[2] / "pyproject.toml"
_DECLARED: Final = tomllib.loads(_PROJECT.read_text("utf-8"))["project"]["entry-points"]

ENTRIES: Final = tuple(
    EntryPoint(name, value, command.GROUP) for name, value in _DECLARED[command.GROUP].items()
)
"""Read from pyproject.toml: the installed entry points may be older than a checkout."""


def named(name: str) -> command.Command:
    """Return the function of a subcommand."""
    (entry,) = (entry for entry in ENTRIES if entry.name == name)
    loaded: command.Command = entry.load()
    return loaded
