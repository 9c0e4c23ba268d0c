"""The kinds of this game: form and scope of their ids, and what several kinds have in common."""

import enum
from collections.abc import Mapping

from content.games.cards.schema.kinds import Kind
from content.language.references import Naming
from content.reading.names import Kinds

NAMING = Naming(words=(Kind.TEXT, Kind.NAME))

PREFIXES: Mapping[enum.Enum, tuple[str, ...]] = {
    Kind.CARD: ("card",),
    Kind.RESOLUTION: ("resolution",),
    Kind.DECK: ("deck",),
}
"""Allowed first parts of the ids that are subjects, by kind."""

SHOWN_UNDER: Mapping[enum.Enum, str] = {
    Kind.TRAIT: "trait",
    Kind.USE: "token",
    Kind.MEMORY: "memory",
}
"""First part of the subject under which players are shown the name of a thing, by kind."""

KINDS = Kinds(
    name=Kind.NAME,
    of_sort=frozenset([Kind.TRAIT, Kind.USE, Kind.MEMORY, Kind.SET]),
    named=frozenset([*PREFIXES, Kind.SCENARIO]) - {Kind.RESOLUTION},
    prefixes={**PREFIXES, Kind.SCENARIO: ()},
)
