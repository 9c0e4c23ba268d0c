"""The kinds of event of the card game without a line in the journal, with the reasons."""

from collections.abc import Mapping

from protocol.event import Event
from protocol.games.cards import events as c

SILENT: Mapping[type[Event], str] = {
    c.Joined: "the waiting room has said who plays whom",
    c.PlanMade: "nobody knows it",
    c.DecksCounted: "the number is shown beside act and agenda",
    c.Linked: "the map shows the ways",
    c.TurnEnded: "the next turn or phase says so",
    c.ActionsSet: "the number of actions is shown, and what they were spent on is told",
    c.PeriodEnded: "nothing happens that is not told by itself",
    c.Remembered: "the story tells it",
    c.Repiled: "nobody sees anything, and the draw or the search is told",
    c.LastingBegan: "the card that begins it is told",
    c.LastingEnded: "the card has said until when",
    c.DelayedBegan: "it is told when it comes",
    c.AsIfSet: "the card that says so is told",
    c.TokensReturned: "they were told as they were revealed",
    c.TestTakenUp: "the test that begins is told",
    c.TestEnded: "the result is told",
}
