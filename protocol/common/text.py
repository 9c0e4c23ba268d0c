"""
Texts: what people read, as subjects and parameters.

No sentence is on the log. An event carries a `Text`; the server sends, in each seat's language,
the words of every subject that the seat has just been shown, and no others; `render` joins the
two. A plain string parameter that is a subject of its own stands for its name.
"""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

import attrs

Words = Mapping[str, str]
"""The words of one subject in one language: field -> template."""

Catalog = Mapping[str, Words]
"""The words of many subjects in one language, by subject."""

Lookup = Callable[[str], Words | None]
"""Finds the words of a subject, or None."""

MAX_NESTED = 8
"""How deep texts may stand in texts; deeper ones are cut off when rendered."""


@attrs.frozen
class Text:
    """Something to read."""

    subject: str
    """What it is about, such as `ask/evade` or `card/sprain`; a key of the words sent along."""
    params: tuple["int | str | Text", ...] = ()
    """What stands at `{0}`, `{1}` …: numbers, names (a subject or a person's own) and texts."""
    field: str = "text"
    """Which of the subject's words: `text`, `name`, `full` …"""


_RULE = re.compile(r"[A-Z]+-[0-9]+")


def rule_subject(rule: str) -> str:
    """Return the subject whose words explain a rule, by the rule's id: `TURN-2`, `rule/turn-2`."""
    return f"rule/{rule.lower()}"


def is_subject(string: str) -> bool:
    """
    Return whether a text string may be a subject: whether it has a slash.

    People's names have none, so nobody can be taken for a subject. The subject `language` alone has
    none either; it belongs to all words and is named by nothing.
    """
    return "/" in string


def subjects_in(strings: Iterable[str]) -> Iterator[str]:
    """Yield the subjects that strings may stand for: each itself, and a rule's id for its words."""
    for string in strings:
        if is_subject(string):
            yield string
        elif _RULE.fullmatch(string):
            yield rule_subject(string)


def strings_of(text: Text) -> Iterator[str]:
    """Yield the strings of a text and of those in it: what may be subjects."""
    yield text.subject
    for param in text.params:
        if isinstance(param, Text):
            yield from strings_of(param)
        elif isinstance(param, str):
            yield param


_VOWELS = "aeiou"

_SLOT = re.compile(r"\{(\d+)(?:\|([^{}|]*)\|([^{}|]*))?\}")


def render(text: Text | str | int, lookup: Lookup, *, depth: int = MAX_NESTED) -> str:
    """
    Return a text in words.

    `{0}` is replaced by the parameter; `{0|die|dice}` by the first form if the parameter is 0 or
    1 in French or 1 in English (the catalog says which, by its own field `plural`: see
    `is_one`), else by the second. What has no words is shown as its key in angle brackets, so
    that a missing text is seen and harms nothing.
    """
    if isinstance(text, int):
        return str(text)
    if isinstance(text, str):
        words = lookup(text) if is_subject(text) else None
        return text if words is None else words.get("name", f"<{text}>")
    words = lookup(text.subject)
    if words is None or text.field not in words or depth == 0:
        return f"<{text.subject}>"

    def fill(match: re.Match[str]) -> str:
        index = int(match[1])
        if index >= len(text.params):
            return match[0]
        param = text.params[index]
        if match[2] is not None and isinstance(param, int):
            return match[2] if is_one(param, lookup) else match[3]
        return render(param, lookup, depth=depth - 1)

    return filled(words[text.field], _SLOT, fill, _elided(lookup))


def filled(
    template: str,
    slot: re.Pattern[str],
    fill: Callable[[re.Match[str]], str],
    elided: Collection[str] = (),
) -> str:
    """
    Return a template with what stands in its slots.

    Args:
        template: the words.
        slot: what a slot looks like.
        fill: says what stands in one.
        elided: words that lose their last letter to an apostrophe before a vowel, as the French
            `de` does before Ada. Only where the vowel comes from a slot: the rest is written so.
    """
    if not elided:
        return slot.sub(fill, template)
    parts, at = [], 0
    for match in slot.finditer(template):
        value = fill(match)
        parts += [_elide(template[at : match.start()], value, elided), value]
        at = match.end()
    return "".join(parts) + template[at:]


def _elide(before: str, value: str, elided: Collection[str]) -> str:
    word = before[:-1].rpartition(" ")[2] if before.endswith(" ") else ""
    first = unicodedata.normalize("NFD", value[:1])[:1].casefold()
    if first not in _VOWELS or not first or word.casefold() not in elided:
        return before
    return f"{before[:-2]}’"


def _elided(lookup: Lookup) -> tuple[str, ...]:
    language = lookup("language")
    return () if language is None else tuple(language.get("elided", "").split())


def is_one(number: int, lookup: Lookup) -> bool:
    """Return whether a number takes the singular in the language of these words."""
    language = lookup("language")
    zero_is_one = language is not None and language.get("zero") == "one"
    return number == 1 or (zero_is_one and number == 0)


def placeholders(template: str) -> tuple[str, ...]:
    """Return the parameter numbers that a template uses, ascending and without repeats."""
    return tuple(sorted({match[1] for match in _SLOT.finditer(template)}))
