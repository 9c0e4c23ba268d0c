"""
Wording: whether what rules say can be put into words.

The bench looks at each question and each event: what the server's own rules name must be in the
core pack, with all that its sentence speaks of, and a question must name a rule that there is.
"""

import functools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs

from content import load_core
from protocol.common.text import Text, placeholders
from server.kernel.asks import Ask
from tests.rules.catalogue import DATA, read

OURS = ("about/", "ask/", "choice/", "name/", "refusal/", "result/")
"""How the subjects begin that rules name; all others come from content."""

GROUPS = {"", "move", "look", "fight", "use", "rest"}
"""What a choice can be sorted under. See `protocol.common.asks.Choice`."""


@functools.cache
def _words() -> Mapping[str, Mapping[str, str]]:
    return load_core().catalogs["en"]


@functools.cache
def _rules() -> frozenset[str]:
    return frozenset(read(DATA.read_text("utf-8")))


def texts_in(thing: Any) -> Iterator[Text]:
    """Yield every text in an event or a question, those inside others too."""
    if isinstance(thing, Text):
        yield thing
        yield from texts_in(thing.params)
    elif isinstance(thing, Mapping):
        yield from texts_in(tuple(thing.values()))
    elif isinstance(thing, Sequence) and not isinstance(thing, str | bytes):
        for part in thing:
            yield from texts_in(part)
    elif attrs.has(type(thing)):
        for field in attrs.fields(type(thing)):
            yield from texts_in(getattr(thing, field.name, None))


def check_text(text: Text) -> None:
    """Fail unless a text of ours has words, and something for each of their places."""
    if not text.subject.startswith(OURS):
        assert text.subject == text.subject.lower(), text
        assert "/" in text.subject, text
        return
    words = _words().get(text.subject)
    assert words is not None, f"{text.subject} has no words"
    assert text.field in words, f"{text.subject} has no {text.field}"
    wanted = [int(number) for number in placeholders(words[text.field])]
    assert max(wanted, default=-1) < len(text.params), f"{text} lacks what its words speak of"
    assert None not in text.params, text


def check_event(happened: object) -> None:
    """Fail unless all that an event says can be put into words."""
    for text in texts_in(happened):
        check_text(text)


def check_ask(ask: Ask[Any]) -> None:
    """Fail unless a question can be read, and is about a rule that there is."""
    assert ask.rule in _rules(), f"{ask.rule} is no rule"
    check_event(ask.about)
    for prompt in ask.prompts.values():
        check_event((prompt.prompt, prompt.refused))
        assert {refused.rule for refused in prompt.refused} <= _rules(), prompt.refused
        for option in prompt.options:
            check_event((option.text,))
            assert option.group in GROUPS, option
