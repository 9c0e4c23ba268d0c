"""
The strict subset of YAML that packs are written in.

A file is one document of mappings, lists and scalars. Every scalar is text, which the schema
interprets, so `no`, `1e3` and `0x10` stay texts. Refused, with their place: anchors and aliases,
tags and directives, merge keys, keys that are not text or occur twice, further documents, and
anything over the bounds. The parser's events are read, never its constructed objects, so no
input can make anything but nodes.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import attrs
import yaml

from content.reading.mistakes import ContentError

MAX_FILE_BYTES = 1 << 20
"""Maximum size of a file, in bytes."""
MAX_DEPTH = 60
"""Maximum levels of nested mappings and lists."""
MAX_NODES = 100_000
"""Maximum number of scalars, lists and mappings in one file."""

_LOADER: type = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The libyaml loader, ten times as fast, if the installed wheel has it; else the Python loader."""


@attrs.frozen
class Scalar:
    """One text; `line` and `column` count from 1."""

    text: str
    line: int
    column: int
    style: str = ""
    """The quote of the scalar, or `|` or `>` for a block; empty for plain text."""
    indent: int = 0
    """The indentation of a `|` block, whose lines begin below `line`."""
    is_one_line: bool = True
    """True if the scalar is written in one line, so that a character's position is known."""
    is_cut: bool = False
    """True if a `#` after the scalar begins a comment, although the author may have meant a
    character."""
    file: str = attrs.field(default="", eq=False)
    """The file in which the text stands: a correction brings it into an entry of another file."""


@attrs.frozen
class Listing:
    """One list of nodes."""

    items: tuple["Node", ...]
    line: int
    column: int
    file: str = attrs.field(default="", eq=False)


@attrs.frozen
class Fields:
    """One mapping from text to nodes, in the order of the file."""

    keys: Mapping[str, Scalar]
    values: Mapping[str, "Node"]
    line: int
    column: int
    file: str = attrs.field(default="", eq=False)


Node = Scalar | Listing | Fields


class _TooMuch(Exception):
    """A fault that ends the reading of a file, such as an exceeded bound."""

    def __init__(self, event: Any, reason: str) -> None:
        self.line, self.column = event.start_mark.line + 1, event.start_mark.column + 1
        self.reason = reason
        super().__init__(reason)


def read_yaml(file: str, data: bytes) -> tuple[Node | None, tuple[ContentError, ...]]:
    """
    Read one file.

    Returns:
        The node of the document, None if it cannot be read, and all mistakes. A node with
        mistakes is complete enough to be checked for more.
    """
    # Decoding and parsing take memory in proportion to the length, so it is bounded first.
    if len(data) > MAX_FILE_BYTES:
        reason = f"longer than {MAX_FILE_BYTES} bytes; split it into several files"
        return None, (ContentError(file, 1, 1, "", reason),)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        return None, (ContentError(file, line, 1, "", "not UTF-8; save the file as UTF-8"),)
    reader = _Reader(file, text.split("\n"))
    try:
        # Events alone are read: loading would build whatever the tags of a stranger name.
        node = reader.document(yaml.parse(text, Loader=_LOADER))
    except _TooMuch as much:
        reader.add(much.line, much.column, much.reason)
        return None, tuple(reader.errors)
    except yaml.YAMLError as error:
        line, column = _where(error, text)
        reader.broken(line, column, _what(error))
        return None, tuple(reader.errors)
    return node, tuple(reader.errors)


def _where(error: yaml.YAMLError, text: str) -> tuple[int, int]:
    problem, context = (getattr(error, name, None) for name in ("problem_mark", "context_mark"))
    # A quote is closed where it opens, not at the end of the file.
    mark = context if _is_open(error) else problem or context
    if mark is not None:
        return mark.line + 1, mark.column + 1
    position = getattr(error, "position", 0)
    before = text[: position if isinstance(position, int) else 0]
    return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


def _is_open(error: yaml.YAMLError) -> bool:
    """Return whether an error means that the file ends inside a quote."""
    context, problem = (str(getattr(error, name, "")) for name in ("context", "problem"))
    return "quoted scalar" in context and "end of stream" in problem


def _what(error: yaml.YAMLError) -> str:
    if _is_open(error):
        return "this quote is not closed"
    said = [getattr(error, name, None) for name in ("context", "problem", "reason")]
    return ", ".join(str(part) for part in said if part) or "unreadable"


class _Reader:
    """Builds nodes from events and remembers mistakes."""

    def __init__(self, file: str, lines: Sequence[str]) -> None:
        self.file = file
        self.lines = lines
        self.errors: list[ContentError] = []
        self.count = 0
        self._long_quote: tuple[int, int, int] | None = None
        """Line and column of the last quoted text of several lines, and the line of its end."""

    def add(self, line: int, column: int, reason: str) -> None:
        """Note a mistake at a line and a column."""
        self.errors.append(ContentError(self.file, line, column, "", reason))

    def at(self, event: Any, reason: str) -> None:
        """Note a mistake where an event begins."""
        self.add(event.start_mark.line + 1, event.start_mark.column + 1, reason)

    def broken(self, line: int, column: int, reason: str) -> None:
        """
        Note the mistake that ends the reading of a file.

        If a quote that spans lines ends in the line of the mistake, it was left open, and the
        opening of the next quote has closed it. So the mistake is noted where the long quote
        begins.
        """
        if self._long_quote is not None and self._long_quote[2] == line:
            line, column, end = self._long_quote
            reason = f"this quote is not closed before the next one, in line {end}"
        self.add(line, column, f"not YAML: {reason}")

    def document(self, events: Iterator[Any]) -> Node | None:
        """Read the only document; None, after noting the mistake, if the file is empty."""
        node: Node | None = None
        started = False
        for event in events:
            if isinstance(event, yaml.DocumentStartEvent):
                if started:
                    raise _TooMuch(event, "a second document; one file holds one")
                started = True
                if event.version or event.tags:
                    self.at(event, "a directive; leave out the lines that begin with %")
                node = self.node(next(events), events, 0)
        if node is None:
            self.add(1, 1, "the file is empty; write [] if there is nothing to say")
        return node

    def node(self, event: Any, events: Iterator[Any], depth: int) -> Node:
        """Read the node that begins with an event."""
        self.count += 1
        # A node can be a single byte of a file, and takes more than a hundred bytes of memory.
        if self.count > MAX_NODES:
            raise _TooMuch(event, f"more than {MAX_NODES} nodes; split the file")
        if depth > MAX_DEPTH:
            raise _TooMuch(event, f"nested deeper than {MAX_DEPTH}")
        start: Any = event.start_mark
        line, column = start.line + 1, start.column + 1
        if isinstance(event, yaml.AliasEvent):
            self.at(event, f"an alias; write out what *{event.anchor} stands for")
            return Scalar("", line, column, file=self.file)
        if event.anchor is not None:
            self.at(event, f"an anchor; leave out &{event.anchor}")
        if event.tag is not None:
            self.at(event, f"a tag; leave out {event.tag}")
        if isinstance(event, yaml.ScalarEvent):
            style = event.style or ""
            indent = self.indent(event.value, line) if style == "|" else 0
            end: Any = event.end_mark
            is_one_line = start.line == end.line
            if style in {"'", '"'} and not is_one_line:
                # The parser complains only where the next quote opens, lines below the mistake.
                self._long_quote = (line, column, end.line + 1)
            # The parser knows more ends of lines than we count, so a line may lie beyond ours.
            is_plain = not style and end.line < len(self.lines)
            rest = self.lines[end.line][end.column :] if is_plain else ""
            is_cut = rest.lstrip(" \t").startswith("#")
            return Scalar(event.value, line, column, style, indent, is_one_line, is_cut, self.file)
        if isinstance(event, yaml.SequenceStartEvent):
            return Listing(tuple(self.items(events, depth + 1)), line, column, self.file)
        return self.fields(events, line, column, depth + 1)

    def indent(self, text: str, line: int) -> int:
        """Return the indentation of the block that follows a line."""
        below = self.lines[line:]
        for written, read in zip(below, text.split("\n"), strict=False):
            if read.strip():
                return max(0, len(written.rstrip("\r")) - len(read))
        return 0

    def items(self, events: Iterator[Any], depth: int) -> Iterator[Node]:
        """Read the items of a list up to its end."""
        while not isinstance(event := next(events), yaml.SequenceEndEvent):
            yield self.node(event, events, depth)

    def fields(self, events: Iterator[Any], line: int, column: int, depth: int) -> Fields:
        """Read the keys and values of a mapping up to its end."""
        keys: dict[str, Scalar] = {}
        values: dict[str, Node] = {}
        while not isinstance(event := next(events), yaml.MappingEndEvent):
            key = self.node(event, events, depth)
            value = self.node(next(events), events, depth)
            if not isinstance(key, Scalar):
                self.at(event, "a list or mapping as a key; a key is a plain word")
            # In quotes it is a key like any other.
            elif key.text == "<<" and not key.style:
                self.at(event, "a merge key; write out what it stands for")
            elif key.text in keys:
                first = keys[key.text].line
                self.at(event, f"the key {key.text!r} a second time; the first is in line {first}")
            else:
                keys[key.text] = key
                values[key.text] = value
        return Fields(keys, values, line, column, self.file)
