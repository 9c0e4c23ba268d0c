"""
Texts: subjects and parameters from which clients render sentences.

No sentence is on the log. An event has a `Text`, which names its subject. The server sends each
seat, in its language, the words of the subjects that the seat was just shown, and no others;
`render` puts the parameters into these words. A string parameter that is a subject is rendered as
its name.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

import attrs

from protocol.bounds import MAX_TEMPLATE
from protocol.common.templates import filled
from protocol.values import frozen

SubjectWords = Mapping[str, str]
"""The words of one subject in one language: a template for each field."""

Catalog = Mapping[str, SubjectWords]
"""The words of many subjects in one language, by subject."""

Lookup = Callable[[str], SubjectWords | None]
"""Function that returns the words of a subject; None if the subject has none."""

MARK = "product"
"""The field of a component's words that has the name of its product, which the loader adds."""

MAX_NESTED = 8
"""Maximum levels of nested texts; a deeper text is rendered as its subject."""
MAX_RENDERED = 2 * MAX_TEMPLATE
"""Maximum characters of one rendered text. A limit on depth is not enough: each text can name the
next text a thousand times."""
_CUT = "…"
"""Mark in place of the rest of a text that is longer than `MAX_RENDERED`."""


@frozen
class Text:
    """A text for people to read, given by its subject and parameters."""

    subject: str
    """Key of the text's words, such as `ask/evade` or `card/sprain`."""
    params: tuple["int | str | Text", ...] = ()
    """Values of `{0}`, `{1}` …: numbers, names (of a subject or a person) and texts."""
    field: str = "text"
    """Field of the subject's words: `text`, `name`, `full` …"""


_RULE = re.compile(r"(?:[A-Z]+-)+[0-9]+")


def rule_subject(rule: str) -> str:
    """Return the subject that explains a rule: `rule/turn-2` for the rule `TURN-2`."""
    return f"rule/{rule.lower()}"


def is_subject(string: str) -> bool:
    """
    Return whether a string may be a subject: it has a slash.

    Names of people have no slash, so a player cannot pose as a subject. The only subject without a
    slash is `language`, to which nothing refers.
    """
    return "/" in string


def subjects_in(strings: Iterable[str]) -> Iterator[str]:
    """Yield the subjects that strings may refer to. The id of a rule refers to the rule's words."""
    for string in strings:
        subject = subject_of(string)
        if subject is not None:
            yield subject


def subject_of(string: str) -> str | None:
    """Return the subject that a string may refer to (see `subjects_in`); None if there is none."""
    if "/" in string:
        return string
    # The hyphen is tested first: most strings are words or names, and the regex is slower.
    return rule_subject(string) if "-" in string and _RULE.fullmatch(string) else None


def strings_of(text: Text) -> Iterator[str]:
    """Yield all strings of a text and of the texts in it. Any of them may be a subject."""
    yield text.subject
    for param in text.params:
        if isinstance(param, Text):
            yield from strings_of(param)
        elif isinstance(param, str):
            yield param


def render(text: Text | str | int, lookup: Lookup) -> str:
    """
    Render a text, cut after `MAX_RENDERED` characters.

    The grammar of the language is in the fields of the subject `language`. A subject without words
    is rendered as its key in angle brackets: visible, and harmless.
    """
    rendered = _Rendering(lookup).render(text, MAX_NESTED)
    is_short = len(rendered) <= MAX_RENDERED
    return rendered if is_short else rendered[: MAX_RENDERED - len(_CUT)] + _CUT


@attrs.define
class _Rendering:
    """Renders one text. All words that it looks up count toward a budget, which bounds the work."""

    lookup: Lookup
    left: int = MAX_RENDERED
    """Number of characters left until the text is cut."""

    def render(self, text: Text | str | int, depth: int) -> str:
        if self.left <= 0:
            return _CUT
        if not isinstance(text, Text):
            return self._counted(self._name(text))
        words = self.lookup(text.subject)
        if words is None or text.field not in words or depth == 0:
            return self._counted(f"<{text.subject}>")
        return filled(
            self._counted(words[text.field]),
            text.params,
            lambda param: self.render(param, depth - 1),
            self.lookup("language"),
        )

    def _name(self, text: str | int) -> str:
        if isinstance(text, int):
            return str(text)
        words = self.lookup(text) if is_subject(text) else None
        return text if words is None else words.get("name", f"<{text}>")

    def _counted(self, text: str) -> str:
        # At least one, for empty templates.
        self.left -= max(1, len(text))
        return text
