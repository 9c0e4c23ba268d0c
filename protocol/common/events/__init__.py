"""
The events of all rooms: people, questions, chance, start and end.

Inputs come from seats, the operator or the clock; `Asked`, `CheckpointReached` and the chance
events follow from inputs. Events that a ruleset adds are declared in its own folder.

There is a module for each theme, in the order of PROTOCOL.md.
"""

# In this order the kinds are declared, and so listed.
# isort: off
from protocol.common.events.people import (
    MAX_CHAT,
    MAX_NAME,
    RoomOpened,
    SeatTaken,
    SeatLeft,
    SeatEmptied,
    ScenarioChosen,
    CampaignContinued,
    ProductsSwitched,
    CharactersClaimed,
    RoleClaimed,
    HostPassed,
    HostVoted,
    ReadySet,
    PresenceChanged,
    Chatted,
    ChatSet,
)
from protocol.common.events.brought import (
    Prepared,
    BroughtAlong,
)
from protocol.common.events.start import (
    SetupAccepted,
    SetupFixed,
    StartRequested,
    SeedsCommitted,
    ShareCommitted,
    ShareOpened,
    StartFailed,
    Player,
    players_of,
    GameStarted,
)
from protocol.common.events.questions import (
    Asked,
    Answered,
    Passed,
    StandingSet,
    PassedStanding,
    PICK_BYTES,
    Held,
    AnsweredTogether,
    Voted,
    VotesShown,
    LotWanted,
    TiebreakCalled,
    TimedOut,
    Settled,
    CheckpointReached,
)
from protocol.common.events.agreements import (
    Proposed,
    Consented,
    AgreedForAbsent,
    TakenBack,
    Corrected,
    PausedSet,
    SeatGiven,
    SeatFilled,
    SeatFilledKnowing,
)
from protocol.common.events.operator import (
    MAX_REASON,
    OperatorPaused,
    OperatorResumed,
    OperatorClosed,
)
from protocol.common.events.chance import (
    Rolled,
    Picked,
    SecretPick,
    PickedSecretly,
    SecretDeal,
    Dealt,
    DrawEvent,
    Shuffled,
    row_of,
)
from protocol.common.events.hands import (
    ShuffledSome,
    LookedAt,
    Arranged,
)
from protocol.common.events.ending import (
    HowClosed,
    RoomClosed,
    SetupOpened,
)
from protocol.common.events.branching import (
    SourceSeed,
    SourceSetup,
    Branched,
    BranchStarted,
)

# isort: on
from protocol.common.disclosure import Disclosure
from protocol.common.table import Branch

__all__ = [
    "MAX_CHAT",
    "MAX_NAME",
    "MAX_REASON",
    "PICK_BYTES",
    "AgreedForAbsent",
    "Answered",
    "AnsweredTogether",
    "Arranged",
    "Asked",
    "Branch",
    "BranchStarted",
    "Branched",
    "BroughtAlong",
    "CampaignContinued",
    "CharactersClaimed",
    "ChatSet",
    "Chatted",
    "CheckpointReached",
    "Consented",
    "Corrected",
    "Dealt",
    "Disclosure",
    "DrawEvent",
    "GameStarted",
    "Held",
    "HostPassed",
    "HostVoted",
    "HowClosed",
    "LookedAt",
    "LotWanted",
    "OperatorClosed",
    "OperatorPaused",
    "OperatorResumed",
    "Passed",
    "PassedStanding",
    "PausedSet",
    "Picked",
    "PickedSecretly",
    "Player",
    "Prepared",
    "PresenceChanged",
    "ProductsSwitched",
    "Proposed",
    "ReadySet",
    "RoleClaimed",
    "Rolled",
    "RoomClosed",
    "RoomOpened",
    "ScenarioChosen",
    "SeatEmptied",
    "SeatFilled",
    "SeatFilledKnowing",
    "SeatGiven",
    "SeatLeft",
    "SeatTaken",
    "SecretDeal",
    "SecretPick",
    "SeedsCommitted",
    "Settled",
    "SetupAccepted",
    "SetupFixed",
    "SetupOpened",
    "ShareCommitted",
    "ShareOpened",
    "Shuffled",
    "ShuffledSome",
    "SourceSeed",
    "SourceSetup",
    "StandingSet",
    "StartFailed",
    "StartRequested",
    "TakenBack",
    "TiebreakCalled",
    "TimedOut",
    "Voted",
    "VotesShown",
    "players_of",
    "row_of",
]
