"""The model of a replay: a recorded game, the current event, and the viewpoint."""

import bisect
import itertools
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import attrs

from client.journal.journal import JournalWriter
from client.locale.speaker import Speaker
from client.locale.word_store import WordStore
from client.model.tables import TableStep
from client.model.viewpoints import (
    EVERYTHING,
    Seen,
    Viewpoint,
    folded,
    reveals_in,
    seen_from,
    viewpoints_of,
)
from client.plugs.face import GameFace, face_of
from client.tellers.base import JournalLine, Tone
from protocol.archive import Archive
from protocol.common import events
from protocol.common.hindsight import Hindsight
from protocol.common.table import Table
from protocol.event import Record
from protocol.event_contents import secrets_of

MOMENTS = (
    events.VotesShown,
    events.TakenBack,
    events.SeatGiven,
    events.Corrected,
    events.RoomClosed,
)
"""Kinds of event that are listed as moments in any game."""
_CHOICES = (
    events.Answered,
    events.AnsweredTogether,
    events.Passed,
    events.Voted,
    events.TimedOut,
    events.Settled,
)


@attrs.frozen
class Moment:
    """A notable event of a replay, with its journal line."""

    position: int
    """The position right after the event."""
    line: JournalLine


@attrs.define(eq=False, repr=False)
class ReplayModel:
    """A recorded game with a current position in its records, and a viewpoint."""

    records: Sequence[Record]
    position: int = 0
    """The number of records before the current position."""
    points: tuple[Viewpoint, ...] = (EVERYTHING,)
    see: Callable[[Viewpoint], Seen] | None = None
    """Returns the game from another viewpoint; None if there is only one viewpoint."""
    hindsight: Sequence[Hindsight] = ()
    """What is known only afterwards, in the order of the log. Shown if all secrets are open."""
    point: Viewpoint = attrs.field(init=False)
    tables: Sequence[Table] = attrs.field(init=False)
    """
    The table before each record and after the last record. The tables share most of their parts.
    """
    stops: list[int] = attrs.field(factory=list, init=False)
    """The positions at which `step` stops; 0 alone until the journal is written."""
    rounds: list[int] = attrs.field(factory=list, init=False)
    """
    The positions at which a round begins, and both ends. For a game without rounds, the positions
    of its checkpoints take their place.
    """
    _seen: dict[Viewpoint, Seen] = attrs.field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        self.point = self.points[0]
        self.tables = folded(self.records)
        self._seen[self.point] = Seen(tuple(self.records), tuple(self.tables))
        self.stops.append(0)
        begun, rested = [0], [0]
        for at in range(1, len(self.tables)):
            before, after = self.tables[at - 1], self.tables[at]
            # Going back to an earlier round begins no round.
            if _round_of(after) > _round_of(before):
                begun.append(at)
            if max(after.checkpoints, default=0) > max(before.checkpoints, default=0):
                rested.append(at)
        # A game without rounds still gets places to leap to.
        self.rounds += begun if len(begun) > 1 else rested
        if self.rounds[-1] != len(self.records):
            self.rounds.append(len(self.records))

    @property
    def face(self) -> GameFace:
        return face_of(self.tables[-1].room.ruleset)

    @property
    def table(self) -> Table:
        return self.tables[self.position]

    @property
    def event(self) -> int:
        """The number of the last event before the current position; -1 at the beginning."""
        return self.position - 1

    # Viewpoints

    def next_viewpoint(self) -> None:
        """Switch to the next viewpoint, at the same position."""
        self.switch_viewpoint(self.points[(self.points.index(self.point) + 1) % len(self.points)])

    def switch_viewpoint(self, point: Viewpoint) -> None:
        """Switch to the viewpoint `point`, at the same position."""
        if point not in self._seen:
            assert self.see is not None, "there is one viewpoint alone"
            # Cached: opening the secrets of a long game takes a while.
            self._seen[point] = self.see(point)
        self.point = point
        self.records, self.tables = self._seen[point].records, self._seen[point].tables

    # Moving

    def step(self, by: int) -> bool:
        """
        Go to the next position of `stops`, or back to the previous one if `by` is negative.

        Returns:
            Whether there is such a position.
        """
        return self._go(self.stops, by)

    def leap(self, by: int) -> bool:
        """Go to the next position in `rounds`, or back to the previous one if `by` is negative.

        Returns:
            Whether there is such a position.
        """
        return self._go(self.rounds, by)

    def step_event(self, by: int) -> bool:
        """Go `by` events forward, or back if negative, including events without a line.

        Returns:
            Whether the event exists.
        """
        return self.go_to(self.event + by)

    def step_choice(self, by: int) -> bool:
        """Go to just before the next or previous choice; return whether there is one."""
        return self._go([r.sequence for r in self.records if isinstance(r.event, _CHOICES)], by)

    def step_turn(self, by: int) -> bool:
        """Go to the next or previous turn; return whether there is one."""
        kinds = self.face.turns
        return self._go([r.sequence + 1 for r in self.records if type(r.event) in kinds], by)

    def go_to(self, event: int) -> bool:
        """Go to the position right after an event (-1: the beginning); return whether it exists."""
        if not -1 <= event < len(self.records):
            return False
        self.position = event + 1
        return True

    def _go(self, places: Sequence[int], by: int) -> bool:
        if by > 0:
            at = bisect.bisect_right(places, self.position)
        else:
            at = bisect.bisect_left(places, self.position) - 1
        if not 0 <= at < len(places):
            return False
        self.position = places[at]
        return True

    # Contents

    def journal(self, speaker: Speaker) -> list[JournalLine]:
        """
        Return the journal of the whole game.

        After this call, `step` stops only at events that have a line in the journal.
        """
        lines: list[JournalLine] = []
        writer = JournalWriter()
        self.stops = [0]
        for at, record in enumerate(self.records):
            step = TableStep(self.tables[at], record, self.tables[at + 1])
            told = [*writer.lines_of(step, speaker), *self._known_after(step, speaker)]
            lines += told
            # The end is a stop even if the last record has no line.
            if told or at + 1 == len(self.records):
                self.stops.append(at + 1)
        return lines

    def _known_after(self, step: TableStep, speaker: Speaker) -> Iterator[JournalLine]:
        """Yield the lines of the hindsight on one record."""
        if not self.point.is_all:
            return
        record = step.record
        begin = bisect.bisect_left(self.hindsight, record.sequence, key=lambda one: one.sequence)
        for one in itertools.islice(self.hindsight, begin, None):
            if one.sequence != record.sequence:
                return
            number, text = _round_of(step.after), speaker.text(one.text)
            yield JournalLine(record.sequence, record.time, number, Tone.HINDSIGHT, text)

    def moments(self, lines: Sequence[JournalLine]) -> list[Moment]:
        """Return the notable events, each with its first journal line."""
        kinds = (*MOMENTS, *self.face.moments)
        first: dict[int, JournalLine] = {}
        for line in lines:
            first.setdefault(line.sequence, line)
        return [
            Moment(record.sequence + 1, first[record.sequence])
            for record in self.records
            if isinstance(record.event, kinds) and record.sequence in first
        ]

    def abandoned_by(self) -> int | None:
        """Return the number of the later event that took back the current event, or None."""
        for record in self.records[self.position :]:
            if isinstance(record.event, events.TakenBack) and record.event.checkpoint < self.event:
                return record.sequence
        return None

    def chosen(self) -> dict[int, tuple[str, ...]]:
        """Return the answers that the open question gets later on the log, by seat.

        Answers that the viewpoint cannot read are left out.
        """
        ask, found = self.table.room.ask, dict[int, tuple[str, ...]]()
        if ask is None:
            return found
        for record in self.records[self.position :]:
            event = record.event
            if isinstance(event, events.Answered | events.Voted) and event.ask_id == ask.ask_id:
                picks = event.picks
                # Open votes are there for all; other picks are sealed.
                if isinstance(picks, tuple):
                    found[event.seat] = picks
                elif picks.is_open:
                    found[event.seat] = picks.value
            elif isinstance(event, events.Asked | events.TakenBack):
                break
        return found

    def known_before(self) -> tuple[tuple[tuple[int, ...], int], ...]:
        """
        List the secrets that the current event opens to everybody.

        Secrets that no seat knew before are left out.

        Returns:
            For each such secret, the seats that knew it, and the event from which they knew it.
        """
        if not self.position:
            return ()
        record = self.records[self.event]
        # A dict, so that secrets with the same seats and event are listed once, in order.
        found = {(one.seats, one.sequence): None for one in reveals_in(record, self.records)}
        return tuple(key for key in found if key[0])

    def round_at(self, event: int) -> int:
        """Return the round in which the game was before an event; 0 before the first round."""
        return _round_of(self.tables[event])

    def secret_to(self) -> tuple[int, ...] | None:
        """Return the seats that know the visible secrets of the current event.

        None if the event has no visible secret, or if all seats know each of them.
        """
        if not self.position:
            return None
        audiences = [s.audience for s in secrets_of(self.records[self.event].event) if s.is_open]
        everybody = tuple(self.table.room.seats)
        hidden = [audience for audience in audiences if audience != everybody]
        return tuple(sorted({seat for audience in hidden for seat in audience})) if hidden else None


def replayed(archive: Archive) -> ReplayModel:
    """Return the replay of a file, with every viewpoint that the file allows."""
    points = viewpoints_of(archive)
    see = partial(seen_from, archive)
    return ReplayModel(see(points[0]).records, points=points, see=see)


def words_of(archive: Archive, language: str) -> WordStore:
    """Return the words of a file in a language, or in another if the file lacks the language."""
    languages = list(dict.fromkeys(chunk.language for chunk in archive.words))
    spoken = language if language in languages else next(iter(languages), language)
    store = WordStore(language=spoken)
    for chunk in archive.words:
        if chunk.language == spoken:
            store.add(spoken, chunk.subjects)
    return store


def _round_of(table: Table) -> int:
    """Return the current round; 0 if the game has none."""
    game = table.game
    return 0 if game is None else face_of(table.room.ruleset).moment(game).round_number
