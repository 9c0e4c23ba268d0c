"""Products: parts of a pack that people can switch off for a table. W-DECIDE-55."""

from typing import Annotated

import attrs

from content.games.first_edition.schema.kinds import Kind
from content.reading.meanings import Declares, Names


@attrs.frozen
class Product:
    """
    A part of a pack that people may own or not: investigators, cards, monsters, stories.

    Content that no product holds is always there. If a product is off, nothing in it is used: decks
    lack its cards, and its stories cannot be chosen. W-USE-2 to W-USE-5.
    """

    id: Annotated[str, Declares(Kind.PRODUCT)]
    """The id of the product, such as `product/outdoors`; the words have its name."""
    holds: tuple[Annotated[str, Names(Kind.COMPONENT)], ...]
    """The ids of all components in the product. Each component belongs to at most one product."""
