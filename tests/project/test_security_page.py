"""docs/security.md names only existing tests, and one for each promise."""

import ast
import functools
import re
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = (ROOT / "docs" / "security.md").read_text("utf-8")

_NAMED: Final = re.compile(r"`([^`\s:]+\.py)::(\w+)`( \(long\))?")
_PROMISED: Final = re.compile(
    r"^\*\*Promised\*\*\n\n(.*?)^\*\*Not promised\*\*$", re.MULTILINE | re.DOTALL
)


@functools.cache
def collected(path: str) -> dict[str, bool]:
    """Return the tests that pytest collects from a file, and whether each is a long one."""
    file = ROOT / path
    is_collected = path.startswith("tests/") and file.name.startswith("test_") and file.is_file()
    tree = ast.parse(file.read_text("utf-8")) if is_collected else ast.Module([], [])
    marks = {
        node.name: [ast.unparse(decorator) for decorator in node.decorator_list]
        for node in tree.body
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
    }
    return {
        name: "pytest.mark.long" in decorators
        for name, decorators in marks.items()
        if not any(".skip" in decorator for decorator in decorators)
    }


def faults(text: str) -> list[str]:
    """Return the page's false statements about tests."""
    found = []
    for path, name, long in _NAMED.findall(text):
        there = collected(path)
        if name not in there:
            found.append(f"{path}::{name} is not collected")
        elif there[name] != bool(long):
            found.append(f"{path}::{name} is {'' if there[name] else 'not '}long")
    return found


def unproven(text: str) -> list[str]:
    """Return the beginnings of the page's promises that name no test."""
    promises = [
        f"**{promise}"
        for chapter in _PROMISED.findall(text)
        for promise in re.split(r"^- \*\*", chapter, flags=re.MULTILINE)[1:]
    ]
    return [promise[:60] for promise in promises if not _NAMED.search(promise)]


def test_every_test_that_is_named_is_collected() -> None:
    assert _NAMED.search(PAGE)
    assert faults(PAGE) == []


def test_every_promise_names_a_test() -> None:
    chapters = re.findall(r"^## .*", PAGE, re.MULTILINE)

    assert len(_PROMISED.findall(PAGE)) == len(chapters) - 1, "the last one promises nothing"
    assert unproven(PAGE) == []


HERE: Final = "tests/project/test_security_page.py"


@pytest.mark.parametrize(
    "named",
    [
        f"`{HERE}::test_that_nobody_wrote`",
        f"`{HERE}::faults`",
        f"`{HERE}::test_every_promise_names_a_test` (long)",
        "`tests/project/test_that_is_not_there.py::test_any`",
        "`tests/kit/tables/playing.py::test_any`",
    ],
)
def test_what_is_no_test_is_found(named: str) -> None:
    assert len(faults(f"- {named}\n")) == 1


def test_a_promise_without_a_test_is_found() -> None:
    shown = f"- **Shown.** Yes.\n  - `{HERE}::test_every_promise_names_a_test`\n"
    text = f"**Promised**\n\n{shown}- **Bold** words.\n{shown}\n**Not promised**\n"

    assert unproven(text) == ["**Bold** words.\n"]
