"""
The contents of `types.json`: all encoded types, for clients and verifiers in other languages.

Section 17 of `PROTOCOL.md` says how to read the file. `protocol.describe` writes it, like the lists
of the document.
"""

import enum
import json
import types
import typing
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import attrs

from protocol import archive, codec, event, login
from protocol.bounds import (
    LANGUAGE,
    MAX_INTEGER,
    MAX_SUBJECTS,
    MAX_TEMPLATE,
    MAX_TIME,
    ROOM,
    check_language,
    check_room,
    check_words,
)
from protocol.commitments import COMMITMENT_BYTES
from protocol.common.table import Stage, claims_stand
from protocol.declared import attributes, hints, types_in
from protocol.keys import WEAK_KEYS
from protocol.plain_text import check_plain
from protocol.plugs import PLACES
from protocol.upcasts import (
    Alone,
    Change,
    Compared,
    Constant,
    EachOf,
    Extended,
    Inserted,
    Kept,
    Mapped,
    Packed,
    Shape,
    Source,
    joined,
)
from protocol.validity.order import LEADS_TO, Place, places_of
from protocol.vocabulary import Message

FORMAT = "manse types 1"
"""Name and version of the file's format."""

Json = dict[str, Any]

_SCALARS = {int: "integer", str: "text", bytes: "bytes", bool: "boolean", types.NoneType: "nil"}
_WIDTH = 100
_COMMON = "common"
_LOGIN = {
    "server": (login.Hello, login.Welcome, login.LoginRefused),
    "client": (login.Login,),
}
_FRAMES = (archive.Header, archive.Line, archive.WordsOf)
_COMMITMENT = {"is": "bytes", "at_least": COMMITMENT_BYTES, "at_most": COMMITMENT_BYTES}
_SECRETS = {"is": "tuple", "of": [{"is": "array", "of": {"is": "integer"}}, _COMMITMENT]}
_PUBLIC = [
    {"name": "sequence", "type": {"is": "integer"}},
    {"name": "time", "type": {"is": "integer", "at_least": 0, "at_most": MAX_TIME}},
    {"name": "origin", "type": {"is": "integer"}},
    {"name": "tag", "type": {"is": "text"}},
    {"name": "fields", "type": {"is": "array", "of": {"is": "any"}}},
    {"name": "secrets", "type": {"is": "array", "of": _SECRETS}},
]
"""Layout of the public bytes of any record; the types of the values in `fields` depend on the
record's kind."""


def types_file(
    messages: Iterable[type[Message]],
    events: Mapping[str, Sequence[type[event.Event]]],
) -> Json:
    """
    Return the contents of the file.

    Args:
        messages: all kinds of message, in order.
        events: kinds of event in order, by ruleset; `common` for those of all rulesets.
    """
    kinds = [kind for of in events.values() for kind in of]
    logins = [(kind, by) for by, of in _LOGIN.items() for kind in of]
    messages = list(messages)
    # The order of classes is by name, so that a moved class does not change the file.
    parts = types_in(*(kind for kind, _ in logins), *messages, *kinds, *_FRAMES)
    return {
        "format": FORMAT,
        "versions": list(login.VERSIONS),
        "integers": {"at_least": -MAX_INTEGER, "at_most": MAX_INTEGER},
        "login": [{"tag": kind.tag, "by": by, **_fields(kind)} for kind, by in logins],
        "messages": [
            {"tag": kind.tag, "by": kind.side.value, **_fields(kind)} for kind in messages
        ],
        "events": [
            {"tag": kind.tag, "of": of, "is_input": kind.is_input, **_places(kind), **_fields(kind)}
            for of, declared in events.items()
            for kind in declared
        ],
        "earlier": _earlier({kind.tag: kind for kind in kinds}),
        "classes": {
            **_by_name(of for of in (*parts, *_FRAMES) if not issubclass(of, enum.Enum)),
            **dict(_earlier_classes(kinds)),
            "Public": {"fields": _PUBLIC},
        },
        "enumerations": {
            called(of): [member.value for member in of] for of in parts if issubclass(of, enum.Enum)
        },
        # For verifiers: in these games claims alone decide who knows a character's secrets.
        "claims_stand": [of for of in events if of != _COMMON and claims_stand(of)],
        # For verifiers whose library accepts signatures by such keys.
        "weak_keys": [key.hex() for key in WEAK_KEYS],
    }


def written(value: Json) -> str:
    """Return the text of the file, with each value on one line if it fits."""
    return f"{_written(value, '', 0)}\n"


def _written(value: Any, indent: str, before: int) -> str:
    flat = json.dumps(value, ensure_ascii=False)
    if len(indent) + before + len(flat) < _WIDTH or not isinstance(value, dict | list):
        return flat
    deeper = f"{indent} "
    if isinstance(value, dict):
        keys = [(f"{json.dumps(key)}: ", item) for key, item in value.items()]
    else:
        keys = [("", item) for item in value]
    lines = [f"{deeper}{key}{_written(item, deeper, len(key) + 1)}" for key, item in keys]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return "\n".join((opening, ",\n".join(lines), f"{indent}{closing}"))


# Kinds and classes -------------------------------------------------------------------------


def called(of: type) -> str:
    """Return the name of a class in the file; games after the first put their own before it."""
    parts = of.__module__.split(".")
    is_of_game = parts[:2] == ["protocol", "games"] and parts[2] != next(iter(PLACES))
    return f"{parts[2]}.{of.__name__}" if is_of_game else of.__name__


def _by_name(classes: Iterable[type]) -> Json:
    named: Json = {}
    for of in classes:
        if called(of) in named:
            raise ValueError(f"two classes with the name {called(of)}")
        named[called(of)] = _fields(of)
    return named


def _fields(of: type) -> Json:
    fields = [_field(hints(of)[field.name], field) for field in attributes(of)]
    # Rules in code, such as validators that are methods, are described in words only.
    has_more = hasattr(of, "__attrs_post_init__") or any(
        getattr(field.validator, "__qualname__", "").startswith(f"{of.__qualname__}.")
        for field in attributes(of)
    )
    return {"fields": fields, **({"has_more_rules": True} if has_more else {})}


def _field(hint: Any, field: "attrs.Attribute[Any]") -> Json:
    shape = _type(hint)
    if field.validator is not None:
        _bind(shape, field.validator)
    knower = field.metadata.get("to")
    said: Json = {"name": field.name, "type": shape}
    if knower is None:
        return said
    is_word = knower in {event.NOBODY, event.TABLE, event.EACH}
    return {**said, "secret_to": knower if is_word else {"field": knower}}


def _places(kind: type[event.Event]) -> Json:
    """Return the stages of the log at which a kind may occur, and the stage that it leads to."""
    found: Json = {"stages": [_place(place) for place in places_of(kind)]}
    return {**found, "leads_to": _place(LEADS_TO[kind])} if kind in LEADS_TO else found


def _place(place: Place) -> str | None:
    if isinstance(place, Stage):
        return str(place.value)
    return None if place is None else place.tag


def _earlier(kinds: Mapping[str, type[event.Event]]) -> list[Json]:
    """Return the earlier forms of kinds, each as a kind with its conversion to the newest form."""
    found: list[Json] = []
    for old, (newer, change) in event.earlier_kinds().items():
        tag, whole = newer, change
        while tag in event.earlier_kinds():
            tag, then = event.earlier_kinds()[tag]
            whole = joined(whole, then, event.public_names(tag))
        if tag in kinds:
            kind = kinds[tag]
            fields = _earlier_fields(kind, whole)
            said = {"is_input": kind.is_input, **_places(kind), **_fields(kind), **fields}
            found.append({"tag": old, "read_as": tag, **said})
    return found


def _earlier_fields(kind: type[event.Event], change: Change) -> Json:
    """Return the fields of an earlier form, and the values of newer fields that it implied."""
    fields = {field["name"]: field for field in _fields(kind)["fields"]}
    secrets = [field for field in fields.values() if "secret_to" in field]
    if len(secrets) > 1 and any(field["secret_to"] == event.EACH for field in secrets):
        raise TypeError(f"the file has no word for an earlier {kind.tag!r}, secret to each")
    for name, shape in change.secrets.items():
        of, newest = {"is": "class", "name": shape.name}, fields[name]
        is_each = newest["secret_to"] == event.EACH
        fields[name] = {**newest, "type": {**newest["type"], "to": of} if is_each else of}
    sources = {name: change.source(name) for name in event.public_names(kind.tag)}
    sets = {name: of.value for name, of in sources.items() if isinstance(of, Constant)}
    names = {of.field: name for name, of in sources.items() if not isinstance(of, Constant)}
    if len(names) + len(sets) != len(sources) or names.keys() != {*change.fields}:
        raise TypeError(f"a field of an earlier {kind.tag!r} becomes none, or several")
    public = [
        {**fields[names[old]], **_was(kind, names[old], sources[names[old]])}
        for old in change.fields
    ]
    secret = [field for name, field in fields.items() if name not in sources]
    return {
        "fields": [*public, *secret],
        "sets": {name: _plain(value) for name, value in sets.items()},
    }


def _earlier_classes(kinds: Iterable[type[event.Event]]) -> Iterator[tuple[str, Json]]:
    """Yield the classes of secrets in earlier forms, each with the class it is converted to."""
    by_tag = {kind.tag: kind for kind in kinds}
    for newer, change in event.earlier_kinds().values():
        tag = newer
        while tag in event.earlier_kinds():
            tag = event.earlier_kinds()[tag][0]
        for name, shape in change.secrets.items() if tag in by_tag else ():
            [field] = [f for f in event.declared_fields(by_tag[tag]) if f.name == name]
            yield from _earlier_class(shape, field.hint)


def _earlier_class(shape: Shape, newer: type) -> Iterator[tuple[str, Json]]:
    types = {field["name"]: field["type"] for field in _fields(newer)["fields"]}
    fields: dict[str, Json] = {}
    for name, source in shape.becomes.items():
        if isinstance(source, Kept):
            fields[source.field] = types[name]
        elif isinstance(source, EachOf):
            of = {"is": "class", "name": source.shape.name}
            fields[source.field] = {**types[name], "of": of}
            yield from _earlier_class(source.shape, typing.get_args(hints(newer)[name])[0])
    sources = shape.becomes.items()
    compared = {n: of for n, of in sources if isinstance(of, Compared)}
    said: Json = {
        "read_as": called(newer),
        "fields": [{"name": name, "type": fields[name]} for name in shape.fields],
        "sets": {n: _plain(of.value) for n, of in sources if isinstance(of, Constant)},
        "compares": {n: [of.field, _plain(of.value)] for n, of in compared.items()},
    }
    yield shape.name, said


def _was(kind: type, name: str, source: Source) -> Json:
    """Return the type and the conversion of an earlier field; empty if the field is unchanged."""
    match source:
        case Alone(_):
            [item, *_] = typing.get_args(hints(kind)[name])
            return {"type": _type(item), "alone": True}
        case Extended(_, more):
            parts = [field["type"] for field in _fields(hints(kind)[name])["fields"]]
            first = {"is": "tuple", "of": parts[: -len(more)]}
            return {"type": first, "more": _plain(more)}
        case Packed(_, at, most):
            parts = [field["type"] for field in _fields(hints(kind)[name])["fields"]]
            parts[at] = {"is": "array", "of": {"is": "integer"}, "at_most": most}
            return {"type": {"is": "tuple", "of": parts}, "packs": at}
        case Inserted(_, at, value):
            [item, *_] = typing.get_args(hints(kind)[name])
            parts = [field["type"] for field in _fields(item)["fields"]]
            items = {"is": "tuple", "of": [*parts[:at], *parts[at + 1 :]]}
            return {"type": {"is": "array", "of": items}, "each": [at, _plain(value)]}
        case Mapped(_, values):
            [held] = {_SCALARS[type(old)] for old, _ in values}
            return {"type": {"is": held}, "values": _plain(values)}
    return {}


def _plain(value: codec.Plain) -> Any:
    if isinstance(value, bytes):
        return {"hex": value.hex()}
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


# Types -------------------------------------------------------------------------------------


def _type(hint: Any) -> Json:
    if isinstance(hint, typing.NewType):
        return _type(hint.__supertype__)
    if hint in _SCALARS:
        return {"is": _SCALARS[hint]}
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is event.Sealed:
        return _type(arguments[0])
    if origin in (typing.Union, types.UnionType):
        return {"is": "union", "of": [_type(each) for each in arguments]}
    if origin is tuple and arguments[1:] == (...,):
        return {"is": "array", "of": _type(arguments[0])}
    if origin is tuple:
        return {"is": "tuple", "of": [_type(each) for each in arguments]}
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {"is": "mapping", "from": _type(arguments[0]), "to": _type(arguments[1])}
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return {"is": "enumeration", "name": called(hint)}
    if isinstance(hint, type) and attrs.has(hint):
        return {"is": "class", "name": called(hint)}
    raise TypeError(f"the file has no word for {hint!r}")


def _bind(shape: Json, validator: Any) -> None:
    """Add the bounds of a validator to a type. TypeError if it is an unknown validator."""
    # attrs does not export the classes of its validators, so they are told by name.
    match type(validator).__name__:
        case "_AndValidator":
            for each in validator._validators:  # noqa: SLF001 (attrs shows it nowhere else)
                _bind(shape, each)
        case "_MaxLengthValidator":
            shape["at_most"] = validator.max_length
        case "_MinLengthValidator":
            shape["at_least"] = validator.min_length
        case "_NumberValidator":
            shape[{">=": "at_least", "<=": "at_most"}[validator.compare_op]] = validator.bound
        case "_DeepIterable":
            _bind(shape["of"], validator.member_validator)
            if validator.iterable_validator is not None:
                _bind(shape, validator.iterable_validator)
        case "function":
            _bind_ours(shape, validator)
        case other:
            raise TypeError(f"the file has no word for a {other}")


def _bind_ours(shape: Json, validator: Any) -> None:
    if validator is check_plain:
        shape["is_printable"] = True
    elif validator is check_language:
        shape["pattern"] = LANGUAGE
    elif validator is check_room:
        shape["pattern"] = ROOM
    elif validator is check_words:
        shape["at_most"] = MAX_SUBJECTS
        _subject, fields = shape["of"]["of"]
        _name, template = fields["of"]["of"]
        template["at_most"] = MAX_TEMPLATE
    elif "." not in validator.__qualname__:
        raise TypeError(f"the file has no word for {validator.__qualname__}")
