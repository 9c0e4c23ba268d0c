"""Subjects and rules named by the server's code have words in the core pack."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from content.plugs.packs import shared_words
from protocol.common.text import rule_subject
from tests.games.rulebook import catalogue
from tests.games.second_edition.rules.book import BOOK
from tests.games.second_edition.simulate import core

ROOT = Path(__file__).parents[4]
RULES = ROOT / "server" / "games" / "second_edition" / "rules"
SUBJECT = re.compile(
    r"(?:about|ask|choice|compass|name|refusal|result|skill|story|told)/[a-z0-9_-]*"
)
"""
Pattern of a subject in the source of the rules. The program completes a subject that ends in `/` or
`_`.
"""


RULE = re.compile(r"[A-Z]+-[0-9]+")
"""Pattern of the id of a rule. A whole string with an id is the rule of a question or refusal."""
LONGEST_NAME = 30
"""Maximum characters of a rule's name, which follows a reason on one line of a narrow terminal."""


def _strings(pattern: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    """Yield the strings in the rules that match a pattern, each with its place."""
    for file in sorted(RULES.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
                continue
            if pattern.fullmatch(node.value):
                yield node.value, f"{file.relative_to(ROOT)}:{node.lineno}"


def subjects() -> Iterator[tuple[str, str]]:
    """Yield the subjects that occur in the rules, each with its place."""
    return _strings(SUBJECT)


def rules_named() -> Iterator[tuple[str, str]]:
    """Yield the ids of rules that ask or refuse, each with its place."""
    return _strings(RULE)


def asked_by() -> set[str]:
    """Return the rules that ask, according to `questions.yaml`."""
    page = Path(__file__).parents[1] / "rules" / "questions.yaml"
    listed = yaml.safe_load(page.read_text("utf-8"))
    return {said.split()[0] for those in listed["questions"].values() for said in those}


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_subject_of_rules_has_words(language: str) -> None:
    """A subject without words would be shown to players as `<ask/evade>`."""
    words = {**shared_words()[language], **core().catalogs[language]}

    def is_worded(subject: str) -> bool:
        is_start = subject.endswith(("/", "_"))
        return any(w.startswith(subject) for w in words) if is_start else subject in words

    assert [f"{where}: {subject}" for subject, where in subjects() if not is_worded(subject)] == []


def test_what_asks_or_refuses_is_a_rule_that_there_is() -> None:
    """A question listed in `questions.yaml` names a rule that the code has too."""
    named = {rule for rule, _ in rules_named()}

    assert named <= catalogue.load(BOOK).keys()
    assert asked_by() <= named


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_rule_that_asks_or_refuses_is_explained(language: str) -> None:
    """Only rules that a player can meet are explained."""
    words = core().catalogs[language]
    explained = {subject for subject in words if subject.startswith("rule/")}

    assert explained == {rule_subject(rule) for rule, _ in rules_named()}
    assert {frozenset(words[subject]) for subject in explained} == {frozenset(["name", "text"])}


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_rules_name_is_short_and_its_own(language: str) -> None:
    """The name has to fit behind the reason of a refusal."""
    words = core().catalogs[language]
    names = [words[rule]["name"] for rule in words if rule.startswith("rule/")]

    assert [name for name in names if len(name) > LONGEST_NAME] == []
    assert len(set(names)) == len(names)
