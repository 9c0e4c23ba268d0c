"""
Key names: what keys are called, by prompt_toolkit, in a player's file and to people.

In a file a key is its character, or a name of `NAMES`: `c`, `?`, `space`, `pageup`, `shift-up`,
`ctrl-l`, `f1`. To people it is what is printed on keyboards of their language.
"""

import difflib
import string
import unicodedata
from collections.abc import Mapping, Sequence

from commands.speaking import Says

_MOVING = ("up", "down", "left", "right", "home", "end", "pageup", "pagedown", "insert", "delete")
_PLAIN = ("enter", "tab", "backspace", "escape")
_TAKEN = "chijm"
"""Ctrl with these is what Ctrl-C, Backspace, Tab and Enter send."""

NAMES: Mapping[str, str] = {
    "space": " ",
    **{name: name for name in (*_PLAIN, *_MOVING)},
    **{f"shift-{name}": f"s-{name}" for name in (*_MOVING, "tab")},
    **{f"ctrl-{name}": f"c-{name}" for name in _MOVING},
    **{f"ctrl-{char}": f"c-{char}" for char in string.ascii_lowercase if char not in _TAKEN},
    **{f"f{number}": f"f{number}" for number in range(1, 13)},
}
"""Names of keys in files, with their names in prompt_toolkit, for keys without a character."""

QUIT_KEY = "ctrl-c"
"""Ends the program whatever else holds, hence no name of a key that could mean something else."""

_WORDS: Mapping[str, str] = {
    **{name: name for name in (*_PLAIN, *_MOVING)},
    " ": "space",
    "pageup": "page_up",
    "pagedown": "page_down",
}
"""Parts of catalog keys for keys that have no sign of their own."""


class UnknownKey(Exception):
    """A name that no key has; `key` and `params` are the catalog's words for it."""

    def __init__(self, key: str, *params: str) -> None:
        """Keep them."""
        super().__init__(key, *params)
        self.key = key
        self.params = params


def read_key(name: str) -> str:
    """
    Return what prompt_toolkit calls a key.

    Raises:
        UnknownKey: there is no such key, or it is Ctrl-C.
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
    """Return how a key of prompt_toolkit's is written in a file."""
    if key == "c-c":
        return QUIT_KEY
    return next((name for name, known in NAMES.items() if known == key), key)


def nearest(name: str, known: Sequence[str]) -> str | None:
    """Return which of some names was probably meant; None if it is like none."""
    close = difflib.get_close_matches(name.lower(), known, n=1, cutoff=0.6)
    return close[0] if close else None


def name_of(key: str, words: Says) -> str:
    """Return how a key is named to people."""
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
    """Return some keys as people read them, in one line."""
    if tuple(keys) == tuple(string.digits):
        return "0-9"
    return " ".join(name_of(key, words) for key in keys)
