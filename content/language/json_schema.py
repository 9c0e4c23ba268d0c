"""
JSON Schemas of the files of a pack, for editors that complete and check YAML while one writes.

They give the keys, with the values that each takes and its meaning; `manse content check` says
whether the things named exist. They are made from the classes of a game's schema and their
docstrings. `shared.schema.json` holds the definitions that the files share.
"""

import enum
import inspect
import json
import types
import typing
from collections.abc import Collection, Mapping
from typing import Annotated, Any

import attrs

from content.language.sentences import Sentences
from content.reading import schema
from content.reading.files import PACK_FILE
from content.reading.meanings import Marks, is_implied, short_of
from content.reading.pack_file import PackFile
from content.reading.parts import parts_of
from content.reading.typed import key_of

SHARED = "shared.schema.json"
_DIALECT = "http://json-schema.org/draft-07/schema#"
_WORD = "^[a-z0-9][a-z0-9_-]*$"

Definition = dict[str, Any]


@attrs.frozen
class Vocabulary:
    """The parts of the schemas that a game writes itself."""

    schema: schema.Schema
    sentences: Sentences = attrs.field(factory=Sentences)
    own: Mapping[type, Definition] = types.MappingProxyType({})
    """Schema definitions that the game writes itself, by class."""
    in_text: Mapping[type, Definition] = types.MappingProxyType({})
    """
    Schema definition of the text that authors can write in place of a part, by family of parts.
    """


def schema_files(
    classes: Mapping[str, type], lists: Collection[str], vocabulary: Vocabulary
) -> dict[str, str]:
    """
    Return every schema file by its name, as text.

    Args:
        classes: the content of each file, besides `pack.yaml` and the words.
        lists: names of the files that hold a list of their class.
        vocabulary: the parts that the game writes itself.
    """
    maker = _Maker(vocabulary)
    found: dict[str, Definition] = {}
    for name, cls in {PACK_FILE: PackFile, **classes}.items():
        body: Definition = {"$ref": f"{SHARED}#/definitions/{maker.define(cls)}"}
        if name in lists:
            body = {"type": "array", "items": body}
        found[name.replace(".yaml", ".schema.json")] = _titled(name, body)
    # Editors take `1` for a number and `no` for a boolean; packs take both for text.
    text = {"type": ["string", "number", "boolean"]}
    fields = {"type": "object", "additionalProperties": text, "propertyNames": {"pattern": _WORD}}
    words: Definition = {
        "type": "object",
        "additionalProperties": {"anyOf": [text, fields]},
        "description": "Words by subject: a text, or fields such as name and text.",
    }
    found["words.schema.json"] = _titled("words/<language>/<name>.yaml", words)
    found[SHARED] = {"$schema": _DIALECT, "definitions": dict(sorted(maker.definitions.items()))}
    return {
        name: json.dumps(body, indent=1, ensure_ascii=False) + "\n"
        for name, body in sorted(found.items())
    }


def _titled(name: str, body: Definition) -> Definition:
    return {"$schema": _DIALECT, "title": f"{name} of a pack of Manse", **body}


class _Maker:
    """Makes the definition of each class on first use."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.definitions: dict[str, Definition] = {}
        self._names: dict[type, str] = {}

    def define(self, cls: Any) -> str:
        """Define a class if it is not defined yet; return the name of its definition."""
        if cls not in self._names:
            # Two classes may be called the same: then the second bears its module's name, too.
            is_taken = cls.__name__ in self.definitions
            module = cls.__module__.rpartition(".")[2]
            name = self._names[cls] = f"{module}.{cls.__name__}" if is_taken else cls.__name__
            # The name is taken before the body is made, because classes hold one another.
            self.definitions[name] = {}
            if cls in self.vocabulary.own:
                body = self.vocabulary.own[cls]
            elif issubclass(cls, enum.Enum):
                body = {"enum": [member.value for member in cls], **_said(inspect.getdoc(cls))}
            else:
                body = self._family(cls) if parts_of(cls) else self._object(cls)
            self.definitions[name] = body
        return self._names[cls]

    def _family(self, family: type) -> Definition:
        properties = {}
        for key, part in parts_of(family).items():
            said = _said(inspect.getdoc(part.made))
            if part.inline is None:
                properties[key] = {"$ref": f"#/definitions/{self.define(part.made)}", **said}
            else:
                properties[key] = {**self._type(_hints(part.made)[part.inline]), **said}
        one_key = {
            "type": "object",
            "minProperties": 1,
            "maxProperties": 1,
            "additionalProperties": False,
            "properties": properties,
            **_said(inspect.getdoc(family)),
        }
        text = self.vocabulary.in_text.get(family)
        return one_key if text is None else {"anyOf": [text, one_key]}

    def _object(self, cls: Any) -> Definition:
        hints = _hints(cls)
        fields = [field for field in attrs.fields(cls) if not is_implied(cls, field.name)]
        on_field = self.vocabulary.sentences.on_field
        body: Definition = {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                key_of(field): {
                    **self._type(hints[field.name]),
                    **_said(on_field(cls, field.name)),
                }
                for field in fields
            },
            **_said(inspect.getdoc(cls)),
        }
        required = [key_of(field) for field in fields if field.default is attrs.NOTHING]
        if required:
            body["required"] = required
        if (short := short_of(cls)) is not None:
            return {"anyOf": [self._type(hints[short]), body]}
        return body

    def _type(self, type_: Any, marks: Marks = ()) -> Definition:
        origin, arguments = typing.get_origin(type_), typing.get_args(type_)
        if origin is Annotated:
            return self._type(arguments[0], (*arguments[1:], *marks))
        if origin in {typing.Union, types.UnionType}:
            inner = [argument for argument in arguments if argument is not types.NoneType]
            if len(inner) == 1:
                return self._type(inner[0], marks)
            # Of a choice of some, a word or a mapping, the id of one may stand alone.
            ids = [{"type": "string"}] if any(parts_of(each) for each in inner) else []
            return {"anyOf": [*(self._type(each, marks) for each in inner), *ids]}
        if origin is tuple:
            return {"type": "array", "items": self._type(arguments[0], marks)}
        if origin is not None and issubclass(origin, Mapping):
            made: Definition = {
                "type": "object",
                "additionalProperties": self._type(arguments[1], marks),
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
            low, high = self.vocabulary.schema.bounds_of(marks)
            return {"type": "integer", "minimum": low, "maximum": high}
        return {"$ref": f"#/definitions/{self.define(type_)}"}


def _hints(cls: type) -> dict[str, Any]:
    return typing.get_type_hints(cls, include_extras=True)


def _said(text: str | None) -> Definition:
    """Return the first paragraph of a docstring as a description."""
    if not text:
        return {}
    return {"description": " ".join(inspect.cleandoc(text).split("\n\n")[0].split())}
