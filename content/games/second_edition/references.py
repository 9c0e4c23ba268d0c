"""The kinds of this game: form and scope of their ids, and the kind that a trigger is about."""

import enum
from collections.abc import Mapping

from content.games.second_edition.schema.kinds import PLACES, Kind
from content.games.second_edition.schema.numbers import BUILT_IN
from content.games.second_edition.schema.scenario import Moment
from content.games.second_edition.schema.targets import Which, Who
from content.language.references import Naming
from content.reading.names import Kinds

BY_RULES = frozenset(["condition/wounded", "condition/insane"])
"""Cards that the rules bring into play without any step. Rules WOUNDED-2 and INSANE-2."""

NAMING = Naming(
    words=(Kind.TEXT, Kind.NAME),
    any_of={
        Kind.SPOT: (Kind.SPACE, Kind.DOOR),
        Kind.VALUE: (Kind.COUNTER,),
        Kind.HAPPENING: (Kind.MYTHOS, Kind.TRIGGER, Kind.TOKEN, Kind.EFFECT),
        Kind.COMPONENT: (
            *(Kind.INVESTIGATOR, Kind.ITEM, Kind.SPELL, Kind.HARM, Kind.CONDITION, Kind.INSANE),
            *(Kind.MONSTER, Kind.SCENARIO, Kind.SHARED_EVENT),
        ),
        Kind.CARD: (Kind.ITEM, Kind.SPELL),
        Kind.MONSTERS: (Kind.MONSTER, Kind.MONSTER_TRAIT, Kind.FIGURE),
        Kind.WHICH: (Kind.FIGURE,),
        Kind.WHOM: (Kind.INVESTIGATOR,),
        Kind.PLACE: (Kind.SPACE, Kind.ROOM),
        Kind.ORIGIN: (
            *(Kind.SPACE, Kind.ROOM, Kind.DOOR, Kind.TOKEN, Kind.INVESTIGATOR, Kind.FIGURE),
        ),
    },
    always={
        Kind.VALUE: BUILT_IN,
        Kind.PLACE: sorted(PLACES),
        Kind.ORIGIN: ["actor", "monster"],
        Kind.WHICH: [word.value for word in Which],
        Kind.WHOM: [word.value for word in Who],
        # Insane has no card of its own: its backs are the cards, and rules deal them.
        Kind.CONDITION: sorted(BY_RULES),
    },
)

ABOUT: Mapping[Moment, Kind] = {
    **dict.fromkeys(
        [
            *(Moment.MONSTER_SPAWNED, Moment.MONSTER_DEFEATED),
            *(Moment.MONSTER_ACTIVATES, Moment.MONSTER_ACTIVATED),
        ],
        Kind.MONSTERS,
    ),
    Moment.TOKEN_USED: Kind.TOKEN,
    Moment.PERSON_DIED: Kind.TOKEN,
    Moment.SPACE_ENTERED: Kind.SPACE,
    Moment.ROOM_ENTERED: Kind.ROOM,
    Moment.ROOM_REVEALED: Kind.ROOM,
    Moment.ITEM_GAINED: Kind.CARD,
    Moment.ITEM_USED: Kind.CARD,
    Moment.ITEM_GIVEN: Kind.CARD,
    Moment.COUNTER_REACHED: Kind.COUNTER,
}
"""The kind of thing that a trigger's `of` names, by moment; at other moments `of` must be left
out."""

PREFIXES: Mapping[enum.Enum, tuple[str, ...]] = {
    Kind.INVESTIGATOR: ("investigator",),
    Kind.ITEM: ("item",),
    Kind.SPELL: ("spell",),
    Kind.BACK: ("back",),
    Kind.HARM: ("damage", "horror"),
    Kind.CONDITION: ("condition",),
    Kind.INSANE: ("insane",),
    Kind.MONSTER: ("monster",),
    Kind.ABILITY: ("ability",),
    Kind.PRODUCT: ("product",),
    Kind.CAMPAIGN: ("campaign",),
    Kind.ROOM: ("room",),
    Kind.TOKEN: ("token",),
    Kind.PUZZLE: ("code", "slide", "lock"),
    Kind.PERSON: ("person",),
    Kind.PACK_TILE: ("tile",),
    Kind.SHARED_EVENT: ("mythos",),
}
"""Allowed first parts of the ids that are subjects, by kind."""

KINDS = Kinds(
    name=Kind.NAME,
    of_scenario=frozenset(
        [
            *(Kind.ROOM, Kind.TILE, Kind.TOKEN, Kind.SPACE, Kind.DOOR, Kind.SPOT, Kind.COUNTER),
            *(Kind.PUZZLE, Kind.EFFECT, Kind.MYTHOS, Kind.TRIGGER, Kind.DOOR_TOKEN, Kind.VALUE),
            *(Kind.HAPPENING, Kind.DECK, Kind.DECK_CARD, Kind.TIMER),
            *(Kind.MONSTERS, Kind.FIGURE, Kind.WHICH, Kind.PLACE, Kind.ORIGIN),
        ]
    ),
    of_sort=frozenset(
        [Kind.TRAIT, Kind.ROOM_TRAIT, Kind.MONSTER_TRAIT, Kind.PERSON_TRAIT, Kind.MOOD]
    ),
    # Nobody reads the name of a tile or an event; a token may have its name from a person.
    named=frozenset([*PREFIXES, Kind.SCENARIO]) - {Kind.PACK_TILE, Kind.SHARED_EVENT, Kind.TOKEN},
    prefixes={**PREFIXES, Kind.SCENARIO: ()},
    # The ids of spaces and doors begin with the id of their tile, which has been checked.
    composed=frozenset([Kind.SPACE, Kind.DOOR]),
)
