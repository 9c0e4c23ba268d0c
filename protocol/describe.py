"""
Generates the lists of `PROTOCOL.md` and `TYPES.md` from the declarations in the code.

`python -m protocol.describe` prints the default sections; with `--update FILE` it writes each
section of a file into it, between `<!-- generated: SECTION -->` and `<!-- end -->`. The sections
are:

* `login`, `messages`;
* `types`: the classes in these and in the common events;
* `events MODULE`: the events that a module or package declares;
* `types MODULE`: the classes in these events that are not in `types`;
* `state MODULE`: the classes of a module's table that are in no message or event.

With `--types FILE` it writes all types for machines (`protocol.types_file`).
"""

import ast
import enum
import functools
import importlib
import inspect
import itertools
import re
import sys
import textwrap
import types
import typing
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import attrs

from protocol import event, login, messages
from protocol.bounds import (
    MAX_INTEGER,
    MAX_SUBJECTS,
    MAX_TEMPLATE,
    MAX_TIME,
    check_language,
    check_room,
    check_words,
)
from protocol.declared import attributes, hints, types_in
from protocol.plain_text import check_plain
from protocol.plugs import games, plug
from protocol.types_file import types_file, written
from protocol.values import evolve, frozen

COMMON_EVENTS = "protocol.common.events"
"""Package of the events that all tables have."""
DEFAULT_SECTIONS = ("login", "messages", "types", f"events {COMMON_EVENTS}")
"""Sections that are printed by default."""

_BY_MODULE = ("events ", "types ", "state ")
_MARK = re.compile(r"(<!-- generated: (.+?) -->\n).*?(<!-- end -->)", re.DOTALL)
_SCALARS = {int: "int", str: "text", bytes: "bytes", bool: "bool", types.NoneType: "nil"}
_LOGIN = (login.Hello, login.Login, login.Welcome, login.LoginRefused)


def section(name: str) -> str:
    """Return one section in Markdown. ValueError if the name is unknown."""
    if name == "login":
        return "\n".join(_kind(kind.tag, kind, "") for kind in _LOGIN)
    if name == "messages":
        lines = []
        for side, title in ((messages.Sender.CLIENT, "From the client"), (None, "From the server")):
            lines.append(f"#### {title}\n")
            for tag, kind in messages.message_kinds().items():
                if (kind.side is messages.Sender.CLIENT) == (side is messages.Sender.CLIENT):
                    lines.append(_kind(tag, kind, ""))
        return "\n".join(lines)
    if name == "types":
        return "\n".join(_type(of) for of in types_in(*_base_kinds()))
    if name.startswith("events "):
        return "\n".join(
            _kind(kind.tag, kind, " *(input)*" if kind.is_input else "")
            for kind in events_of(name.removeprefix("events "))
        )
    if name.startswith("types "):
        module = name.removeprefix("types ")
        more = set(types_in(*events_of(module))) - set(types_in(*_base_kinds()))
        return "\n".join(_type(of) for of in sorted(more, key=lambda of: of.__name__))
    if name.startswith("state "):
        return "\n".join(_type(of) for of in _state(name.removeprefix("state ")))
    raise ValueError(f"there is no section {name!r}")


def types_text() -> str:
    """Return the text of `types.json`."""
    events = {of: events_of(module) for of, module in event_modules().items()}
    return written(types_file(messages.message_kinds().values(), events))


def updated(text: str, bodies: Mapping[str, str]) -> str:
    """Return a document with the bodies of its generated sections replaced."""

    def put(match: re.Match[str]) -> str:
        body = bodies.get(match[2])
        return match[0] if body is None else f"{match[1]}\n{body.strip()}\n\n{match[3]}"

    return _MARK.sub(put, text)


def sections_in(text: str) -> tuple[str, ...]:
    """Return the names of the sections of a document that this module can generate."""
    names = (match[2] for match in _MARK.finditer(text))
    return tuple(n for n in names if n in DEFAULT_SECTIONS or n.startswith(_BY_MODULE))


def events_of(module: str) -> list[type[event.Event]]:
    """Import a module or package and return the kinds of event that it declares, in order."""
    importlib.import_module(module)
    below = f"{module}."
    return [kind for kind in event.kinds().values() if f"{kind.__module__}.".startswith(below)]


def event_modules() -> dict[str, str]:
    """Return the modules that declare events, by ruleset; `common` has events of all rulesets."""
    return {
        "common": COMMON_EVENTS,
        **{game: plug("protocol", game, "events").__name__ for game in games()},
    }


# Sections ----------------------------------------------------------------------------------


def _kind(tag: str, kind: type, remark: str) -> str:
    fields = attributes(kind)
    # Said once for all requests and replies, in section 5.
    if issubclass(kind, messages.RoomMessage):
        fields, remark = fields[2:], " *(serial, room)*"
    elif fields and fields[0].name == "serial":
        fields, remark = fields[1:], " *(serial)*"
    return f"**`{tag}`**{remark}: {_doc(kind)}\n" + _fields(kind, fields)


def _fields(of: type, fields: Sequence["attrs.Attribute[Any]"]) -> str:
    """List fields. Neighbouring fields without documentation share a line."""
    lines: list[str] = []
    is_open = False
    for field in fields:
        written, doc = _field(of, field), _field_docs(of).get(field.name)
        if is_open and not doc:
            lines[-1] += f"; {written}"
        else:
            lines.append(f"- {written}" + (f". {doc}" if doc else ""))
        is_open = not doc
    return "".join(f"{line}\n" for line in ["", *lines] if lines)


def _field(kind: type, field: "attrs.Attribute[Any]") -> str:
    hint = hints(kind)[field.name]
    knower = field.metadata.get("to")
    written, more = _bounded(hint, _bounds(field.validator))
    if knower is not None:
        # Of an event's field the reader has to know who may read it, not only that it is sealed.
        to = knower if knower in {event.NOBODY, event.TABLE, event.EACH} else f"field `{knower}`"
        written, more = written.replace("sealed ", ""), (f"**secret to {to}**", *more)
    return ", ".join((f"`{field.name}`: {written}", *more))


def _type(of: type) -> str:
    if issubclass(of, enum.Enum):
        values = ", ".join(f"`{member.value}`" for member in of)
        return f"**{of.__name__}** is one of {values}.\n"
    return f"**{of.__name__}**: {_doc(of)}\n" + _fields(of, attributes(of))


def _base_kinds() -> list[type]:
    common = events_of("protocol.common.events")
    return [*_LOGIN, *messages.message_kinds().values(), *common]


def _state(module: str) -> list[type]:
    """Return the classes of a module or package that occur only in its tables, in order."""
    declared = vars(importlib.import_module(module)).values()
    events = events_of(f"{module.rpartition('.')[0]}.events")
    known = set(types_in(*_base_kinds(), *events))
    return [
        of
        for of in declared
        if isinstance(of, type)
        and f"{of.__module__}.".startswith(f"{module}.")
        and attrs.has(of)
        and not issubclass(of, event.Event)
        and of not in known
    ]


# Words -------------------------------------------------------------------------------------


def _doc(of: type) -> str:
    paragraphs = textwrap.dedent(inspect.getdoc(of) or "").strip().split("\n\n")
    return " ".join(" ".join(paragraph.split()) for paragraph in paragraphs)


@functools.cache
def _field_docs(of: type) -> dict[str, str]:
    """Return the docstrings of the fields of a class and its bases."""
    docs: dict[str, str] = {}
    for base in reversed(of.__mro__):
        if attrs.has(base):
            docs |= _own_field_docs(base)
    return docs


def _own_field_docs(of: type) -> dict[str, str]:
    # Strings below fields exist in the source only; Python throws them away.
    [declared] = ast.parse(textwrap.dedent(inspect.getsource(of))).body
    body = getattr(declared, "body", [])
    docs = {}
    for first, second in itertools.pairwise(body):
        is_field = isinstance(first, ast.AnnAssign) and isinstance(first.target, ast.Name)
        if is_field and isinstance(second, ast.Expr) and isinstance(second.value, ast.Constant):
            docs[first.target.id] = " ".join(str(second.value.value).split())
    return docs


@frozen
class _Bounds:
    """Bounds that the validator of a field enforces, in the notation of section 3."""

    least: int | None = None
    most: int | None = None
    """Maximum of an integer, or maximum length of any other value."""
    items: "_Bounds | None" = None
    """The bounds of each item of an array."""
    words: tuple[str, ...] = ()
    """Further conditions, as text."""

    def joined(self, other: "_Bounds") -> "_Bounds":
        return _Bounds(
            self.least if other.least is None else other.least,
            self.most if other.most is None else other.most,
            self.items or other.items,
            (*self.words, *other.words),
        )


def _bounds(validator: Any) -> _Bounds:
    """Return the bounds that a validator enforces."""
    if validator is check_plain:
        return _Bounds(words=("plain",))
    if validator is check_language:
        return _Bounds(words=("the name of a language as in section 4",))
    if validator is check_room:
        return _Bounds(words=("the id of a room",))
    if validator is check_words:
        words = f"at most {MAX_SUBJECTS} items, each template at most {MAX_TEMPLATE} characters"
        return _Bounds(words=(words,))
    # attrs does not export the classes of its validators, so they are told by name.
    match type(validator).__name__:
        case "_AndValidator":
            parts = map(_bounds, validator._validators)  # noqa: SLF001 (attrs shows it nowhere else)
            return functools.reduce(_Bounds.joined, parts)
        case "_MaxLengthValidator":
            return _Bounds(most=validator.max_length)
        case "_MinLengthValidator":
            return _Bounds(least=validator.min_length)
        case "_NumberValidator":
            if validator.compare_op == "<=":
                return _Bounds(most=validator.bound)
            return _Bounds(least=validator.bound + (validator.compare_op == ">"))
        case "_DeepIterable":
            whole = _bounds(validator.iterable_validator)
            return evolve(whole, items=_bounds(validator.member_validator))
        case _:
            return _Bounds()


def _bounded(hint: Any, bounds: _Bounds) -> tuple[str, tuple[str, ...]]:
    """Return the text of a type with its bounds, and further demands as sentences."""
    if isinstance(hint, typing.NewType):
        return _bounded(hint.__supertype__, bounds)
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is tuple and arguments[1:] == (...,):
        inner, more = _bounded(arguments[0], bounds.items or _Bounds())
        return f"[{inner}]{_range(bounds)}", (*(f"each {word}" for word in more), *bounds.words)
    return f"{_in_words(hint)}{_range(bounds)}", bounds.words


def _range(bounds: _Bounds) -> str:
    least, most = bounds.least, bounds.most
    if least is None and most is None:
        return ""
    if least == most:
        return f"({most})"
    shown = {None: "", MAX_INTEGER: "", MAX_TIME: "2^47"}.get(most, str(most))
    return f"(≤{shown})" if least is None else f"({least}..{shown})"


def _in_words(hint: Any) -> str:
    if isinstance(hint, typing.NewType):
        return _in_words(hint.__supertype__)
    if hint in _SCALARS:
        return _SCALARS[hint]
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is event.Sealed:
        return f"sealed {_in_words(arguments[0])}"
    if origin in (typing.Union, types.UnionType):
        return " or ".join(map(_in_words, arguments))
    if origin is tuple and arguments[1:] == (...,):
        return f"[{_in_words(arguments[0])}]"
    if origin is tuple:
        return f"({', '.join(map(_in_words, arguments))})"
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return f"{{{_in_words(arguments[0])}: {_in_words(arguments[1])}}}"
    return str(getattr(hint, "__name__", hint))


def main(arguments: Sequence[str]) -> int:
    """Print sections, or write them into a file, as the module says. Return the exit code."""
    if arguments[:1] == ["--update"] and len(arguments) == 2:
        path = Path(arguments[1])
        text = path.read_text("utf-8")
        path.write_text(updated(text, {n: section(n) for n in sections_in(text)}), "utf-8")
        return 0
    if arguments[:1] == ["--types"] and len(arguments) == 2:
        Path(arguments[1]).write_text(types_text(), "utf-8")
        return 0
    for name in arguments or DEFAULT_SECTIONS:
        sys.stdout.write(f"<!-- generated: {name} -->\n\n{section(name).strip()}\n\n<!-- end -->\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
