"""
The journal: what happened, in lines that people read, round by round.

Every kind of event has its line or is silent on purpose; a test goes through all kinds. What they
say stands in `client.journal.room` and in the folders of games.
"""

from collections.abc import Callable, Iterable, Iterator

import attrs

from client.journal.room import TELLERS
from client.locale.speaker import Speaker
from client.model.tables import TableStep, TableView
from client.plugs.face import face_of
from client.tellers.base import EventContext, JournalLine
from protocol.common.table import Table, fold
from protocol.event import Record


def lines_of(step: TableStep, speaker: Speaker) -> Iterator[JournalLine]:
    """Yield the lines of one record. Kinds of rulesets that are not known here have none."""
    record, face = step.record, face_of(step.after.room.ruleset)
    kind = type(record.event)
    teller = TELLERS.get(kind) or face.tellers.get(kind)
    if teller is None:
        return
    game = step.after.game
    round_number = 0 if game is None else face.moment(game).round_number
    for tone, text in teller(record.event, EventContext(step, speaker)):
        for paragraph in text.split("\n"):
            if paragraph.strip():
                yield JournalLine(record.sequence, record.time, round_number, tone, paragraph)


def all_lines(records: Iterable[Record], speaker: Speaker) -> Iterator[JournalLine]:
    """Yield the lines of a whole log, folding it as it goes."""
    table = Table()
    for record in records:
        after = fold(table, record)
        yield from lines_of(TableStep(table, record, after), speaker)
        table = after


@attrs.define(eq=False)
class Journal:
    """The lines of the table that is followed. A `client.model.model.Follower`."""

    speaker: Callable[[], Speaker]
    lines: list[JournalLine] = attrs.field(factory=list)

    def followed(self, view: TableView, steps: tuple[TableStep, ...]) -> None:  # noqa: ARG002
        """Write down what happened; nothing happened yet where another table begins."""
        if not steps:
            self.lines.clear()
        speaker = self.speaker()
        for step in steps:
            self.lines += lines_of(step, speaker)

    def reworded(self, view: TableView) -> None:
        """Write the whole journal again, in another language."""
        self.begin(view)

    def begin(self, view: TableView | None) -> None:
        """Write down all that a table has behind it, as where it was followed before."""
        self.lines.clear()
        if view is not None:
            self.lines += all_lines(view.records, self.speaker())
