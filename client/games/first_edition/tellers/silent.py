"""The kinds of event of the first edition without a line in the journal, with the reasons."""

from collections.abc import Mapping

from protocol.event import Event
from protocol.games.first_edition import events as fe

SILENT: Mapping[type[Event], str] = {
    fe.LandLaid: "the board shows it",
    fe.CardLaid: "the board shows the piles",
    fe.LockLaid: "the board shows the locks",
    fe.EventLaid: "the number on the first one is told",
    fe.StepSpent: "what it was spent on is told",
    fe.StepGained: "the action that gave it is told",
    fe.Evaded: "the test is told",
    fe.TraumaTriggered: "the harm is told",
    fe.TriggersPassed: "nothing shows whether the keeper could have played a card",
    fe.MomentsPassed: "nothing shows what was laid ready",
    fe.TurnEnded: "the next turn or step says so",
    fe.DealtWith: "it was told as it happened",
    fe.DiscardsReturned: "nobody sees anything",
    fe.PuzzleAttemptEnded: "the last action or the solution says so",
    fe.MonsterFlies: "the sign on the board says so",
    fe.PitReturned: "the fall into it is told",
    fe.TaleLaid: "the number of tales left is shown beside the ally",
    fe.CardCleared: "what came of the card is told",
}
