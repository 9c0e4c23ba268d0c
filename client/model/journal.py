"""
The journal: what happened, in lines that people read, round by round.

Every kind of event has its line or is silent on purpose; a test goes through all kinds. What they
say stands in `client.tellers`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping

import attrs

from client.locale.speaker import Speaker
from client.model.tables import Step, TableView
from client.tellers import TELLERS, Moment, Tone
from protocol.common import events
from protocol.common.table import Table, fold
from protocol.event import Event, Record
from protocol.games.second_edition import events as se
from protocol.games.second_edition.table import SecondEditionTable

__all__ = ["SILENT", "TELLERS", "Journal", "JournalLine", "Tone", "lines_of"]

SILENT: Mapping[type[Event], str] = {
    events.SeedsCommitted: "the ceremony is told as a whole",
    events.ShareCommitted: "the ceremony is told as a whole",
    events.ShareOpened: "the ceremony is told as a whole",
    events.Asked: "the question stands on its own pane",
    events.Answered: "what the table learns of it is said by what follows",
    events.Settled: "what follows tells how",
    events.Corrected: "what lies differently is told next",
    events.Rested: "nothing happened",
    events.Rolled: "the dice are told as they lie there",
    events.PickedSecretly: "what becomes of it is told by what follows",
    events.Dealt: "what becomes of it is told by what follows",
    events.Shuffled: "nobody sees anything",
    se.SupplyLaidOut: "nothing to see yet",
    se.BacksLaidOut: "the backs are read with the cards",
    se.DealtWith: "it was told as it happened",
    se.AttemptEnded: "the last step and the story say so",
    se.TurnEnded: "the next turn or step says so",
    se.TokenRemoved: "whatever took it away was told",
    se.MemoryKept: "the scenario's own memory",
    se.CounterSet: "the scenario's own memory",
}
"""The kinds that have no line, each with the reason."""


@attrs.frozen
class JournalLine:
    """One paragraph of the journal."""

    sequence: int
    time: int
    """Milliseconds since 1970."""
    round_number: int
    tone: Tone
    text: str


def lines_of(step: Step, speaker: Speaker) -> Iterator[JournalLine]:
    """Yield the lines of one record. Kinds of rulesets that are not known here have none."""
    record = step.record
    teller = TELLERS.get(type(record.event))
    if teller is None:
        return
    game = step.after.game
    round_number = game.round_number if isinstance(game, SecondEditionTable) else 0
    for tone, text in teller(record.event, Moment(step, speaker)):
        for paragraph in text.split("\n"):
            if paragraph.strip():
                yield JournalLine(record.sequence, record.time, round_number, tone, paragraph)


def all_lines(records: Iterable[Record], speaker: Speaker) -> Iterator[JournalLine]:
    """Yield the lines of a whole log, folding it as it goes."""
    table = Table()
    for record in records:
        after = fold(table, record)
        yield from lines_of(Step(table, record, after), speaker)
        table = after


@attrs.define(eq=False)
class Journal:
    """The lines of the table that is followed. A `client.model.model.Follower`."""

    speaker: Callable[[], Speaker]
    lines: list[JournalLine] = attrs.field(factory=list)

    def followed(self, view: TableView, steps: tuple[Step, ...]) -> None:  # noqa: ARG002
        """Write down what happened; nothing happened yet where another table begins."""
        if not steps:
            self.lines.clear()
        speaker = self.speaker()
        for step in steps:
            self.lines += lines_of(step, speaker)

    def reworded(self, view: TableView) -> None:
        """Write all of it down again, in other words."""
        self.begin(view)

    def begin(self, view: TableView | None) -> None:
        """Write down all that a table has behind it, as where it was followed before."""
        self.lines.clear()
        if view is not None:
            self.lines += all_lines(view.records, self.speaker())
