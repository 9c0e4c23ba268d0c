"""The kinds of thing that packs name, and the types of the fields that name them."""

import enum
from typing import Annotated

from content.reading.meanings import Bounds, Declares, Names


class Kind(enum.Enum):
    """A kind of thing that can be named; the value is how messages call it."""

    CHARACTER = "investigator"
    TRAIT = "trait"
    ITEM = "item"
    SPELL = "spell"
    BACK = "back of a spell"
    MONSTER = "monster"
    TOKEN_BACK = "back of a monster"  # noqa: S105  # a piece on the map
    COMBAT = "combat card"
    TRAUMA = "trauma card"
    MYTHOS = "mythos card"
    ACTION = "keeper action"
    LOCK = "lock"
    OBSTACLE = "obstacle"
    PUZZLE = "puzzle"
    SCENARIO = "story"
    ROOM = "room"
    TILE = "tile"
    SPACE = "space"
    DOOR = "named door"
    PLACE = "space or room"
    QUESTION = "question"
    OPTION = "question's option"
    OBJECTIVE = "objective"
    CLUE = "clue"
    EVENT = "event"
    DEED = "action of the story"
    PRODUCT = "product"
    COMPONENT = "component of a product"
    PIT = "pit"
    ALLY = "ally"
    TALE = "story card of an ally"
    STORY_CARD = "card of the story"
    EXPLORATION = "item, clue or obstacle"
    COUNTER = "token of the keeper or counter"
    TEXT = "text"
    """A subject whose words have the field `text`."""
    NAME = "name"
    """A subject whose words have the field `name`."""


PLACES = frozenset(["actor", "monster", "start", "chosen"])
"""
The words for a place. `actor` and `monster` are the space of the actor or of the monster, `start`
is the starting space, and `chosen` is a space that the keeper chooses; a room means each of its
spaces.
"""
NOTHING = "nothing"
"""The exploration card that has nothing on it. K-DECIDE-35."""

CharacterId = Annotated[str, Names(Kind.CHARACTER)]
TraitId = Annotated[str, Names(Kind.TRAIT)]
ItemId = Annotated[str, Names(Kind.ITEM)]
SpellId = Annotated[str, Names(Kind.SPELL)]
MonsterId = Annotated[str, Names(Kind.MONSTER)]
TokenId = Annotated[str, Names(Kind.TOKEN_BACK)]
MythosId = Annotated[str, Names(Kind.MYTHOS)]
PitId = Annotated[str, Names(Kind.PIT)]
AllyId = Annotated[str, Names(Kind.ALLY)]
TaleId = Annotated[str, Names(Kind.TALE)]
StoryCardId = Annotated[str, Names(Kind.STORY_CARD)]
ActionId = Annotated[str, Names(Kind.ACTION)]
LockId = Annotated[str, Names(Kind.LOCK)]
PuzzleId = Annotated[str, Names(Kind.PUZZLE)]
RoomId = Annotated[str, Names(Kind.ROOM)]
SpaceId = Annotated[str, Names(Kind.SPACE)]
Place = Annotated[str, Names(Kind.PLACE, PLACES)]
"""A space, a room, or a word for a space."""
QuestionId = Annotated[str, Names(Kind.QUESTION)]
OptionId = Annotated[str, Names(Kind.OPTION)]
ClueId = Annotated[str, Names(Kind.CLUE)]
Exploration = Annotated[str, Names(Kind.EXPLORATION, frozenset([NOTHING]))]
"""An exploration card: an item, a clue, an obstacle, or `nothing`."""
CounterName = Annotated[str, Names(Kind.COUNTER)]
NewCounter = Annotated[str, Declares(Kind.COUNTER)]
PlainText = Annotated[str, Names(Kind.TEXT)]

MODIFIER = Bounds(-9, 9)
"""Bounds of a number added to an attribute."""
ONE_UP = Bounds(1, 99)
"""Bounds of a number of at least one."""
PlayerNumbers = tuple[Annotated[int, Bounds(0, 99)], ...]
"""One number for every game, or four: for 1, 2, 3 and 4 investigators."""
