"""Examples of the scenario language handbook load as parts of the tiny pack.

A block that begins with ```yaml holds keys of a scenario. They are added to the tiny pack's
scenario: lists and mappings are extended, other values replaced. A block with a file name (```yaml
items.yaml) is added to that file instead. Missing words are made up. A page whose examples build on
one another has a test module of its own.
"""

import re
import textwrap
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import attrs
import pytest
import yaml

from content.games.second_edition.lint import lint
from content.games.second_edition.schema.effects import Step
from content.games.second_edition.schema.requirements import Requirement
from content.games.second_edition.schema.scenario import Moment
from content.reading.names import SUBJECT
from content.reading.parts import parts_of
from tests.games.second_edition.content.packs import FILES, load, mistakes_in
from tests.kit import reading_yaml

PAGES: Final = sorted((Path(__file__).parents[4] / "docs" / "language").glob("*.md"))
TOGETHER: Final = frozenset(["pack.md"])
"""Pages whose examples together form one pack."""
SCENARIO: Final = "scenarios/cellar.yaml"
_BLOCK: Final = re.compile(r"^```yaml([^\n]*)\n(.*?)^```", re.MULTILINE | re.DOTALL)


@attrs.frozen
class Example:
    """Fenced block of the handbook."""

    page: str
    line: int
    file: str
    """File of the pack to which the example is added."""
    text: str

    @property
    def name(self) -> str:
        return f"{self.page}:{self.line}"


AUTHORING: Final = PAGES[0].parents[1] / "authoring.md"
_INDENTED: Final = re.compile(r"^  ```yaml scenario\n(.*?)^  ```", re.MULTILINE | re.DOTALL)


def examples() -> Iterator[Example]:
    """Yield the examples of the handbook, and those about words on the page for authors."""
    text = AUTHORING.read_text("utf-8")
    for found in _INDENTED.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        yield Example(AUTHORING.name, line, SCENARIO, textwrap.dedent(found.group(1)))
    for page in PAGES:
        if page.name in TOGETHER:
            continue
        text = page.read_text("utf-8")
        for found in _BLOCK.finditer(text):
            line = text.count("\n", 0, found.start()) + 1
            yield Example(page.name, line, found.group(1).strip() or SCENARIO, found.group(2))


class _Dumper(yaml.SafeDumper):
    """YAML dumper that writes text of several lines, such as drawings, as blocks."""

    def ignore_aliases(self, _data: Any) -> bool:
        """Disable aliases: repeated values are written twice."""
        return True


def _text(dumper: yaml.SafeDumper, data: str) -> yaml.ScalarNode:
    style = "|" if "\n" in data else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", data, style=style)


_Dumper.add_representer(str, _text)
_Dumper.yaml_implicit_resolvers = {}


def _read(text: str) -> Any:
    """Return the value of a YAML file with every scalar as text, as the loader reads it."""
    return reading_yaml.texts(text)


def merged(old: Any, new: Any) -> Any:
    """Return the value of a file with that of an example merged in."""
    if isinstance(old, dict) and isinstance(new, dict):
        return {**old, **{key: merged(old.get(key), value) for key, value in new.items()}}
    if isinstance(old, list) and isinstance(new, list):
        return [*old, *new]
    return new


def with_example(example: Example) -> dict[str, bytes]:
    """Return the files of the tiny pack with an example merged in."""
    added = _read(example.text)
    old = _read(FILES[example.file].decode()) if example.file in FILES else None
    text = yaml.dump(merged(old, added), Dumper=_Dumper, sort_keys=False, allow_unicode=True)
    files = {**FILES, example.file: text.encode()}
    subjects = sorted({word for word in _strings(added) if SUBJECT.fullmatch(word)})
    for language in ("en", "fr"):
        known = _read(FILES[f"words/{language}/words.yaml"].decode())
        made_up = [s for s in subjects if s not in known] or ["made/up"]
        lines = (f"{subject}: {{name: Made up, text: Made up.}}\n" for subject in made_up)
        files[f"words/{language}/made-up.yaml"] = "".join(lines).encode()
    return files


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _strings(key)
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)


@pytest.mark.parametrize("example", list(examples()), ids=lambda example: str(example.name))
def test_each_example_of_the_docs_loads(example: Example) -> None:
    files = with_example(example)

    assert [str(mistake) for mistake in mistakes_in(files)] == []
    lint(load(files))


def test_mistake_in_an_example_is_found() -> None:
    wrong = Example("x.md", 1, SCENARIO, "effects:\n  a:\n    - sufer: {damage: 1}\n")

    (told,) = mistakes_in(with_example(wrong))

    assert "did you mean 'suffer'?" in told.reason


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.name))
def test_chapter_is_led_to(page: Path) -> None:
    """The first page of the handbook links to every other page."""
    first = (page.parent / "README.md").read_text("utf-8")

    assert page.name == "README.md" or f"]({page.name})" in first


def test_everything_that_can_be_said_has_an_example() -> None:
    """Each step, requirement and moment occurs in at least one block of the handbook."""
    blocks = "".join(
        found.group(2) for page in PAGES for found in _BLOCK.finditer(page.read_text("utf-8"))
    )
    keys = {key for family in (Step, Requirement) for key in parts_of(family)}

    missing = {key for key in keys if not re.search(rf"\b{key}:", blocks)}
    missing |= {moment.value for moment in Moment if f"on: {moment.value}" not in blocks}

    assert missing == set()
