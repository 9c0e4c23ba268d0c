"""The side whose deed an event is, for the timeline of a finished game."""

from protocol.common.table import GameTable
from protocol.event import Event
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.words import INVESTIGATOR, KEEPER

_KEEPERS = (
    *(fe.KeeperStepBegan, fe.ThreatChanged, fe.KeeperDrew, fe.HandCardDiscarded, fe.LaidReady),
    *(fe.MythosPlayed, fe.MythosLaidDown, fe.FaceDownTurned, fe.TraumaPlayed, fe.KeeperActed),
    *(fe.MonsterPlaced, fe.MonsterMoved, fe.MonsterAttacked, fe.EventResolved, fe.RollForced),
    *(fe.ActionLaid, fe.ActionShown, fe.CurseUsed, fe.Cursed),
    *(fe.AnswersGiven, fe.CardLaid, fe.LockLaid, fe.EventLaid),
)
_INVESTIGATORS = (
    *(fe.RoundBegan, fe.TurnBegan, fe.Moved, fe.ActionTaken, fe.Attacked, fe.CardTurnedUp),
    *(fe.ClueFound, fe.ItemGained, fe.TestDeclared, fe.TestPointSpent, fe.TestRolled),
    *(fe.VoteCounted, fe.ActionGained, fe.TaleTold),
    *(fe.TestEnded, fe.HarmTaken, fe.Stunned, fe.SkillPointsChanged, fe.InvestigatorJoined),
)


def side_of(_: GameTable, event: Event) -> str:
    """Return the side whose deed an event is; empty if either side may have done it."""
    if isinstance(event, fe.ObjectiveSet | fe.ToldKeeper):
        # The investigators where they choose the objective. W-STORY-5.
        return event.role
    if isinstance(event, _KEEPERS):
        return KEEPER
    return INVESTIGATOR if isinstance(event, _INVESTIGATORS) else ""
