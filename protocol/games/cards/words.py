"""Words that rules, content and clients of the card game share: zones, phases, skills, tokens."""

import enum
from collections.abc import Mapping
from typing import Final

RULESET: Final = "cards"
INVESTIGATOR: Final = "investigator"
"""Role of all seats: the game is co-operative."""


class Word(enum.Enum):
    """
    A set of words that the rules look up all the time.

    Each is equal to itself alone, so it needs no hash of its name, which `enum` works out anew
    whenever it is asked.
    """

    __hash__ = object.__hash__


class Phase(Word):
    """The phases of a round in their order, and what comes before and after the rounds."""

    SETUP = "setup"
    MYTHOS = "mythos"
    INVESTIGATION = "investigation"
    ENEMY = "enemy"
    UPKEEP = "upkeep"
    OVER = "over"


class Skill(Word):
    """The skills. C-BTEST-1."""

    WILLPOWER = "willpower"
    INTELLECT = "intellect"
    COMBAT = "combat"
    AGILITY = "agility"


WILD: Final = "wild"
"""The icon that stands for any skill. C-WILD-1."""


class Zone(Word):
    """Zones in which an open card can lie. C-BZONE-5, C-BZONE-6."""

    PLAY = "play"
    """In the play area of an investigator."""
    THREAT = "threat"
    """In the threat area of an investigator."""
    MAP = "map"
    """A location in play."""
    SPACE = "space"
    """An empty space of a grid: a card that lies face down there. C-BSPEC-4."""
    AT = "at"
    """At a location, which the place names."""
    ON = "on"
    """Attached to a card in play, which the place names."""
    ACT = "act"
    AGENDA = "agenda"
    SCENARIO = "scenario"
    """The scenario reference card."""
    BENEATH = "beneath"
    """Beneath a card, out of play. C-ZONE-1."""
    CAPTIVE = "captive"
    """In a captives' pile, face down and controlled by nobody. C-PILE-1, C-PILE-3."""
    SWARM = "swarm"
    """A swarm card, face down, of the host that the place names. C-BKEY-16."""
    DRAWN = "drawn"
    """Drawn by an investigator and not resolved yet. C-DECIDE-42."""
    RESOLVING = "resolving"
    """Being played or resolved. C-BZONE-24."""
    COMMITTED = "committed"
    """Committed to the test by the investigator whom the place names."""
    DISCARD = "discard"
    """In the discard pile of an investigator, or of an encounter deck. C-BZONE-14."""
    VICTORY = "victory"
    ASIDE = "aside"
    """Set aside. C-BSETUP-17."""
    REMOVED = "removed"


IN_PLAY: Final = frozenset(
    [
        *(Zone.PLAY, Zone.THREAT, Zone.MAP, Zone.SPACE, Zone.AT, Zone.ON, Zone.SWARM),
        *(Zone.ACT, Zone.AGENDA, Zone.SCENARIO),
    ]
)
"""Zones whose cards are in play. C-BZONE-7."""


class Token(Word):
    """Kinds of token on cards; a card with Uses names a further kind. C-BZONE-17."""

    DAMAGE = "damage"
    HORROR = "horror"
    CLUE = "clue"
    DOOM = "doom"
    RESOURCE = "resource"


BLESS, CURSE, FAIL, STAR = "bless", "curse", "fail", "star"
SYMBOLS: Final = ("s1", "s2", "s3", "s4")
"""Scenario symbols on chaos tokens."""
SPECIAL: Final = (STAR, FAIL, *SYMBOLS, BLESS, CURSE)
"""The eight kinds of special chaos token; every other token is a number. C-TOK-15."""


def token_name(token: str) -> str:
    """Return the name of a chaos token: the subject of a special one, a number with its sign."""
    if token in SPECIAL:
        return f"chaos/{token}"
    number = int(token)
    return f"+{number}" if number > 0 else f"\N{MINUS SIGN}{-number}" if number else "0"


SUPPLY: Final[Mapping[str, int]] = {BLESS: 10, CURSE: 10}
"""C-DECIDE-13."""


class Until(Word):
    """Periods at whose end a lasting effect ends. C-BROUND-5, C-BTEST-15."""

    TEST = "test"
    ACTION = "action"
    TURN = "turn"
    PHASE = "phase"
    ROUND = "round"
    GAME = "game"


class Trauma(Word):
    """Kinds of trauma. C-BDMG-7, C-BDMG-8."""

    PHYSICAL = "physical"
    MENTAL = "mental"


class Fate(Word):
    """Ways to leave the scenario. C-BELIM-1."""

    DEFEATED = "defeated"
    RESIGNED = "resigned"
