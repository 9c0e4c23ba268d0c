"""
Ways: what is known of a board's ways as long as nothing on it that could block them changes.

They follow from tiles, coverings, tokens and features alone. A table replaces each of these when it
changes, so that the facts belong to these very objects.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import attrs

from protocol.boards.kept import Kept
from protocol.games.second_edition.table import SecondEditionTable, SpaceId

if TYPE_CHECKING:
    from server.games.second_edition.rules.adjacency import Passing, WayOut


@attrs.define(eq=False)
class Facts:
    """What was worked out so far; whoever asks first works it out."""

    open_ways: "dict[tuple[SpaceId, Passing], tuple[WayOut, ...]]" = attrs.field(factory=dict)
    distances: "dict[tuple[SpaceId, Passing], Mapping[SpaceId, int]]" = attrs.field(factory=dict)
    within_range: dict[SpaceId, tuple[SpaceId, ...]] = attrs.field(factory=dict)


def facts_of(table: SecondEditionTable) -> Facts:
    """Return what is known of the ways on a table's board."""
    return _facts_of(table.tiles, table.coverings, table.tokens, table.features)


def _no_facts(*_board: Any) -> Facts:
    return Facts()


_facts_of = Kept(_no_facts)
