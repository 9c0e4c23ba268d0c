"""The subset of YAML: text, lists and mappings with their places, and nothing else."""

import pytest

from content.reading.mistakes import ContentError
from content.reading.yaml_subset import Fields, Listing, Node, Scalar, read_yaml


def plain(node: Node | None) -> object:
    """Return a node as lists and mappings of texts."""
    if isinstance(node, Listing):
        return [plain(item) for item in node.items]
    if isinstance(node, Fields):
        return {key: plain(value) for key, value in node.values.items()}
    return None if node is None else node.text


def read(text: str) -> Node:
    """Read a text that must be valid."""
    node, errors = read_yaml("f.yaml", text.encode())
    assert errors == ()
    assert node is not None
    return node


def refused(text: str) -> ContentError:
    """Return the single mistake found in a text."""
    _node, (error,) = read_yaml("f.yaml", text.encode())
    return error


@pytest.mark.parametrize(
    "text",
    [
        "no",
        "yes",
        "on",
        "null",
        "~",
        "1e3",
        "0x10",
        "010",
        "1_000",
        "12:30:45",
        "2020-01-01",
        ".inf",
    ],
)
def test_scalar_is_its_text(text: str) -> None:
    assert plain(read(f"a: {text}")) == {"a": text}


def test_key_is_its_text() -> None:
    assert plain(read("no: 1\n1: no\n")) == {"no": "1", "1": "no"}


@pytest.mark.parametrize(
    ("text", "nodes"),
    [
        ("- a\n- b: c\n  d: [e, {f: g}]\n", ["a", {"b": "c", "d": ["e", {"f": "g"}]}]),
        ("a: 'it''s'\n", {"a": "it's"}),
        ('a: "x\\ty"\n', {"a": "x\ty"}),
        ("a: |\n  x\n   y\n\n  z\n", {"a": "x\n y\n\nz\n"}),
        ("a: >\n  x\n  y\n", {"a": "x y\n"}),
        ("a: x\n  y\n", {"a": "x y"}),
        ("a:\n", {"a": ""}),
        ("---\na: b\n...\n", {"a": "b"}),
        ("{}", {}),
        ("[]", []),
        ("# é\na: é # c\r\n", {"a": "é"}),
        ("\ufeffa: b", {"a": "b"}),
    ],
)
def test_yaml_forms_are_read_as_yaml_says(text: str, nodes: object) -> None:
    assert plain(read(text)) == nodes


def test_places_count_from_one() -> None:
    node = read("é: [x,\n  'y']\n")

    assert isinstance(node, Fields)
    assert node.keys["é"] == Scalar("é", 1, 1)
    assert node.values["é"] == Listing((Scalar("x", 1, 5), Scalar("y", 2, 3, "'")), 1, 4)


@pytest.mark.parametrize(
    ("text", "indent"),
    [("a: |\n  x\n", 2), ("- a: |\n\n      x\n", 6), ("a: |2\n     x\n", 2), ("a: |\n\n", 0)],
)
def test_block_knows_its_indent(text: str, indent: int) -> None:
    """Places in a drawing can then be given in the file's own columns."""
    node = read(text)
    fields = node.items[0] if isinstance(node, Listing) else node
    assert isinstance(fields, Fields)
    block = fields.values["a"]

    assert isinstance(block, Scalar)
    assert (block.style, block.indent) == ("|", indent)


@pytest.mark.parametrize(
    ("text", "line", "column", "reason"),
    [
        ("a: &x b", 1, 4, "an anchor; leave out &x"),
        ("- &x [b]", 1, 3, "an anchor; leave out &x"),
        ("a: *x", 1, 4, "an alias; write out what *x stands for"),
        ("a: !x b", 1, 4, "a tag; leave out !x"),
        ("a: ! b", 1, 4, "a tag; leave out !"),
        ("a: !!python/object:os.system b", 1, 4, "a tag; leave out"),
        ("%TAG ! tag:x,2000:\n---\na: b", 1, 1, "a directive"),
        ("<<: b", 1, 1, "a merge key"),
        ("a: 1\nb: 2\na: 3", 3, 1, "the key 'a' a second time; the first is in line 1"),
        ("x: {a: 1, a: 2}", 1, 11, "the key 'a' a second time"),
        ("? [a]\n: b", 1, 3, "a list or mapping as a key"),
        ("{{a: b}: c}", 1, 2, "a list or mapping as a key"),
        ("a\n---\nb", 2, 1, "a second document"),
        ("a: 'b", 1, 4, "not YAML: this quote is not closed"),
        ('a: 1\nb: "c\nd: e\n', 2, 4, "not YAML: this quote is not closed"),
        ("a: 'b\nc: 'd'\n", 1, 4, "not YAML: this quote is not closed before the next one, in"),
        ('- {a: "b, c: d}\n- {a: "b"}\n', 1, 7, "not YAML: this quote is not closed before"),
        ('a: "b\n  c"\nd: e: f', 3, 5, "not YAML: mapping"),
        ("a: b: c", 1, 5, "not YAML"),
        ("a: @b", 1, 4, "not YAML"),
        ("a: \x01", 1, 4, "not YAML"),
        ("", 1, 1, "the file is empty"),
    ],
)
def test_yaml_beyond_the_subset_is_refused_with_its_place(
    text: str, line: int, column: int, reason: str
) -> None:
    error = refused(text)

    assert (error.line, error.column) == (line, column)
    assert error.reason.startswith(reason)


def test_quoted_merge_key_is_a_key() -> None:
    assert plain(read('"<<": b')) == {"<<": "b"}


def test_several_mistakes_are_told() -> None:
    _node, errors = read_yaml("f.yaml", b"a: &x b\nc: *x\nd: !t e\n")

    assert [error.line for error in errors] == [1, 2, 3]


@pytest.mark.issue(38)
@pytest.mark.parametrize("end", ["\r", "\x85", "\u2028", "\u2029"])
def test_ends_of_lines_that_only_the_parser_knows_break_nothing(end: str) -> None:
    node, _ = read_yaml("a.yaml", f"a: b{end}c: d{end}e: f # g".encode())

    assert isinstance(node, Fields)
