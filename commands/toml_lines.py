"""
TOML lines: changes one value in the text of a TOML file and leaves everything else as it is.

Comments, blank lines, order and indentation belong to whoever wrote the file; `tomlkit` keeps them.
It is imported where it is used, since most starts change no setting. Nothing is returned that does
not read as the old text would with that one value changed.
"""

import json
import re
import tomllib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import attrs

if TYPE_CHECKING:
    from tomlkit import TOMLDocument
    from tomlkit.container import Container
    from tomlkit.items import Item

Path: TypeAlias = tuple[str, ...]
"""Of a key: the tables that it lies in, and its name."""
TomlValue: TypeAlias = str | bool | Sequence[str]

_SAMPLE = re.compile(r"\s*#\s*([\w-]+)\s*=")
_TABLE = re.compile(r"^(?:[ \t]*#.*\n)*[ \t]*\[", re.MULTILINE)
"""The beginning of a table, with the comments right above its name."""
_MARK = "\0"
"""A character that no TOML has."""


class CannotEdit(Exception):
    """The text cannot be changed, or not without a change of something else that it says."""


@attrs.frozen
class _Place:
    """Where something stands, on lines of its own."""

    item: "Item"
    among: "Container"
    """What holds the item."""
    heading: Path
    """The table under whose name it stands."""


@attrs.frozen
class _Layout:
    """What stands where, by path; the first place, where there are several."""

    values: dict[Path, _Place] = attrs.field(factory=dict)
    headings: dict[Path, _Place] = attrs.field(factory=dict)
    """The names of tables."""
    samples: dict[Path, _Place] = attrs.field(factory=dict)
    """Values that are commented out."""

    def add(self, among: "Container", table: Path = (), heading: Path = ()) -> None:
        """Take over what a table holds, and the tables in it."""
        from tomlkit.items import AoT, Table  # noqa: PLC0415 (see above)

        for key, item in among.body:
            place = _Place(item, among, heading)
            if key is None:
                sample = _SAMPLE.match(item.as_string())
                if sample is not None:
                    self.samples.setdefault((*table, sample[1]), place)
                continue
            path = (*table, key.key)
            if not isinstance(item, AoT | Table):
                self.values.setdefault(path, place)
                continue
            for part in item.body if isinstance(item, AoT) else (item,):
                inner = heading if part.is_super_table() else path
                if inner == path:
                    self.headings.setdefault(path, _Place(part, among, path))
                self.add(part.value, path, inner)


def line_of(text: str, path: Path) -> int | None:
    """Return the number of the line where a key stands, from 1; None where it cannot be told."""
    try:
        document, layout = _parsed(text)
    except CannotEdit:
        return None
    lines = layout.headings | layout.values
    near = next((lines[path[:end]] for end in range(len(path), 0, -1) if path[:end] in lines), None)
    if near is None:
        return None
    near.item.trivia.indent += _MARK
    return document.as_string().partition(_MARK)[0].count("\n") + 1


def put(text: str, path: Path, value: TomlValue) -> str:
    """
    Return the text with a value put in its place.

    A new one is written below where it is commented out, else after the others of its table, else
    below the name of the table.

    Raises:
        CannotEdit: something else would change as well.
    """
    from tomlkit import value as item_of  # noqa: PLC0415 (see above)

    wanted = _changed(text, path, value)
    document, layout = _parsed(text)
    old = layout.values.get(path)
    if old is None:
        return _checked(_inserted(text, document, layout, path, dumped(value)), path, wanted)
    old.among[path[-1]] = item_of(dumped(value))
    return _checked(document.as_string(), path, wanted)


def remove(text: str, path: Path) -> str:
    """Return the text without a value; the same text where it is not in it. May CannotEdit."""
    wanted = _changed(text, path, None)
    document, _ = _parsed(text)
    table: Any = document
    for name in path[:-1]:
        table = table.get(name, {})
    table.pop(path[-1], None)
    return _checked(document.as_string(), path, wanted)


def dumped(value: TomlValue) -> str:
    """Return a value as TOML. Text has no character that does not print."""
    if isinstance(value, bool):
        return "true" if value else "false"
    # Its strings are written as those of JSON are.
    return json.dumps(value if isinstance(value, str) else list(value), ensure_ascii=False)


def _parsed(text: str) -> tuple["TOMLDocument", _Layout]:
    import tomlkit  # noqa: PLC0415 (see above)

    layout = _Layout()
    try:
        document = tomlkit.parse(text)
        layout.add(document)
    except (ValueError, RecursionError) as error:
        raise CannotEdit from error
    return document, layout


def _inserted(
    text: str, document: "TOMLDocument", layout: _Layout, path: Path, written: str
) -> str:
    """Return the text with a line for a value that was not there."""
    import tomlkit  # noqa: PLC0415 (see above)

    newline = "\r\n" if "\r\n" in text else "\n"
    beside = [place for other, place in layout.values.items() if other[:-1] == path[:-1]]
    last = beside[-1] if beside else layout.headings.get(path[:-1])
    near = layout.samples.get(path, last)
    if near is not None:
        trivia, name = near.item.trivia, ".".join(path[len(near.heading) :])
        trivia.trail = f"{trivia.trail or newline}{name} = {written}{newline}"
    elif layout.headings and len(path) == 1:
        return _TABLE.sub(lambda table: f"{path[0]} = {written}{newline}{table[0]}", text, count=1)
    else:
        table: Any = document
        for name in path[:-1]:
            table = table.setdefault(name, {})
        table[path[-1]] = tomlkit.value(written)
    return document.as_string()


def _changed(text: str, path: Path, value: TomlValue | None) -> dict[str, Any]:
    """Return what a text says, with one value changed. May CannotEdit."""
    says = table = _read(text)
    for name in path[:-1]:
        table = table.setdefault(name, {})
        if not isinstance(table, dict):
            raise CannotEdit
    table.pop(path[-1], None)
    if value is not None:
        table[path[-1]] = json.loads(dumped(value))
    return says


def _checked(text: str, path: Path, wanted: dict[str, Any]) -> str:
    """Return a text; CannotEdit if it does not say what is wanted."""
    found = table = _read(text)
    for name in path[:-1]:
        # A table with nothing in it says as much as none.
        table = table.setdefault(name, {})
    try:
        is_right = found == wanted
    except RecursionError as error:
        raise CannotEdit from error
    if not is_right:
        raise CannotEdit
    return text


def _read(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise CannotEdit from error
