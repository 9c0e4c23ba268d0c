"""The kinds of this game: form and scope of their ids, and what several kinds have in common."""

import enum
from collections.abc import Mapping

from content.games.first_edition.schema.kinds import NOTHING, PLACES, Kind
from content.language.references import Naming
from content.reading.names import Kinds

NAMING = Naming(
    words=(Kind.TEXT, Kind.NAME),
    any_of={
        Kind.PLACE: (Kind.SPACE, Kind.ROOM),
        Kind.EXPLORATION: (Kind.ITEM, Kind.CLUE, Kind.OBSTACLE),
        Kind.COMPONENT: (
            *(Kind.SCENARIO, Kind.CHARACTER, Kind.TRAIT, Kind.ITEM, Kind.SPELL, Kind.MONSTER),
            *(Kind.COMBAT, Kind.TRAUMA, Kind.MYTHOS, Kind.ACTION, Kind.LOCK, Kind.OBSTACLE),
            *(Kind.PUZZLE, Kind.PIT, Kind.ALLY),
        ),
    },
    # Products of the bundled pack hold its stories, which no other pack gets.
    not_lent=(Kind.SCENARIO,),
    always={Kind.PLACE: sorted(PLACES), Kind.EXPLORATION: [NOTHING]},
    # Cards may name rooms and counters: they must fit the board of each story that uses them.
    by_pack=frozenset(
        [
            *(Kind.PLACE, Kind.SPACE, Kind.ROOM, Kind.COUNTER, Kind.CLUE),
            *(Kind.TALE, Kind.STORY_CARD),
        ]
    ),
)

PREFIXES: Mapping[enum.Enum, tuple[str, ...]] = {
    Kind.CHARACTER: ("investigator",),
    Kind.TRAIT: ("trait",),
    Kind.ITEM: ("item",),
    Kind.SPELL: ("spell",),
    Kind.BACK: ("back",),
    Kind.MONSTER: ("monster",),
    Kind.TOKEN_BACK: ("token",),
    Kind.COMBAT: ("combat",),
    Kind.TRAUMA: ("trauma",),
    Kind.MYTHOS: ("mythos",),
    Kind.ACTION: ("action",),
    Kind.LOCK: ("lock",),
    Kind.OBSTACLE: ("obstacle",),
    Kind.PUZZLE: ("puzzle",),
    Kind.ROOM: ("room",),
    Kind.OBJECTIVE: ("objective",),
    Kind.CLUE: ("clue",),
    Kind.EVENT: ("event",),
    Kind.DEED: ("deed",),
    Kind.PRODUCT: ("product",),
    Kind.PIT: ("pit",),
    Kind.ALLY: ("ally",),
    Kind.TALE: ("tale",),
    Kind.STORY_CARD: ("delusion", "trail", "mania", "find"),
}
"""Allowed first parts of the ids that are subjects, by kind."""

NAMELESS = frozenset([Kind.BACK, Kind.TOKEN_BACK, Kind.COMBAT])
"""Kinds of which players read a text, and no name."""

WITH_TEXT = frozenset(
    [
        *(Kind.BACK, Kind.TOKEN_BACK, Kind.TRAUMA, Kind.MYTHOS, Kind.ACTION, Kind.LOCK),
        *(Kind.OBSTACLE, Kind.OBJECTIVE, Kind.CLUE, Kind.EVENT, Kind.DEED),
        *(Kind.ALLY, Kind.TALE, Kind.STORY_CARD),
    ]
)
"""Kinds of which players read a text."""

KINDS = Kinds(
    name=Kind.NAME,
    of_scenario=frozenset(
        [
            *(Kind.ROOM, Kind.TILE, Kind.SPACE, Kind.DOOR, Kind.PLACE, Kind.QUESTION, Kind.OPTION),
            *(Kind.OBJECTIVE, Kind.CLUE, Kind.EVENT, Kind.DEED, Kind.EXPLORATION, Kind.COUNTER),
            *(Kind.TALE, Kind.STORY_CARD),
        ]
    ),
    named=frozenset([*PREFIXES, Kind.SCENARIO]) - NAMELESS,
    prefixes={**PREFIXES, Kind.SCENARIO: ()},
    # The ids of spaces and doors begin with the id of their tile, which has been checked.
    composed=frozenset([Kind.SPACE, Kind.DOOR]),
)
