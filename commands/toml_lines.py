"""
Edits one value in a TOML text; `tomlkit` keeps comments, blank lines, order and indentation.

`tomlkit` is imported only where it is used: importing it takes longer than reading all settings,
and most starts change no setting. The values after every edit are compared with the expected
values, so that no mistake of this module or of the library reaches a player's file.
"""

import json
import re
import tomllib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from tomlkit import TOMLDocument
    from tomlkit.items import Item

Path: TypeAlias = tuple[str, ...]
"""Names of the tables around a key, then the key itself."""
TomlValue: TypeAlias = str | bool | Sequence[str]

_SAMPLE = re.compile(r"\s*#\s*([\w-]+)\s*=")
"""Pattern of a value that is commented out."""
_MARK = "\0"
"""A character that no TOML text contains."""


class CannotEdit(Exception):
    """The edit is impossible, or would change other values too."""


def line_of(text: str, path: Path) -> int | None:
    """Return the line, from 1, of a key or else of its table; None if neither has a line."""
    from tomlkit.items import AoT, Table  # noqa: PLC0415 (see above)

    try:
        document = _parsed(text)
    except CannotEdit:
        return None
    among: Any = document
    near: Item | None = None
    for name in path:
        if name not in among:
            break
        item = among.item(name)
        if isinstance(item, AoT):
            item = item.body[0]
        if not isinstance(item, Table):
            near = getattr(item, "trivia", None) and item
            break
        # A table that only dotted keys or inner headings create has no line of its own.
        near, among = near if item.is_super_table() else item, item.value
    if near is None:
        return None
    near.trivia.indent += _MARK
    return document.as_string().partition(_MARK)[0].count("\n") + 1


def put(text: str, path: Path, value: TomlValue) -> str:
    """
    Return the text with a value set.

    A new value goes below the comment that shows the value, else below the last value of its table.
    In a file without top-level values, the new value goes above the first table and the comment of
    that table.

    Raises:
        CannotEdit: other values would change too.
    """
    import tomlkit  # noqa: PLC0415 (see above)
    from tomlkit.items import Table  # noqa: PLC0415

    wanted = _read(text)
    # Worked out without tomlkit, so that its mistakes are found.
    _table(wanted, path)[path[-1]] = json.loads(dumped(value))
    document, name = _parsed(text), path[-1]
    table: Any = _table(document, path)
    has_lines = table is document or (isinstance(table, Table) and not table.is_super_table())
    is_new = name not in table
    near = _above(table, name) if has_lines and is_new else None
    next_one = _below(document) if table is document and is_new and near is None else None
    newline = "\r\n" if "\r\n" in text else "\n"
    line = f"{name} = {dumped(value)}{newline}"
    # The library would append to the table, below comments that belong to the next one.
    if near is not None:
        near.trivia.trail = f"{near.trivia.trail or newline}{line}"
    elif next_one is not None:
        next_one.trivia.indent = f"{line}{newline}{next_one.trivia.indent}"
    else:
        table[name] = tomlkit.value(dumped(value))
    return _checked(document.as_string(), path, wanted)


def remove(text: str, path: Path) -> str:
    """Return the text without a value, or the same text if it has none. May raise CannotEdit."""
    wanted, document = _read(text), _parsed(text)
    _table(wanted, path).pop(path[-1], None)
    table: Any = document
    for name in path[:-1]:
        table = table.get(name, {})
    table.pop(path[-1], None)
    return _checked(document.as_string(), path, wanted)


def dumped(value: TomlValue) -> str:
    """
    Return a value as TOML.

    Strings must be printable: only such strings are written alike in JSON, which is used here.
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    return json.dumps(value if isinstance(value, str) else list(value), ensure_ascii=False)


def _parsed(text: str) -> "TOMLDocument":
    import tomlkit  # noqa: PLC0415 (see above)

    try:
        return tomlkit.parse(text)
    except (ValueError, RecursionError) as error:
        raise CannotEdit from error


def _above(table: Any, name: str) -> "Item | None":
    """Return the item above a new value: its commented sample, else the last value, or None."""
    from tomlkit.items import AoT, Comment, Table  # noqa: PLC0415 (see above)

    last = None
    body = table.value.body if isinstance(table, Table) else table.body
    for key, item in body:
        sample = _SAMPLE.match(item.as_string()) if isinstance(item, Comment) else None
        if sample is not None and sample[1] == name:
            return item
        if key is not None and not isinstance(item, AoT | Table):
            last = item
    return last


def _below(document: "TOMLDocument") -> "Item | None":
    """
    Return the heading of the first table, or the first line of the comment directly above it.

    None if there is no table, or its heading has no line.
    """
    from tomlkit.items import AoT, Comment, Table  # noqa: PLC0415 (see above)

    first = None
    for key, item in document.body:
        if isinstance(item, Comment):
            first = first or item
        elif isinstance(item, AoT | Table) and not (key and key.is_dotted()):
            heading = item.body[0] if isinstance(item, AoT) else item
            # A table that only inner headings create has no heading of its own.
            return first or (None if heading.is_super_table() else heading)
        else:
            first = None
    return None


def _table(says: Any, path: Path) -> Any:
    """Return the table that holds a key; create a missing one. CannotEdit if a value is there."""
    for name in path[:-1]:
        says = says.setdefault(name, {})
        if not hasattr(says, "setdefault"):
            raise CannotEdit
    return says


def _checked(text: str, path: Path, wanted: dict[str, Any]) -> str:
    """Return an edited text. Raise CannotEdit if its values differ from those in `wanted`."""
    found = _read(text)
    # A table with nothing in it says as much as none.
    _table(found, path)
    _table(wanted, path)
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
