"""
The client's own words: labels, hints, help, and the meaning of error codes.

Each language is a JSON file in this folder that maps keys to templates; all files have the same
keys. The folder `locale` of a game has such files with the client's own words about that game. All
other words of a game come from the server.

The slot `{key.<action>}` in a template is replaced by the player's key for that action.
"""

import functools
import json
from collections.abc import Callable, Mapping, Sequence
from importlib import resources
from importlib.resources.abc import Traversable

import attrs

from client.keymap.key_names import name_of
from client.keymap.keys import USUAL, Action, KeyMap
from commands.speaking import LANGUAGES, language_of
from protocol.common.templates import filled, in_a_row
from protocol.keys import Unreadable
from protocol.plugs import UnknownGameError, folders, games

__all__ = ["LANGUAGES", "Locale", "language_of", "load"]

_GRAMMAR = ("zero", "elided", "articles", "contracted")
_KEPT = 2048
"""The maximum number of cached texts. A screen uses the same texts in every frame."""


@attrs.frozen
class Locale:
    """The words of one language."""

    language: str
    templates: Mapping[str, str] = attrs.field(repr=False)
    keys: KeyMap = attrs.field(default=USUAL, repr=False)
    game: str = ""
    """The game whose words are included; empty for all installed games."""
    _kept: Callable[..., str] = attrs.field(
        # Typed, since 1 and True have different words.
        default=attrs.Factory(
            lambda self: functools.lru_cache(maxsize=_KEPT, typed=True)(self._filled),
            takes_self=True,
        ),
        init=False,
        repr=False,
        eq=False,
    )

    def say(self, key: str, *params: str | int) -> str:
        """
        Return the words of a key with the parameters filled in; never raise an error.

        Keys may come from a server: an unknown key is shown in angle brackets, and a missing
        parameter leaves its slot visible.
        """
        return self._kept(key, *params)

    def _filled(self, key: str, *params: str | int) -> str:
        template = self.templates.get(key)
        if template is None:
            return f"<{key}>"
        named = self.keys.named
        return filled(template, params, str, self._grammar, lambda name: self.key_for(named(name)))

    @property
    def _grammar(self) -> Mapping[str, str]:
        return {name: self.templates.get(f"language.{name}", "") for name in _GRAMMAR}

    def in_a_row(self, names: Sequence[str]) -> str:
        """Return the names of several pieces, for a sentence about all of them."""
        return in_a_row(names, self._grammar)

    def unreadable(self, wrong: Unreadable) -> str:
        """Return a clause that says why a text is unreadable; it may quote the text."""
        return self.say(f"unreadable.{wrong.kind}", *wrong.params)

    def key_for(self, action: Action) -> str:
        return name_of(self.keys.keys_for(action)[0], self)

    def has(self, key: str) -> bool:
        return key in self.templates

    def in_language(self, language: str) -> "Locale":
        """Return the same words in another language; in the first of LANGUAGES if it is unknown."""
        return load(language, self.keys, self.game)

    def for_game(self, game: str) -> "Locale":
        """Return the words for a table of one game; an empty name means all games."""
        return self if game == self.game else load(self.language, self.keys.in_game(game), game)


@functools.lru_cache(maxsize=32)
def load(language: str, keys: KeyMap = USUAL, game: str = "") -> Locale:
    """
    Return the words of a language.

    Args:
        language: one of LANGUAGES; for an unknown language, the first of LANGUAGES is used.
        keys: the player's keys.
        game: the game whose words are included. The name is not trusted. Empty for all installed
            games; if several have words for a key, the first game wins.
    """
    known = language if language in LANGUAGES else LANGUAGES[0]
    words = dict[str, str]()
    # Reversed, so that the first game wins.
    for name in reversed([game] if game else games()):
        words |= _words_of(name, known)
    words |= _read(resources.files(__package__), known)
    return Locale(known, words, keys, game)


def _words_of(game: str, language: str) -> Mapping[str, str]:
    try:
        places = [place.joinpath("locale") for place in folders("client", game)]
    except UnknownGameError:
        return {}
    words = dict[str, str]()
    # The words of an expansion override those of the game that it extends.
    for place in reversed(places):
        words |= _read(place, language) if place.is_dir() else {}
    return words


def _read(place: Traversable, language: str) -> Mapping[str, str]:
    words: Mapping[str, str] = json.loads(place.joinpath(f"{language}.json").read_text("utf-8"))
    return words
