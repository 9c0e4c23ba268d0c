"""
The table of the first edition: board, investigators, monsters, and what the keeper holds.

Everything here is public except `Sealed` values and the cards in piles. What cards do is content
and stays on the server: the table has what a player would see on a real table.
"""

from protocol.games.first_edition.table.board import Feature, Monster, MonsterBack
from protocol.games.first_edition.table.cards import (
    CounterLine,
    FaceDown,
    Item,
    KeeperAction,
    LaidCard,
    Lock,
    Spell,
    StoryCard,
    ToldTale,
    WeaponFacts,
)
from protocol.games.first_edition.table.characters import Ally, Character, FixedTest, Investigator
from protocol.games.first_edition.table.course import (
    STEPS,
    TEST_FAILED,
    TURN_STARTED,
    Ending,
    KeeperStep,
    OpenTest,
    Phase,
    TraumaTrigger,
    Waiting,
)
from protocol.games.first_edition.table.ids import (
    AllyId,
    CardId,
    CharacterId,
    FeatureId,
    InvestigatorId,
    MonsterId,
    PieceId,
    RoomId,
    SpaceId,
)
from protocol.games.first_edition.table.piles import (
    MYTHOS_DECK,
    MYTHOS_HAND,
    PIT_SUPPLY,
    TRAUMA_DECK,
    TRAUMA_HAND,
    combat_deck,
    spell_deck,
    story_deck,
)
from protocol.games.first_edition.table.state import FirstEditionTable

__all__ = [
    "MYTHOS_DECK",
    "MYTHOS_HAND",
    "PIT_SUPPLY",
    "STEPS",
    "TEST_FAILED",
    "TRAUMA_DECK",
    "TRAUMA_HAND",
    "TURN_STARTED",
    "Ally",
    "AllyId",
    "CardId",
    "Character",
    "CharacterId",
    "CounterLine",
    "Ending",
    "FaceDown",
    "Feature",
    "FeatureId",
    "FirstEditionTable",
    "FixedTest",
    "Investigator",
    "InvestigatorId",
    "Item",
    "KeeperAction",
    "KeeperStep",
    "LaidCard",
    "Lock",
    "Monster",
    "MonsterBack",
    "MonsterId",
    "OpenTest",
    "Phase",
    "PieceId",
    "RoomId",
    "SpaceId",
    "Spell",
    "StoryCard",
    "ToldTale",
    "TraumaTrigger",
    "Waiting",
    "WeaponFacts",
    "combat_deck",
    "spell_deck",
    "story_deck",
]
