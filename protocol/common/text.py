"""
Texts: what people read, as subjects and parameters.

No sentence is on the log. An event carries a `Text`; the server sends, in each seat's language,
the words of every subject that the seat has just been shown, and no others; `render` joins the
two. A plain string parameter that is a subject of its own stands for its name.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from protocol.common.templates import filled
from protocol.values import frozen

SubjectWords = Mapping[str, str]
"""The words of one subject in one language: field -> template."""

Catalog = Mapping[str, SubjectWords]
"""The words of many subjects in one language, by subject."""

Lookup = Callable[[str], SubjectWords | None]
"""Finds the words of a subject, or None."""

MAX_NESTED = 8
"""How deep texts may stand in texts; deeper ones are cut off when rendered."""


@frozen
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
        subject = subject_of(string)
        if subject is not None:
            yield subject


def subject_of(string: str) -> str | None:
    """Return the subject that a string may stand for, as above; None for none."""
    if "/" in string:
        return string
    # What a rule's id must have is looked for first: most strings are a word or a name.
    return rule_subject(string) if "-" in string and _RULE.fullmatch(string) else None


def strings_of(text: Text) -> Iterator[str]:
    """Yield the strings of a text and of those in it: what may be subjects."""
    yield text.subject
    for param in text.params:
        if isinstance(param, Text):
            yield from strings_of(param)
        elif isinstance(param, str):
            yield param


def render(text: Text | str | int, lookup: Lookup, *, depth: int = MAX_NESTED) -> str:
    """
    Return a text in words.

    Its template is filled by the grammar of the language, the fields of the subject `language`.
    What has no words is shown as its key in angle brackets, so that a missing text is seen and
    harms nothing.
    """
    if isinstance(text, int):
        return str(text)
    if isinstance(text, str):
        words = lookup(text) if is_subject(text) else None
        return text if words is None else words.get("name", f"<{text}>")
    words = lookup(text.subject)
    if words is None or text.field not in words or depth == 0:
        return f"<{text.subject}>"
    return filled(
        words[text.field],
        text.params,
        lambda param: render(param, lookup, depth=depth - 1),
        lookup("language"),
    )
