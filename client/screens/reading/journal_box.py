"""The journal in a box: a page for each round, and a search in all pages."""

import itertools
from collections.abc import Callable, Sequence

import attrs

from client.keymap.keys import Action, Context
from client.screens.base.boxes import WHEEL_LINES, framed, inner_width, scrolled
from client.screens.base.screen import CannotDo, Desk, TextEntry
from client.tellers.base import JournalLine
from client.text.printable import printable, wrap
from client.text.searching import find_all
from client.widgets.canvas import Pane, Spot, Styled
from client.widgets.pages import draw_text, prefix_of

_HIT = "class:search"
_THIS = "class:search.here"


@attrs.frozen
class _Hit:
    """One place in the journal where the searched word occurs."""

    line: int
    """The index of the line in the journal."""
    first: int
    """The index of the first character."""
    end: int
    """The index after the last character."""


@attrs.define(eq=False)
class JournalBox:
    """The journal, with a page for each round. Rules APP-3 and APP-4."""

    desk: Desk
    lines: Callable[[], Sequence[JournalLine]]
    """Returns the journal. Called for every frame, so the lines are always current."""
    save: Callable[[], None]
    """Saves the journal to a file; may raise CannotDo."""
    context: Context = attrs.field(default=Context.JOURNAL, init=False)
    _round: int | None = attrs.field(default=None, init=False)
    """The round of the current page; None for the latest round."""
    _first: int = attrs.field(default=0, init=False)
    """The first visible row."""
    _goes_to_end: bool = attrs.field(default=True, init=False)
    _page: int = attrs.field(default=10, init=False)
    _word: str = attrs.field(default="", init=False)
    """The searched word; empty if there is no search."""
    _hit: _Hit | None = attrs.field(default=None, init=False)
    _goes_to_hit: bool = attrs.field(default=False, init=False)

    # What there is

    def _rounds(self) -> list[int]:
        return sorted({line.round_number for line in self.lines()} or {0})

    def _current_round(self) -> int:
        rounds = self._rounds()
        return rounds[-1] if self._round not in rounds else self._round

    def _hits(self) -> list[_Hit]:
        """Return all occurrences of the searched word, in the order of the pages."""
        if not self._word:
            return []
        found = [
            _Hit(at, first, end)
            for at, line in enumerate(self.lines())
            for first, end in find_all(self._word, printable(line.text))
        ]
        lines = self.lines()
        return sorted(found, key=lambda hit: (lines[hit.line].round_number, hit.line, hit.first))

    # Drawing

    def draw(self, pane: Pane) -> None:
        hits = self._hits()
        rows, at_hit = self._page_rows(inner_width(pane) - 2, hits)
        say, rounds, here = self.desk.say, self._rounds(), self._current_round()
        if here:
            place = say("box.round", here, rounds.index(here) + 1, len(rounds))
        else:
            place = say("box.before_rounds", len(rounds))
        found = ""
        if self._word and self._hit in hits:
            found = say("journal_box.hit", hits.index(self._hit) + 1, len(hits), self._word)
        if found and pane.is_narrow:
            place = ""
        title = " ".join(part for part in (say("box.journal"), place, found) if part)
        inner = framed(pane, self.desk, title, len(rows))
        self._page = max(1, inner.rows - 1)
        if self._goes_to_end:
            self._first, self._goes_to_end = len(rows), False
        if self._goes_to_hit and at_hit is not None:
            self._goes_to_hit = False
            # A hit that is in view does not move the text.
            if not self._first <= at_hit < self._first + inner.rows:
                self._first = at_hit - inner.rows // 2
        self._first = draw_text(inner, rows, max(0, self._first))

    def _page_rows(self, width: int, hits: Sequence[_Hit]) -> tuple[list[Styled], int | None]:
        """Return the rows of the page, and the number of the row with the current hit."""
        here, rows, at_hit = self._current_round(), list[Styled](), None
        by_line: dict[int, list[_Hit]] = {}
        for hit in hits:
            by_line.setdefault(hit.line, []).append(hit)
        for at, line in enumerate(self.lines()):
            if line.round_number != here:
                continue
            found = _line_rows(line, width, by_line.get(at, ()), self._hit)
            if self._hit is not None and self._hit.line == at:
                styles = [[style for style, _ in styled] for styled in found]
                lit = (row for row, here in enumerate(styles) if any(_THIS in s for s in here))
                at_hit = len(rows) + next(lit, 0)
            rows += found
        return rows, at_hit

    # What keys and mouse do

    def act(self, action: Action, key: str) -> None:
        """Turn pages, search, save, or close. During a search, closing ends the search first."""
        if action is Action.BACK:
            if self._word:
                self._word, self._hit = "", None
            else:
                self.desk.close()
        elif action is Action.SEARCH:
            self.desk.entry = TextEntry("entry.search", self._search, "hint.search")
        elif action in {Action.NEXT_HIT, Action.LAST_HIT}:
            if not self._word:
                raise CannotDo("wrong.no_search")
            hits = self._hits()
            if not hits:
                raise CannotDo("wrong.no_hit", self._word)
            at = hits.index(self._hit) if self._hit in hits else -1
            by = 1 if action is Action.NEXT_HIT else -1
            self._show(hits[(at + by) % len(hits)])
        elif action is Action.SAVE:
            self.save()
        elif action in {Action.EARLIER, Action.LATER}:
            by = -1 if action is Action.EARLIER else 1
            rounds = self._rounds()
            at = max(0, min(rounds.index(self._current_round()) + by, len(rounds) - 1))
            self._open(rounds[at])
            self._first = 0
        else:
            first = scrolled(action, self._first, self._page)
            if first is None:
                raise CannotDo("wrong.key", key)
            self._first = first

    def _open(self, round_number: int) -> None:
        """Open the page of a round. The last page stays the last when rounds are added."""
        self._round = None if round_number == self._rounds()[-1] else round_number

    def _search(self, word: str) -> None:
        """Begin a search: go to the first hit from the open page on, else to the very first."""
        before = self._word
        self._word = printable(word).strip()
        hits = self._hits()
        if not hits:
            missed, self._word = self._word, before
            raise CannotDo("wrong.no_hit", missed)
        lines, here = self.lines(), self._current_round()
        later = (hit for hit in hits if lines[hit.line].round_number >= here)
        self._show(next(later, hits[0]))

    def _show(self, hit: _Hit) -> None:
        round_number = self.lines()[hit.line].round_number
        if round_number != self._current_round():
            self._open(round_number)
            self._first = 0
        self._hit, self._goes_to_hit = hit, True

    def click(self, _: Sequence[Spot]) -> None:
        """Do nothing: a text has no mouse targets."""

    def wheel(self, _: Sequence[Spot], by: int) -> None:
        self._first = max(0, self._first + WHEEL_LINES * by)

    def hints(self) -> frozenset[Action]:
        """Return the actions of a search, or those of reading."""
        if self._word:
            return frozenset({Action.NEXT_HIT, Action.LAST_HIT, Action.SEARCH, Action.BACK})
        return frozenset({Action.EARLIER, Action.LATER, Action.SEARCH, Action.SAVE, Action.BACK})


# Setting a line ----------------------------------------------------------------------------


def _line_rows(
    line: JournalLine, width: int, hits: Sequence[_Hit], here: _Hit | None
) -> list[Styled]:
    """Return one journal line wrapped into rows, with highlighted hits even across row breaks."""
    style, (prefix, hang) = f"class:journal.{line.tone.value}", prefix_of(line)
    # One look for each letter, blanks left out: wrapping adds and drops blanks and nothing else,
    # so that counted letters map back.
    plain = printable(line.text)
    marks = [""] * len(plain)
    for hit in hits:
        marks[hit.first : hit.end] = [_THIS if hit == here else _HIT] * (hit.end - hit.first)
    looks = [mark for char, mark in zip(plain, marks, strict=True) if char != " "]
    rows: list[Styled] = []
    letter = 0
    for at, text in enumerate(wrap(line.text, width - len(hang))):
        row: Styled = [(style, hang if at else prefix)]
        if hits:
            for char in text:
                # A blank is lit if the letters on both sides are.
                is_inside = 0 < letter < len(looks) and looks[letter - 1] == looks[letter]
                look = looks[letter] if char != " " or is_inside else ""
                row.append((f"{style} {look}".strip(), char))
                letter += char != " "
        else:
            row.append((style, text))
        # Neighbours of one style are joined.
        by_style = itertools.groupby(row, key=lambda piece: piece[0])
        rows.append([(style, "".join(text for _, text in group)) for style, group in by_style])
    return rows
