"""
The frame of a game: where map, party, question and journal lie at every size.

On the left the map above the question. Beside it the party above the journal, with the objective
and the monsters between them as far as there is room; on a wide terminal the journal has a column
of its own. The columns divide by width; each divides its own height by what it has to show.
"""

from collections.abc import Iterator, Sequence

import attrs

from client.games.second_edition.panes.board import draw_board, rows_wanted
from client.games.second_edition.panes.map import Outlook, Scroll, outlook
from client.games.second_edition.panes.puzzle import draw_puzzle, open_puzzle, puzzle_rows
from client.games.second_edition.panes.scene import Charset, Scene
from client.games.second_edition.panes.sides import draw_side
from client.model.journal import JournalLine
from client.model.waiting import Pace
from client.screens.answering import Answering
from client.settings.preferences import MapSize
from client.widgets.canvas import Pane
from client.widgets.pages import draw_journal, draw_lines, draw_marks, draw_rule
from client.widgets.printable import width_of, wrap
from client.widgets.question import (
    draw_question,
    draw_waiting,
    question_rows,
    waiting_lines,
)
from client.widgets.steady import Steady
from protocol.common.asks import Settle
from protocol.common.table import Stage
from protocol.games.second_edition.table import SecondEditionTable

SMALLEST = (16, 50)
"""Rows and columns below which there is no room for a game."""
_WIDE = 150
"""Columns from which on the journal has one of its own."""
_LEAST_QUESTION = 4
_LEAST_BESIDE_PUZZLE = 6
_LEAST_MAP = 7
"""Rows of the map, or a third of what there is, that a long question leaves it."""
_SHORT_LEGEND = 2
"""Rows."""
_LEAST_JOURNAL = 6
_GOOD_JOURNAL = 12


@attrs.frozen(eq=False)
class Frame:
    """All that a game's screen shows."""

    scene: Scene
    journal: Sequence[JournalLine]
    connection: str
    """In a word or two."""
    is_away: bool
    """Whether the connection is gone."""
    connection_short: str = ""
    """Where the game has more to say; empty where there is nothing shorter."""
    answering: Answering | None = None
    title: str = ""
    """Of the pane of the question, by key; empty for what it holds."""
    role: str = ""
    """What the viewer is, where they do not play; at the head of the status line."""
    note: Sequence[str] = ()
    """Shown in place of the question, by paragraph."""
    is_sent: bool = False
    pace: Pace = attrs.field(factory=Pace)
    """How long the open question has been open, and may be."""
    back: int = 0
    """How many lines the journal is turned back."""
    scroll: Scroll = attrs.field(factory=Scroll)
    map_size: MapSize = MapSize.AUTO
    steady: Steady = attrs.field(factory=Steady)
    """How low the map has been; one for all frames of a screen."""


@attrs.frozen
class Drawn:
    """How far things are turned and moved in fact: no further than they go."""

    back: int
    scroll: Scroll
    is_whole: bool = True
    """Whether the pane had room for the game, and not only for the words that it has not."""


def draw_frame(pane: Pane, frame: Frame) -> Drawn:
    """Draw a game; return how far journal and map are moved now."""
    if pane.rows < SMALLEST[0] or pane.columns < SMALLEST[1]:
        text = frame.scene.speaker.say("room.small", SMALLEST[1], SMALLEST[0] + 2)
        for row, line in enumerate(wrap(text, pane.columns)[: pane.rows]):
            pane.write(row, 0, line)
        return Drawn(0, Scroll(), is_whole=False)
    _draw_status(pane.inner(0, 0, 1), frame)
    body = pane.inner(1, 0)
    columns = _columns(body, frame.scene.charset)
    scroll = _draw_left(columns[0], frame)
    side, scene = columns[1], frame.scene
    if len(columns) > 2:
        draw_side(side, scene, 0, 0)
        return Drawn(_draw_journal(columns[2], frame), scroll)
    good = max(_GOOD_JOURNAL, side.rows * 2 // 5)
    used = draw_side(side, scene, 1 + _LEAST_JOURNAL, 1 + good)
    return Drawn(_draw_journal(side.inner(used, 0), frame), scroll)


def _columns(pane: Pane, charset: Charset) -> list[Pane]:
    """Divide a pane into columns, and draw the lines between them."""
    if pane.columns >= _WIDE:
        left = pane.columns * 52 // 100
        widths = [left, (pane.columns - left) * 47 // 100]
    else:
        # The map's, up to what a wide board takes.
        widths = [max(pane.columns * 58 // 100, min(pane.columns - 34, 60))]
    columns, at = [], 0
    for width in widths:
        columns.append(pane.inner(0, at, None, width))
        at += width
        for row in range(pane.rows):
            pane.write(row, at, charset.upright(), "class:rule")
        at += 1
    return [*columns, pane.inner(0, at)]


def _draw_journal(pane: Pane, frame: Frame) -> int:
    pane.spot("journal")
    title = frame.scene.speaker.say("pane.journal")
    return draw_journal(pane, frame.journal, frame.back, title, frame.scene.charset)


# The left column ---------------------------------------------------------------------------


def _draw_left(pane: Pane, frame: Frame) -> Scroll:
    """Draw the map, or an open puzzle, above the question; return how far that is moved now."""
    speaker, charset = frame.scene.speaker, frame.scene.charset
    view = outlook(frame.scene, frame.map_size)
    height = _map_height(pane, frame, view)
    upper = pane.inner(0, 0, 1 + height)
    upper.spot("map")
    if open_puzzle(frame.scene) is not None:
        draw_rule(upper, 0, speaker.say("pane.puzzle"), charset)
        inner = upper.inner(1, 1)
        marks, scroll = draw_puzzle(inner, frame.scene, frame.answering, frame.scroll)
    else:
        drawn = draw_board(upper.inner(1, 0), frame.scene, view, frame.scroll)
        marks, scroll = drawn.marks, drawn.scroll
        draw_rule(upper, 0, map_title(frame.scene, frame.map_size, marks), charset)
    draw_marks(upper, marks)
    style = "class:title.open" if frame.answering else "class:title"
    draw_rule(pane, 1 + height, _title(frame, pane.columns - 5), charset, style=style)
    below = pane.inner(2 + height, 1)
    below.spot("question")
    if frame.note:
        lines = [line for text in frame.note for line in wrap(text, below.columns)]
        draw_lines(below, [[("", line)] for line in lines])
    elif frame.answering is not None:
        draw_question(below, frame.scene, frame.answering)
    else:
        draw_waiting(below, frame.scene, is_sent=frame.is_sent)
    return scroll


def map_title(scene: Scene, size: MapSize, marks: str) -> str:
    """Return what stands above a map: its size, if not as fits, and what shows all of it."""
    title = scene.speaker.say("pane.map" if size is MapSize.AUTO else f"pane.map.{size.value}")
    return scene.speaker.say("pane.map.part", title) if marks else title


def _map_height(pane: Pane, frame: Frame, view: Outlook | None) -> int:
    """
    Return the rows of map and legend, or of an open puzzle: half of what there is.

    A question that needs more is given what the map does without, and more of it where the map
    keeps a third; a map that needs more, what the question does without. Where a question is cut
    all the same, the map keeps what shows the board at its smallest. A puzzle is seen whole where
    that leaves some of the question. A map that a question made lower stays so for a while.
    """
    inner, columns = pane.rows - 2, pane.columns - 1
    half = inner // 2
    least, map_need = puzzle_rows(frame.scene, frame.answering, columns)
    map_need = map_need or (0 if view is None else rows_wanted(view, pane.columns))
    below = max(_LEAST_QUESTION, _rows_below(frame, columns))
    whole = min(least, inner - _LEAST_BESIDE_PUZZLE)
    if below > inner - half:
        kept = max(_LEAST_MAP, inner // 3)
        if view is not None and below > inner - kept:
            kept = max(kept, min(half, view.least_rows(pane.columns) + _SHORT_LEGEND))
        height = max(min(map_need, kept), inner - below, whole)
    else:
        height = max(half, min(map_need, inner - below), whole)
    return height if view is None or least else _steady_height(pane, frame, view, height)


def _steady_height(pane: Pane, frame: Frame, view: Outlook, rows: int) -> int:
    """Return the rows of a map that has so many at most, so that it seldom changes them."""
    game = view.game
    board = (pane.rows, pane.columns, frame.map_size, game.tiles, game.coverings)
    at_least = view.least_rows(pane.columns) + _SHORT_LEGEND
    return frame.steady.height(board, game.round_number, rows, at_least)


def _rows_below(frame: Frame, columns: int) -> int:
    """Return how many rows show all that stands below the map."""
    if frame.note:
        return sum(len(wrap(text, columns)) for text in frame.note)
    if frame.answering is not None:
        return question_rows(frame.scene, frame.answering, columns)
    return len(waiting_lines(frame.scene, columns, is_sent=frame.is_sent))


def _title(frame: Frame, columns: int) -> str:
    """Return what stands above the question: what it is or who is waited for, and how long."""
    scene = frame.scene
    say, ask = scene.speaker.say, scene.table.room.ask
    if frame.title or frame.note:
        return say(frame.title or "pane.waiting")
    if scene.game is not None and scene.game.ending is not None:
        return say("phase.over")
    if frame.answering is not None:
        is_vote = frame.answering.is_open_vote
        return _with_pace(frame, say("pane.vote" if is_vote else "pane.question"))
    if ask is None or not ask.waiting_for or frame.is_sent or scene.table.room.is_paused:
        return say("pane.waiting")
    text = _with_pace(frame, say("pane.waiting_for", scene.speaker.awaited(scene.table)))
    if width_of(text) <= columns:
        return text
    # Their names stand below.
    return _with_pace(frame, say("pane.waiting_many", len(ask.waiting_for)))


def _with_pace(frame: Frame, text: str) -> str:
    """Return a title with how long it has been so, and how long it may be."""
    speaker, since, left = frame.scene.speaker, frame.pace.since, frame.pace.left
    if since is not None and since.count:
        text = speaker.say("pane.since", text, since.text(speaker))
    if left is not None:
        rule = frame.scene.charset.rule()
        text = f"{text} {rule} {speaker.say('pane.left', left.text(speaker))}"
    return text


# The status line ---------------------------------------------------------------------------


def _draw_status(pane: Pane, frame: Frame) -> None:
    """Say how the game and the connection stand; what stands elsewhere too gives way first."""
    connection, text = _status_line(frame, pane.columns)
    pane.fill("class:status")
    style = "class:status.away" if frame.is_away else "class:status"
    start = pane.write_right(0, f" {connection} ", style)
    pane.inner(0, 0, 1, start).write_clipped(0, 1, text, "class:status")


def _status_line(frame: Frame, columns: int) -> tuple[str, str]:
    """Return what is said of the connection, and of the game; as much as fits, or the least."""
    separator = " | " if frame.scene.charset is Charset.ASCII else " │ "
    connection, text = frame.connection, ""
    for parts in _parts(frame):
        text = separator.join(part for part in parts if part)
        for connection in (frame.connection, frame.connection_short or frame.connection):
            if width_of(text) + width_of(connection) + 3 <= columns:
                return connection, text
    return connection, text


def _parts(frame: Frame) -> Iterator[list[str]]:
    """Yield what the line says of the game, each time less: what stands elsewhere too goes."""
    scene = frame.scene
    parts = [frame.role, *_status(scene)]
    yield parts
    # Whose turn it is stands in the party, who is awaited above what they are asked.
    for elsewhere in (_turn(scene), _waited_for(scene)):
        parts = [part for part in parts if part != elsewhere]
        yield parts
    # What a timer's number counts stands with the objective.
    say, timers = scene.speaker.timer, scene.game.timers.values() if scene.game is not None else ()
    shorter = {say(timer): say(timer, is_short=True) for timer in timers}
    yield [shorter.get(part, part) for part in parts]


def _status(scene: Scene) -> list[str]:
    speaker, table, game = scene.speaker, scene.table, scene.game
    if table.room.stage is Stage.STARTING:
        return [speaker.say("status.starting")]
    if game is None:
        return [speaker.name("scenario", table.room.scenario)]
    paused = speaker.say("status.paused") if table.room.is_paused else ""
    proposed = speaker.say("status.proposed") if table.room.proposal is not None else ""
    return [paused, proposed, *_clock(scene, game), _turn(scene), _waited_for(scene)]


def _clock(scene: Scene, game: SecondEditionTable) -> list[str]:
    speaker = scene.speaker
    parts = speaker.moment(game)
    if game.countdown is not None:
        parts.append(speaker.say("status.countdown", game.countdown))
    return [*parts, *map(speaker.timer, game.timers.values())]


def _turn(scene: Scene) -> str:
    return "" if scene.game is None else scene.speaker.turn(scene.game)


def _waited_for(scene: Scene) -> str:
    ask = scene.table.room.ask
    if ask is None or scene.seat in ask.waiting_for:
        return ""
    if ask.settle is Settle.AGREE and not ask.waiting_for:
        return scene.speaker.say("status.differ")
    who = scene.speaker.awaited(scene.table)
    return scene.speaker.say("status.waiting", who) if who else ""
