"""
Reading nodes as values of the schema: attrs classes give the types, YAML gives texts.

A reader is compiled once for each type and takes a node and the `Sheet` that the mistakes go to.
What cannot be read is `BROKEN`; reading goes on beside it, so that one run tells all mistakes.
What a field names or brings into being (`content.games.second_edition.references`) is noted
on the way, with its place.
"""

import enum
import functools
import re
import types
import typing
from collections.abc import Callable, Mapping
from typing import Any

import attrs

from content.games.second_edition.checks import CHECKS, DEFAULT_BOUNDS, INT_BOUNDS
from content.games.second_edition.references import (
    ANY_ID,
    BY_KEY,
    DECLARES,
    FREE,
    NAMED_BY_RULES,
    REFERS,
    SHARED,
    Kind,
)
from content.games.second_edition.schema.board_steps import RemoveTile
from content.games.second_edition.schema.effects import (
    Amount,
    GainItem,
    GainSpell,
    SetCounters,
    Way,
)
from content.games.second_edition.schema.expressions import BUILT_IN
from content.games.second_edition.schema.registry import Part, parts_of
from content.games.second_edition.schema.requirements import Happened, Requirement, TimerLeft
from content.reading.expressions import BadExpression, Named, read_condition, read_number
from content.reading.mistakes import ContentError, suggestion
from content.reading.sheet import Complaint, InlineComplaint, Sheet
from content.reading.yaml_subset import Fields, Listing, Node, Scalar

SHORT: Mapping[type, str] = {
    GainItem: "item",
    GainSpell: "spell",
    RemoveTile: "tile",
    Happened: "event",
    TimerLeft: "name",
    Way: "effect",
}
"""The one field of a class that may be written in place of the mapping."""
MOST_PLAYERS = 5
"""For how many investigators a list of numbers is written. Rule SETUP-1."""
MAX_TEXT = 10_000
"""The longest text."""

_INTEGER = re.compile(r"-?[0-9]{1,9}")
_LONG_INTEGER = re.compile(r"-?[0-9]+")


class _Broken:
    """Stands for what could not be read."""


BROKEN = _Broken()


Read = Callable[[Node, Sheet], Any]
Hook = Callable[[Scalar, Sheet], None]


def _no_hook(_node: Scalar, _sheet: Sheet) -> None:
    """Note nothing."""


def _hook_of(way: tuple[type, str]) -> Hook:
    """Return what is to be noted for each text in a field."""
    declares = SHARED.get(way) or DECLARES.get(way)
    if declares is not None:
        return lambda node, sheet: sheet.declare(declares, node.text, sheet.place(node))
    refers = REFERS.get(way)
    if refers is None:
        return _no_hook
    free = FREE.get(way, frozenset())
    shown_as = NAMED_BY_RULES.get(way)

    def note(node: Scalar, sheet: Sheet) -> None:
        if node.text not in free:
            sheet.refer(refers, node.text, sheet.place(node))
        if shown_as is not None:
            sheet.refer(Kind.NAME, f"{shown_as}/{node.text}", sheet.place(node))

    return note


def _compile(type_: Any, way: tuple[type, str], hook: Hook) -> Read:
    """Return the reader of a field's type."""
    origin, arguments = typing.get_origin(type_), typing.get_args(type_)
    if origin in {typing.Union, types.UnionType}:
        inner = [argument for argument in arguments if argument is not type(None)]
        if inner == [int, Amount]:
            has_flags = way == (SetCounters, "values")
            return _number_reader(INT_BOUNDS.get(way, DEFAULT_BOUNDS), has_flags=has_flags)
        if len(inner) == 2:
            return _selection_reader(*inner)
        (only,) = inner
        return _compile(only, way, hook)
    if origin is tuple:
        return _list_reader(_compile(arguments[0], way, hook))
    if origin is not None and issubclass(origin, Mapping):
        # The keys of a mapping bring things into being, its values name them, but for a few.
        key_hook = hook if way in DECLARES or way in BY_KEY else _no_hook
        read_value = _compile(arguments[1], way, hook)
        return _mapping_reader(arguments[0], read_value, key_hook, DECLARES.get(way))
    if type_ is str:
        return functools.partial(_read_text, hook=hook)
    if type_ is bool:
        return _read_bool
    if type_ is int:
        return functools.partial(_read_int, bounds=INT_BOUNDS.get(way, DEFAULT_BOUNDS))
    return reader_of(type_)


@functools.cache
def reader_of(type_: Any) -> Read:
    """Return the reader of a class, an enum or a family of parts."""
    if type_ is Amount:
        return _read_amount
    if isinstance(type_, type) and issubclass(type_, enum.Enum):
        return functools.partial(_read_enum, members={m.value: m for m in type_})
    if parts_of(type_):
        return _family_reader(type_)
    return object_reader(type_)


def _list_reader(item: Read) -> Read:
    def read(node: Node, sheet: Sheet) -> Any:
        if not isinstance(node, Listing):
            sheet.fault(node, "expected a list; begin each entry with '- ', or write [] for none")
            return BROKEN
        found = []
        for index, entry in enumerate(node.items):
            sheet.path.append(entry_name(entry, index))
            found.append(item(entry, sheet))
            sheet.path.pop()
        return BROKEN if any(value is BROKEN for value in found) else tuple(found)

    return read


def entry_name(entry: Node, index: int) -> str:
    """Return what an entry of a list is called in messages: its id, if it has one."""
    if isinstance(entry, Fields):
        id_ = entry.values.get("id")
        if isinstance(id_, Scalar) and ANY_ID.fullmatch(id_.text):
            return id_.text
    return f"[{index}]"


def _mapping_reader(key_type: Any, read_value: Read, hook: Hook, declares: Kind | None) -> Read:
    read_key = functools.partial(_read_text, hook=hook) if key_type is str else reader_of(key_type)

    def read(node: Node, sheet: Sheet) -> Any:
        if not isinstance(node, Fields):
            sheet.fault(node, "expected a mapping; write 'key: value' lines, or {} for none")
            if declares is not None:
                sheet.miss(declares)
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


def object_reader(cls: type, given: Mapping[str, Any] = types.MappingProxyType({})) -> Read:
    """
    Return the reader of an attrs class.

    Args:
        cls: the class.
        given: fields that the file implies; they cannot be written.
    """
    hints = typing.get_type_hints(cls)
    fields = {key_of(field): field for field in attrs.fields(cls) if field.name not in given}
    readers = {
        key: _compile(hints[field.name], (cls, field.name), _hook_of((cls, field.name)))
        for key, field in fields.items()
    }
    required = [key for key, field in fields.items() if field.default is attrs.NOTHING]
    check = CHECKS.get(cls)
    declares = DECLARES.get((cls, "id"))
    short = SHORT.get(cls)

    def read(node: Node, sheet: Sheet) -> Any:
        if short is not None and not isinstance(node, Fields):
            value = readers[short](node, sheet)
            return BROKEN if value is BROKEN else cls(**{short: value})
        values = _read_fields(node, sheet, readers, required)
        if values is None:
            if declares is Kind.TILE:
                sheet.miss(Kind.SPACE, Kind.DOOR, Kind.SPOT)
            if declares is not None and not (isinstance(node, Fields) and "id" in node.values):
                sheet.miss(declares)
            return BROKEN
        made = cls(**{fields[key].name: value for key, value in values.items()}, **given)
        if check is not None:
            check(made, Complaint(sheet, node))
        return made

    return read


def key_of(field: Any) -> str:
    """Return how a field is written: without the underscore of a name that Python keeps."""
    return str(field.name).removesuffix("_")


def _read_fields(
    node: Node, sheet: Sheet, readers: Mapping[str, Read], required: list[str]
) -> dict[str, Any] | None:
    """Read the fields of an object; None where one cannot be read."""
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
        if not sheet.path:
            sheet.keys[sheet.file, name] = sheet.place(node, name)
        sheet.path.append(name)
        values[name] = readers[name](entry, sheet)
        is_broken = is_broken or values[name] is BROKEN
        sheet.path.pop()
    missing = [name for name in required if name not in values]
    if missing:
        sheet.fault(node, f"add the missing {', '.join(repr(name) for name in missing)}")
    return None if is_broken or missing else values


_CALLED = {"Whom": "choice of investigators", "WhichMonsters": "choice of monsters"}


def _family_reader(family: type) -> Read:
    parts = parts_of(family)
    what = _CALLED.get(family.__name__) or family.__name__.lower()
    compiled: dict[str, Read] = {}

    def reader(part: Part) -> Read:
        # Parts hold their own family, so a reader is made when it is first needed.
        if part.key not in compiled:
            compiled[part.key] = _part_reader(part)
        return compiled[part.key]

    def read(node: Node, sheet: Sheet) -> Any:
        if family is Requirement and isinstance(node, Scalar):
            return _read_condition(node, sheet)
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


def _selection_reader(words: type[enum.Enum], family: type) -> Read:
    """Return the reader of what is a word, the id of one thing, or a mapping with one key."""
    members = {member.value: member for member in words}
    read_mapping = _family_reader(family)
    read_id = _part_reader(next(iter(parts_of(family).values())))

    def read(node: Node, sheet: Sheet) -> Any:
        if not isinstance(node, Scalar):
            return read_mapping(node, sheet)
        return members[node.text] if node.text in members else read_id(node, sheet)

    return read


def _part_reader(part: Part) -> Read:
    if part.inline is None:
        return object_reader(part.made)
    way = (part.made, part.inline)
    inner = _compile(typing.get_type_hints(part.made)[part.inline], way, _hook_of(way))
    check = CHECKS.get(part.made)

    def read(node: Node, sheet: Sheet) -> Any:
        value = inner(node, sheet)
        if value is BROKEN:
            return BROKEN
        made = part.made(value)
        if check is not None:
            # The field is not written, so what is wrong with it stands where the value does.
            check(made, InlineComplaint(sheet, node))
        return made

    return read


def _scalar(node: Node, sheet: Sheet, expected: str) -> Scalar | None:
    if not isinstance(node, Scalar):
        sheet.fault(node, f"expected {expected}")
        return None
    if not node.text and not node.style:
        sheet.fault(node, f"nothing stands here; write {expected} or leave the key out")
        return None
    return node


def _read_text(node: Node, sheet: Sheet, hook: Hook) -> Any:
    if (scalar := _scalar(node, sheet, "a text")) is None:
        return BROKEN
    if (reason := text_fault(scalar.text)) is not None:
        sheet.fault(node, reason)
        return BROKEN
    hook(scalar, sheet)
    # Whether a block ends in a line feed is a matter of `|` or `|-`, not of meaning.
    return scalar.text.rstrip("\n")


def text_fault(text: str) -> str | None:
    """Return what is wrong with a text that people are shown, or None."""
    if not text.strip():
        return "the text is empty; write something or leave the key out"
    if len(text) > MAX_TEXT:
        return f"longer than {MAX_TEXT} characters; split it"
    for character in text:
        if not character.isprintable() and character not in "\n\u200c\u200d\u00a0\u202f":
            return f"the character U+{ord(character):04X} cannot be printed; leave it out"
    return None


def _read_bool(node: Node, sheet: Sheet) -> Any:
    if (scalar := _scalar(node, sheet, "true or false")) is None:
        return BROKEN
    if scalar.style or scalar.text not in {"true", "false"}:
        sheet.fault(node, f"expected true or false, not {_shown(scalar)}")
        return BROKEN
    return scalar.text == "true"


def _read_int(node: Node, sheet: Sheet, bounds: tuple[int, int]) -> Any:
    if (scalar := _scalar(node, sheet, "a whole number")) is None:
        return BROKEN
    if scalar.style or not _LONG_INTEGER.fullmatch(scalar.text):
        sheet.fault(node, f"expected a whole number such as 3, not {_shown(scalar)}")
        return BROKEN
    low, high = bounds
    if not _INTEGER.fullmatch(scalar.text) or not low <= int(scalar.text) <= high:
        sheet.fault(node, f"{scalar.text[:20]} is out of bounds; {low} to {high} is allowed")
        return BROKEN
    return int(scalar.text)


def _read_enum(node: Node, sheet: Sheet, members: Mapping[str, Any]) -> Any:
    if (scalar := _scalar(node, sheet, f"one of {', '.join(members)}")) is None:
        return BROKEN
    if scalar.text not in members:
        sheet.fault(node, f"unknown value {_shown(scalar)}; {suggestion(scalar.text, members)}")
        return BROKEN
    sheet.values.setdefault((sheet.scope, scalar.text), sheet.place(node))
    return members[scalar.text]


def _read_amount(node: Node, sheet: Sheet) -> Any:
    """Read a number that is a mapping, a list for one to five investigators, or an expression."""
    if isinstance(node, Fields):
        return _amount_fields()(node, sheet)
    found = _number_reader(DEFAULT_BOUNDS)(node, sheet)
    return Amount(found) if isinstance(found, int) else found


def _number_reader(bounds: tuple[int, int], *, has_flags: bool = False) -> Read:
    """Return the reader of a number: the same in every game, or not; or yes or no as 1 or 0."""
    read_list = _list_reader(functools.partial(_read_int, bounds=bounds))

    def read(node: Node, sheet: Sheet) -> Any:
        if isinstance(node, Fields):
            return _amount_fields()(node, sheet)
        if isinstance(node, Listing):
            listed = read_list(node, sheet)
            return BROKEN if listed is BROKEN else _listed(listed, node, sheet)
        if _LONG_INTEGER.fullmatch(node.text):
            return _read_int(node, sheet, bounds)
        if node.text in {"true", "false"}:
            return int(node.text == "true") if has_flags else _read_int(node, sheet, bounds)
        formula = _read_expression(node, sheet, read_number, "a number")
        return BROKEN if formula is BROKEN else Amount(formula=formula)

    return read


def _listed(listed: tuple[int, ...], node: Node, sheet: Sheet) -> Any:
    if len(listed) != MOST_PLAYERS:
        sheet.fault(node, f"{len(listed)} numbers; write five, for 1 to 5 investigators")
        return BROKEN
    return Amount(listed=listed)


def _read_condition(node: Node, sheet: Sheet) -> Any:
    return _read_expression(node, sheet, read_condition, "a requirement")


def _read_expression(
    node: Node,
    sheet: Sheet,
    parse: Callable[[str], tuple[Any, tuple[Named, ...]]],
    expected: str,
) -> Any:
    """Read a text as an expression, and note the counters that it names."""
    if (scalar := _scalar(node, sheet, expected)) is None:
        return BROKEN
    try:
        made, names = parse(scalar.text)
    except BadExpression as bad:
        place = sheet.place_in(scalar, bad.offset)
        sheet.errors.append(ContentError.at(place, f"expected {expected}: {bad.reason}"))
        return BROKEN
    for named in names:
        if named.name not in BUILT_IN:
            sheet.refer(Kind.VALUE, named.name, sheet.place_in(scalar, named.offset))
    return made


@functools.cache
def _amount_fields() -> Read:
    return object_reader(Amount, {"listed": (), "formula": None})


def _shown(scalar: Scalar) -> str:
    text = scalar.text if len(scalar.text) <= 40 else scalar.text[:40] + "…"
    return repr(text)
