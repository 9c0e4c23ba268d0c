"""The typed reader knows no game: it reads whatever classes a schema names."""

import enum
from collections.abc import Mapping
from typing import Annotated, Any, Final

import attrs
import pytest

from content.reading.meanings import Bounds, Declares, Names
from content.reading.names import Kinds
from content.reading.parts import part
from content.reading.schema import Schema
from content.reading.sheet import Complaint, Sheet
from content.reading.typed import BROKEN, Readers
from content.reading.yaml_subset import read_yaml


class Kind(enum.Enum):
    """Kinds of ids in a garden."""

    BED = "bed"
    PLANT = "plant"
    NAME = "name"


Bed = Annotated[str, Names(Kind.BED)]


class Care:
    """A way of caring for a plant."""


@part(Care, "water", inline="litres")
class Water(Care):
    """Watering the plant."""

    litres: Annotated[int, Bounds(1, 5)]


@part(Care, "move")
class Move(Care):
    """Moving the plant to another bed."""

    to: Bed


@attrs.frozen
class Plant:
    """A plant with its bed and its care."""

    id: Annotated[str, Declares(Kind.PLANT)]
    bed: Bed
    height: int = 0
    care: tuple[Care, ...] = ()


def _check(plant: Plant, fault: Complaint) -> None:
    if plant.height > 10 and not plant.care:
        fault("height", "what is so high needs care")


READERS: Final = Readers(
    Schema(
        Kinds(name=Kind.NAME, named=frozenset([Kind.PLANT]), prefixes={Kind.PLANT: ("plant",)}),
        checks={Plant: _check},
    )
)
ROSE: Final = "{id: plant/rose, bed: north, care: [water: 2, move: {to: south}]}"


def read(text: str) -> tuple[Any, Sheet]:
    """Read a plant; return it with the sheet of notes made on the way."""
    node, errors = read_yaml("garden.yaml", text.encode())
    assert node is not None
    sheet = Sheet(READERS.schema.kinds, file="garden.yaml", errors=list(errors))
    return READERS.of(Plant)(node, sheet), sheet


def test_classes_are_read_with_their_parts() -> None:
    assert read(ROSE)[0] == Plant("plant/rose", "north", 0, (Water(2), Move("south")))


def test_what_is_declared_and_named_is_noted() -> None:
    _, sheet = read(ROSE)

    assert list(sheet.declared["", Kind.PLANT]) == ["plant/rose"]
    named = [(reference.kind, reference.id) for reference in sheet.references]
    assert sorted(named, key=str) == [
        (Kind.BED, "north"),
        (Kind.BED, "south"),
        (Kind.NAME, "plant/rose"),
    ]


MISTAKES: Final[Mapping[str, str]] = {
    ROSE.replace("plant/rose", "rose"): "'rose' is no id; write plant/… of small letters",
    ROSE.replace("water: 2", "water: 6"): "6 is out of bounds; 1 to 5 is allowed",
    ROSE.replace("water: 2", "prune: 2"): "unknown care 'prune'; known: move, water",
    ROSE.replace("bed: north, ", ""): "add the missing 'bed'",
    "{id: plant/elm, bed: north, height: 11}": "what is so high needs care",
}


@pytest.mark.parametrize("text", MISTAKES)
def test_a_mistake_is_told(text: str) -> None:
    _, sheet = read(text)

    assert [MISTAKES[text] in error.reason for error in sheet.errors] == [True]


def test_what_cannot_be_read_is_broken() -> None:
    assert read("[]")[0] is BROKEN
