"""
Templates: words with slots for what is not known when they are written.

`{0}` is the first parameter; `{0|die|dice}` the form that it takes if it is a number;
`{key.chat}`, in the client's own words, the key for an action.
"""

import re
import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TypeVar

_Param = TypeVar("_Param")

_SLOT = re.compile(
    r"(?:(?<![^ {}])([^ {}]+) )?\{(?:(\d+)(?:\|([^{}|]*)\|([^{}|]*))?|key\.([a-z_]+))\}"
)
"""A slot, with the word before it."""
_VOWELS = tuple("aeiou")


def filled(
    template: str,
    params: Sequence[_Param],
    said: Callable[[_Param], str] = str,
    grammar: Mapping[str, str] | None = None,
    key_for: Callable[[str], str] | None = None,
) -> str:
    """
    Return a template with its slots filled. One that has no parameter, or no key, is left there.

    Args:
        template: the words.
        params: by the numbers of their slots.
        said: puts a parameter into words.
        grammar: of the language. Where `zero` is `one`, zero takes the first form. `elided` names
            words that lose their last letter to an apostrophe before a vowel, as the French `de`
            does before Ada; only where the vowel comes from a slot: the rest is written so.
        key_for: names the key for an action; None where there are no keys.
    """
    grammar = grammar or {}
    elided = grammar.get("elided", "").split()

    def fill(slot: re.Match[str]) -> str:
        word, number, one, many, action = slot.groups()
        if number is None and key_for is not None:
            value = key_for(action)
        elif number is None or int(number) >= len(params):
            return slot[0]
        else:
            param = params[int(number)]
            is_counted = one is not None and isinstance(param, int)
            # In French zero takes the singular.
            is_one = param == 1 or (param == 0 and grammar.get("zero") == "one")
            value = (one if is_one else many) if is_counted else said(param)
        return value if word is None else _after(word, value, elided)

    return _SLOT.sub(fill, template) if "{" in template else template


def placeholders(template: str) -> tuple[str, ...]:
    """Return the parameter numbers that a template uses, ascending and without repeats."""
    return tuple(sorted({slot[2] for slot in _SLOT.finditer(template) if slot[2] is not None}))


def _after(word: str, value: str, elided: Collection[str]) -> str:
    is_before_vowel = unicodedata.normalize("NFD", value[:1]).casefold().startswith(_VOWELS)
    if is_before_vowel and word.casefold() in elided:
        return f"{word[:-1]}’{value}"
    return f"{word} {value}"
