"""
Speaking: the language of a command, and the words that a package has for its command line.

What a command says before anything is connected or loaded (`--help`, a command line that makes no
sense) stands in `usage/<language>.json` of its package; all languages of a package have the same
keys. It is read by `commands.parser`, and by the command `manse` itself.
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
"""Every language that is spoken; the first where none of them is wanted."""
HOME_VARIABLE: Final = "MANSE_HOME"
"""Names the folder of all that a player or server keeps, in place of the platform's."""
SETTINGS_FILE: Final = "config.toml"

_OPTION: Final = "--language"

Phrase: TypeAlias = str | Mapping[str, str]
"""A text; or examples: what is typed, and what that does."""


class Says(Protocol):
    """What knows the words of a language: a `client.locale.Locale`, or `CommandWords`."""

    def say(self, key: str, *params: str | int) -> str:
        """Return the words of a key of the catalog."""


class CommandWords:
    """What one package says on the command line, in one language."""

    def __init__(self, language: str, phrases: Mapping[str, Phrase]) -> None:
        """
        Keep the words.

        Args:
            language: one of LANGUAGES.
            phrases: by key.
        """
        self.language = language
        self._phrases = phrases

    def say(self, key: str, *params: object) -> str:
        """Return the words of a key, `{0}` being the first parameter. KeyError if it has none."""
        phrase = self._phrases[key]
        assert isinstance(phrase, str), key
        return filled(phrase, params)

    def examples(self, key: str) -> Mapping[str, str]:
        """Return command lines with what they do; none where the key has no words."""
        phrase = self._phrases.get(key, {})
        assert not isinstance(phrase, str), key
        return phrase

    def has(self, key: str) -> bool:
        """Return whether a key has words."""
        return key in self._phrases


def words_of(package: str, language: str) -> CommandWords:
    """
    Return the words of a package's commands, and those that all commands share.

    Args:
        package: with a folder `usage`.
        language: one of LANGUAGES; any other is the first of them.
    """
    known = language if language in LANGUAGES else LANGUAGES[0]
    phrases: dict[str, Phrase] = {}
    for name in dict.fromkeys(("commands", package)):
        file = resources.files(name).joinpath("usage", f"{known}.json")
        phrases.update(json.loads(file.read_text(encoding="utf-8")))
    return CommandWords(known, phrases)


def language_of(environment: Mapping[str, str], preferred: str = "") -> str:
    """
    Return the language to speak, among LANGUAGES.

    Args:
        environment: MANSE_LANGUAGE is the wish for this time; the usual variables say what is
            spoken where nothing is wished for.
        preferred: what the player wishes for at other times; empty for nothing.
    """
    usual = (environment.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    for asked in (environment.get("MANSE_LANGUAGE", ""), preferred, *usual):
        wanted = asked.lower()
        if wanted:
            # The first that is set decides, as everywhere on this system: `C` means English.
            return wanted[:2] if wanted[:2] in LANGUAGES else LANGUAGES[0]
    return LANGUAGES[0]


def language_for(argv: Sequence[str], environment: Mapping[str, str] = os.environ) -> str:
    """
    Return the language to speak before a command line is understood, or if it cannot be.

    Args:
        argv: `--language` in it is looked for, wherever it stands.
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
        preferred = _preferred(settings_path(environment))
    except NoHome:
        # Whatever needs it says so.
        preferred = ""
    return language_of(environment, preferred)


def settings_path(environment: Mapping[str, str] = os.environ) -> Path:
    """Return where the file of a player's settings lies, if there is one."""
    home = environment.get(HOME_VARIABLE)
    folder = Path(home) if home else config_folder()
    return folder / SETTINGS_FILE


def _preferred(path: Path) -> str:
    """Return the language that the settings name; whoever reads all of them tells of faults."""
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8")).get("language", "")
    except (OSError, ValueError, RecursionError):
        return ""
    return found if isinstance(found, str) else ""
