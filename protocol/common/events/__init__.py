"""
The events that every room has: people, questions, chance, and what belongs to a start.

Room inputs come from people or the clock; `Asked`, `Rested` and the chance events follow from
them. What a ruleset adds is declared in its own folder.

One module for each theme, in the order of PROTOCOL.md.
"""

# In this order the kinds are declared, and so listed.
# isort: off
from protocol.common.events.people import (
    MAX_CHAT,
    MAX_NAME,
    RoomOpened,
    SeatTaken,
    SeatLeft,
    ScenarioChosen,
    CampaignContinued,
    ProductsSwitched,
    PiecesClaimed,
    ReadySet,
    PresenceChanged,
    Chatted,
)
from protocol.common.events.start import (
    StartRequested,
    SeedsCommitted,
    ShareCommitted,
    ShareOpened,
    StartFailed,
    Player,
    GameStarted,
)
from protocol.common.events.questions import (
    Asked,
    Answered,
    Voted,
    LotCalled,
    TimedOut,
    Settled,
    Rested,
)
from protocol.common.events.agreements import (
    Proposed,
    Consented,
    TakenBack,
    Corrected,
    PausedSet,
    SeatGiven,
    SeatFilled,
)
from protocol.common.events.chance import (
    Rolled,
    Picked,
    Shuffled,
)
from protocol.common.events.ending import (
    Disclosure,
    RoomClosed,
)
# isort: on

__all__ = [
    "MAX_CHAT",
    "MAX_NAME",
    "Answered",
    "Asked",
    "CampaignContinued",
    "Chatted",
    "Consented",
    "Corrected",
    "Disclosure",
    "GameStarted",
    "LotCalled",
    "PausedSet",
    "Picked",
    "PiecesClaimed",
    "Player",
    "PresenceChanged",
    "ProductsSwitched",
    "Proposed",
    "ReadySet",
    "Rested",
    "Rolled",
    "RoomClosed",
    "RoomOpened",
    "ScenarioChosen",
    "SeatFilled",
    "SeatGiven",
    "SeatLeft",
    "SeatTaken",
    "SeedsCommitted",
    "Settled",
    "ShareCommitted",
    "ShareOpened",
    "Shuffled",
    "StartFailed",
    "StartRequested",
    "TakenBack",
    "TimedOut",
    "Voted",
]
