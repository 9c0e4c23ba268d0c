"""
TOML lines: changes one value in the text of a TOML file and leaves everything else as it is.

Comments, blank lines, order and indentation belong to whoever wrote the file. What lies where is
found by reading with `tomllib`, piece by piece; and nothing is returned that does not read as the
old text would with that one value changed.
"""

import json
import re
import tomllib
from collections.abc import Sequence
from typing import Any, TypeAlias

import attrs

MAX_LINES = 100
"""Lines of one value at most. More are no setting, and would take long to find the end of."""

MAX_DEPTH = 50
"""Tables in one another at most; more are no settings either."""

Path: TypeAlias = tuple[str, ...]
"""Of a key: the tables that it lies in, and its name."""
TomlValue: TypeAlias = str | bool | Sequence[str]

_SAMPLE = re.compile(r"\s*#\s*([\w-]+)\s*=")


class CannotEdit(Exception):
    """The text is written in a way that cannot be changed line by line."""


@attrs.frozen
class _Statement:
    """A key with its value."""

    table: Path
    """Under whose name it stands."""
    path: Path
    first: int
    end: int
    """The line after its last one."""


@attrs.define
class _Layout:
    """What stands on which line of a text."""

    lines: list[str]
    statements: list[_Statement] = attrs.field(factory=list)
    headers: dict[Path, int] = attrs.field(factory=dict)
    """The lines with the names of tables."""
    samples: dict[Path, int] = attrs.field(factory=dict)
    """The lines of values that are commented out."""

    def find(self, path: Path) -> _Statement | None:
        return next((one for one in self.statements if one.path == path), None)


def line_of(text: str, path: Path) -> int | None:
    """Return the number of the line where a key stands, from 1; None where it cannot be told."""
    try:
        layout = _layout(text)
    except CannotEdit:
        return None
    for length in range(len(path), 0, -1):
        near = layout.find(path[:length])
        if near is not None:
            return near.first + 1
        if path[:length] in layout.headers:
            return layout.headers[path[:length]] + 1
    return None


def put(text: str, path: Path, value: TomlValue) -> str:
    """
    Return the text with a value put in its place; beside the others of its table if it has none.

    Raises:
        CannotEdit: its lines cannot be told apart from others.
    """
    layout = _layout(text)
    old = layout.find(path)
    if old is None:
        _insert(layout, path, value)
    else:
        changed = _replaced(layout.lines[old.first : old.end], value)
        layout.lines[old.first : old.end] = [changed]
    return _checked("".join(layout.lines), text, path, value)


def remove(text: str, path: Path) -> str:
    """Return the text without a value; the same text where it is not in it. May CannotEdit."""
    layout = _layout(text)
    old = layout.find(path)
    if old is None:
        return text
    del layout.lines[old.first : old.end]
    return _checked("".join(layout.lines), text, path, None)


def dumped(value: TomlValue) -> str:
    """Return a value as TOML. Text has no character that does not print."""
    if isinstance(value, bool):
        return "true" if value else "false"
    # Its strings are written as those of JSON are.
    return json.dumps(value if isinstance(value, str) else list(value), ensure_ascii=False)


# Reading -----------------------------------------------------------------------------------


def _layout(text: str) -> _Layout:
    # A line ends with LF alone, or CR LF; other breaks may stand inside a string.
    layout = _Layout(re.findall(r"[^\n]*\n|[^\n]+", text))
    table: Path = ()
    at = 0
    while at < len(layout.lines):
        line = layout.lines[at]
        stripped = line.strip()
        if stripped and not stripped.startswith(("#", "[")):
            end, path = _statement(layout.lines, at)
            layout.statements.append(_Statement(table, table + path, at, end))
            at = end
            continue
        if stripped.startswith("["):
            table = _path_in(_read(line))
            layout.headers.setdefault(table, at)
        sample = _SAMPLE.match(line)
        if sample is not None:
            layout.samples.setdefault((*table, sample[1]), at)
        at += 1
    return layout


def _statement(lines: list[str], first: int) -> tuple[int, Path]:
    """Return where the value that begins on a line ends, and the path that it has there."""
    for end in range(first + 1, min(first + MAX_LINES, len(lines)) + 1):
        try:
            found = tomllib.loads("".join(lines[first:end]))
        except tomllib.TOMLDecodeError:
            # A list or a text may go on for several lines.
            continue
        except RecursionError as error:
            raise CannotEdit from error
        return end, _path_in(found)
    raise CannotEdit


def _path_in(found: object) -> Path:
    names: list[str] = []
    while isinstance(found, dict) and len(found) == 1:
        ((name, found),) = found.items()
        names.append(name)
    return tuple(names)


def _read(text: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise CannotEdit from error


# Writing -----------------------------------------------------------------------------------


def _replaced(lines: list[str], value: TomlValue) -> str:
    """Return the line for a value that stood on these; what is said behind it stays."""
    name = lines[0].partition("=")[0].rstrip()
    last = lines[-1].rstrip("\r\n")
    return f"{name} = {dumped(value)}{_remark(lines[:-1], last)}{lines[-1][len(last) :]}"


def _remark(before: list[str], last: str) -> str:
    """Return the comment at the end of a value's last line, with the space before it."""
    for found in re.finditer(r"\s*#", last):
        try:
            tomllib.loads("".join([*before, last[: found.start()]]))
        except tomllib.TOMLDecodeError:
            # This one is part of a text.
            continue
        return last[found.start() :]
    return ""


def _insert(layout: _Layout, path: Path, value: TomlValue) -> None:
    """Write a value that was not there: below where it is commented out, else after its kin."""
    table, name = path[:-1], path[-1]
    written = [f"{name} = {dumped(value)}"]
    beside = [one for one in layout.statements if one.path[:-1] == table]
    if path in layout.samples:
        at = layout.samples[path] + 1
    elif beside:
        at = beside[-1].end
        written = [f"{'.'.join(path[len(beside[-1].table) :])} = {dumped(value)}"]
    elif table in layout.headers:
        at = layout.headers[table] + 1
    elif not table:
        at = _before_tables(layout)
    else:
        at = len(layout.lines)
        written = [*([""] if layout.lines else []), f"[{'.'.join(table)}]", *written]
    newline = "\r\n" if any(line.endswith("\r\n") for line in layout.lines) else "\n"
    if at and not layout.lines[at - 1].endswith("\n"):
        layout.lines[at - 1] += newline
    layout.lines[at:at] = [line + newline for line in written]


def _before_tables(layout: _Layout) -> int:
    """Return the line before the first table's name, and before what is said about that."""
    at = min(layout.headers.values(), default=len(layout.lines))
    while 0 < at < len(layout.lines) and layout.lines[at - 1].strip():
        at -= 1
    return at


def _checked(new: str, old: str, path: Path, value: TomlValue | None) -> str:
    """Return the new text if it reads as the old one would with that value; else CannotEdit."""
    wanted = _read(old)
    if _depth(wanted) > MAX_DEPTH:
        raise CannotEdit
    table = wanted
    for name in path[:-1]:
        table = table.setdefault(name, {})
    table.pop(path[-1], None)
    if value is not None:
        table[path[-1]] = value if isinstance(value, str | bool) else list(value)
    if _pruned(_read(new)) != _pruned(wanted):
        raise CannotEdit
    return new


def _depth(table: object) -> int:
    """Return how many tables lie in one another, at most one more than there may be."""
    layer, depth = [table], 0
    while layer and depth <= MAX_DEPTH:
        depth += 1
        layer = [value for one in layer if isinstance(one, dict) for value in one.values()]
    return depth


def _pruned(table: dict[str, Any]) -> dict[str, Any]:
    """Return a table without tables that have nothing in them."""
    return {
        name: _pruned(value) if isinstance(value, dict) else value
        for name, value in table.items()
        if value != {}
    }
