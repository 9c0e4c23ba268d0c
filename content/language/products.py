"""Products: each component belongs to one at most, and its words name that product."""

from collections.abc import Iterator, Mapping
from typing import Protocol

from content.reading.mistakes import ContentError, Place
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


def check_products(
    products: Mapping[str, Part], places: Mapping[str, Place]
) -> Iterator[ContentError]:
    """Yield a mistake for each component of two products: it could be on and off at once."""
    owners: dict[str, str] = {}
    for product in products.values():
        for held in product.holds:
            owner = owners.setdefault(held, product.id)
            if owner != product.id:
                reason = f"{held} belongs to {owner} already; leave it out of one of them"
                yield ContentError.at(places[product.id], reason)
