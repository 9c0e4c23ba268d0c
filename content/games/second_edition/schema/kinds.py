"""The kinds of thing that packs name, and the types of the fields that name them."""

import enum
from typing import Annotated

from content.reading.meanings import Bounds, Declares, Names, Role


class Kind(enum.Enum):
    """A kind of thing that can be named; the value is how messages call it."""

    INVESTIGATOR = "investigator"
    ITEM = "item"
    SPELL = "spell"
    BACK = "back"
    """A back of a two-sided Item or Condition, or of a Spell."""
    HARM = "Damage or Horror card"
    CONDITION = "condition"
    INSANE = "Insane back"
    MONSTER = "monster"
    MONSTER_TRAIT = "trait of a monster"
    MONSTERS = "monster, nor a trait or a name of one,"
    FIGURE = "name of a monster"
    WHICH = "such monster"
    """The name of a monster, in a key that also takes words for several monsters."""
    WHOM = "such investigator"
    """The id of an investigator, in a key that also takes words for several investigators."""
    PLACE = "space or room"
    ORIGIN = "space, room, door, token, investigator or name of a monster"
    """A thing from which the distance of others is counted."""
    ABILITY = "ability"
    SCENARIO = "scenario"
    TRAIT = "trait"
    TEXT = "text"
    """A subject whose words have the field `text`."""
    NAME = "name"
    """A subject whose words have the field `name`."""
    ROOM = "room"
    TILE = "tile"
    TOKEN = "token"  # noqa: S105  # a piece on the map
    SPACE = "space"
    DOOR = "named door"
    DOOR_TOKEN = "Door token"  # noqa: S105  # a piece on the map
    SPOT = "space or named door"
    COUNTER = "counter"
    DECK = "deck"
    DECK_CARD = "card of a deck"
    TIMER = "timer"
    VALUE = "counter or number"
    """The name of a number in an expression."""
    PUZZLE = "puzzle"
    EFFECT = "named effect"
    MYTHOS = "mythos event"
    TRIGGER = "trigger"
    PRODUCT = "product"
    CAMPAIGN = "campaign"
    HAPPENING = "mythos event, trigger, token or named effect"
    PACK_TILE = "tile of the pack"
    PERSON = "person"
    SHARED_EVENT = "shared event"
    ROOM_TRAIT = "trait of a room"
    PERSON_TRAIT = "trait of a person"
    MOOD = "mood"
    CARD = "Item or Spell"
    COMPONENT = "investigator, card, monster or scenario"


class Slots(enum.Enum):
    """The parameters of a text that rules fill: `{0}` is the actor, `{1}` the monster."""

    NONE = "none"
    ACTOR = "actor"
    STORY = "story"
    """The text's slots: the actor, and the monster if the entry is about a monster."""
    NUMBERED = "numbered"
    """The slots of STORY if the step gives numbers; otherwise none."""
    FIGHT = "fight"
    """The text's slots: the actor and the monster."""


PLACES = frozenset(["actor", "monster", "random", "start", "adjacent", "nearest", "farthest"])
"""
The words for a space. `actor` and `monster` mean the space of the actor or of the monster, `random`
is a random space of the board, and `start` is where the game begins. `adjacent` is a random space
next to the actor's; `nearest` and `farthest` are the spaces nearest to and farthest from the actor
without an investigator. A room means a random space of the room.
"""

# Ids that the pack declares.
InvestigatorId = Annotated[str, Names(Kind.INVESTIGATOR)]
ItemId = Annotated[str, Names(Kind.ITEM)]
SpellId = Annotated[str, Names(Kind.SPELL)]
ConditionId = Annotated[str, Names(Kind.CONDITION)]
MonsterId = Annotated[str, Names(Kind.MONSTER)]
MonsterTrait = Annotated[str, Names(Kind.MONSTER_TRAIT)]
Trait = Annotated[str, Names(Kind.TRAIT)]
RoomTrait = Annotated[str, Names(Kind.ROOM_TRAIT)]
Mood = Annotated[str, Names(Kind.MOOD)]
ProductId = Annotated[str, Names(Kind.PRODUCT)]

NewTrait = Annotated[str, Declares(Kind.TRAIT)]

# Ids that the scenario declares.
RoomId = Annotated[str, Names(Kind.ROOM)]
SpaceId = Annotated[str, Names(Kind.SPACE)]
Place = Annotated[str, Names(Kind.PLACE, PLACES)]
"""A space, a room, or a word for a space."""
Origin = Annotated[str, Names(Kind.ORIGIN, frozenset(["actor", "monster"])), Role.ASKS]
"""A thing on the board: a space, room, door, token, investigator, the name of a monster, `actor` or
`monster`."""
DoorName = Annotated[str, Names(Kind.DOOR)]
DoorTokenId = Annotated[str, Names(Kind.DOOR_TOKEN)]
TileId = Annotated[str, Names(Kind.TILE)]
TokenId = Annotated[str, Names(Kind.TOKEN)]
CounterName = Annotated[str, Names(Kind.COUNTER)]
PuzzleId = Annotated[str, Names(Kind.PUZZLE)]
DeckName = Annotated[str, Names(Kind.DECK)]
TimerName = Annotated[str, Names(Kind.TIMER)]
EffectName = Annotated[str, Names(Kind.EFFECT)]
FigureName = Annotated[str, Names(Kind.FIGURE)]

# Subjects of the words, by the parameters that rules fill in the text.
PlainText = Annotated[str, Names(Kind.TEXT), Slots.NONE]
ActorText = Annotated[str, Names(Kind.TEXT), Slots.ACTOR]
StoryText = Annotated[str, Names(Kind.TEXT), Slots.STORY]
NumberedText = Annotated[str, Names(Kind.TEXT), Slots.NUMBERED]
FightText = Annotated[str, Names(Kind.TEXT), Slots.FIGHT]

# Bounds that many whole numbers share.
ONE_UP = Bounds(1, 99)
MODIFIER = Bounds(-9, 9)
"""Bounds of a number added to a value, such as the dice of a test."""
COUNTED = Bounds(-1000, 1000)
"""Bounds of the values of counters, and of changes to them."""
UNBOUNDED = Bounds(0, 1_000_000)
"""Bounds that no game reaches."""
PLAYERS = Bounds(1, 5)
"""Bounds of the number of players. Rule SETUP-1."""
Distance = Annotated[int, Bounds(0, 99)]
"""Number of spaces between two things."""
SkillValue = Annotated[int, Bounds(2, 5)]
"""The number of dice of a skill. Rule SKILL-2."""
