"""What the server's own questions and messages name has words in the core pack."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from content import load_core

ROOT = Path(__file__).parents[2]
SUBJECT = re.compile(
    r"(?:about|ask|choice|compass|name|refusal|result|skill|story|told)/[a-z0-9_-]*"
)
"""A subject of rules; one that ends in `/` or `_` goes on with what the program adds."""


def subjects() -> Iterator[tuple[str, str]]:
    """Yield the subjects that stand in the rules, and where."""
    for file in sorted((ROOT / "server" / "rules").rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
                continue
            if SUBJECT.fullmatch(node.value):
                yield node.value, f"{file.relative_to(ROOT)}:{node.lineno}"


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_subject_of_rules_has_words(language: str) -> None:
    """Else people would be asked `<ask/evade>`."""
    words = load_core().catalogs[language]

    def is_worded(subject: str) -> bool:
        is_start = subject.endswith(("/", "_"))
        return any(w.startswith(subject) for w in words) if is_start else subject in words

    assert [f"{where}: {subject}" for subject, where in subjects() if not is_worded(subject)] == []
