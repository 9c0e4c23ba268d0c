"""
The frame of a game: where map, party, question and journal lie at every size.

Two columns: the map above the question on the left, the party above the journal on the right. The
columns divide by width; each divides its own height by what it has to show.
"""

from collections.abc import Sequence

import attrs

from client.journal import JournalLine
from client.screens.answering import Answering
from client.waiting import Pace
from client.widgets.canvas import Pane, Styled
from client.widgets.map import Scroll, draw_map, legend, line_legend
from client.widgets.pages import draw_journal, draw_marks, draw_rule
from client.widgets.party import draw_lines, party_lines
from client.widgets.printable import width_of, wrap
from client.widgets.puzzle import draw_puzzle, open_puzzle, puzzle_rows
from client.widgets.question import (
    draw_question,
    draw_waiting,
    question_rows,
    waiting_lines,
)
from client.widgets.scene import Charset, Scene
from protocol.common.table import Stage
from protocol.second_edition.table import SecondEditionTable

SMALLEST = (16, 50)
"""Rows and columns below which there is no room for a game."""
_LEAST_QUESTION = 4
_GIVEN_UP = 2
"""Rows of the board that a long question may take."""
_MOST_LEGEND = 3
_LEAST_JOURNAL = 6


@attrs.frozen(eq=False)
class Frame:
    """All that a game's screen shows."""

    scene: Scene
    journal: Sequence[JournalLine]
    connection: str
    """In a word or two."""
    is_away: bool
    """Whether the connection is gone."""
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


def draw_frame(pane: Pane, frame: Frame) -> int:
    """Draw a game; return how far back the journal could be turned."""
    if pane.rows < SMALLEST[0] or pane.columns < SMALLEST[1]:
        text = frame.scene.speaker.say("room.small", SMALLEST[1], SMALLEST[0] + 2)
        for row, line in enumerate(wrap(text, pane.columns)[: pane.rows]):
            pane.write(row, 0, line)
        return 0
    _draw_status(pane.inner(0, 0, 1), frame)
    left = _left_width(pane.columns)
    body = pane.inner(1, 0)
    _draw_left(body.inner(0, 0, body.rows, left), frame)
    back = _draw_right(body.inner(0, left + 1), frame)
    for row in range(body.rows):
        body.write(row, left, frame.scene.charset.upright(), "class:rule")
    return back


def _left_width(columns: int) -> int:
    """Return the width of the left column: the map's, up to what a wide board takes."""
    return max(columns * 58 // 100, min(columns - 34, 60))


def _draw_left(pane: Pane, frame: Frame) -> None:
    speaker, charset = frame.scene.speaker, frame.scene.charset
    height = _map_height(pane, frame)
    upper = pane.inner(0, 0, 1 + height)
    upper.spot("map")
    if (found := open_puzzle(frame.scene)) is not None:
        draw_rule(upper, 0, speaker.say("pane.puzzle"), charset)
        draw_puzzle(upper.inner(1, 1), frame.scene, *found, frame.scroll)
    else:
        _draw_board(upper, frame)
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


def _draw_board(pane: Pane, frame: Frame) -> None:
    """Draw the map with its legend."""
    height = pane.rows - 1
    draw_rule(pane, 0, frame.scene.speaker.say("pane.map"), frame.scene.charset)
    signs = _legend(frame.scene, pane.columns, height)
    marks = draw_map(pane.inner(1, 0, height - len(signs)), frame.scene, frame.scroll)
    draw_marks(pane, marks)
    draw_lines(pane.inner(1 + height - len(signs), 0, len(signs)), signs)


def _board_rows(scene: Scene) -> int:
    if scene.game is None or not scene.game.tiles:
        return 0
    return max(row for row, _ in scene.game.map.characters) + 1


def _map_height(pane: Pane, frame: Frame) -> int:
    """
    Return the rows of map and legend, or of an open puzzle: half of what there is.

    A question that needs more is given what the map does without, and at most a few rows of the
    board besides; a map that needs more, what the question does without.
    """
    inner = pane.rows - 2
    half = inner // 2
    board = _board_rows(frame.scene)
    map_need = puzzle_rows(frame.scene, pane.columns - 1) or board + len(
        _legend(frame.scene, pane.columns, board + _MOST_LEGEND)
    )
    below = max(_LEAST_QUESTION, _rows_below(frame, pane.columns - 1))
    if below > inner - half:
        return max(min(map_need, half - _GIVEN_UP), inner - below)
    return max(half, min(map_need, inner - below))


def _rows_below(frame: Frame, columns: int) -> int:
    """Return how many rows show all that stands below the map."""
    if frame.note:
        return sum(len(wrap(text, columns)) for text in frame.note)
    if frame.answering is not None:
        return question_rows(frame.scene, frame.answering, columns)
    return len(waiting_lines(frame.scene, columns, is_sent=frame.is_sent))


def _legend(scene: Scene, columns: int, height: int) -> list[Styled]:
    """Return the legend, or its first line where the rest would take the map's place."""
    signs = _flow([*legend(scene), *line_legend(scene)], columns)
    if len(signs) <= max(1, height - _board_rows(scene)):
        return signs
    # The help has it whole.
    return [[*signs[0], ("", " " * columns), ("", "~")]]


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


def _flow(entries: Sequence[Styled], width: int) -> list[Styled]:
    """Set short entries one after another in lines."""
    lines: list[Styled] = []
    used = width
    for entry in entries:
        need = sum(width_of(text) for _, text in entry) + 2
        if used + need > width + 1:
            lines.append([("", " ")])
            used = 1
        lines[-1] += [*entry, ("", "  ")]
        used += need
    return lines


def _draw_right(pane: Pane, frame: Frame) -> int:
    speaker, charset = frame.scene.speaker, frame.scene.charset
    draw_rule(pane, 0, speaker.say("pane.party"), charset)
    lines = party_lines(frame.scene, pane.columns, pane.rows - 2 - _LEAST_JOURNAL)
    draw_lines(pane.inner(1, 0, len(lines)), lines)
    top = 1 + min(len(lines), pane.rows - 2 - _LEAST_JOURNAL)
    pane.inner(0, 0, top).spot("party")
    pane.inner(top, 0).spot("journal")
    title = speaker.say("pane.journal")
    return draw_journal(pane.inner(top, 0), frame.journal, frame.back, title, charset)


# The status line ---------------------------------------------------------------------------


def _draw_status(pane: Pane, frame: Frame) -> None:
    pane.fill("class:status")
    style = "class:status.away" if frame.is_away else "class:status"
    start = pane.write_right(0, f" {frame.connection} ", style)
    separator = " | " if frame.scene.charset is Charset.ASCII else " │ "
    parts = [frame.role, *_status(frame.scene)]
    text = separator.join(part for part in parts if part)
    if width_of(text) >= start:
        # Whose turn it is stands in the party too.
        parts = [part for part in parts if part != _turn(frame.scene)]
        text = separator.join(part for part in parts if part)
    pane.inner(0, 0, 1, start).write_clipped(0, 1, text, "class:status")


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
    if game.step is not None:
        parts.append(speaker.say(f"step.{game.step.value}"))
    if game.countdown is not None:
        parts.append(speaker.say("status.countdown", game.countdown))
    return [*parts, *map(speaker.timer, game.timers.values())]


def _turn(scene: Scene) -> str:
    game, speaker = scene.game, scene.speaker
    if game is None or game.active is None:
        return ""
    name = speaker.name("investigator", game.active)
    return speaker.say("status.turn", name, game.actions_left)


def _waited_for(scene: Scene) -> str:
    ask = scene.table.room.ask
    if ask is None or scene.seat in ask.waiting_for:
        return ""
    who = scene.speaker.awaited(scene.table)
    return scene.speaker.say("status.waiting", who) if who else ""
