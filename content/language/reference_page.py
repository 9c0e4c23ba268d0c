"""
The reference of all keys of a pack: `docs/language/reference.md`, made from the schema.

    python -m content.games.second_edition.reference            write the page again
    python -m content.games.second_edition.reference --check    fail if it differs
"""

import argparse
import enum
import inspect
import sys
import types
import typing
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import attrs

from content.games.second_edition.reader_schema import SCHEMA
from content.games.second_edition.schema.effects import Amount, Step
from content.games.second_edition.schema.numbers import BUILT_IN
from content.games.second_edition.schema.requirements import Requirement
from content.games.second_edition.schema.targets import PLACES, Which, WhichMonsters, Who, Whom
from content.games.second_edition.sentences import WORDS
from content.language.json_schema import GIVEN, member_docs, sentence_on
from content.language.loader import FILE_CLASSES, LIST_FILES
from content.language.references import DECLARES, FREE, REFERS, SHARED
from content.reading.files import PACK_FILE
from content.reading.pack_file import PackFile
from content.reading.parts import Part, parts_of
from content.reading.typed import key_of

PAGE = Path(__file__).parents[3] / "docs" / "language" / "reference.md"

_INTRODUCTION = """\
# Reference

Every key that can stand in the files of a pack, with what may stand under it, what it is if it is
left out, and what it means. The chapters beside this page say it in order, with examples. This page
is made from the schema by `python -m content.games.second_edition.reference`.

A *number* is a whole number, a list of five, a mapping with `base:` and `each:`, or an expression,
as [Numbers](numbers.md) says. An *effect* is a list of [steps](#steps). A *text* is the subject of
words.
"""

_FAMILIES: Mapping[type, tuple[str, str]] = {
    Step: ("Steps", "What an effect is made of: each a mapping with one of these keys."),
    Requirement: (
        "Requirements",
        "Questions to the table: each a mapping with one of these keys, or a comparison.",
    ),
    Whom: ("Choices of investigators", "In place of a word of `Who`: a mapping with one key."),
    WhichMonsters: ("Choices of monsters", "In place of a word of `Which`."),
}


def page() -> str:
    """Return the page."""
    classes = list(_classes())
    lines = [_INTRODUCTION, "## Files", "", "| File | What stands in it |", "| --- | --- |"]
    for name, cls in {PACK_FILE: PackFile, **FILE_CLASSES}.items():
        shown = "scenarios/*.yaml" if name == "scenario.yaml" else name
        many = "a list of " if name in LIST_FILES else ""
        lines.append(f"| `{shown}` | {many}{_link(cls)} |")
    lines += ["| `words/LANGUAGE/*.yaml` | words by subject: a text, or `name:` and `text:` |", ""]
    lines += ["## Objects", ""]
    for cls in classes:
        if not issubclass(cls, enum.Enum) and not parts_of(cls) and not _is_part(cls):
            lines += _object(cls, "###")
    for family, (title, said) in _FAMILIES.items():
        lines += [f"## {title}", "", said, ""]
        for part in parts_of(family).values():
            lines += _part(part)
    lines += ["## Words", ""]
    for cls in classes:
        if issubclass(cls, enum.Enum):
            lines += _words(cls)
    lines += ["### Numbers with a name", "", "| Name | What it stands for |", "| --- | --- |"]
    lines += [f"| `{name}` | {_cell(said)} |" for name, said in BUILT_IN.items()]
    lines += ["", "### Words for a space", "", ", ".join(f"`{word}`" for word in sorted(PLACES))]
    return "\n".join(lines) + "\n"


def _is_part(cls: type) -> bool:
    return any(part.made is cls for family in _FAMILIES for part in parts_of(family).values())


def _classes() -> Iterator[type]:
    """Yield every class that can stand in a pack, in the order in which they are met."""
    seen: dict[type, None] = {}
    todo: list[type] = [PackFile, *FILE_CLASSES.values()]
    while todo:
        cls = todo.pop(0)
        if cls in seen or cls is Amount:
            continue
        seen[cls] = None
        if parts_of(cls):
            todo += [part.made for part in parts_of(cls).values()]
        elif attrs.has(cls):
            hints = typing.get_type_hints(cls)
            for field in attrs.fields(cls):
                if (cls, field.name) not in GIVEN:
                    todo += _named(hints[field.name])
    yield from seen


def _named(type_: Any) -> list[type]:
    """Return the classes of ours that a type is made of."""
    if arguments := typing.get_args(type_):
        return [inner for argument in arguments for inner in _named(argument)]
    is_ours = isinstance(type_, type) and (
        attrs.has(type_) or issubclass(type_, enum.Enum) or bool(parts_of(type_))
    )
    return [type_] if is_ours else []


def _object(cls: Any, level: str) -> list[str]:
    said = inspect.getdoc(cls) or ""
    lines = [f"{level} {cls.__name__}", "", _prose(said), ""]
    if (short := SCHEMA.short.get(cls)) is not None:
        lines += [f"The short form is what stands under `{short}` alone.", ""]
    return [*lines, *_table(cls)]


def _part(part: Part) -> list[str]:
    made: Any = part.made
    lines = [f"### `{part.key}`", "", _prose(inspect.getdoc(made) or ""), ""]
    if part.inline is not None:
        hint = typing.get_type_hints(made)[part.inline]
        return [*lines, f"Under it stands {_type(hint, (made, part.inline))}.", ""]
    return [*lines, *_table(made)]


def _table(cls: Any) -> list[str]:
    hints = typing.get_type_hints(cls)
    lines = ["| Key | Under it | Left out | Meaning |", "| --- | --- | --- | --- |"]
    for field in attrs.fields(cls):
        if (cls, field.name) not in GIVEN:
            said = _cell(sentence_on(cls, field.name) or "")
            under = _type(hints[field.name], (cls, field.name))
            lines.append(f"| `{key_of(field)}` | {under} | {_default(field)} | {said} |")
    return [*lines, ""]


def _words(cls: type[enum.Enum]) -> list[str]:
    lines = [f"### {cls.__name__}", "", _prose(inspect.getdoc(cls) or ""), ""]
    lines += ["| Word | Meaning |", "| --- | --- |"]
    lines += [f"| `{m.value}` | {_cell(_on_word(m) or '')} |" for m in cls]
    return [*lines, ""]


def _on_word(member: enum.Enum) -> str | None:
    """Return what a word means."""
    own = member_docs(type(member)).get(member.name)
    return own or WORDS.get(type(member).__name__, {}).get(str(member.value))


def silent() -> Iterator[str]:
    """Yield the keys and words of which no sentence says what they mean."""
    inline = {
        part.made for family in _FAMILIES for part in parts_of(family).values() if part.inline
    }
    for cls in _classes():
        made: Any = cls
        if issubclass(cls, enum.Enum):
            yield from (f"{cls.__name__}.{m.value}" for m in cls if not _on_word(m))
        elif parts_of(cls):
            yield from (
                f"{cls.__name__}.{key}"
                for key, part in parts_of(cls).items()
                if not inspect.getdoc(part.made)
            )
        elif cls not in inline:
            names = (f.name for f in attrs.fields(made) if (cls, f.name) not in GIVEN)
            yield from (f"{cls.__name__}.{n}" for n in names if not sentence_on(cls, n))


def _default(field: Any) -> str:
    default = field.default
    if default is attrs.NOTHING:
        return "needed"
    if isinstance(default, enum.Enum):
        return f"`{default.value}`"
    if isinstance(default, bool):
        return f"`{str(default).lower()}`"
    return f"`{default}`" if isinstance(default, int | str) and default != "" else ""


def _type(type_: Any, way: tuple[type, str]) -> str:
    """Return what may stand in a field, in words."""
    origin, arguments = typing.get_origin(type_), typing.get_args(type_)
    if origin in {typing.Union, types.UnionType}:
        inner = tuple(argument for argument in arguments if argument is not type(None))
        if inner == (int, Amount):
            return "a number"
        return " or ".join(_type(each, way) for each in inner)
    if origin is tuple:
        if arguments[0] is Step:
            return "an effect"
        return f"a list: each {_type(arguments[0], way)}"
    if origin is not None and issubclass(origin, Mapping):
        key = "a name" if arguments[0] is str else f"a word of {_link(arguments[0])}"
        return f"a mapping: {key} → {_type(arguments[1], way)}"
    if type_ is str:
        return _string(way)
    if type_ is bool:
        return "`true` or `false`"
    if type_ is int:
        low, high = SCHEMA.bounds_of(way)
        return f"{low} to {high}"
    return _link(type_)


def _string(way: tuple[type, str]) -> str:
    """Return what a string in a field is: what it names, what it brings into being, or a text."""
    free = ", ".join(f"`{word}`" for word in sorted(FREE.get(way, ())))
    if way in REFERS:
        kind = REFERS[way].value
        return f"{kind}{f'; or {free}' if free else ''}"
    declared = DECLARES.get(way) or SHARED.get(way)
    return f"a new {declared.value}" if declared is not None else "a word"


def _link(cls: type) -> str:
    if cls in _FAMILIES:
        title = _FAMILIES[cls][0]
        return f"one of [{title.lower()}](#{title.lower().replace(' ', '-')})"
    if cls is Amount:
        return "a number"
    name = "a word" if cls in {Who, Which} else cls.__name__
    return f"[{name}](#{cls.__name__.lower()})"


def _prose(text: str) -> str:
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def main(arguments: list[str] | None = None) -> int:
    """Write the page, or look whether it is current."""
    parser = argparse.ArgumentParser(prog="python -m content.games.second_edition.reference")
    parser.add_argument("--check", action="store_true", help="write nothing")
    if parser.parse_args(arguments).check:
        return 0 if PAGE.read_text("utf-8") == page() else 1
    PAGE.write_text(page(), "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
