"""Callers give their words all parameters, and every refusal has words."""

import ast
import functools
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import attrs
import pytest

from client.locale import LANGUAGES, load

ROOT: Final = Path(__file__).parents[2]
SPEAKING: Final = frozenset(
    {"say", "_say", "tell", "CannotDo", "UnreadableCommand", "BadValue", "NotKept", "tell_wrong"}
)
"""Calls whose first argument is a key, and whose other arguments are its parameters."""
_SLOT: Final = re.compile(r"\{(\d+)\b")
_CODE: Final = re.compile(
    "(account|answer|chat|invitation|limit|mail|notes|operator|proposal|review|rule|server|session"
    "|setup|standing|start|table)/[a-z_]+"
)

pytestmark = pytest.mark.issue(38)


def catalog(language: str) -> dict[str, str]:
    """Return all words of a language: of the client, its games, and the commands."""
    found = dict(load(language).templates)
    for path in ROOT.glob(f"*/usage/{language}.json"):
        words = json.loads(path.read_text("utf-8"))
        found |= {key: text for key, text in words.items() if isinstance(text, str)}
    return found


def sources(*folders: str) -> Iterator[tuple[Path, ast.Module]]:
    """Yield every module below some folders, parsed."""
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            yield path, ast.parse(path.read_text("utf-8"))


def slots(template: str) -> int:
    """Return the number of parameters of a template."""
    return max((int(number) + 1 for number in _SLOT.findall(template)), default=0)


def keys_of(
    node: ast.expr, words: Mapping[str, str], known: Mapping[str, list[ast.expr]]
) -> Iterator[set[str]]:
    """Yield sets of keys: the expression uses one of each set, so a single key is certain."""
    match node:
        case ast.Constant(value=str(key)):
            yield {key} & words.keys()
        case ast.IfExp():
            yield from keys_of(node.body, words, known)
            yield from keys_of(node.orelse, words, known)
        case ast.JoinedStr():
            # A slot of an f-string is one part of a key.
            pattern = "".join(
                re.escape(str(part.value)) if isinstance(part, ast.Constant) else "[a-z_]+"
                for part in node.values
            )
            yield {key for key in words if re.fullmatch(pattern, key)}
        case ast.Name(id=name):
            values = [value for value in known.get(name, ()) if not isinstance(value, ast.Name)]
            found = [keys for value in values for keys in keys_of(value, words, known)]
            # Which of several assignments holds cannot be seen.
            yield from found if len(values) == 1 else [set[str]().union(*found)]


@attrs.frozen
class Said:
    """A call that says something."""

    place: str
    key: ast.expr
    known: Mapping[str, list[ast.expr]]
    """What is assigned to each name in the function."""
    count: int
    """Number of parameters."""


def said(path: Path, tree: ast.Module) -> Iterator[Said]:
    """Yield every call that says something."""
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        known: dict[str, list[ast.expr]] = {}
        nodes = list(ast.walk(function))
        for node in nodes:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                known.setdefault(node.targets[0].id, []).append(node.value)
        for node in nodes:
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            is_open = any(isinstance(arg, ast.Starred) for arg in node.args)
            if name in SPEAKING and not is_open:
                place = f"{path.relative_to(ROOT)}:{node.lineno}"
                yield Said(place, node.args[0], known, len(node.args) - 1)


@functools.cache
def calls() -> list[Said]:
    """Return all calls that say something: they are the same for all languages."""
    modules = sources("client", "server", "commands")
    return [call for path, tree in modules for call in said(path, tree)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_callers_give_every_parameter_of_their_words(language: str) -> None:
    """A missing parameter would show a slot such as {1}."""
    words = catalog(language)
    checked, missing = 0, []
    for call in calls():
        for keys in filter(None, keys_of(call.key, words, call.known)):
            checked += 1
            if all(slots(words[key]) > call.count for key in keys):
                missing.append(f"{call.place}: {min(keys)}")

    # A template that the page itself fills in.
    assert [each for each in missing if not each.endswith(": page.event")] == []
    assert checked > 500


@functools.cache
def codes() -> set[str]:
    """Return the codes of a server's refusals, except those that state a reason."""
    found, explained = set[str](), set[str]()
    for _, tree in sources(
        "server/kernel", "server/lobby", "server/mail", "server/net", "server/admin"
    ):
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found |= {node.value} if _CODE.fullmatch(node.value) else set()
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Refused":
                first, *others = node.args
                if others and isinstance(first, ast.Constant):
                    explained.add(str(first.value))
    return found - explained


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_of_a_refusal_has_words(language: str) -> None:
    words = load(language).templates
    kinds = ("error", "refused", "cause")
    silent = [
        code
        for code in sorted(codes())
        if not any(f"{kind}.{code}" in words for kind in kinds)
        and f"refused.{code.partition('/')[0]}" not in words
    ]

    assert silent == []


def test_the_codes_are_found() -> None:
    assert len(codes()) > 100
