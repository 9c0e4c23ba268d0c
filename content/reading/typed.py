"""
Reading nodes as values of a schema: attrs classes give the types, YAML gives texts.

A reader is compiled once for each type. It takes a node, and the `Sheet` that collects mistakes.
An unreadable value becomes `BROKEN` and reading continues, so that one run finds all mistakes.
Ids that a field names or declares (`content.reading.meanings`) are noted on the way, with their
places.
"""

import enum
import functools
import re
import types
import typing
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Final

import attrs

from content.reading.meanings import (
    Declares,
    Marks,
    Names,
    ShownUnder,
    find,
    mark_of,
    short_of,
)
from content.reading.mistakes import suggestion
from content.reading.names import ANY_ID
from content.reading.parts import Part, parts_of
from content.reading.schema import Read, Schema
from content.reading.sheet import Complaint, InlineComplaint, Sheet
from content.reading.yaml_subset import Fields, Listing, Node, Scalar

MAX_TEXT = 10_000
"""Maximum number of characters in a text."""

_INTEGER = re.compile(r"-?[0-9]{1,9}")
_LONG_INTEGER = re.compile(r"-?[0-9]+")


class _Broken:
    """Placeholder of an unreadable value."""


BROKEN = _Broken()

_Hook = Callable[[Scalar, Sheet], None]
"""Function that records the ids that a text declares or uses."""


@attrs.frozen(eq=False)
class Readers:
    """Makes and caches the readers of one schema."""

    schema: Schema
    _made: dict[Any, Read] = attrs.field(factory=dict, init=False, repr=False)
    """The readers by type."""

    def of(self, type_: Any) -> Read:
        """Return the reader of a class, an enum or a family of parts."""
        if (made := self._made.get(type_)) is None:
            if (make := self.schema.own.get((type_,))) is not None:
                made = make(self, ())
            elif isinstance(type_, type) and issubclass(type_, enum.Enum):
                made = functools.partial(_read_enum, members={m.value: m for m in type_})
            else:
                made = self.of_family(type_) if parts_of(type_) else self.of_object(type_)
            self._made[type_] = made
        return made

    def _of_type(self, type_: Any, marks: Marks) -> Read:
        """Return the reader of a type in a field's annotation, given the marks around the type."""
        origin, arguments = typing.get_origin(type_), typing.get_args(type_)
        if origin is Annotated:
            inner, *more = arguments
            # Inner marks first, because `find` takes the first.
            return self._of_type(inner, (*more, *marks))
        if origin in {typing.Union, types.UnionType}:
            members = tuple(member for member in arguments if member is not types.NoneType)
            if len(members) == 1:
                return self._of_type(members[0], marks)
            if (make := self.schema.own.get(members)) is not None:
                return make(self, marks)
            words, family = members
            by_word = {member.value: member for member in words}
            read_mapping = self.of_family(family)
            # An id alone is short for the first part of the family.
            read_id = self._of_part(next(iter(parts_of(family).values())))

            def read(node: Node, sheet: Sheet) -> Any:
                if not isinstance(node, Scalar):
                    return read_mapping(node, sheet)
                return by_word[node.text] if node.text in by_word else read_id(node, sheet)

            return read
        if origin is tuple:
            return list_reader(self._of_type(arguments[0], marks))
        if origin is not None and issubclass(origin, Mapping):
            return self._of_mapping(arguments[0], arguments[1], marks)
        if type_ is str:
            return functools.partial(_read_text, hook=_hook_of(marks))
        if type_ is bool:
            return _read_bool
        if type_ is int:
            return functools.partial(read_int, bounds=self.schema.bounds_of(marks))
        return self.of(type_)

    def _of_mapping(self, key_type: Any, value_type: Any, marks: Marks) -> Read:
        read_key, read_value = self._of_type(key_type, ()), self._of_type(value_type, marks)
        declares = find(Declares, getattr(key_type, "__metadata__", ()))

        def read(node: Node, sheet: Sheet) -> Any:
            if not isinstance(node, Fields):
                sheet.fault(node, "expected a mapping; write 'key: value' lines, or {} for none")
                if declares is not None:
                    sheet.miss(declares.kind)
                return BROKEN
            found = {}
            for name, entry in node.values.items():
                sheet.path.append(name)
                key = read_key(node.keys[name], sheet)
                found[key] = read_value(entry, sheet)
                sheet.path.pop()
            is_broken = BROKEN in found or any(value is BROKEN for value in found.values())
            return BROKEN if is_broken else found

        return read

    def of_object(self, cls: type, given: Mapping[str, Any] = types.MappingProxyType({})) -> Read:
        """
        Return the reader of an attrs class.

        Args:
            cls: the class.
            given: values of the fields that the file implies; they cannot be written.
        """
        hints = typing.get_type_hints(cls, include_extras=True)
        fields = {key_of(field): field for field in attrs.fields(cls) if field.name not in given}
        readers = {key: self._of_type(hints[field.name], ()) for key, field in fields.items()}
        required = [key for key, field in fields.items() if field.default is attrs.NOTHING]
        check = self.schema.checks.get(cls)
        declares = mark_of(Declares, cls, "id")
        within = () if declares is None else self.schema.within.get(declares.kind, ())
        short = short_of(cls)

        def read(node: Node, sheet: Sheet) -> Any:
            if short is not None and not isinstance(node, Fields):
                value = readers[short](node, sheet)
                return BROKEN if value is BROKEN else cls(**{short: value})
            values = _read_fields(node, sheet, readers, required)
            if values is None:
                sheet.miss(*within)
                # Declared when its id was read: others can name it, whatever is broken beside it.
                if declares is not None and not (isinstance(node, Fields) and "id" in node.values):
                    sheet.miss(declares.kind)
                return BROKEN
            made = cls(**{fields[key].name: value for key, value in values.items()}, **given)
            sheet.note(made, node)
            if check is not None:
                # A check sees whole objects only: what is broken has been reported already.
                check(made, Complaint(sheet, node))
            return made

        return read

    def of_family(self, family: type) -> Read:
        """Return the reader of a part of a family: a mapping with one key."""
        parts = parts_of(family)
        what = self.schema.called.get(family) or family.__name__.lower()
        compiled: dict[str, Read] = {}

        def reader(part: Part) -> Read:
            # Parts hold their own family, so a reader is made when it is first needed.
            if part.key not in compiled:
                compiled[part.key] = self._of_part(part)
            return compiled[part.key]

        def read(node: Node, sheet: Sheet) -> Any:
            if not isinstance(node, Fields) or len(node.keys) != 1:
                sheet.fault(node, f"a {what} is a mapping with one key; put each in its own entry")
                return BROKEN
            ((key, value),) = node.values.items()
            if key not in parts:
                sheet.fault(node, f"unknown {what} {key!r}; {suggestion(key, parts)}", key)
                return BROKEN
            sheet.path.append(key)
            made = reader(parts[key])(value, sheet)
            sheet.path.pop()
            return made

        return read

    def _of_part(self, part: Part) -> Read:
        if part.inline is None:
            return self.of_object(part.made)
        hints = typing.get_type_hints(part.made, include_extras=True)
        inner = self._of_type(hints[part.inline], ())
        check = self.schema.checks.get(part.made)

        def read(node: Node, sheet: Sheet) -> Any:
            value = inner(node, sheet)
            if value is BROKEN:
                return BROKEN
            made = part.made(value)
            sheet.note(made, node)
            if check is not None:
                # The field is not written, so what is wrong with it stands where the value does.
                check(made, InlineComplaint(sheet, node))
            return made

        return read


def _hook_of(marks: Marks) -> _Hook | None:
    """Return the hook that notes the ids in a field with these marks; None if they note no ids."""
    if (declares := find(Declares, marks)) is not None:
        new = declares.kind
        return lambda node, sheet: sheet.declare(new, node.text, sheet.place(node))
    if (names := find(Names, marks)) is None:
        return None
    named, shown = names, find(ShownUnder, marks)

    def note(node: Scalar, sheet: Sheet) -> None:
        if node.text not in named.free:
            sheet.refer(named.kind, node.text, sheet.place(node))
        if shown is not None:
            sheet.refer_name(f"{shown.prefix}/{node.text}", sheet.place(node))

    return note


def list_reader(item: Read) -> Read:
    """Return the reader of a list."""

    def read(node: Node, sheet: Sheet) -> Any:
        if not isinstance(node, Listing):
            sheet.fault(node, "expected a list; begin each entry with '- ', or write [] for none")
            return BROKEN
        found = []
        for index, entry in enumerate(node.items):
            # Messages name an entry by its id, which stays right when entries are moved.
            sheet.path.append(entry_name(entry, index))
            found.append(item(entry, sheet))
            sheet.path.pop()
        return BROKEN if any(value is BROKEN for value in found) else tuple(found)

    return read


def entry_name(entry: Node, index: int) -> str:
    """Return the name of a list entry in messages: its id, or else its index."""
    if isinstance(entry, Fields):
        id_ = entry.values.get("id")
        if isinstance(id_, Scalar) and ANY_ID.fullmatch(id_.text):
            return id_.text
    return f"[{index}]"


def key_of(field: Any) -> str:
    """Return the key of a field: its name without the underscore that avoids a Python keyword."""
    return str(field.name).removesuffix("_")


def _read_fields(
    node: Node, sheet: Sheet, readers: Mapping[str, Read], required: list[str]
) -> dict[str, Any] | None:
    """Read the fields of an object; None if one is unknown, missing or unreadable."""
    if not isinstance(node, Fields):
        sheet.fault(node, f"expected a mapping with the keys {', '.join(readers)}")
        return None
    values: dict[str, Any] = {}
    is_broken = False
    for name, entry in node.values.items():
        if name not in readers:
            sheet.fault(node, f"unknown key {name!r}; {suggestion(name, readers)}", name)
            is_broken = True
            continue
        # Keys of a scenario itself: findings about it as a whole are shown there.
        if not sheet.path:
            sheet.keys[sheet.file, name] = sheet.place(node, name)
        sheet.path.append(name)
        values[name] = readers[name](entry, sheet)
        # Reading goes on beside a broken field, so that one run reports every mistake.
        is_broken = is_broken or values[name] is BROKEN
        sheet.path.pop()
    missing = [name for name in required if name not in values]
    if missing:
        sheet.fault(node, f"add the missing {', '.join(repr(name) for name in missing)}")
    return None if is_broken or missing else values


def is_integer(text: str) -> bool:
    """Return whether a text is a whole number, however long."""
    return bool(_LONG_INTEGER.fullmatch(text))


def scalar_in(node: Node, sheet: Sheet, expected: str) -> Scalar | None:
    """Return a node if it is a scalar with a text; else note a mistake and return None."""
    if not isinstance(node, Scalar):
        sheet.fault(node, f"expected {expected}")
        return None
    if not node.text and not node.style:
        sheet.fault(node, f"nothing stands here; write {expected} or leave the key out")
        return None
    return node


def _read_text(node: Node, sheet: Sheet, hook: _Hook | None) -> Any:
    if (scalar := scalar_in(node, sheet, "a text")) is None:
        return BROKEN
    if (reason := text_fault(scalar.text)) is not None:
        sheet.fault(node, reason)
        return BROKEN
    if hook is not None:
        hook(scalar, sheet)
    # Whether a block ends in a line feed is a matter of `|` or `|-`, not of meaning.
    return scalar.text.rstrip("\n")


_ALLOWED: Final = dict.fromkeys(map(ord, "\n\u200c\u200d\u00a0\u202f"))
"""Characters that a text may have although Python calls them not printable, for `translate`."""


def text_fault(text: str) -> str | None:
    """Return the mistake in a text for players, or None."""
    if not text.strip():
        return "the text is empty; write something or leave the key out"
    if len(text) > MAX_TEXT:
        return f"longer than {MAX_TEXT} characters; split it"
    unusual = text.translate(_ALLOWED)
    if unusual.isprintable():
        return None
    character = next(one for one in unusual if not one.isprintable())
    return f"the character U+{ord(character):04X} cannot be printed; leave it out"


def _read_bool(node: Node, sheet: Sheet) -> Any:
    if (scalar := scalar_in(node, sheet, "true or false")) is None:
        return BROKEN
    if scalar.style or scalar.text not in {"true", "false"}:
        sheet.fault(node, f"expected true or false, not {_shown(scalar)}")
        return BROKEN
    return scalar.text == "true"


def read_int(node: Node, sheet: Sheet, bounds: tuple[int, int]) -> Any:
    """Read a whole number within bounds; if there is none, note the mistake and return `BROKEN`."""
    if (scalar := scalar_in(node, sheet, "a whole number")) is None:
        return BROKEN
    if scalar.style or not _LONG_INTEGER.fullmatch(scalar.text):
        sheet.fault(node, f"expected a whole number such as 3, not {_shown(scalar)}")
        return BROKEN
    low, high = bounds
    # The length is bounded before `int`, whose time grows with the square of it.
    if not _INTEGER.fullmatch(scalar.text) or not low <= int(scalar.text) <= high:
        sheet.fault(node, f"{scalar.text[:20]} is out of bounds; {low} to {high} is allowed")
        return BROKEN
    return int(scalar.text)


def _read_enum(node: Node, sheet: Sheet, members: Mapping[str, Any]) -> Any:
    if (scalar := scalar_in(node, sheet, f"one of {', '.join(members)}")) is None:
        return BROKEN
    if scalar.text not in members:
        sheet.fault(node, f"unknown value {_shown(scalar)}; {suggestion(scalar.text, members)}")
        return BROKEN
    # The linter shows findings about a word where it is first written.
    sheet.values.setdefault((sheet.scope, scalar.text), sheet.place(node))
    return members[scalar.text]


def _shown(scalar: Scalar) -> str:
    text = scalar.text if len(scalar.text) <= 40 else scalar.text[:40] + "…"
    return repr(text)
