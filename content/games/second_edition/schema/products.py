"""Products: parts of a pack that people can switch off for a table. Rules APP-18 and APP-19."""

from typing import Annotated

import attrs

from content.games.second_edition.schema.kinds import Kind
from content.reading.meanings import Declares, Names


@attrs.frozen
class Product:
    """
    Something that one may own or not: investigators, cards, monsters and scenarios of a pack.

    What no product holds is always there. Where a product is off, nothing that it holds is used: a
    deck lacks its cards, a monster of it does not appear, a scenario of it cannot be chosen.
    """

    id: Annotated[str, Declares(Kind.PRODUCT)]
    """A subject of the words, such as `product/high-water`."""
    holds: tuple[Annotated[str, Names(Kind.COMPONENT)], ...]
    """The ids of all that it brings; each belongs to one product at most."""
