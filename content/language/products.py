"""Marks of products: the words of each component name the product that it belongs to."""

from collections.abc import Mapping
from typing import Protocol

from protocol.common.text import MARK, Catalog


class Part(Protocol):
    """A part of a pack that a table can switch off."""

    @property
    def id(self) -> str:
        """The id of the product."""

    @property
    def holds(self) -> tuple[str, ...]:
        """The ids of its components."""


def with_marks(catalog: Catalog, products: Mapping[str, Part]) -> Catalog:
    """Return a catalog in which each component of a product has the name of that product."""
    marks = {held: catalog[one.id]["name"] for one in products.values() for held in one.holds}
    return {
        subject: {**fields, MARK: marks[subject]} if subject in marks else fields
        for subject, fields in catalog.items()
    }
