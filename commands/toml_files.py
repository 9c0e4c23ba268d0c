"""
Reads files of settings, and reports faults with their position.

Client and server define the settings themselves.
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
"""The maximum size of a file in bytes, many times larger than all settings."""


class BadConfig(Exception):
    """A file of settings with a fault, because of which no setting in it is used."""

    def __init__(self, path: Path, what: Callable[[Says], str], line: int | None = None) -> None:
        """
        Create the error.

        Args:
            path: the file.
            what: returns the fault in words.
            line: the line, from 1; None for the whole file, or if unknown.
        """
        super().__init__(str(path), line)
        self.path = path
        self.what = what
        self.line = line

    def in_words(self, words: Says) -> str:
        """Return the fault as a sentence, safe for a terminal."""
        path, what = str(self.path), self.what(words)
        if self.line is None:
            return visible(words.say("config.wrong", path, what))
        return visible(words.say("config.wrong_line", path, self.line, what))


def text_of(path: Path) -> str | None:
    """Return the text of a file; None if there is no file. Raise BadConfig if reading fails."""
    try:
        # Reading anything but a regular file might never end.
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
        # Some editors write a byte order mark.
        return data.decode("utf-8-sig")
    except UnicodeError as error:
        raise BadConfig(path, lambda words: words.say("config.no_text")) from error


def tables(text: str, path: Path) -> dict[str, Any]:
    """Parse a TOML text. Raise BadConfig if the text is invalid."""
    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise BadConfig(path, lambda words: words.say("config.too_deep")) from error
    except ValueError as error:
        # Not only TOMLDecodeError: Python refuses numbers with thousands of digits.
        fault = TomlFault.from_error(error)
        raise BadConfig(path, fault.in_words, fault.line) from error
