"""
TOML files: a file of settings is read, and what is wrong with it told with its place.

Which settings there are, the client and the server each say for themselves.
"""

import stat
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from commands.faults import why_refused
from commands.speaking import Says
from commands.toml_faults import TomlFault
from protocol.common.visible import visible

MAX_BYTES: Final = 1 << 16
"""Of a file: many times what all settings take."""


class BadConfig(Exception):
    """A file that cannot be read as settings; none of it is used."""

    def __init__(self, path: Path, what: Callable[[Says], str], line: int | None = None) -> None:
        """
        Say where and what.

        Args:
            path: the file.
            what: puts it into words.
            line: from 1; None where it is about the whole file, or not known.
        """
        super().__init__(str(path), line)
        self.path = path
        self.what = what
        self.line = line

    def said(self, words: Says) -> str:
        """Return it as a sentence, safe for a terminal."""
        path, what = str(self.path), self.what(words)
        if self.line is None:
            return visible(words.say("config.wrong", path, what))
        return visible(words.say("config.wrong_line", path, self.line, what))


def text_of(path: Path) -> str | None:
    """Return what stands in a file; None if there is none. BadConfig if it cannot be read."""
    try:
        # Whatever is no file might never end.
        if not stat.S_ISREG(path.stat().st_mode):
            raise BadConfig(path, lambda words: words.say("config.no_file"))
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        fault = error
        raise BadConfig(
            path, lambda words: words.say("config.unreadable", why_refused(fault, words.say))
        ) from error
    if len(data) > MAX_BYTES:
        raise BadConfig(path, lambda words: words.say("config.too_long", MAX_BYTES >> 10))
    try:
        return data.decode("utf-8")
    except UnicodeError as error:
        raise BadConfig(path, lambda words: words.say("config.no_text")) from error


def tables(text: str, path: Path) -> dict[str, Any]:
    """Return what a text says as TOML. BadConfig if it is none."""
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise BadConfig(path, lambda words: words.say("config.too_deep")) from error
    except ValueError as error:
        # Not only its own errors: a number of thousands of digits is none for Python.
        fault = TomlFault.of(error)
        raise BadConfig(path, fault.said, fault.line) from error
