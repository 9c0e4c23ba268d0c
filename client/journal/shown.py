"""
The table up to the page of story that its player is reading.

While a page waits to be read, a screen draws the table as it was before the page. So the screen
reveals nothing of this page or a later page. After the page is read, the screen shows the table
before the next page, or the current table if no page is left.

A page has the story of one or more records. Dice and questions end a page, since they come before
the story that follows from them.
"""

from collections.abc import Callable, Sequence
from itertools import groupby

import attrs

from client.journal.journal import Journal
from client.model.model import ClientModel
from client.model.tables import TableView
from client.tellers.base import JournalLine, Tone, lines_since
from protocol.common.events import Asked
from protocol.common.table import Table, fold

TOLD = frozenset({Tone.STORY, Tone.PRIVATE})
"""The tones of journal lines that are story."""
_ENDING = frozenset({Tone.DICE, Tone.ROUND})
"""The tones of lines that end a page."""


def is_card(line: JournalLine) -> bool:
    """Return whether a line has the text of a card received during a round.

    Cards of the setup do not count: there, each player receives many at once.
    """
    return line.tone is Tone.CARD and line.round_number > 0


def is_gain(line: JournalLine) -> bool:
    """Return whether a line tells a gain during a round, which belongs to the story before it."""
    return line.tone is Tone.GAIN and line.round_number > 0


@attrs.define(eq=False)
class ShownTable:
    """The followed table, its records and its journal, up to the page that is being read."""

    model: ClientModel
    journal: Journal
    has_pages: Callable[[], bool]
    """Returns whether story is read page by page; if False, the current table is shown."""
    _followed: TableView | None = attrs.field(default=None, init=False)
    _count: int = attrs.field(default=0, init=False)
    """The number of records that are shown."""
    _table: Table = attrs.field(factory=Table, init=False)
    """The table after the first `_count` records."""
    _end: int | None = attrs.field(default=None, init=False)
    """The record after the page that waits to be read; None if no page waits."""
    _is_ended: bool = attrs.field(default=False, init=False)
    """Whether the page that waits is complete."""
    _known: tuple[object, ...] = attrs.field(default=(), init=False)
    """The inputs of the last update; while they are equal, nothing has to be updated."""
    _view: TableView | None = attrs.field(default=None, init=False)
    """The cached result of `view` while a page waits."""

    @property
    def view(self) -> TableView | None:
        """The table before the unread page, or the current table; None away from tables."""
        self._update()
        whole = self.model.view
        if whole is None or self._end is None:
            return whole
        # In a practice game the seat changes without a new record.
        if self._view is None or self._view.seat != whole.seat:
            self._view = attrs.evolve(
                whole,
                table=self._table,
                records=whole.records[: self._count],
                cuts=whole.cuts[: self._count],
            )
            # `evolve` has set it to the current seat.
            self._view.entered_as = whole.entered_as
        return self._view

    @property
    def lines(self) -> Sequence[JournalLine]:
        """The lines of the journal before the unread page, or all lines."""
        self._update()
        lines = self.journal.lines
        if self._end is None:
            return lines
        return lines[: len(lines) - len(lines_since(lines, self._count))]

    @property
    def page(self) -> Sequence[JournalLine]:
        """The journal lines of the unread page; empty if no page waits."""
        self._update()
        if self._end is None:
            return ()
        come = lines_since(self.journal.lines, self._count)
        return come[: len(come) - len(lines_since(come, self._end))]

    @property
    def is_behind(self) -> bool:
        """Whether a page waits to be read."""
        self._update()
        return self._end is not None

    def turn_page(self) -> None:
        """Mark the page as read, and show the table up to the next page."""
        self._update()
        if self._end is not None:
            self._move_to(self._end)
            self._look_for_page()

    def catch_up(self) -> None:
        """Skip all unread pages, and show the current table."""
        self._update()
        if self._followed is not None:
            self._move_to(len(self._followed.records))

    # How it moves on

    def _update(self) -> None:
        view = self.model.view
        if view is not self._followed:
            self._followed, self._known = view, ()
            self._count, self._table, self._end, self._view = 0, Table(), None, None
        if view is None:
            return
        # Several properties call this in each frame, so a cheap comparison comes first.
        known = (
            *(len(view.records), len(self.journal.lines), self.model.next_sequence),
            self.has_pages(),
        )
        if known == self._known:
            return
        self._known = known
        if not self.has_pages():
            self._move_to(len(view.records))
        elif self._end is None:
            self._look_for_page()
        else:
            self._lengthen_page()

    def _move_to(self, count: int) -> None:
        """Show the table after the first `count` records, with no unread page."""
        view = self._followed
        assert view is not None
        if count == len(view.records):
            # The view has folded these records already.
            self._table = view.table
        else:
            for record in view.records[self._count : count]:
                self._table = fold(self._table, record)
        self._count, self._end, self._view = count, None, None

    def _look_for_page(self) -> None:
        """Find the next unread page and show the table before it, or else the current table."""
        view, model = self._followed, self.model
        assert view is not None
        # Records from before the entry are history: their story is left to the book.
        first = max(self._count, model.next_sequence)
        fresh = () if model.is_catching_up else lines_since(self.journal.lines, first)
        told = next((line for line in fresh if line.tone in TOLD or is_card(line)), None)
        self._move_to(len(view.records) if told is None else told.sequence)
        if told is not None:
            self._end, self._is_ended = told.sequence + 1, False
            self._lengthen_page()

    def _lengthen_page(self) -> None:
        """Extend the unread page by further story, up to the first question or roll of dice."""
        view = self._followed
        assert view is not None
        if self._is_ended or self._end is None:
            return
        come = lines_since(self.journal.lines, self._end)
        lines = {at: tuple(some) for at, some in groupby(come, key=lambda line: line.sequence)}
        for record in view.records[self._end :]:
            here = lines.get(record.sequence, ())
            if any(line.tone in TOLD or is_card(line) or is_gain(line) for line in here):
                self._end = record.sequence + 1
            elif isinstance(record.event, Asked) or any(line.tone in _ENDING for line in here):
                self._is_ended = True
                return
