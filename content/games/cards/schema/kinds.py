"""The kinds of thing that packs name, the types of the fields that name them, and their words."""

from typing import Annotated, Final

import attrs

from content.reading.meanings import Bounds, Declares, Names, Role
from protocol.games.cards.words import Word


class Kind(Word):
    """A kind of thing that can be named; the value is how messages call it."""

    CARD = "card"
    """Any card: of a player, of the scenario, a face of a location."""
    SCENARIO = "scenario"
    RESOLUTION = "resolution"
    SET = "encounter set"
    TRAIT = "trait"
    SYMBOL = "location symbol"
    USE = "kind of uses"
    MEMORY = "remembered phrase"
    DECK = "starter deck"
    NAME = "name"
    """A subject whose words have the field `name`."""
    TEXT = "text"
    """A subject whose words have the field `text`."""


CardId = Annotated[str, Names(Kind.CARD)]
NewCard = Annotated[str, Declares(Kind.CARD)]
Trait = Annotated[str, Declares(Kind.TRAIT)]
"""A trait of a card: the first use declares it."""
TraitName = Annotated[str, Names(Kind.TRAIT)]
SetName = Annotated[str, Names(Kind.SET)]
NewSet = Annotated[str, Declares(Kind.SET)]
"""The set of a card: the first use declares it."""
ResolutionId = Annotated[str, Names(Kind.RESOLUTION)]
UseKind = Annotated[str, Declares(Kind.USE)]
Phrase = Annotated[str, Declares(Kind.MEMORY)]
PhraseName = Annotated[str, Names(Kind.MEMORY)]

CHANGE = Bounds(-99, 99)
"""Bounds of a number that is added to a value."""


class CardType(Word):
    """The types of card. C-BZONE-2."""

    INVESTIGATOR = "investigator"
    ASSET = "asset"
    EVENT = "event"
    SKILL = "skill"
    ENEMY = "enemy"
    TREACHERY = "treachery"
    LOCATION = "location"
    ACT = "act"
    AGENDA = "agenda"
    STORY = "story"
    """A story card, or an asset of the encounter deck."""
    SCENARIO = "scenario"
    """The scenario reference card."""


class CardClass(Word):
    """The classes of player cards, and of those that belong to none. C-BDECK-7."""

    SHIELD = "shield"
    LENS = "lens"
    COIN = "coin"
    CANDLE = "candle"
    STONE = "stone"
    NEUTRAL = "neutral"


class Slot(Word):
    """The slots of an investigator. C-BPLAY-8."""

    ALLY = "ally"
    ACCESSORY = "accessory"
    BODY = "body"
    HAND = "hand"
    ARCANE = "arcane"
    TAROT = "tarot"


class Keyword(Word):
    """Keywords without a number. Section 2.16."""

    FAST = "fast"
    SURGE = "surge"
    PERIL = "peril"
    HIDDEN = "hidden"
    HUNTER = "hunter"
    RETALIATE = "retaliate"
    ALERT = "alert"
    ALOOF = "aloof"
    MASSIVE = "massive"
    PERMANENT = "permanent"
    BONDED = "bonded"


class Deed(Word):
    """A designator: what an action, ability or event counts as. C-AOO-3, C-DESIG-3."""

    DRAW = "draw"
    RESOURCE = "resource"
    ACTIVATE = "activate"
    PLAY = "play"
    MOVE = "move"
    INVESTIGATE = "investigate"
    ENGAGE = "engage"
    FIGHT = "fight"
    EVADE = "evade"
    PARLEY = "parley"
    RESIGN = "resign"
    EXPLORE = "explore"


SAFE_DEEDS = frozenset([Deed.FIGHT, Deed.EVADE, Deed.PARLEY, Deed.RESIGN])
"""Actions that provoke no attack of opportunity. C-BAOO-1, C-DECIDE-1."""


class Factor(Word):
    """The number by which an amount is multiplied."""

    ONCE = "once"
    INVESTIGATORS = "investigators"
    """Number of investigators who started the scenario. C-BZONE-18."""
    MARGIN = "margin"
    """By how much the test succeeded or failed. C-BTEST-12."""
    THAT = "that"
    """The amount of what the ability answers."""
    THAT_CLUES = "that-clues"
    """Clues on the card that what the ability answers happened to, as it was. C-DECIDE-51."""
    X = "x"
    """The number chosen as the cost was paid; 0 if none was. C-BPLAY-25, C-BABIL-24."""
    FOUND = "found"
    """Number of cards that fitted the last search."""
    ICONS = "icons"
    """Matching icons of the committed cards, wild ones included. C-WILD-3."""
    CHOSEN = "chosen"
    """Number of objects that were chosen or affected last."""
    RESOURCES = "resources"
    """Resources of "you". C-RES-1."""
    CLUES = "clues"
    """Clues of "you"."""
    HAND = "hand"
    """Cards in the hand of "you"."""
    VENGEANCE = "vengeance"
    """Vengeance of the cards in the victory display. C-BKEY-29."""
    FIXED = "fixed"
    """The number that was fixed when a lasting effect began. C-BABIL-33."""


@attrs.frozen
class Amount:
    """A number: `n` times a factor; written as a plain number where there is no factor."""

    n: Annotated[int, CHANGE, Role.SHORT] = 1
    per: Factor = Factor.ONCE


NONE: Final = Amount(0)
ONE: Final = Amount(1)


@attrs.frozen
class Spot:
    """A position on the grid of a scenario. C-BSPEC-4."""

    row: Annotated[int, Bounds(1, 9)]
    column: Annotated[int, Bounds(1, 9)]


class Stat(Word):
    """Values of cards and investigators that can be modified or looked at."""

    WILLPOWER = "willpower"
    INTELLECT = "intellect"
    COMBAT = "combat"
    AGILITY = "agility"
    HEALTH = "health"
    SANITY = "sanity"
    FIGHT = "fight"
    EVADE = "evade"
    DAMAGE = "damage"
    """Damage of an enemy's attack."""
    HORROR = "horror"
    SWARMING = "swarming"
    """The number of the keyword; one that is given adds to the printed one. C-BABIL-39."""
    SHROUD = "shroud"
    COST = "cost"
    DOOM = "doom"
    """The threshold of an agenda."""
    CLUES = "clues"
    HAND_SIZE = "hand-size"
    DIFFICULTY = "difficulty"
    """Of the skill tests of an investigator. C-BTEST-17."""
