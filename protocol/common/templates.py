"""
Templates: words with slots for parameters.

`{0}` is the first parameter; `{0|die|dice}` is singular or plural by the first parameter, a number;
`{key.chat}`, in the client's own words only, names the key of an action.
"""

import re
import unicodedata
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TypeVar

_Param = TypeVar("_Param")

_SLOT = re.compile(
    r"(?:(?<![^ {}])([^ {}]+) )?\{(?:(\d{1,4})(?:\|([^{}|]*)\|([^{}|]*))?|key\.([a-z_]+))\}"
)
"""
Pattern of a slot, with the word before the slot. A slot's number has at most four digits, because
Python refuses to parse very long numbers.
"""
_VOWELS = tuple("aeiou")


def filled(
    template: str,
    params: Sequence[_Param],
    said: Callable[[_Param], str] = str,
    grammar: Mapping[str, str] | None = None,
    key_for: Callable[[str], str] | None = None,
) -> str:
    """
    Return a template with its slots filled. A slot without a parameter or a key is left as it is.

    Args:
        template: the words.
        params: parameters by the numbers of their slots.
        said: renders a parameter.
        grammar: grammar of the language. If `zero` is `one`, zero is singular. `elided` lists words
            that replace their last letter by an apostrophe before a vowel, as the French `de` does
            before Ada. It applies only in front of slots.
        key_for: returns the name of the key of an action; None if there are no keys.
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
    """Return the numbers of the parameters that a template uses, as text, sorted, each once."""
    return tuple(sorted({slot[2] for slot in _SLOT.finditer(template) if slot[2] is not None}))


def _after(word: str, value: str, elided: Collection[str]) -> str:
    # Decomposed, so É counts as E.
    is_before_vowel = unicodedata.normalize("NFD", value[:1]).casefold().startswith(_VOWELS)
    if is_before_vowel and word.casefold() in elided:
        return f"{word[:-1]}’{value}"
    return f"{word} {value}"
