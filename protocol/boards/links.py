"""
Links: spaces that are joined although no line of the drawing joins them.

Ladders, ducts and passages under a bridge are links. They are data of the board. A game decides
which figures may use which kind; range and sight usually ignore all of them.
"""

from collections.abc import Collection, Iterable

import attrs

from protocol.errors import ImpossibleValue
from protocol.values import frozen


@frozen
class Link:
    """A group of two or more spaces, each joined to all the others."""

    kind: str
    """Kind of the link, such as `ladder`; the game decides which figures may use this kind."""
    spaces: tuple[str, ...] = attrs.field()
    """Spaces that the link joins: two or more, distinct."""

    @spaces.validator
    def _check_spaces(self, _: object, spaces: tuple[str, ...]) -> None:
        if len(spaces) < 2 or len(set(spaces)) < len(spaces):
            raise ImpossibleValue(f"a {self.kind} joins at least two spaces, each named once")


def linked(links: Iterable[Link], space: str, kinds: Collection[str]) -> tuple[str, ...]:
    """
    Return the spaces that links of these kinds join to `space`, each once, in the order of `links`.

    Args:
        links: all links of the board.
        space: where a figure stands; it is not in the result.
        kinds: the kinds that the figure may use.
    """
    found = [
        other
        for link in links
        if link.kind in kinds and space in link.spaces
        for other in link.spaces
        if other != space
    ]
    return tuple(dict.fromkeys(found))
