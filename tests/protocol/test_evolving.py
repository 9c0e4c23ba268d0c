"""Evolving: what attrs.evolve returns, for every class that a table is made of."""

from typing import Any

import attrs
import pytest

from protocol.common.table import GameTable, RoomTable, Settings, Table
from protocol.event import hidden
from protocol.evolving import _EVOLVERS, _by_attrs, evolve
from tests.kernel.toy_table import ToyTable

pytestmark = pytest.mark.issue(12)


@attrs.frozen
class Base:
    """A class with a private field and one of any name."""

    _hidden: int
    thing: str = ""


@attrs.frozen
class Wider(Base):
    """A class with a field more."""

    more: int = 0


@attrs.frozen
class Checked:
    """A class with a validator."""

    size: int = attrs.field(validator=attrs.validators.ge(0))


@attrs.frozen(slots=False)
class Loose:
    """A class without slots."""

    size: int


@pytest.mark.parametrize(
    ("value", "changes"),
    [
        (Base(1, "a"), {"hidden": 2}),
        (Wider(1, "a", 3), {"thing": "b"}),
        (Wider(1, "a", 3), {}),
        (Loose(1), {"size": 2}),
        (Checked(1), {"size": 2}),
        (Table(), {"game": ToyTable(), "checkpoints": {1: GameTable()}}),
        (RoomTable(), {"room_id": "r", "host": 3}),
        (ToyTable(), {"round_number": 7, "piles": {"deck": ("a",)}}),
        (hidden("x"), {"audience": (1,)}),
    ],
)
def test_a_copy_is_what_attrs_makes(value: Any, changes: dict[str, Any]) -> None:
    """With every field, those of base classes too, and the old value as it was."""
    before = repr(value)

    made = evolve(value, **changes)

    assert made == attrs.evolve(value, **changes)
    assert type(made) is type(value)
    assert repr(value) == before


def test_an_unknown_field_is_refused() -> None:
    """A mistake of ours is loud."""
    with pytest.raises(TypeError, match="nothing"):
        evolve(RoomTable(), nothing=1)  # type: ignore[call-arg]  # the point of the test


def test_a_copy_is_frozen() -> None:
    """What it was made in could be changed; it is nothing of that kind any more."""
    copy = evolve(RoomTable(), host=3)

    with pytest.raises(attrs.exceptions.FrozenInstanceError):
        copy.host = 4  # type: ignore[misc]  # the point of the test


def test_what_a_class_checks_is_checked() -> None:
    """Such a class is left to attrs."""
    with pytest.raises(ValueError, match="-1"):
        evolve(Checked(1), size=-1)
    with pytest.raises(ValueError, match="-1"):
        evolve(Settings(), time_limit_seconds=-1)


def test_tables_are_copied_the_cheap_way() -> None:
    """A field with a validator would make each fold dear."""
    tables: tuple[Any, ...] = (Table(), RoomTable(), ToyTable(), hidden("x"))
    for table in tables:
        evolve(table)

        assert _EVOLVERS[type(table)] is not _by_attrs
