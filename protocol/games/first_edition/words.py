"""Words that rules, content and clients of the first edition share: kinds, classes, attributes."""

import enum
from collections.abc import Mapping
from typing import Final

RULESET: Final = "first_edition"
KEEPER: Final = "keeper"
"""Role of the keeper. The keeper's secrets are sealed to the seat in this role."""
INVESTIGATOR: Final = "investigator"
"""Role of the others."""


class Attribute(enum.Enum):
    """The seven attributes. K-DECIDE-7."""

    STRENGTH = "strength"
    MARKSMANSHIP = "marksmanship"
    DEXTERITY = "dexterity"
    INTELLECT = "intellect"
    WILLPOWER = "willpower"
    LORE = "lore"
    LUCK = "luck"


class MonsterClass(enum.Enum):
    """The classes of monsters, each with its combat deck. K-COMBAT-3."""

    HUMANOID = "humanoid"
    BEAST = "beast"
    ELDRITCH = "eldritch"


UNDER: Final = "under"
"""The link below a covered bridge, for boats and flying monsters. W-DECIDE-16."""
INVESTIGATOR_LINKS: Final = ("ladder",)
"""Links that investigators can use. K-LADDER-1, K-DUCT-2."""
MONSTER_LINKS: Final[Mapping[MonsterClass, tuple[str, ...]]] = {
    MonsterClass.HUMANOID: ("ladder",),
    MonsterClass.BEAST: ("duct",),
    MonsterClass.ELDRITCH: (),
}
"""Links that monsters can use. K-LADDER-1, K-LADDER-2, K-DUCT-1, K-DUCT-2."""


class AttackKind(enum.Enum):
    """The kinds of attack. K-DECIDE-49."""

    UNARMED = "unarmed"
    BLADED = "bladed"
    BLUNT = "blunt"
    RANGED = "ranged"


class LowerUse(enum.Enum):
    """The uses of the lower half of a combat card. K-DECIDE-52."""

    INVESTIGATOR = "investigator"
    HIDDEN = "hidden"
    """Against a hidden investigator."""
    BARRICADE = "barricade"
    """Against a barricade."""


class TraumaKind(enum.Enum):
    """The two kinds of trauma card. K-TRAUMA-6, K-TRAUMA-7."""

    INJURY = "injury"
    INSANITY = "insanity"


class FeatureKind(enum.Enum):
    """Features and the markers of a room. K-CARD-17."""

    BARRICADE = "barricade"
    HIDING_SPOT = "hiding_spot"
    LADDER = "ladder"
    DUCT = "duct"
    CAMPFIRE = "campfire"
    CORPSE = "corpse"
    ALTAR = "altar"
    PIT = "pit"
    """W-FEATURE-1."""
    BOAT = "boat"
    """W-FEATURE-1."""
    FIRE = "fire"
    """A whole room burns. K-DECIDE-78."""
    DARKNESS = "darkness"
    """A whole room is dark. K-DECIDE-78."""

    @property
    def is_of_room(self) -> bool:
        """True if the feature marks a whole room, not a space."""
        return self in {FeatureKind.FIRE, FeatureKind.DARKNESS}


class Keyword(enum.Enum):
    """Keywords of items. K-CARD-8."""

    WEAPON = "weapon"
    EQUIPMENT = "equipment"
    LANTERN = "lantern"
    KEY = "key"
    TOME = "tome"


class TestKind(enum.Enum):
    """What an attribute test is for. Modifiers of cards may apply to one kind only."""

    HORROR = "horror"
    EVADE = "evade"
    COMBAT = "combat"
    """Called for by a combat card or an attack. K-DECIDE-55."""
    SPELL = "spell"
    FIRE = "fire"
    CARD = "card"
    """Called for by any other card."""


class Variant(enum.Enum):
    """The variants, each used only if all agree. K-SETUP-11."""

    TIMED_PUZZLES = "timed_puzzles"
    MONSTER_SKILL_POINTS = "monster_skill_points"
    GAME_LENGTH = "game_length"


class TaleKind(enum.Enum):
    """Kinds of story cards of allies. W-ALLY-7, W-CARD-8."""

    RUMOUR = "rumour"
    INFORMATION = "information"
    EVENT = "event"


class StoryDeck(enum.Enum):
    """
    Kinds of the cards that belong to one story, each a deck of its own. W-DECIDE-50.

    The kernel of the rules treats all alike; what they mean is in the story.
    """

    DELUSION = "delusion"
    """The mind of an ally. W-STORY-1."""
    TRAIL = "trail"
    """A hidden place or danger. W-STORY-2."""
    MANIA = "mania"
    """Lasting effect of a shock on an investigator. W-STORY-3."""
    FIND = "find"
    """Card that the keeper alone can explore. W-DECIDE-49."""


class ActionType(enum.Enum):
    """The seven types of action. K-ACT-2."""

    ATTACK = "attack"
    RUN = "run"
    EXPLORE = "explore"
    DROP = "drop"
    CARD = "card"
    DEED = "deed"
    FEATURE = "feature"


class Side(enum.Enum):
    """The two sides, by the names of their roles. K-GOAL-1."""

    KEEPER = KEEPER
    INVESTIGATORS = INVESTIGATOR
