"""
The frame of a game: the panes that every layout of a table has.

The status line is the first row. The question has a pane whose title says what is asked or who is
awaited; the journal has another pane. A `Layout` places these panes, and draws everything else
that the game has.
"""

import itertools
import math
from collections.abc import Iterator, Sequence

import attrs

from client.locale.game_moment import GameMoment
from client.locale.results import ending_lines
from client.model.waiting import QuestionAge
from client.settings.preferences import Charset, MapSize
from client.tellers.base import JournalLine
from client.text.printable import clip, printable, width_of, wrap
from client.widgets.answering import Answering
from client.widgets.canvas import NARROW, Pane
from client.widgets.pages import draw_journal, draw_lines, draw_rule
from client.widgets.question import (
    Inset,
    draw_question,
    draw_waiting,
    question_rows,
    waiting_lines,
)
from client.widgets.scene import Scene
from protocol.common.asks import Settle
from protocol.common.table import Stage

SMALLEST = (16, 34)
"""Rows and columns that a game with a board needs: a terminal of 34x18."""
LENT_ROWS = 2
"""Rows of `SMALLEST` that a message or a banner may borrow."""


_LEAST_NAME = 8
"""Columns below which the name of a timer says too little to be shown."""


@attrs.frozen
class Instant:
    """The time of a frame, in seconds on a monotonic clock."""

    now: float = 0.0
    touched: float = -math.inf
    """The time of the last key. A key press ends animations."""


@attrs.frozen(eq=False)
class Frame:
    """The input of a layout: everything that a game's screen shows."""

    scene: Scene
    journal: Sequence[JournalLine]
    connection: str
    """The state of the connection, in a word or two."""
    is_away: bool
    moment: GameMoment | None = None
    """Round, phase and turn; None before the game."""
    connection_short: str = ""
    """`connection` in fewer columns; empty if `connection` has no shorter form."""
    answering: Answering | None = None
    title: str = ""
    """The catalog key of the title of the question's pane; empty for the usual title."""
    role: str = ""
    """The notice to a viewer who does not play, at the beginning of the status line."""
    note: Sequence[str] = ()
    """Paragraphs shown in place of the question."""
    is_sent: bool = False
    pace: QuestionAge = attrs.field(factory=QuestionAge)
    """The age of the open question, and the time left to answer."""
    back: int = 0
    """The number of lines by which the journal is scrolled back."""
    map_size: MapSize = MapSize.AUTO
    instant: Instant = attrs.field(factory=Instant)

    @property
    def has_to_answer(self) -> bool:
        """Whether a question is shown that waits for the viewer."""
        return self.answering is not None and not self.answering.may_interrupt

    @property
    def ending(self) -> Sequence[str]:
        """Paragraphs about the end of the game; none while the game is running."""
        if self.moment is None:
            return ()
        scene = self.scene
        own = self.moment.ending(scene.speaker, scene.seat)
        return own or ending_lines(scene.speaker, scene.table, scene.seat)


@attrs.frozen
class DrawnFrame:
    """The result of drawing a frame."""

    back: int
    """The number of lines by which the journal is scrolled back, at most its length."""
    is_whole: bool = True
    """False if the pane was too small for the game, and a message was drawn instead."""


def draw_small(pane: Pane, frame: Frame, least: tuple[int, int]) -> DrawnFrame:
    """Draw a message that the terminal is too small, with the size that the game needs."""
    # The terminal has two rows more than the pane: the lines at the bottom.
    text = frame.scene.speaker.say("room.small", least[1], least[0] + 2)
    for row, line in enumerate(wrap(text, pane.columns)[: pane.rows]):
        pane.write(row, 0, line)
    return DrawnFrame(0, is_whole=False)


def in_columns(pane: Pane, widths: Sequence[int], charset: Charset) -> list[Pane]:
    """Return panes for columns of these widths and one for the rest; draw lines between them."""
    columns, at = [], 0
    for width in widths:
        columns.append(pane.inner(0, at, None, width))
        at += width
        pane.write_below(0, at, charset.upright(), "class:rule")
        at += 1
    return [*columns, pane.inner(0, at)]


def draw_told(pane: Pane, frame: Frame) -> int:
    """Draw the journal below its title; return the number of lines by which it is scrolled back."""
    pane.spot("journal")
    title = frame.scene.speaker.say("pane.journal")
    return draw_journal(pane, frame.journal, frame.back, title, frame.scene.charset)


# The question ------------------------------------------------------------------------------


def draw_asked(pane: Pane, frame: Frame, inset: Inset) -> None:
    """Draw the question below its title, or the text shown in its place."""
    scene = frame.scene
    style = "class:title.open" if frame.has_to_answer else "class:title"
    draw_rule(pane, 0, _title(frame, pane.columns - 5), scene.charset, style=style)
    below = pane.inner(1, 1)
    below.spot("question")
    if frame.note:
        lines = [line for text in frame.note for line in wrap(text, below.columns)]
        draw_lines(below, [[("", line)] for line in lines])
    elif frame.answering is not None:
        draw_question(below, scene, frame.answering, inset)
    else:
        draw_waiting(below, scene, frame.ending, is_sent=frame.is_sent)


def rows_asked(frame: Frame, columns: int, inset: Inset) -> int:
    """Return the number of rows needed for everything below the question's title."""
    if frame.note:
        return sum(len(wrap(text, columns)) for text in frame.note)
    if frame.answering is not None:
        return question_rows(frame.scene, frame.answering, columns, inset)
    return len(waiting_lines(frame.scene, columns, frame.ending, is_sent=frame.is_sent))


_TITLES: dict[Settle | None, str] = {
    Settle.AGREE: "pane.vote",
    Settle.MAJORITY: "pane.majority",
    Settle.FIRST_OR_ALL_PASS: "pane.first_or_all_pass",
    Settle.UNLESS_OBJECTED: "pane.unless_objected",
    Settle.WINDOW: "pane.window",
}
"""Titles of questions that need answers from more than one seat."""
_SECRETLY: dict[Settle, str] = {
    Settle.AGREE: "pane.secret_vote",
    Settle.MAJORITY: "pane.secret_majority",
}
"""Titles of these questions while votes are secret."""


def _title(frame: Frame, columns: int) -> str:
    """Return the question's title: its kind or the awaited players, with the times."""
    scene = frame.scene
    say, ask = scene.speaker.say, scene.table.room.ask
    if frame.title or frame.note:
        return say(frame.title or "pane.waiting")
    if frame.ending or scene.table.room.stage is Stage.OVER:
        return say("phase.over")
    if frame.has_to_answer:
        key = _TITLES.get(ask.settle if ask else None, "pane.question")
        if ask is not None and ask.has_ballots:
            key = _SECRETLY[ask.settle]
        # A game may have words of its own, where those of any game fit badly.
        own = f"{key}.{scene.table.room.ruleset}"
        if scene.speaker.locale.has(own):
            return _with_pace(frame, say(own), columns)
        return _with_pace(frame, say(key), columns)
    if ask is None or not ask.waiting_for or frame.is_sent or scene.table.room.stands_still:
        return say("pane.waiting")
    titled = "pane.decides" if ask.settle is Settle.BESIDE else "pane.waiting_for"
    text = _with_pace(frame, say(titled, scene.speaker.awaited(scene.table)), columns)
    if width_of(text) <= columns:
        return text
    # Their names are in the text below.
    return _with_pace(frame, say("pane.waiting_many", len(ask.waiting_for)), columns)


def _with_pace(frame: Frame, text: str, columns: int) -> str:
    """
    Return a title with the age of the question, and the time to interrupt or to answer.

    The name of a timer stands before its time, cut short if need be.
    """
    speaker, since, left = frame.scene.speaker, frame.pace.since, frame.pace.left
    rule = frame.scene.charset.rule()
    if since is not None and since.count:
        text = speaker.say("pane.since", text, since.text(speaker))
    if frame.pace.least is not None:
        text = f"{text} {rule} {speaker.say('pane.least', frame.pace.least.text(speaker))}"
    elif left is not None:
        shown = f"{text} {rule} {speaker.say('pane.left', left.text(speaker))}"
        if frame.pace.timer is not None:
            nameless = f"{text} {rule} {speaker.say('pane.timer', '', left.text(speaker))}"
            room = columns - width_of(nameless)
            # A colon follows, and some names are whole sentences.
            name = clip(printable(speaker.text(frame.pace.timer).removesuffix(".")), room)
            if room >= _LEAST_NAME:
                shown = f"{text} {rule} {speaker.say('pane.timer', name, left.text(speaker))}"
        text = shown
    return text


# The status line ---------------------------------------------------------------------------


def draw_status(pane: Pane, frame: Frame) -> None:
    """
    Draw the state of game and connection.

    If space is short, facts shown elsewhere are left out.
    """
    separator = " | " if frame.scene.charset is Charset.ASCII else " │ "
    connection, text = frame.connection, ""
    # The connection's long form goes before anything is said less of the game.
    forms = (frame.connection, frame.connection_short or frame.connection)
    tried = itertools.product(_parts(frame, is_narrow=pane.columns < NARROW), forms)
    for parts, connection in tried:
        text = separator.join(part for part in parts if part)
        if width_of(text) + width_of(connection) + 3 <= pane.columns:
            break
    pane.fill("class:status")
    style = "class:status.away" if frame.is_away else "class:status"
    start = pane.write_right(0, f" {connection} ", style)
    pane.inner(0, 0, 1, start).write_clipped(0, 1, text, "class:status")


def _parts(frame: Frame, *, is_narrow: bool) -> Iterator[list[str]]:
    """
    Yield ever shorter versions of the status line.

    Facts that the screen shows elsewhere are dropped first.
    """
    scene, moment = frame.scene, frame.moment
    parts = [frame.role, *_status(frame)]
    yield parts
    # The party shows whose turn it is, the question's title who is awaited.
    for elsewhere in (_turn(frame), _waited_for(scene)):
        parts = [part for part in parts if part != elsewhere]
        yield parts
    if moment is not None:
        clock, short = (moment.clock(scene.speaker, is_short=is_so) for is_so in (False, True))
        shorter = dict(zip(clock, short, strict=True))
        parts = [shorter.get(part, part) for part in parts]
        yield parts
    # Half a phase says nothing: on a narrow line whole parts go, the last one first.
    while is_narrow and len(parts) > 1:
        parts = parts[:-1]
        yield parts


def _status(frame: Frame) -> list[str]:
    speaker, table, moment = frame.scene.speaker, frame.scene.table, frame.moment
    if table.room.stage is Stage.STARTING:
        return [speaker.say("status.starting")]
    clock = () if moment is None else moment.clock(speaker)
    if not clock:
        clock = [speaker.name("scenario", table.room.scenario)]
    if moment is None:
        return [*clock]
    paused = speaker.say("status.paused") if table.room.stands_still else ""
    proposed = speaker.say("status.proposed") if table.room.proposal is not None else ""
    return [paused, proposed, *clock, _turn(frame), _waited_for(frame.scene)]


def _turn(frame: Frame) -> str:
    is_over = frame.scene.table.room.stage is Stage.OVER
    return "" if frame.moment is None or is_over else frame.moment.turn(frame.scene.speaker)


def _waited_for(scene: Scene) -> str:
    ask = scene.table.room.ask
    if ask is None or scene.seat in ask.waiting_for:
        return ""
    if ask.has_open_votes and not ask.waiting_for:
        return scene.speaker.say("status.differ")
    who = scene.speaker.awaited(scene.table)
    return scene.speaker.say("status.waiting", who) if who else ""
