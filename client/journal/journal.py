"""
The journal: the events of a table in lines for people, round by round.

Every kind of event has either a teller or a reason for having none; a test checks that no kind is
forgotten. The tellers live in `client.journal.room` and in the folders of games.
"""

from collections.abc import Callable, Iterable, Iterator

import attrs

from client.journal.room import TELLERS
from client.locale.speaker import Speaker
from client.model.tables import TableStep, TableView
from client.plugs.face import face_of
from client.tellers.base import EventContext, JournalLine, Tone
from protocol.common.events import PresenceChanged
from protocol.common.table import Stage, Table, fold
from protocol.event import CLOCK, Record


def lines_of(step: TableStep, speaker: Speaker) -> Iterator[JournalLine]:
    """Yield the journal lines of one record; none if no teller knows its kind of event."""
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
    The writer of journal lines, with the state that consecutive records need.

    A restarted server reports every seat as absent, and then the return of each player. The journal
    shortens these reports to one line, and names the players who are still away when the game
    continues.
    """

    _missing: list[int] = attrs.field(factory=list, init=False)
    """Seats whose players have not returned since the server restarted."""

    def lines_of(self, step: TableStep, speaker: Speaker) -> Iterator[JournalLine]:
        event = step.record.event
        if not isinstance(event, PresenceChanged):
            # Somebody acts, so the game goes on: name the players who are still away.
            for seat in self._missing:
                yield _room_line(step, speaker.say("journal.went", speaker.seat(step.before, seat)))
            self._missing.clear()
        # Only a restarted server reports absences by the clock.
        elif step.record.origin == CLOCK and not event.is_present:
            if not self._missing:
                is_before = step.after.room.stage is Stage.LOBBY
                key = "journal.restarted_waiting" if is_before else "journal.restarted"
                yield _room_line(step, speaker.say(key))
            self._missing.append(event.seat)
            return
        elif event.seat in self._missing:
            self._missing.remove(event.seat)
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
    """
    Yield the lines of a whole log.

    A caller that passes a writer can continue the journal with it later.
    """
    table, writer = Table(), writer or JournalWriter()
    for record in records:
        after = fold(table, record)
        yield from writer.lines_of(TableStep(table, record, after), speaker)
        table = after


@attrs.define(eq=False)
class Journal:
    """The journal of the followed table; a `client.model.model.TableFollower`."""

    speaker: Callable[[], Speaker]
    lines: list[JournalLine] = attrs.field(factory=list)
    _writer: JournalWriter = attrs.field(factory=JournalWriter, init=False)

    def followed(self, view: TableView, steps: tuple[TableStep, ...]) -> None:  # noqa: ARG002
        """Add the lines of new steps; no steps mean another table, so clear the journal."""
        if not steps:
            self._clear()
        speaker = self.speaker()
        for step in steps:
            self.lines += self._writer.lines_of(step, speaker)

    def reworded(self, view: TableView) -> None:
        """Rewrite the whole journal in another language."""
        self.begin(view)

    def begin(self, view: TableView | None) -> None:
        """Replace the journal by that of a table with existing records; None clears the journal."""
        self._clear()
        if view is not None:
            self.lines += all_lines(view.records, self.speaker(), self._writer)

    def _clear(self) -> None:
        self.lines.clear()
        self._writer = JournalWriter()
