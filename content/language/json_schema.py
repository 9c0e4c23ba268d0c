"""
JSON Schemas of the files of a pack, for editors that complete and check YAML while one writes.

They say which keys there are, what may stand under them and what that means. Whether what is named
exists is for `manse content check` to say. Made from the classes of
`content.games.second_edition.schema` and their docstrings; `shared.schema.json` holds
what they share.

    python -m content.language.json_schema            write the files again
    python -m content.language.json_schema --check    fail if one differs
"""

import argparse
import ast
import enum
import functools
import inspect
import itertools
import json
import sys
import textwrap
import types
import typing
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import attrs

from content.games.second_edition.reader_schema import SCHEMA
from content.games.second_edition.schema.cards import HarmCard
from content.games.second_edition.schema.effects import Amount
from content.games.second_edition.schema.requirements import Requirement
from content.games.second_edition.sentences import SENTENCES
from content.language.loader import FILE_CLASSES, LIST_FILES
from content.reading.files import PACK_FILE
from content.reading.pack_file import PackFile
from content.reading.parts import parts_of
from content.reading.typed import key_of

FOLDER = Path(__file__).parent / "editors"
SHARED = "shared.schema.json"
_DIALECT = "http://json-schema.org/draft-07/schema#"
GIVEN = {(HarmCard, "harm")}
"""Fields that the file implies; they are not written."""

Schema = dict[str, Any]


def files() -> dict[str, str]:
    """Return every schema file by its name, as text."""
    made = _Maker()
    found: dict[str, Schema] = {}
    for name, cls in {PACK_FILE: PackFile, **FILE_CLASSES}.items():
        body: Schema = {"$ref": f"{SHARED}#/definitions/{made.define(cls)}"}
        if name in LIST_FILES:
            body = {"type": "array", "items": body}
        found[name.replace(".yaml", ".schema.json")] = _titled(name, body)
    found["words.schema.json"] = _titled("words/<language>/<name>.yaml", _words())
    found[SHARED] = {"$schema": _DIALECT, "definitions": dict(sorted(made.definitions.items()))}
    return {
        name: json.dumps(schema, indent=1, ensure_ascii=False) + "\n"
        for name, schema in sorted(found.items())
    }


def _titled(name: str, body: Schema) -> Schema:
    return {"$schema": _DIALECT, "title": f"{name} of a pack of Manse", **body}


def _words() -> Schema:
    text = {"type": ["string", "number", "boolean"]}
    fields = {"type": "object", "additionalProperties": text, "propertyNames": {"pattern": _WORD}}
    return {
        "type": "object",
        "additionalProperties": {"anyOf": [text, fields]},
        "description": "Words by subject: a text, or fields such as name and text.",
    }


_WORD = "^[a-z0-9][a-z0-9_-]*$"


class _Maker:
    """Collects the definitions that are needed."""

    def __init__(self) -> None:
        self.definitions: dict[str, Schema] = {}
        self._names: dict[type, str] = {}

    def define(self, cls: Any) -> str:
        """Return the name under which a class is defined."""
        if cls not in self._names:
            name = self._names[cls] = self._free_name(cls)
            self.definitions[name] = {}
            self.definitions[name] = self._body(cls)
        return self._names[cls]

    def _free_name(self, cls: type) -> str:
        """Return the name of a class; with its module's where another is called the same."""
        taken = cls.__name__ in self.definitions
        return f"{cls.__module__.rpartition('.')[2]}.{cls.__name__}" if taken else cls.__name__

    def _body(self, cls: Any) -> Schema:
        if cls is Amount:
            return _amount()
        if issubclass(cls, enum.Enum):
            return {"enum": [member.value for member in cls], **_said(inspect.getdoc(cls))}
        if parts_of(cls):
            return self._family(cls)
        return self._object(cls)

    def _family(self, family: type) -> Schema:
        one_key = {
            "type": "object",
            "minProperties": 1,
            "maxProperties": 1,
            "additionalProperties": False,
            "properties": {
                key: self._part(part.made, part.inline) for key, part in parts_of(family).items()
            },
            **_said(inspect.getdoc(family)),
        }
        if family is not Requirement:
            return one_key
        text = {"type": "string", "description": "A comparison, such as: tide >= 3 and round < 9"}
        return {"anyOf": [text, one_key]}

    def _part(self, made: type, inline: str | None) -> Schema:
        said = _said(inspect.getdoc(made))
        if inline is None:
            return {"$ref": f"#/definitions/{self.define(made)}", **said}
        hint = typing.get_type_hints(made)[inline]
        return {**self._type(hint, (made, inline)), **said}

    def _object(self, cls: Any) -> Schema:
        hints = typing.get_type_hints(cls)
        fields = [field for field in attrs.fields(cls) if (cls, field.name) not in GIVEN]
        body: Schema = {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                key_of(field): {
                    **self._type(hints[field.name], (cls, field.name)),
                    **_said(sentence_on(cls, field.name)),
                }
                for field in fields
            },
            **_said(inspect.getdoc(cls)),
        }
        required = [key_of(field) for field in fields if field.default is attrs.NOTHING]
        if required:
            body["required"] = required
        if (short := SCHEMA.short.get(cls)) is not None:
            return {"anyOf": [self._type(hints[short], (cls, short)), body]}
        return body

    def _type(self, type_: Any, way: tuple[type, str]) -> Schema:
        origin, arguments = typing.get_origin(type_), typing.get_args(type_)
        if origin in {typing.Union, types.UnionType}:
            inner = [argument for argument in arguments if argument is not type(None)]
            if len(inner) == 1:
                return self._type(inner[0], way)
            # Of a choice of some, a word or a mapping, the id of one may stand alone.
            ids = [{"type": "string"}] if any(parts_of(each) for each in inner) else []
            return {"anyOf": [*(self._type(each, way) for each in inner), *ids]}
        if origin is tuple:
            return {"type": "array", "items": self._type(arguments[0], way)}
        if origin is not None and issubclass(origin, Mapping):
            made: Schema = {
                "type": "object",
                "additionalProperties": self._type(arguments[1], way),
            }
            if isinstance(arguments[0], type) and issubclass(arguments[0], enum.Enum):
                made["propertyNames"] = {"enum": [member.value for member in arguments[0]]}
            return made
        if type_ is str:
            # Every scalar of a pack is text; editors take `1` for a number and `no` for a boolean.
            return {"type": ["string", "number", "boolean"]}
        if type_ is bool:
            return {"type": "boolean"}
        if type_ is int:
            low, high = SCHEMA.bounds_of(way)
            return {"type": "integer", "minimum": low, "maximum": high}
        return {"$ref": f"#/definitions/{self.define(type_)}"}


def _amount() -> Schema:
    whole = {"type": "integer"}
    return {
        "anyOf": [
            whole,
            {"type": "boolean"},
            {"type": "string", "description": "An expression, such as: 2 * investigators + tide"},
            {"type": "array", "items": whole, "minItems": 5, "maxItems": 5},
            {
                "type": "object",
                "additionalProperties": False,
                "properties": {"base": whole, "each": whole},
            },
        ],
        "description": "A number, a list for one to five investigators, or an expression.",
    }


def _said(text: str | None) -> Schema:
    """Return a description: the first paragraph of a docstring."""
    if not text:
        return {}
    return {"description": " ".join(inspect.cleandoc(text).split("\n\n")[0].split())}


def sentence_on(cls: type, field: str) -> str | None:
    """Return what a field means: what stands below it, else what its key means anywhere."""
    return member_docs(cls).get(field) or SENTENCES.get(field.removesuffix("_"))


@functools.cache
def member_docs(cls: type) -> Mapping[str, str]:
    """Return what stands below each field of a class, or member of an enum, as documentation."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(cls)))
    body = next(node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)).body
    found: dict[str, str] = {}
    for field, below in itertools.pairwise(body):
        is_text = isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant)
        name = _assigned(field)
        if name is not None and is_text:
            assert isinstance(below, ast.Expr)
            found[name] = str(ast.literal_eval(below.value))
    return found


def _assigned(node: ast.stmt) -> str | None:
    """Return the name that a statement gives a value or a type."""
    target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
    return target.id if isinstance(target, ast.Name) else None


def main(arguments: list[str] | None = None) -> int:
    """Write the schema files, or look whether they are current."""
    parser = argparse.ArgumentParser(prog="python -m content.language.json_schema")
    parser.add_argument("--check", action="store_true", help="write nothing")
    options = parser.parse_args(arguments)
    wanted = files().keys()
    if options.check:
        return 0 if files() == written() else 1
    for name in written().keys() - wanted:
        (FOLDER / name).unlink()
    write(FOLDER)
    return 0


def write(folder: Path) -> None:
    """Write the schema files into a folder, which is made if need be."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files().items():
        (folder / name).write_text(text, "utf-8")


def written() -> dict[str, str]:
    """Return the schema files that are there."""
    return {path.name: path.read_text("utf-8") for path in sorted(FOLDER.glob("*.json"))}


if __name__ == "__main__":
    sys.exit(main())
