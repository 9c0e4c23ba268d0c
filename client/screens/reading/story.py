"""
Story text in a box, page by page: as the game tells it, or the whole story as a book.

The box delays no person; only bots wait until it is closed. The screen behind the box shows the
table as it was before the page that is being read.

A place in the text is a number of letters, which is the same at every width of the terminal.
"""

import bisect
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, pairwise

import attrs

from client.journal.shown import TOLD, is_card, is_gain
from client.keymap.keys import Action, Context
from client.screens.base.boxes import framed, help_box
from client.screens.base.screen import GUARD_SECONDS, Desk, Hinted, usual
from client.tellers.base import JournalLine, Tone
from client.text.printable import wrap
from client.widgets.canvas import Pane, Spot
from client.widgets.pages import draw_marks

WIDEST = 68
"""The maximum width of story text in columns."""
_MARGIN_ROWS, _MARGIN_COLUMNS = 1, 2
"""Margins between the text and its frame."""
_LOW_ROWS = 12
"""The number of rows below which the margins are left out."""
_LEAST_LINES = 3
"""The number of lines of text that a page of several has."""
_LEAST_SECONDS, _LETTERS_A_SECOND = 2.0, 18
"""How long a page that turns by itself is shown: these seconds, and as many as its letters take."""
_PRIVATE = "# "
"""The prefix of private text, as in the journal."""
_STYLES = {
    Tone.STORY: "class:journal.story",
    Tone.PRIVATE: "class:journal.private",
    Tone.CARD: "class:journal.card",
}
_TITLES = {Tone.STORY: "story.title", Tone.PRIVATE: "story.private", Tone.CARD: "story.card"}


@attrs.frozen
class StoryPart:
    """The story text of one event."""

    tone: Tone
    round_number: int
    paragraphs: tuple[str, ...]
    gains: tuple[str, ...] = ()
    """Journal lines of the gains from this story."""


def parts_of(lines: Sequence[JournalLine], *, has_cards: bool = False) -> list[StoryPart]:
    """
    Return the story in some lines of the journal, one part for each event.

    Args:
        lines: the lines of the journal.
        has_cards: whether to add gains to the part of the story before them, and received cards as
            parts of their own, each with a line that names the receiver.
    """
    cards = {line.sequence for line in lines if has_cards and is_card(line)}
    gains = {line.sequence for line in lines if has_cards and is_gain(line)} - cards
    told = (line for line in lines if line.tone in TOLD or line.sequence in cards | gains)
    parts: list[StoryPart] = []
    for (_, tone), group in groupby(
        told, key=lambda line: (line.sequence, (line.tone if line.tone in TOLD else Tone.CARD))
    ):
        here = tuple(group)
        if here[0].sequence in gains and parts:
            said = tuple(line.text for line in here)
            parts[-1] = attrs.evolve(parts[-1], gains=(*parts[-1].gains, *said))
            continue
        parts.append(StoryPart(tone, here[0].round_number, tuple(line.text for line in here)))
    return parts


# Setting -----------------------------------------------------------------------------------


@attrs.frozen
class _StoryLine:
    """One wrapped line with its style."""

    text: str
    style: str
    at: int
    """The number of letters of the whole story before this line."""
    part: int
    is_first: bool = False
    """True if a part begins with this line."""


@attrs.frozen
class _Page:
    """The lines of story that are shown at once."""

    lines: tuple[_StoryLine, ...]

    @property
    def at(self) -> int:
        """The number of letters of the whole story before this page."""
        return self.lines[0].at

    @property
    def part(self) -> int:
        """The index of the part to which the last line of the page belongs."""
        return self.lines[-1].part


def _story_lines(parts: Sequence[StoryPart], width: int, rule: str) -> Iterator[_StoryLine]:
    """Break parts into lines, with blank lines between paragraphs and a rule between parts."""
    at = 0
    for number, part in enumerate(parts):
        style = _STYLES[part.tone]
        hang = _PRIVATE if part.tone is Tone.PRIVATE else ""
        if number:
            for text in ("", (rule * 3).center(width).rstrip(), ""):
                yield _StoryLine(text, "class:rule", at, number)
        is_first = True
        for paragraph in part.paragraphs:
            if not is_first:
                yield _StoryLine("", style, at, number)
            for row, text in enumerate(wrap(paragraph, width - len(hang))):
                head = hang if is_first and not row else " " * len(hang)
                yield _StoryLine(head + text, style, at, number, is_first=is_first and not row)
                at += len(text.replace(" ", ""))
            is_first = False
        if part.gains:
            yield _StoryLine("", style, at, number)
        for gain in part.gains:
            for text in wrap(gain, width):
                yield _StoryLine(text, "class:journal.gain", at, number)
                at += len(text.replace(" ", ""))


def _has_text(line: _StoryLine) -> bool:
    return bool(line.text) and line.style != "class:rule"


def _join_stragglers(pages: Sequence[list[_StoryLine]], rows: int) -> None:
    """
    Fill up pages on which a part of the story ends with only a few lines.

    The lines come from the end of the page before.
    """
    for before, page in pairwise(pages):
        if not (before and page and before[-1].part == page[0].part):
            continue
        while sum(map(_has_text, page)) < _LEAST_LINES < sum(map(_has_text, before)):
            if len(page) >= rows:
                break
            page.insert(0, before.pop())


def _margin_rows(pane: Pane) -> int:
    return _MARGIN_ROWS if pane.rows >= _LOW_ROWS else 0


# Reading -----------------------------------------------------------------------------------


@attrs.define(eq=False)
class StoryBox:
    """A box with story text, page by page. New story is added while the box is open."""

    desk: Desk
    parts: Callable[[], Sequence[StoryPart]]
    """Returns the story. Called for every frame."""
    is_book: bool = False
    """True for the book, which has a page for each part and opens at the latest part."""
    above: Callable[[Pane], int] = lambda _: 0
    """Draws falling dice above the box; returns the number of rows used."""
    is_told: bool = False
    """True for a page that waits to be read, after which the table moves on."""
    title: str = ""
    """The catalog key of the title; empty for a title by the kind of text."""
    turns_by_itself: bool = False
    """Whether the box goes on after the time that a page takes to read, as for spectators."""
    context: Context = attrs.field(default=Context.STORY, init=False)
    _opened: float | None = attrs.field(default=None, init=False)
    """The time of the first frame."""
    _above: tuple[tuple[int, int], int] = attrs.field(default=((0, 0), 0), init=False)
    """The size of the screen, and the number of rows kept free above the box at this size."""
    _at: int | None = attrs.field(default=None, init=False)
    """The number of letters before the current page; None until the first frame."""
    _pages: list[_Page] = attrs.field(factory=list, init=False)
    """The pages of the last frame."""
    _turned: tuple[int, float] = attrs.field(default=(-1, 0.0), init=False)
    """The page of the last frame, and the time at which it was first drawn."""
    _form: object = attrs.field(default=None, init=False)
    """The inputs of `_pages`. The pages are laid out again if an input changes."""

    def draw(self, pane: Pane) -> None:
        if self._opened is None:
            self._opened = self.desk.now()
        # The rows of dice above the box stay free when these go, so that no text jumps.
        size = pane.rows, pane.columns
        before = self._above[1] if self._above[0] == size else 0
        self._above = size, max(before, self.above(pane))
        pane = pane.inner(self._above[1], 0)
        beside = 2 if pane.is_narrow else _MARGIN_COLUMNS + 3
        width = max(1, min(WIDEST, pane.columns - 2 * beside))
        rows = max(1, pane.rows - 2 - 2 * _margin_rows(pane) - 1)
        parts = self.parts()
        form = (parts, width, rows, self.desk.charset, self.desk.model.locale.language)
        if form != self._form:
            self._form, self._pages = form, self._laid_out(parts, width, rows)
        here = self._page_index()
        if self._turned[0] != here:
            self._turned = (here, self.desk.now())
        self._draw_page(pane, parts, here, width)

    def _laid_out(self, parts: Sequence[StoryPart], width: int, rows: int) -> list[_Page]:
        lines = list(_story_lines(parts, width, self.desk.charset.rule()))
        if not lines:
            nothing = wrap(self.desk.say("story.nothing"), width)
            lines = [_StoryLine(text, "class:dim", 0, 0) for text in nothing]
        pages: list[list[_StoryLine]] = [[]]
        for _, group in groupby(lines, key=lambda line: line.part):
            block = list(group)
            page = pages[-1]
            # A part that fits on one page is not split between two pages.
            fits = len(page) + len(block) <= rows
            if page and (self.is_book or (not fits and len(block) <= rows)):
                pages.append(page := [])
            for line in block:
                if len(page) >= rows:
                    pages.append(page := [])
                page.append(line)
        if not self.is_book:
            _join_stragglers(pages, rows)
        trimmed = []
        for page in pages:
            # No blank line and no rule at either end of a page.
            filled = [at for at, line in enumerate(page) if _has_text(line)]
            if filled:
                trimmed.append(_Page(tuple(page[filled[0] : filled[-1] + 1])))
        return trimmed

    def _draw_page(self, pane: Pane, parts: Sequence[StoryPart], here: int, width: int) -> None:
        say, page = self.desk.say, self._pages[here]
        on_page = {parts[line.part].tone for line in page.lines} if parts else set()
        title = say(_TITLES[on_page.pop()] if len(on_page) == 1 else "story.title")
        title = say(self.title) if self.title else title
        if self.is_book and parts:
            part = parts[page.part]
            key = "story.round" if part.round_number else "story.before"
            count = say("story.place", page.part + 1, len(parts))
            title = f"{title} - {say(key, part.round_number)} {count}"
        elif len(self._pages) > 1:
            title = f"{title} {say('story.place', here + 1, len(self._pages))}"
        longest = max(len(one.lines) for one in self._pages)
        # As high as the longest page, so that turning pages moves nothing but the text.
        margin = _margin_rows(pane)
        beside = 0 if pane.is_narrow else _MARGIN_COLUMNS
        outer = framed(pane, self.desk, title, longest + 2 * margin, width + 2 * beside)
        inner = outer.inner(min(margin, outer.rows // 3), beside)
        for row, line in enumerate(page.lines):
            inner.write_clipped(row, 0, line.text, line.style)
        marks = ("^" if here else "") + ("v" if here + 1 < len(self._pages) else "")
        draw_marks(
            pane.inner(outer.top - pane.top - 1, outer.left - pane.left - 2, 1, outer.columns + 4),
            marks,
        )

    def _page_index(self) -> int:
        """Return the index of the current page.

        At first, this is the first page; in a book, the first page of the latest part.
        """
        if self._at is None:
            last = self._pages[-1].part
            first = next(at for at, page in enumerate(self._pages) if page.part == last)
            self._at = self._pages[first if self.is_book else 0].at
        starts = [page.at for page in self._pages]
        return max(0, bisect.bisect_right(starts, self._at) - 1)

    @property
    def place(self) -> int:
        """The number of letters before the current page."""
        return self._at or 0

    # What keys and mouse do

    def act(self, action: Action, _key: str) -> None:
        """Turn pages; on the last page, close.

        A key in the first `GUARD_SECONDS` is ignored, since it was meant for the screen below; the
        help opens at once, which turns no page.
        """
        if action is Action.HELP:
            self.desk.open(help_box(self.desk, self.context))
            return
        if self._opened is None or self.desk.now() < self._opened + GUARD_SECONDS:
            return
        steps = {
            Action.PAGE_UP: -1,
            Action.UP: -1,
            Action.PAGE_DOWN: 1,
            Action.DOWN: 1,
            Action.FIRST: -len(self._pages),
            Action.LAST: len(self._pages),
        }
        if action is Action.BACK or (action is Action.GO_ON and self._is_at_end()):
            self._close()
        elif action is Action.LAST and self.is_told and self._is_at_end():
            self.desk.close()
            self.desk.shown.catch_up()
        elif action is Action.GO_ON:
            self._turn(1)
        elif action in steps:
            self._turn(steps[action])
        elif action in {Action.EARLIER, Action.LATER}:
            by = -1 if action is Action.EARLIER else 1
            if self.is_book:
                part = self._pages[self._page_index()].part + by
                self._at = next((page.at for page in self._pages if page.part == part), self._at)
            else:
                # Text as it is told has no parts to leap over.
                self._turn(by)

    def _close(self) -> None:
        self.desk.close()
        if self.is_told:
            self.desk.shown.turn_page()

    def go_on_when_read(self) -> None:
        """If the box turns pages by itself: turn the page or close once the reading time is up.

        Before that time, request a frame for it. Called before each frame, while the box is
        topmost.
        """
        if not self.turns_by_itself or not self._pages or self._turned[0] < 0:
            return
        page = self._pages[self._page_index()]
        letters = sum(len(line.text.replace(" ", "")) for line in page.lines)
        left = self._turned[1] + _LEAST_SECONDS + letters / _LETTERS_A_SECOND - self.desk.now()
        if left > 0:
            self.desk.draw_again_in(left)
        elif self._is_at_end():
            self._close()
        else:
            self._turn(1)

    def _is_at_end(self) -> bool:
        return self._page_index() == len(self._pages) - 1

    def _turn(self, by: int) -> None:
        at = max(0, min(self._page_index() + by, len(self._pages) - 1))
        self._at = self._pages[at].at

    def click(self, _: Sequence[Spot]) -> None:
        """Do the same as the key for the next page."""
        self.act(Action.GO_ON, "")

    def wheel(self, _: Sequence[Spot], by: int) -> None:
        self.act(Action.PAGE_DOWN if by > 0 else Action.PAGE_UP, "")

    def hints(self) -> Hinted:
        turning = usual(Action.EARLIER, Action.LATER) if len(self._pages) > 1 else {}
        if self._pages and self._is_at_end():
            return {Action.GO_ON: "hint.back", **turning}
        return {**usual(Action.GO_ON, Action.BACK), **turning}


@attrs.define(eq=False)
class Storyteller:
    """
    The opener of story boxes: one for each page that waits for the viewer.

    See `ShownTable` for the pages. The book of the whole story is opened elsewhere.
    """

    desk: Desk
    above: Callable[[Pane], int] = lambda _: 0
    """Draws above the box; see `StoryBox`."""
    _box: StoryBox | None = attrs.field(default=None, init=False)
    _place: tuple[int, int] | None = attrs.field(default=None, init=False)
    """The last shown event, and the place of the box in its text, at the last report."""

    def report_read(self) -> None:
        """Report to waiting bots how far the player has read."""
        last = self.desk.view.last
        place = (last, self._box.place) if self.desk.shown.is_behind and self._box else None
        # Opening or closing the box turns no page, only a move between two places does.
        is_turned = None not in {place, self._place} and place != self._place
        self._place = place
        self.desk.have_read(last, is_there=is_turned)

    def open_new_story(self) -> None:
        """
        Open a box if a page of story waits. Called only while drawing.

        No box opens while another box is open or a line is typed, because keys are meant for those.
        """
        desk, shown = self.desk, self.desk.shown
        if not shown.is_behind or desk.boxes or desk.entry is not None:
            return
        self._box = StoryBox(
            desk,
            lambda: parts_of(shown.page, has_cards=True),
            above=self.above,
            is_told=True,
            # Nobody waits for a spectator, and a spectator need not press a key for each page.
            turns_by_itself=desk.view.seat is None,
        )
        desk.open(self._box)


def so_far(desk: Desk, lines: Sequence[JournalLine]) -> StoryBox:
    """Return a box with the story that somebody who comes to a running game has not seen."""
    parts = parts_of(lines)
    is_spectator = desk.view.seat is None
    return StoryBox(desk, lambda: parts, title="story.so_far", turns_by_itself=is_spectator)


def book(desk: Desk, lines: Callable[[], Sequence[JournalLine]]) -> StoryBox:
    return StoryBox(desk, lambda: parts_of(lines()), is_book=True)
