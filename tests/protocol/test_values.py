"""Values are made and copied as attrs makes and copies them."""

import ast
from pathlib import Path
from typing import Any

import attrs
import pytest

from protocol.common.table import GameTable, RoomTable, Settings, Table
from protocol.event import hidden
from protocol.values import evolve, frozen
from tests.kit.tables.toy_table import ToyTable

pytestmark = pytest.mark.issue(35)

ROOT = Path(__file__).parents[2]


@frozen
class Base:
    """A class with a private field and a public one."""

    _hidden: int
    thing: str = ""


@frozen
class Wider(Base):
    """A class that adds a field to those of `Base`."""

    more: int = 0


@frozen
class Checked:
    """A class with a validator."""

    size: int = attrs.field(validator=attrs.validators.ge(0))


@pytest.mark.parametrize(
    ("value", "changes"),
    [
        (Base(1, "a"), {"hidden": 2}),
        (Wider(1, "a", 3), {"thing": "b"}),
        (Wider(1, "a", 3), {}),
        (Checked(1), {"size": 2}),
        (Table(), {"game": ToyTable(), "checkpoints": {1: GameTable()}}),
        (RoomTable(), {"room_id": "r", "host": 3}),
        (ToyTable(), {"round_number": 7, "piles": {"deck": ("a",)}}),
        (hidden("x"), {"audience": (1,)}),
    ],
)
def test_a_copy_is_what_attrs_makes(value: Any, changes: dict[str, Any]) -> None:
    before = repr(value)

    made = evolve(value, **changes)

    assert made == attrs.evolve(value, **changes)
    assert type(made) is type(value)
    assert hash(Base(1)) == hash(Base(1))
    assert repr(value) == before


def test_an_unknown_field_is_refused() -> None:
    with pytest.raises(TypeError, match="nothing"):
        evolve(RoomTable(), nothing=1)  # type: ignore[call-arg]  # the point of the test


def test_a_class_that_takes_fields_by_name_alone_cannot_be_copied() -> None:
    """A copy passes its fields by position."""

    @frozen(kw_only=True)
    class Named:
        one: int
        other: int

    with pytest.raises(TypeError, match="by position"):
        evolve(Named(one=1, other=2), one=3)


def test_what_a_class_checks_is_checked_in_a_copy() -> None:
    with pytest.raises(ValueError, match="-1"):
        evolve(Checked(1), size=-1)
    with pytest.raises(ValueError, match="-1"):
        evolve(Settings(), time_limit_seconds=-1)


def test_values_are_made_in_one_way() -> None:
    slow = {"frozen", "evolve"}
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for folder in ("protocol", "server/kernel", "server/games")
        for path in sorted((ROOT / folder).rglob("*.py"))
        if path.name != "values.py"
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Attribute)
        and node.attr in slow
        and isinstance(node.value, ast.Name)
        and node.value.id == "attrs"
    ]
    assert found == []
