"""French typography is correct in every file with French words."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
FILES = sorted(
    path.relative_to(ROOT).as_posix()
    for pattern in (
        "client/**/locale/fr.json",
        "*/usage/*fr.json",
        "content/**/words/fr/*.yaml",
    )
    for path in ROOT.glob(pattern)
)

FAULTS = {
    "a straight apostrophe": r"\w'\w",
    "straight quotation marks": r'"',
    "three full stops for one sign": r"\w\.\.\.",
    "a sign that may begin a line": r" [:;!?»]|« ",
    "no space before a sign": r"[^\s;!?.…(][;!?»](?=\s|$)|[^\s]:(?=\s|$)|[^\s(]»",
    "no space within quotation marks": r"«\S",
    "a space of another width": "[\u2000-\u200b\u202f\u3000]",
    "a space too many": r"\u00a0[ \u00a0]| \u00a0|(?<=[^\s}])  +(?=[^\s{])",
}
"""Patterns of mistakes, by name. Two spaces may set off a slot, as in a row of keys."""


def _texts(node: object) -> Iterator[str]:
    """Yield every text of a catalog, however deep it lies."""
    if isinstance(node, str):
        yield node
    elif isinstance(node, dict):
        for inner in node.values():
            yield from _texts(inner)


def _faults(text: str) -> Iterator[str]:
    """Yield what is wrong with a text, with the words around it; code is exempt."""
    prose = re.sub(r"`[^`]*`", "code", text)
    for fault, looks in FAULTS.items():
        for match in re.finditer(looks, prose):
            yield f"{fault}: {prose[max(0, match.start() - 20) : match.end() + 20]!r}"


@pytest.mark.parametrize("name", FILES)
def test_french_is_set_as_french_is(name: str) -> None:
    source = (ROOT / name).read_text("utf-8")
    catalog = json.loads(source) if name.endswith(".json") else yaml.safe_load(source)

    assert [fault for text in _texts(catalog) for fault in _faults(text)] == []


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("L’eau monte\u00a0: «\u00a0Qui va là\u00a0?\u00a0»", 0),
        ("{key.yes}\u00a0: oui   {key.no}\u00a0: non", 0),
        ("Lancez `manse play: '…'`, sur hôte:port", 0),
        ("L'eau", 1),
        ("Attendez...", 1),
        ("L’eau monte : encore", 1),
        ("Qui va là?", 1),
        ("«Oui\u00a0»", 1),
        ("Oui\u202f!", 1),
        ("Un  mot", 1),
    ],
)
def test_each_fault_is_seen(text: str, faults: int) -> None:
    assert len([*_faults(text)]) == faults
