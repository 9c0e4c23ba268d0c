"""
Templates: words with slots for parameters.

`{0}` is the first parameter; `{0|die|dice}` is singular or plural by the first parameter, a number;
`{key.chat}`, in the client's own words only, names the key of an action.
"""

import functools
import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

_Param = TypeVar("_Param")


class Nickname(str):
    """A name that a player chose, which keeps its article after any word."""

    __slots__ = ()


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
            before Ada. `articles` lists words that lose their capital after another word, such as
            `Le` and `L’`, and `contracted` what becomes of two words, as in `de+le=du`. All of
            this applies only in front of slots.
        key_for: returns the name of the key of an action; None if there are no keys.
    """
    grammar = grammar or {}

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
            if isinstance(param, Nickname) and word is not None:
                return _elided(word, value, grammar)
        return value if word is None else _after(word, value, grammar)

    return _SLOT.sub(fill, template) if "{" in template else template


@functools.lru_cache(maxsize=4096)
def placeholders(template: str) -> tuple[str, ...]:
    """Return the numbers of the parameters that a template uses, as text, sorted, each once."""
    return tuple(sorted({slot[2] for slot in _SLOT.finditer(template) if slot[2] is not None}))


def _after(word: str, value: str, grammar: Mapping[str, str]) -> str:
    # Not after punctuation: there, a name may begin a sentence or follow a label.
    if word[-1].isalpha() and (article := _article_of(value, grammar)):
        return _with_article(word, article.lower(), value[len(article) :], grammar)
    return _elided(word, value, grammar)


def _elided(word: str, value: str, grammar: Mapping[str, str]) -> str:
    # Decomposed, so É counts as E.
    is_before_vowel = unicodedata.normalize("NFD", value[:1]).casefold().startswith(_VOWELS)
    if is_before_vowel and word.casefold() in grammar.get("elided", "").split():
        return f"{word[:-1]}’{value}"
    return f"{word} {value}"


def _article_of(name: str, grammar: Mapping[str, str]) -> str:
    """Return the article with which a name begins; empty if it has none."""
    for article in grammar.get("articles", "").split():
        if name.startswith(article if article.endswith("’") else f"{article} "):
            return article
    return ""


def in_a_row(names: Sequence[str], grammar: Mapping[str, str]) -> str:
    """Return names within a sentence, with commas: all but the first lose an article's capital."""
    first, others = names[:1], names[1:]
    articles = (_article_of(name, grammar) for name in others)
    pairs = zip(others, articles, strict=True)
    return ", ".join((*first, *(f"{one.lower()}{name[len(one) :]}" for name, one in pairs)))


def _with_article(word: str, article: str, rest: str, grammar: Mapping[str, str]) -> str:
    start, apostrophe, last = word.rpartition("’")
    for rule in grammar.get("contracted", "").split():
        pair, _, single = rule.partition("=")
        if pair == f"{last.casefold()}+{article}":
            single = single.capitalize() if last[0].isupper() else single
            return f"{start}{apostrophe}{single}{rest}"
    return f"{word} {article}{rest}"
