"""
The reference page of a scenario language: every key of a pack, with the values it takes.

It is made from the classes of a game's schema, from the marks at their fields and from their
docstrings; the game brings an introduction and the titles of its families of parts.
"""

import enum
import inspect
import types
import typing
from collections.abc import Collection, Iterator, Mapping
from typing import Annotated, Any

import attrs

from content.language.sentences import Sentences
from content.reading.files import PACK_FILE
from content.reading.meanings import Declares, Marks, Names, find, is_implied, short_of
from content.reading.pack_file import PackFile
from content.reading.parts import Part, parts_of
from content.reading.schema import Schema
from content.reading.typed import key_of


@attrs.frozen
class Reference:
    """The parts of the page that a game writes itself."""

    introduction: str
    files: Mapping[str, type]
    """The class of each file."""
    lists: Collection[str]
    """The files that hold a list of their class."""
    shown: Mapping[str, str]
    """Names of files on the page, where they differ from the keys of `files`."""
    families: Mapping[type, tuple[str, str]]
    """The title of the chapter of each family of parts, and its first sentence."""
    phrases: Mapping[Any, str]
    """The phrase that describes a type: a class, the item of a list, or the members of a union."""
    links: Mapping[type, str]
    """The text of the link to a class, if it differs from the name of the class."""
    schema: Schema
    sentences: Sentences
    appendix: Collection[str]
    """Lines at the end of the page."""

    def page(self) -> str:
        """Return the page as Markdown."""
        classes = list(self._classes())
        lines = [self.introduction, "## Files", "", "| File | What stands in it |", "| --- | --- |"]
        for name, cls in {PACK_FILE: PackFile, **self.files}.items():
            many = "a list of " if name in self.lists else ""
            lines.append(f"| `{self.shown.get(name, name)}` | {many}{self._link(cls)} |")
        lines += ["| `words/LANGUAGE/*.yaml` | words by subject: a text, or `name:` and `text:` |"]
        lines += ["", "## Objects", ""]
        parts = {part.made for family in self.families for part in parts_of(family).values()}
        for cls in classes:
            if not issubclass(cls, enum.Enum) and not parts_of(cls) and cls not in parts:
                lines += self._object(cls)
        for family, (title, said) in self.families.items():
            lines += [f"## {title}", "", said, ""]
            for part in parts_of(family).values():
                lines += self._part(part)
        lines += ["## Words", ""]
        for cls in classes:
            if issubclass(cls, enum.Enum):
                lines += [f"### {cls.__name__}", "", _prose(inspect.getdoc(cls) or ""), ""]
                lines += ["| Word | Meaning |", "| --- | --- |"]
                lines += [
                    f"| `{m.value}` | {_cell(self.sentences.on_word(m) or '')} |" for m in cls
                ]
                lines += [""]
        return "\n".join([*lines, *self.appendix]) + "\n"

    def silent(self) -> Iterator[str]:
        """Yield the keys and words that have no documentation."""
        inline = {
            part.made
            for family in self.families
            for part in parts_of(family).values()
            if part.inline
        }
        for cls in self._classes():
            made: Any = cls
            name = cls.__name__
            if issubclass(cls, enum.Enum):
                yield from (f"{name}.{m.value}" for m in cls if not self.sentences.on_word(m))
            elif parts_of(cls):
                for key, part in parts_of(cls).items():
                    if not inspect.getdoc(part.made):
                        yield f"{name}.{key}"
            elif cls not in inline:
                for field in attrs.fields(made):
                    is_told = self.sentences.on_field(cls, field.name)
                    if not is_implied(cls, field.name) and not is_told:
                        yield f"{name}.{field.name}"

    def _classes(self) -> Iterator[type]:
        """Yield every class that packs can have, in the order of first use."""
        seen: dict[type, None] = {}
        waiting: list[type] = [PackFile, *self.files.values()]
        while waiting:
            cls = waiting.pop(0)
            # A class with a phrase of its own is explained in the introduction.
            if cls in seen or (cls in self.phrases and not parts_of(cls)):
                continue
            seen[cls] = None
            if parts_of(cls):
                waiting += [part.made for part in parts_of(cls).values()]
            elif attrs.has(cls):
                hints = typing.get_type_hints(cls)
                for field in attrs.fields(cls):
                    if not is_implied(cls, field.name):
                        waiting += _classes_in(hints[field.name])
        yield from seen

    def _object(self, cls: Any) -> list[str]:
        lines = [f"### {cls.__name__}", "", _prose(inspect.getdoc(cls) or ""), ""]
        if (short := short_of(cls)) is not None:
            lines += [f"The short form is what stands under `{short}` alone.", ""]
        return [*lines, *self._table(cls)]

    def _part(self, part: Part) -> list[str]:
        made: Any = part.made
        lines = [f"### `{part.key}`", "", _prose(inspect.getdoc(made) or ""), ""]
        if part.inline is not None:
            hint = typing.get_type_hints(made, include_extras=True)[part.inline]
            return [*lines, f"Under it stands {self._type(hint)}.", ""]
        return [*lines, *self._table(made)]

    def _table(self, cls: Any) -> list[str]:
        hints = typing.get_type_hints(cls, include_extras=True)
        lines = ["| Key | Under it | Left out | Meaning |", "| --- | --- | --- | --- |"]
        for field in attrs.fields(cls):
            if not is_implied(cls, field.name):
                said = _cell(self.sentences.on_field(cls, field.name) or "")
                under = self._type(hints[field.name])
                lines.append(f"| `{key_of(field)}` | {under} | {_default(field)} | {said} |")
        return [*lines, ""]

    def _type(self, type_: Any, marks: Marks = ()) -> str:
        """Return a description of the values that a field accepts."""
        origin, arguments = typing.get_origin(type_), typing.get_args(type_)
        if origin is Annotated:
            return self._type(arguments[0], (*arguments[1:], *marks))
        if origin in {typing.Union, types.UnionType}:
            inner = tuple(argument for argument in arguments if argument is not types.NoneType)
            if inner in self.phrases:
                return self.phrases[inner]
            return " or ".join(self._type(each, marks) for each in inner)
        if origin is tuple:
            # The phrase of a list is under a tuple, to tell it from the phrase of its items.
            if (arguments[0],) in self.phrases:
                return self.phrases[arguments[0],]
            return f"a list: each {self._type(arguments[0], marks)}"
        if origin is not None and issubclass(origin, Mapping):
            is_word = isinstance(arguments[0], type) and issubclass(arguments[0], enum.Enum)
            key = f"a word of {self._link(arguments[0])}" if is_word else "a name"
            return f"a mapping: {key} → {self._type(arguments[1], marks)}"
        if type_ is str:
            if (names := find(Names, marks)) is not None:
                free = ", ".join(f"`{word}`" for word in sorted(names.free))
                return f"{names.kind.value}{f'; or {free}' if free else ''}"
            declares = find(Declares, marks)
            return "a word" if declares is None else f"a new {declares.kind.value}"
        if type_ is bool:
            return "`true` or `false`"
        if type_ is int:
            low, high = self.schema.bounds_of(marks)
            return f"{low} to {high}"
        return self._link(type_)

    def _link(self, cls: type) -> str:
        if cls in self.families:
            title = self.families[cls][0]
            return f"one of [{title.lower()}](#{title.lower().replace(' ', '-')})"
        if cls in self.phrases:
            return self.phrases[cls]
        return f"[{self.links.get(cls, cls.__name__)}](#{cls.__name__.lower()})"


def _classes_in(type_: Any) -> list[type]:
    """Return the classes of the schema that occur in a type."""
    if arguments := typing.get_args(type_):
        return [inner for argument in arguments for inner in _classes_in(argument)]
    is_ours = isinstance(type_, type) and (
        attrs.has(type_) or issubclass(type_, enum.Enum) or bool(parts_of(type_))
    )
    return [type_] if is_ours else []


def _default(field: Any) -> str:
    default = field.default
    if default is attrs.NOTHING:
        return "needed"
    if isinstance(default, enum.Enum):
        return f"`{default.value}`"
    if isinstance(default, bool):
        return f"`{str(default).lower()}`"
    return f"`{default}`" if isinstance(default, int | str) and default != "" else ""


def _prose(text: str) -> str:
    return "\n\n".join(" ".join(part.split()) for part in text.split("\n\n"))


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
