"""
The language of a command, and the words of each package for its command line.

The words that a command needs before it connects or loads anything (`--help`, an invalid command
line) are in `usage/<language>.json` of its package; all languages of a package have the same keys.
`commands.parser` and the command `manse` read these files.
"""

import json
import os
import tomllib
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Final, Protocol, TypeAlias

from commands.own_folders import NoHome, config_folder
from protocol.common.templates import filled

LANGUAGES: Final = ("en", "fr")
"""All languages; the first is the default."""
HOME_VARIABLE: Final = "MANSE_HOME"
"""The environment variable for the folder of all files of a player or server."""
SETTINGS_FILE: Final = "config.toml"

_OPTION: Final = "--language"

Phrase: TypeAlias = str | Mapping[str, str]
"""A text, or a list of example command lines with descriptions."""


class Says(Protocol):
    """The words of a language: a `client.locale.Locale`, or `CommandWords`."""

    def say(self, key: str, *params: str | int) -> str: ...


class CommandWords:
    """The command line words of one package in one language."""

    def __init__(self, language: str, phrases: Mapping[str, Phrase]) -> None:
        self.language = language
        self._phrases = phrases

    def say(self, key: str, *params: object) -> str:
        """
        Return the words of a key; `{0}` is the first parameter.

        Raise KeyError if there are none.
        """
        phrase = self._phrases[key]
        assert isinstance(phrase, str), key
        return filled(phrase, params)

    def examples(self, key: str) -> Mapping[str, str]:
        """Return example command lines with their descriptions; empty if the key has none."""
        phrase = self._phrases.get(key, {})
        assert not isinstance(phrase, str), key
        return phrase

    def has(self, key: str) -> bool:
        return key in self._phrases


def words_of(package: str, language: str) -> CommandWords:
    """
    Return the words of a package's commands, with the words that all commands share.

    Args:
        package: a package with a folder `usage`.
        language: one of LANGUAGES; any other value selects the first.
    """
    known = language if language in LANGUAGES else LANGUAGES[0]
    phrases: dict[str, Phrase] = {}
    for name in dict.fromkeys(("commands", package)):
        file = resources.files(name).joinpath("usage", f"{known}.json")
        phrases.update(json.loads(file.read_text(encoding="utf-8")))
    return CommandWords(known, phrases)


def language_of(environment: Mapping[str, str], preferred: str = "") -> str:
    """
    Return the language to use, one of LANGUAGES.

    Args:
        environment: MANSE_LANGUAGE overrides everything; the usual variables are the default.
        preferred: the language in the player's settings; empty if there is none.
    """
    usual = (environment.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    for asked in (environment.get("MANSE_LANGUAGE", ""), preferred, *usual):
        wanted = asked.lower()
        if wanted:
            # The first variable that is set decides, as usual; `C` means English.
            return wanted[:2] if wanted[:2] in LANGUAGES else LANGUAGES[0]
    return LANGUAGES[0]


def language_for(argv: Sequence[str], environment: Mapping[str, str] = os.environ) -> str:
    """
    Return the language to use before a command line is parsed, or if it is invalid.

    Args:
        argv: the arguments, in which `--language` may be anywhere.
        environment: as for `language_of`.
    """
    for at, word in enumerate(argv):
        name, equals, value = word.partition("=")
        named = value if equals else next(iter(argv[at + 1 : at + 2]), "")
        if name == _OPTION and named in LANGUAGES:
            return named
    if environment.get("MANSE_LANGUAGE"):
        return language_of(environment)
    try:
        text = settings_path(environment).read_text(encoding="utf-8-sig")
        preferred = tomllib.loads(text).get("language", "")
    except (NoHome, OSError, ValueError, RecursionError):
        # The command itself reports the fault, once it needs the folder or the file.
        preferred = ""
    return language_of(environment, preferred if isinstance(preferred, str) else "")


def settings_path(environment: Mapping[str, str] = os.environ) -> Path:
    """Return the path of a player's configuration file. May raise NoHome."""
    home = environment.get(HOME_VARIABLE)
    folder = Path(home) if home else config_folder()
    return folder / SETTINGS_FILE
