"""Fuzz tests of the pack loader: arbitrary files end in a pack or in reported errors."""

import contextlib
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from content.games.second_edition.lint import lint
from content.reading.mistakes import ContentErrors
from content.reading.yaml_subset import read_yaml
from tests.games.second_edition.content.packs import FILES, load
from tests.kit import reading_yaml

NAMES = sorted(FILES)
SYNTAX = st.text(st.sampled_from("ab1-:?,[]{}#&*!|>'\"%@` \n\t<~\\.=+") | st.characters())


@given(st.binary() | SYNTAX.map(lambda text: text.encode("utf-8", "replace")))
@settings(max_examples=300, deadline=None)
def test_any_bytes_are_nodes_or_mistakes(data: bytes) -> None:
    node, errors = read_yaml("f.yaml", data)

    assert node is not None or errors


@given(st.sampled_from(NAMES), SYNTAX)
@settings(max_examples=60, deadline=None)
def test_any_file_raises_nothing_else(name: str, text: str) -> None:
    load_with_file(name, text)


@pytest.mark.long
@given(st.sampled_from(NAMES), SYNTAX)
@settings(max_examples=200, deadline=None)
def test_any_of_many_files_raises_nothing_else(name: str, text: str) -> None:
    load_with_file(name, text)


def load_with_file(name: str, text: str) -> None:
    with contextlib.suppress(ContentErrors):
        load({**FILES, name: text.encode("utf-8", "replace")})


@given(st.sampled_from(NAMES), st.data())
@settings(max_examples=80, deadline=None)
def test_any_edit_raises_nothing_else(name: str, data: st.DataObject) -> None:
    load_edited(name, data)


@pytest.mark.long
@given(st.sampled_from(NAMES), st.data())
@settings(max_examples=300, deadline=None)
def test_any_of_many_edits_raises_nothing_else(name: str, data: st.DataObject) -> None:
    load_edited(name, data)


def load_edited(name: str, data: st.DataObject) -> None:
    text = FILES[name].decode()
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 40)))
    put = data.draw(st.text(st.sampled_from("ab1-:,[]{}#|'\" \n="), max_size=8))

    with contextlib.suppress(ContentErrors):
        lint(load({**FILES, name: (text[:start] + put + text[end:]).encode()}))


def _ways(node: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the paths to all values in nested lists and mappings."""
    if isinstance(node, dict):
        entries = list(node.items())
    else:
        entries = list(enumerate(node)) if isinstance(node, list) else []
    return [way, *(found for key, value in entries for found in _ways(value, (*way, key)))]


TREES = {name: reading_yaml.texts(FILES[name]) for name in NAMES}
VALUES: st.SearchStrategy[Any] = st.recursive(
    st.sampled_from(["", "a", "hall/a", "item/lamp", "1", "-1", "99", "true", "all", "rat/hit"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["id", "say", "when", "all", "not", "text", "effect", "call"]),
            inner,
            max_size=3,
        )
    ),
    max_leaves=6,
)


@given(st.sampled_from(NAMES), st.data())
@settings(max_examples=80, deadline=None)
def test_any_value_raises_nothing_else(name: str, data: st.DataObject) -> None:
    load_with_value(name, data)


@pytest.mark.long
@given(st.sampled_from(NAMES), st.data())
@settings(max_examples=300, deadline=None)
def test_any_of_many_values_raises_nothing_else(name: str, data: st.DataObject) -> None:
    load_with_value(name, data)


def load_with_value(name: str, data: st.DataObject) -> None:
    way = data.draw(st.sampled_from(_ways(TREES[name])))
    changed = _changed(TREES[name], way, lambda _old: data.draw(VALUES))

    with contextlib.suppress(ContentErrors):
        lint(load({**FILES, name: reading_yaml.dumped(changed)}))


def _changed(node: Any, way: tuple[Any, ...], change: Callable[[Any], Any]) -> Any:
    if not way:
        return change(node)
    if isinstance(node, dict):
        return {**node, way[0]: _changed(node[way[0]], way[1:], change)}
    return [
        _changed(value, way[1:], change) if index == way[0] else value
        for index, value in enumerate(node)
    ]
