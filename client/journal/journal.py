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
from client.tellers.base import EventContext, JournalLine, Tone
from protocol.common.events import PresenceChanged
from protocol.common.table import Table, fold
from protocol.event import CLOCK, Record


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


@attrs.define(eq=False)
class JournalWriter:
    """
    Writes the lines of records that follow one another.

    A server that is started anew says of each seat that nobody is there, and they come back one
    after the other. That is one line; who is not back when the game goes on is told then.
    """

    _missing: list[int] = attrs.field(factory=list, init=False)
    """The seats that were not seen again since the server was started anew."""

    def lines_of(self, step: TableStep, speaker: Speaker) -> Iterator[JournalLine]:
        """Yield the lines of the next record."""
        happened = step.record.event
        if not isinstance(happened, PresenceChanged):
            for seat in self._missing:
                yield _room_line(step, speaker.say("journal.went", speaker.seat(step.before, seat)))
            self._missing.clear()
        elif step.record.origin == CLOCK and not happened.is_present:
            if not self._missing:
                yield _room_line(step, speaker.say("journal.restarted"))
            self._missing.append(happened.seat)
            return
        elif happened.seat in self._missing:
            self._missing.remove(happened.seat)
            return
        yield from lines_of(step, speaker)


def _room_line(step: TableStep, text: str) -> JournalLine:
    game, record = step.after.game, step.record
    face = face_of(step.after.room.ruleset)
    round_number = 0 if game is None else face.moment(game).round_number
    return JournalLine(record.sequence, record.time, round_number, Tone.ROOM, text)


def all_lines(
    records: Iterable[Record], speaker: Speaker, writer: JournalWriter | None = None
) -> Iterator[JournalLine]:
    """Yield the lines of a whole log, folding it as it goes; a writer is left at its end."""
    table, writer = Table(), writer or JournalWriter()
    for record in records:
        after = fold(table, record)
        yield from writer.lines_of(TableStep(table, record, after), speaker)
        table = after


@attrs.define(eq=False)
class Journal:
    """The lines of the table that is followed. A `client.model.model.Follower`."""

    speaker: Callable[[], Speaker]
    lines: list[JournalLine] = attrs.field(factory=list)
    _writer: JournalWriter = attrs.field(factory=JournalWriter, init=False)

    def followed(self, view: TableView, steps: tuple[TableStep, ...]) -> None:  # noqa: ARG002
        """Write down what happened; nothing happened yet where another table begins."""
        if not steps:
            self._clear()
        speaker = self.speaker()
        for step in steps:
            self.lines += self._writer.lines_of(step, speaker)

    def reworded(self, view: TableView) -> None:
        """Write the whole journal again, in another language."""
        self.begin(view)

    def begin(self, view: TableView | None) -> None:
        """Write down all that a table has behind it, as where it was followed before."""
        self._clear()
        if view is not None:
            self.lines += all_lines(view.records, self.speaker(), self._writer)

    def _clear(self) -> None:
        self.lines.clear()
        self._writer = JournalWriter()
