"""Subjects and rules named by the server's code have words in the core pack, in both languages."""

import ast
import functools
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from content.games.cards.schema.kinds import Deed, Slot
from content.games.cards.schema.occurrences import Happening, Moment
from content.plugs.packs import shared_words
from protocol.common.templates import placeholders
from protocol.common.text import rule_subject
from protocol.games.cards.words import SPECIAL, Skill, Trauma, token_name
from server.games.cards.rules.skill_tests import MOST_PARTS
from tests.games.cards.simulate import core

ROOT = Path(__file__).parents[4]
RULES = ROOT / "server" / "games" / "cards"
FAMILIES = (
    *("ask", "choice", "about", "happening", "window", "refused", "refusal", "notice", "result"),
    *("slot", "skill", "chaos", "level", "score"),
)
SUBJECT = re.compile(rf"(?:{'|'.join(FAMILIES)})/[a-z0-9_-]*")
RULE = re.compile(r"C-[A-Z]+-[0-9]+")
"""A whole string with the id of a rule is the rule of a question or a refusal."""
LONGEST_NAME = 30
"""Maximum characters of a rule's name, which follows a reason on one line of a narrow terminal."""


def _trees() -> Iterator[ast.AST]:
    for file in sorted(RULES.rglob("*.py")):
        yield ast.parse(file.read_text(encoding="utf-8"))


@functools.cache
def refusals() -> dict[str, str]:
    """Return the second words of pairs such as `"C-COST-2", "resources"`, with the first."""
    pairs = (
        [one.value for one in node.elts if isinstance(one, ast.Constant)]
        for tree in _trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Tuple)
    )
    return {
        str(pair[1]): str(pair[0])
        for pair in pairs
        if len(pair) == 2 and RULE.fullmatch(str(pair[0])) and isinstance(pair[1], str)
    }


@functools.cache
def windows() -> set[str]:
    """Return the names with which `player_window` is called."""
    return {
        str(node.args[1].value)
        for tree in _trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and getattr(node.func, "attr", "") == "player_window"
        and isinstance(node.args[1], ast.Constant)
    }


@functools.cache
def composed() -> Mapping[str, set[str]]:
    """Return the ends of the subjects that the rules compose, by their beginning."""
    return {
        "happening/": {one.value for one in Happening},
        "window/": windows(),
        "refused/": set(refusals()),
        "slot/": {one.value for one in Slot},
        "skill/": {one.value for one in Skill},
        "level/": {"easy", "standard", "hard", "expert"},
        "about/value_": {str(number) for number in range(MOST_PARTS + 2)},
        "choice/trauma-": {one.value for one in Trauma},
        "ask/": {"damage", "horror"},
        "ask/one_": {"damage", "horror"},
        "choice/own_": {"damage", "horror"},
        "choice/more_": {"damage", "horror"},
        "ask/shared_": {"damage", "horror"},
        "choice/all_": {"damage", "horror"},
        "choice/own_all_": {"damage", "horror"},
        "choice/shared_": {"damage", "horror"},
        "price/": {"damage", "horror"},
        "choice/": {
            *("damage", "horror"),
            *(one.value for one in Deed if one not in (Deed.ACTIVATE, Deed.PARLEY, Deed.RESIGN)),
        },
    }


@functools.cache
def subjects() -> set[str]:
    """Return every subject that the rules name, or compose."""
    found = {token_name(token) for token in SPECIAL}
    for tree in _trees():
        parts = {
            id(part)
            for node in ast.walk(tree)
            if isinstance(node, ast.JoinedStr)
            for part in node.values
        }
        for node in ast.walk(tree):
            if isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
                start = str(node.values[0].value)
                if SUBJECT.fullmatch(start):
                    found |= {start + end for end in composed()[start]}
            elif (
                isinstance(node, ast.Constant)
                and id(node) not in parts
                and SUBJECT.fullmatch(str(node.value))
            ):
                found.add(str(node.value))
    return found


@functools.cache
def rules_named() -> set[str]:
    """Return the ids of the rules that ask or refuse."""
    return {
        node.value
        for tree in _trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and RULE.fullmatch(node.value)
    }


def words(language: str) -> Mapping[str, Mapping[str, str]]:
    return {**shared_words()[language], **core().catalogs[language]}


@pytest.mark.parametrize("language", ["en", "fr"])
def test_no_two_cards_share_a_name_but_the_faces_of_one(language: str) -> None:
    names: dict[str, list[str]] = {}
    for subject, forms in core().catalogs[language].items():
        if subject.startswith("card/") and "name" in forms:
            names.setdefault(forms["name"], []).append(subject.removesuffix("-seen"))
    shared = {name: found for name, found in names.items() if len(set(found)) > 1}
    assert shared == {}


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_subject_of_the_rules_has_words(language: str) -> None:
    """A subject without words would be shown to players as `<ask/window>`."""
    named = subjects()

    assert len(named) > 150
    assert named - words(language).keys() == set()


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_kind_of_window_has_a_name_for_standing_passes(language: str) -> None:
    answers = {f"{moment.value}/{one.value}" for moment in Moment for one in Happening}
    kinds = answers | {f"window/{name}" for name in (*windows(), "commit")}

    found = words(language)
    assert {kind for kind in kinds if "name" not in found.get(kind, {})} == set()
    assert len({found[kind]["name"] for kind in kinds}) == len(kinds)


def test_both_languages_use_the_same_parameters() -> None:
    english, french = (core().catalogs[language] for language in ("en", "fr"))

    assert english.keys() == french.keys()
    assert {
        subject
        for subject, fields in english.items()
        if {name: placeholders(text) for name, text in fields.items()}
        != {name: placeholders(text) for name, text in french[subject].items()}
    } == set()


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_rule_that_asks_or_refuses_is_explained(language: str) -> None:
    found = core().catalogs[language]
    explained = {subject for subject in found if subject.startswith("rule/")}

    assert {rule_subject(rule) for rule in rules_named()} - explained == set()
    assert {frozenset(found[subject]) for subject in explained} == {frozenset(["name", "text"])}


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_rules_name_is_short_and_its_own(language: str) -> None:
    """The name has to fit behind the reason of a refusal."""
    found = core().catalogs[language]
    names = [found[rule]["name"] for rule in found if rule.startswith("rule/")]

    assert [name for name in names if len(name) > LONGEST_NAME] == []
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_refusal_does_not_say_in_its_reason_what_the_name_of_its_rule_says(language: str) -> None:
    """The name stands behind the reason: “A copy is in play (Unique)”."""
    found, shown = words(language), {**refusals(), "most_committed": "C-BTEST-19"}
    # Cards that are refused for these reasons are not listed.
    del shown["skill"], shown["moment"]

    def stems(said: str) -> set[str]:
        return {word[:4] for word in re.findall(r"\w{4,}", said.casefold())}

    same = {
        reason: stems(found[f"refused/{reason}"]["text"]) & stems(found[rule_subject(rule)]["name"])
        for reason, rule in shown.items()
    }
    assert [reason for reason in same if same[reason]] == []


@pytest.mark.parametrize("language", ["en", "fr"])
def test_the_two_windows_of_a_test_are_told_apart_from_their_first_words(language: str) -> None:
    before, last = (
        words(language)[f"ask/window_{name}"]["text"].partition("{0}")[0]
        for name in ("before", "token")
    )
    assert before
    assert last
    assert before != last
