"""
Key names: the name of each key in prompt_toolkit, in a player's settings file, and on the screen.

In a settings file a key is its character, or a name of `NAMES`: `c`, `?`, `space`, `pageup`,
`shift-up`, `ctrl-l`, `f1`. On the screen a key has the name that is printed on keyboards of the
player's language.
"""

import difflib
import string
import unicodedata
from collections.abc import Mapping, Sequence

from commands.speaking import Says

_MOVING = ("up", "down", "left", "right", "home", "end", "pageup", "pagedown", "insert", "delete")
_PLAIN = ("enter", "tab", "backspace", "escape")
_TAKEN = "chijm"
"""
Letters that are unavailable with Ctrl, because the codes mean Ctrl-C, Backspace, Tab and Enter.
"""

NAMES: Mapping[str, str] = {
    "space": " ",
    **{name: name for name in (*_PLAIN, *_MOVING)},
    **{f"shift-{name}": f"s-{name}" for name in (*_MOVING, "tab")},
    **{f"ctrl-{name}": f"c-{name}" for name in _MOVING},
    **{f"ctrl-{char}": f"c-{char}" for char in string.ascii_lowercase if char not in _TAKEN},
    **{f"f{number}": f"f{number}" for number in range(1, 13)},
}
"""The prompt_toolkit name of each key that has a name in settings files instead of a character."""

QUIT_KEY = "ctrl-c"
"""
The key that always ends the program. Settings have no name for this key, so its meaning is fixed.
"""

_WORDS: Mapping[str, str] = {
    **{name: name for name in (*_PLAIN, *_MOVING)},
    " ": "space",
    "pageup": "page_up",
    "pagedown": "page_down",
}
"""The last part of the catalog key, for keys that have a word as their name on the screen."""


class UnknownKey(Exception):
    """The name of a key is unknown; `key` and `params` are a catalog key and its parameters."""

    def __init__(self, key: str, *params: str) -> None:
        super().__init__(key, *params)
        self.key = key
        self.params = params


def read_key(name: str) -> str:
    """
    Return the prompt_toolkit name of a key in a settings file.

    Raises:
        UnknownKey: there is no such key, or the key is Ctrl-C.
    """
    # A combining mark alone cannot be typed, nor read in a file.
    if len(name) == 1 and name.isprintable() and not unicodedata.category(name).startswith("M"):
        return name
    folded = name.lower()
    if folded == QUIT_KEY:
        raise UnknownKey("keys.reserved", name)
    if folded not in NAMES:
        likely = nearest(folded, tuple(NAMES))
        if likely is not None:
            raise UnknownKey("keys.meant", name, likely)
        raise UnknownKey("keys.no_key", name, ", ".join(NAMES))
    return NAMES[folded]


def written(key: str) -> str:
    """Return the name that a key has in a settings file, given the prompt_toolkit name."""
    if key == "c-c":
        return QUIT_KEY
    return next((name for name, known in NAMES.items() if known == key), key)


def nearest(name: str, known: Sequence[str]) -> str | None:
    """Return the known name that is most like a mistyped name; None if no name is similar."""
    close = difflib.get_close_matches(name.lower(), known, n=1, cutoff=0.6)
    return close[0] if close else None


def name_of(key: str, words: Says) -> str:
    """Return the name that keyboards of the player's language show for a key."""
    if key in _WORDS:
        return words.say(f"keyname.{_WORDS[key]}")
    if key.startswith("s-"):
        return words.say("keyname.shift", name_of(key.removeprefix("s-"), words))
    if key.startswith("c-"):
        plain = key.removeprefix("c-")
        return f"Ctrl-{plain.upper() if len(plain) == 1 else name_of(plain, words)}"
    is_function_key = key[:1] == "f" and key[1:].isdecimal()
    return key.upper() if is_function_key else key


def names_of(keys: Sequence[str], words: Says) -> str:
    """Return the names of several keys for people, in one line."""
    if tuple(keys) == tuple(string.digits):
        return "0-9"
    return " ".join(name_of(key, words) for key in keys)
