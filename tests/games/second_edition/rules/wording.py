"""Wording: checks that every text of the rules has words, and that clients can rely on it.

The bench checks each question and event. Each text of the server's rules must be in the core pack
with all its parameters. A question must name an existing rule and be listed in `questions.yaml`
with its choices and refusals. A choice must point at a piece on the table.
"""

import fnmatch
import functools
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from protocol.common.asks import Point, RefusedChoice
from protocol.common.templates import placeholders
from protocol.common.text import Text
from protocol.games.second_edition.table import SecondEditionTable
from server.kernel.asks import Ask, Option, Prompt
from tests.games.rulebook.catalogue import load
from tests.games.second_edition.rules.book import BOOK
from tests.games.second_edition.simulate import core_words
from tests.kit import reading_yaml

OURS = ("about/", "ask/", "choice/", "name/", "refusal/", "result/", "stake/", "stakes/", "within/")
"""First parts of the subjects that rules name; all others come from content."""

QUESTIONS = Path(__file__).with_name("questions.yaml")


@functools.cache
def _words() -> Mapping[str, Mapping[str, str]]:
    return core_words()["en"]


@functools.cache
def _rules() -> frozenset[str]:
    return frozenset(load(BOOK))


def texts_in(thing: Any) -> Iterator[Text]:
    """Yield every text in an event or a question, nested ones included."""
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
    """Fail unless a text of our own has words that use all its parameters."""
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
    """Fail unless all texts of an event have words and its purpose of chance is listed."""
    for text in texts_in(happened):
        check_text(text)
    purpose = getattr(happened, "purpose", None)
    if purpose is not None:
        known = _listed()["purposes"]
        assert any(fnmatch.fnmatchcase(purpose, pattern) for pattern in known), purpose


def purpose(about: Text) -> Text:
    """Return the subject of a question, without the stakes around it."""
    if about.subject != "about/stakes":
        return about
    inner = about.params[0]
    assert isinstance(inner, Text)
    return inner


def check_ask(ask: Ask[Any], table: SecondEditionTable) -> None:
    """Fail unless a question has words, is listed, and names an existing rule."""
    assert ask.rule in _rules(), f"{ask.rule} is no rule"
    check_event(ask.about)
    for prompt in ask.prompts.values():
        check_event((prompt.prompt, prompt.refused))
        for refused in prompt.refused:
            _check_refused(refused)
        about = purpose(ask.about).subject
        if about.startswith(OURS):
            said = _described(ask, prompt)
            assert said in _listed()["questions"].get(about, ()), (ask.about, said)
        for option in prompt.options:
            check_event((option.text,))
            _check_option(option, table)
            # What leaves everything as it is stands last, and ends what is asked.
            assert option.ends or option.group != "rest", option.text


@functools.cache
def _listed() -> Mapping[str, Any]:
    listed: Mapping[str, Any] = reading_yaml.safe(QUESTIONS.read_text("utf-8"))
    return listed


def _described(ask: Ask[Any], prompt: Prompt[Any]) -> str:
    words = [ask.rule, prompt.prompt.subject, ask.settle.value]
    words += ["ordered"] if prompt.is_ordered else []
    words += ["repeats"] if prompt.can_repeat else []
    return " ".join([*words, *(["default"] if prompt.default is not None else [])])


def _check_refused(refused: RefusedChoice) -> None:
    assert refused.rule in _rules(), f"{refused.rule} is no rule"
    said = f"{refused.rule} {refused.reason.subject}"
    subject = _choice(refused.text)
    assert said in _listed()["refusals"].get(subject, ()), (subject, said)


def _choice(text: Text) -> str:
    """Return the key under which `questions.yaml` lists a choice."""
    return text.subject if text.subject.startswith(OURS) else "content"


def _check_option(option: Option[Any], table: SecondEditionTable) -> None:
    kinds = " ".join(dict.fromkeys(point.kind for point in option.points))
    subject = _choice(option.text)
    said = f"{option.group or '-'}: {kinds or '-'}"
    assert said in _listed()["choices"].get(subject, ()), (option.text, said)
    for point in option.points:
        assert point.piece in _pieces(table, point), f"{point} is not on the table"


def _pieces(table: SecondEditionTable, point: Point) -> Sequence[str]:
    """Return the existing pieces of the kind that a choice points at."""
    people = table.investigators.values()
    if point.kind == "card":
        up = [card.handle for who in people for cards in who.faceup.values() for card in cards]
        return [*up, *(handle for pile in table.piles.values() for handle in pile)]
    if point.kind == "possession":
        cards = [card for who in people for card in who.possessions]
        cards += [card for lying in table.lying.values() for card in lying]
        return [card.possession_id for card in cards]
    if point.kind in {"die", "piece"}:
        return [str(number) for number in range(100)]
    places: Mapping[str, Mapping[str, Any]] = {
        "space": table.map.rooms,
        "door": table.map.doors,
        "investigator": table.investigators,
        "monster": table.monsters,
        "token": table.tokens,
        "feature": table.features,
    }
    return tuple(places[point.kind])
