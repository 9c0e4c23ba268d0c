"""The kinds of event of the second edition without a line in the journal, with the reasons."""

from collections.abc import Mapping

from protocol.event import Event
from protocol.games.second_edition import events as se

SILENT: Mapping[type[Event], str] = {
    se.SupplyLaidOut: "nothing to see yet",
    se.BacksLaidOut: "the backs are read with the cards",
    se.DealtWith: "it was told as it happened",
    se.AttemptEnded: "the last step and the story say so",
    se.TurnEnded: "the next turn or step says so",
    se.TokenRemoved: "whatever took it away was told",
    se.MemoryKept: "the scenario's own memory",
    se.CounterSet: "the scenario's own memory",
}
