"""The course of a game: phases, turns, the test being made, the end."""

import enum

from protocol.common.text import Text
from protocol.games.first_edition.table.ids import CharacterId, InvestigatorId
from protocol.games.first_edition.words import Attribute, Side, TestKind, TraumaKind
from protocol.values import frozen

STEPS = 2
"""Movement steps of an investigator's turn. K-TURN-1."""
TURN_STARTED, TEST_FAILED = "turn", "test"
"""Moments for cards laid ready, besides the ids of rooms that are entered. K-DECIDE-107."""


class Phase(enum.Enum):
    """Side that acts now. K-ROUND-1."""

    SETUP = "setup"
    INVESTIGATORS = "investigators"
    KEEPER = "keeper"
    OVER = "over"


class KeeperStep(enum.Enum):
    """The steps of the keeper's turn. K-KEEPER-1."""

    TRADE = "trade"
    ALLIES = "allies"
    """The ally phase; only while allies are in play. W-ALLY-8, W-DECIDE-19."""
    STUN = "stun"
    THREAT = "threat"
    ACTIONS = "actions"
    ATTACKS = "attacks"
    EVENT = "event"
    END = "end"
    """Fire burns (K-DECIDE-80), and cards are laid ready (K-DECIDE-107)."""


@frozen
class Waiting:
    """A seat that chooses a new investigator in its next turn. K-DEATH-6."""

    seat: int
    has_acted: bool
    """True if the dead investigator had the turn of this round."""


@frozen
class OpenTest:
    """The attribute test being made, or the last one made. K-TEST-1."""

    investigator: CharacterId
    """The investigator, or the ally. W-DECIDE-22."""
    attribute: Attribute
    kind: TestKind
    value: int
    """The attribute with all modifiers: the greatest roll that passes. K-TEST-2."""
    about: Text
    has_point: bool = False
    """True if a skill point was spent, and is in `value`. K-TEST-4."""
    roll: int | None = None
    """The roll, from 1 to 10; None before it."""
    is_spoilt: bool = False
    """True if the keeper used a curse or a skill point on it: then a roll stands. W-DECIDE-35."""
    is_lost: bool = False
    """True if a curse makes it fail without a roll: that of an ally. W-DECIDE-24."""


@frozen
class TraumaTrigger:
    """An investigator took damage or horror, and the keeper may play a card on it. K-TRAUMA-3."""

    investigator: InvestigatorId
    kind: TraumaKind


@frozen
class Ending:
    """The end of the game."""

    winners: tuple[Side, ...]
    reason: Text
