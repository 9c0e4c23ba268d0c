"""The open question: its prompt, its choices, and its refusals with their reasons."""

from collections.abc import Sequence

import attrs

from client.locale.asked import about_text, asked_text
from client.locale.beside import decides_lines, held_line, interrupters_away
from client.locale.defaults import default_text
from client.locale.refusals import refusal, refusal_by_rule, refusals
from client.locale.speaker import is_away_from
from client.model.waiting import done_line, voters
from client.text.printable import clip, one_line, width_of, wrap
from client.widgets.answering import Answering
from client.widgets.canvas import Pane, Styled
from client.widgets.grid import Grid, draw_grid, grid_rows
from client.widgets.scene import Scene
from protocol.bounds import MAX_PICKS
from protocol.common.asks import Settle
from protocol.common.hosts import acts_as_host
from protocol.common.patience import limits
from protocol.common.table import Stage, Table

MOST_PROMPT = 6
"""
The maximum number of lines of a prompt. A prompt may be longer if it takes less than half of the
rows, or leaves room for all choices.
"""
_LEAST_GRID = 3
"""Minimum rows of a grid below its listed choices: heads, a thing, and a line about it."""
_LEAST_BESIDE = 4
"""
The number of rows that a long prompt leaves to the inset, the choices and the footer together, if
they need them.
"""
_BESIDE_TAG = 5
"""Columns before and after a tag, so that nobody reads the tag as the end of a choice."""


class Inset:
    """The drawing between a question and its choices; this default is empty."""

    @property
    def tells_about(self) -> bool:
        """Whether `worded` adds the subject of the question."""
        return False

    def worded(self, prompt: str) -> str:
        """Return a prompt with everything else that an answer depends on."""
        return prompt

    def rows(self, columns: int, *, is_large: bool) -> int:  # noqa: ARG002 (for those with any)
        """Return the number of rows of the inset at this width, in its small or its large form."""
        return 0

    def draw(self, pane: Pane, *, is_large: bool) -> None: ...

    def guesses(self) -> list[Styled]:
        """Return the earlier answers to a question, such as the guesses at a code."""
        return []


@attrs.frozen
class _ListedEntry:
    """A choice or a refusal, wrapped."""

    lines: tuple[str, ...]
    style: str
    number: int
    """The index in the list; refusals come after the choices."""
    is_refused: bool = False
    tag: str = ""
    """The name of the entry's group; drawn once, at the right end, if there is room."""


def question_rows(scene: Scene, answering: Answering, columns: int, inset: Inset) -> int:
    """Return the number of rows that a question with all its choices needs."""
    if answering.grid is not None:
        rows = len(_grid_head(scene, answering, columns))
        rows += grid_rows(answering.grid, scene.speaker, columns)
        return rows + len(_footer(scene, answering, columns))
    entries = [one for one in _entries(scene, answering, columns) if not one.is_refused]
    lines = sum(len(entry.lines) for entry in entries)
    lines += len(_prompt(scene, answering, columns, inset))
    lines += inset.rows(columns, is_large=False)
    guesses = len(inset.guesses()) if answering.is_row else 0
    return lines + guesses + len(_footer(scene, answering, columns))


def draw_question(pane: Pane, scene: Scene, answering: Answering, inset: Inset) -> None:
    """Draw a question: prompt, inset, choices around the cursor, and how to answer."""
    if answering.grid is not None:
        _draw_as_grid(pane, scene, answering, answering.grid)
        return
    # The rows are shared in this order: the footer whole, the prompt up to half, an inset as
    # small as it comes, and the choices around the cursor in the rest.
    footer = _footer(scene, answering, pane.columns)
    entries = _entries(scene, answering, pane.columns)
    listed = sum(len(entry.lines) for entry in entries)
    chosen = sum(len(entry.lines) for entry in entries if not entry.is_refused)
    small = inset.rows(pane.columns, is_large=False)
    beside = min(_LEAST_BESIDE, chosen + small + len(footer))
    prompt = _prompt(scene, answering, pane.columns, inset)
    most = max(MOST_PROMPT, pane.rows // 2, pane.rows - chosen - small - len(footer))
    shown = prompt[: max(1, min(most, pane.rows - beside))]
    head: list[Styled] = [[("class:prompt", line)] for line in shown]
    if len(shown) < len(prompt):
        # The help has the prompt whole.
        mark = " ~ ?"
        last = clip(shown[-1], pane.columns - 1 - len(mark))
        head[-1] = [("class:prompt", last), ("class:hint", mark)]
    room = pane.rows - len(head) - len(footer)
    if answering.is_row:
        # At least 4 rows of choices stay visible below the guesses.
        most = room - min(4, listed)
        head += inset.guesses()[-most:] if most > 0 else []
    for row, styled in enumerate(head):
        pane.write_line(row, styled)
    below = pane.inner(len(head), 0)
    # Large dice only if no choice has to be scrolled for them.
    is_large = inset.rows(pane.columns, is_large=True) + listed <= room
    inset.draw(below, is_large=is_large)
    laid = inset.rows(pane.columns, is_large=is_large)
    space = pane.rows - len(head) - laid - len(footer)
    _draw_entries(below.inner(laid, 0, space), entries, answering.cursor)
    for row, line in enumerate(footer, pane.rows - len(footer)):
        pane.write(row, 0, line, "class:hint")


def _draw_as_grid(pane: Pane, scene: Scene, answering: Answering, grid: Grid) -> None:
    """Draw a question whose choices are the cells of a grid."""
    footer = _footer(scene, answering, pane.columns)
    # A pack may have a prompt of any length: the line under the cursor stays visible.
    most = pane.rows - len(footer) - len(grid.around) - _LEAST_GRID
    head = _grid_head(scene, answering, pane.columns)[: max(1, most)]
    for row, line in enumerate(head):
        pane.write(row, 0, line, "class:prompt")
    below = pane.inner(len(head), 0, pane.rows - len(head) - len(footer))
    draw_grid(below, grid, scene.speaker, answering.cursor)
    for row, line in enumerate(footer, pane.rows - len(footer)):
        pane.write(row, 0, line, "class:hint")


def _grid_head(scene: Scene, answering: Answering, columns: int) -> list[str]:
    # Without the texts of all things: that of the thing under the cursor stands below the grid.
    return wrap(scene.speaker.text(answering.question.prompt), columns - 1)


def _prompt(scene: Scene, answering: Answering, columns: int, inset: Inset) -> list[str]:
    ask, is_told = scene.table.room.ask, inset.tells_about
    said = asked_text(scene.speaker, ask, answering.question, is_about_told=is_told)
    lines = wrap(inset.worded(said), columns - 1)
    if ask is None or not answering.may_interrupt:
        return lines
    may = scene.speaker.say("question.interrupt", scene.speaker.seat(scene.table, ask.decides))
    about = about_text(scene.speaker, ask, None)
    return [*wrap(may, columns - 1), *(wrap(about, columns - 1) if about else []), *lines]


def _entries(scene: Scene, answering: Answering, width: int) -> list[_ListedEntry]:
    # Numbers are right-aligned, since a number is typed to go to its choice.
    digits = len(str(len(answering.choices)))
    entries = []
    # A tag that all choices share says nothing.
    has_groups = len({choice.group for choice in answering.choices}) > 1
    for number, choice in enumerate(answering.choices):
        # A game may have groups that have no name.
        key = f"group.{choice.group}"
        is_named = has_groups and scene.speaker.locale.has(key)
        tag = scene.speaker.say(key) if is_named else ""
        here = number == answering.cursor
        mark = ""
        if answering.is_many and not answering.is_row:
            mark = "[x] " if choice.choice_id in answering.picks else "[ ] "
        head = f"{'>' if here else ' '}{number + 1:>{digits}} {mark}"
        ask = scene.table.room.ask
        said = "" if ask is None else voters(scene.speaker, scene.table, ask, choice.choice_id)
        text = scene.speaker.choice(choice) + (f"  <- {said}" if said else "")
        lines = wrap(text, width - len(head) - 1)
        shown = [head + lines[0], *(" " * len(head) + line for line in lines[1:])]
        style = "class:cursor" if here else "class:choice"
        entries.append(_ListedEntry(tuple(shown), style, number, tag=tag))
    rule = None
    # Grouped by rule, so the first one names the rule for those below it.
    for number, refused in enumerate(answering.refusals, len(answering.choices)):
        is_first, rule = refused.rule != rule, refused.rule
        here = number == answering.cursor
        say = refusal_by_rule if is_first else refusal
        text = f"{'>' if here else ' '}x {say(scene.speaker, refused)}"
        style = "class:cursor" if here else "class:refused"
        entries.append(
            _ListedEntry(tuple(wrap(text, width - 1, indent=5)), style, number, is_refused=True)
        )
    return entries


def _draw_entries(pane: Pane, entries: list[_ListedEntry], cursor: int) -> None:
    """Draw the entries around the whole entry under the cursor; mark where the list continues."""
    lines: list[tuple[str, _ListedEntry]] = []
    first = last = 0
    for entry in entries:
        if entry.number == cursor:
            first, last = len(lines), len(lines) + len(entry.lines)
        lines += [(line, entry) for line in entry.lines]
    if pane.rows < 1:
        return
    # The list begins at its first line for as long as the cursor's entry and a line after it fit,
    # so that moving the cursor scrolls as late as it can.
    top = min(first, max(0, min(last + 1, len(lines)) - pane.rows))
    shown = lines[top : top + pane.rows]
    # A choice without a tag counts as tagged.
    tagged = {""}
    for row, (line, entry) in enumerate(shown):
        pane.write(row, 0, line, entry.style)
        pane.spot("choice", str(entry.number), row=row, rows=1)
        # Each tag once, on the first line in sight that has room for it.
        has_room = width_of(line) + width_of(entry.tag) + _BESIDE_TAG <= pane.columns
        if has_room and entry.tag not in tagged:
            tagged.add(entry.tag)
            # Two columns stay free for the marks that the list goes on.
            pane.inner(0, 0, None, pane.columns - 2).write_right(row, entry.tag, "class:hint")
        if entry.number == cursor:
            pane.restyle(row, entry.style)
    if top > 0:
        pane.write_right(0, "^", "class:hint")
    if top + pane.rows < len(lines):
        pane.write_right(pane.rows - 1, "v", "class:hint")


def _footer(scene: Scene, answering: Answering, columns: int) -> list[str]:
    said = [_answer_line(scene, answering)]
    if limits(scene.table.room) and not answering.may_interrupt:
        default = default_text(scene.speaker, answering.row[0])
        said.append(scene.speaker.say("question.default", default))
    # A held choice with the time when it counts may be longer.
    most = 3 if answering.held else 2
    return [line for text in said if text for line in wrap(text, columns)[:most]]


def _answer_line(scene: Scene, answering: Answering) -> str:
    """Return a line about the answer: the picks so far, and the votes or answers still missing."""
    speaker, ask = scene.speaker, scene.table.room.ask
    if answering.is_open_vote:
        missing = speaker.awaited(scene.table)
        is_majority = ask is not None and ask.settle is Settle.MAJORITY
        key = "question.voting_majority" if is_majority else "question.voting"
        said = speaker.say(key, missing) if missing else speaker.say("question.lot")
        return f"{_so_far(scene, answering)} {said}".strip()
    if answering.may_interrupt:
        return speaker.say("question.interrupt_how")
    held = ", ".join(
        speaker.text(c.text) for c in answering.choices if c.choice_id in answering.held
    )
    if answering.is_in_window and not (held and {*answering.picks} <= {*answering.held}):
        said = speaker.say("question.window")
        return f"{_so_far(scene, answering)} {said}" if answering.is_many else said
    if answering.is_in_window:
        is_early = scene.table.room.settings.stops
        return speaker.say("question.window_done" if is_early else "question.window_held", held)
    if held:
        least = "" if answering.least is None else answering.least.text(speaker)
        return held_line(speaker, scene.table, held, least) or speaker.say("waiting.sent")
    if ask is not None and ask.settle.can_pass:
        also = speaker.here_or_away(
            scene.table, tuple(seat for seat in ask.waiting_for if seat != scene.seat)
        )
        asked = speaker.say("question.also", also) if also else ""
        return f"{asked} {done_line(speaker, scene.table)}".strip()
    said = _so_far(scene, answering)
    if len(answering.row) > 1:
        at = speaker.say("question.part", len(answering.given) + 1, len(answering.row))
        return f"{at} {said}".strip()
    return said


def _so_far(scene: Scene, answering: Answering) -> str:
    """Return the picks so far, or their number and the permitted one; empty for a single pick."""
    speaker, question = scene.speaker, answering.question
    if answering.is_row:
        row = [
            scene.speaker.text(answering.choices[answering.number_of(pick) - 1].text)
            for pick in answering.picks
        ]
        row += ["_"] * (min(question.at_most, MAX_PICKS) - len(row))
        return speaker.say("question.row", " ".join(row))
    if answering.is_many and not (answering.picks or question.at_least):
        return speaker.say("question.none_yet", question.at_most)
    if answering.is_many:
        # If no pick is an answer too, no number has to be reached.
        is_some = 0 < question.at_least < question.at_most
        key = "question.some" if is_some else "question.exactly"
        return speaker.say(key, len(answering.picks), question.at_most, question.at_least)
    return ""


def draw_waiting(pane: Pane, scene: Scene, ending: Sequence[str], *, is_sent: bool) -> None:
    """Draw the lines of `waiting_lines`, while the viewer is not asked."""
    lines = waiting_lines(scene, pane.columns, ending, is_sent=is_sent)
    if len(lines) > pane.rows > 0:
        # The journal has the end of a game whole, and the help a question.
        last = scene.speaker.say("waiting.more" if ending else "waiting.more_help")
        lines = [*lines[: pane.rows - 1], last]
    for row, line in enumerate(lines):
        pane.write_clipped(row, 0, line, "class:prompt")


def waiting_lines(scene: Scene, columns: int, ending: Sequence[str], *, is_sent: bool) -> list[str]:
    """
    Return lines that say which players the table waits for and why, or how the game ended.

    Args:
        scene: the table.
        columns: the width of the lines.
        ending: paragraphs about the end of the game; empty while the game is running.
        is_sent: whether the viewer's answer waits for its reply.
    """
    speaker, room, ask = scene.speaker, scene.table.room, scene.table.room.ask
    if ending:
        return [line for text in ending for line in wrap(text, columns) or [""]]
    is_over = room.stage is Stage.OVER
    if is_over or room.stands_still:
        # Over without an ending means that the rules told none.
        if room.operator_reason:
            key = "waiting.closed" if is_over else "waiting.paused_by_operator"
            return wrap(speaker.say(key, one_line(room.operator_reason)), columns)
        return wrap(speaker.say("waiting.given_up" if is_over else "waiting.paused"), columns)
    if is_sent:
        return wrap(speaker.say("waiting.sent"), columns)
    if ask is None:
        return wrap(speaker.say("waiting.server"), columns)
    who, beside = speaker.awaited(scene.table), decides_lines(speaker, scene.table, scene.seat)
    if beside:
        lines = [line for text in beside for line in wrap(text, columns)]
    elif who:
        lines = wrap(speaker.say("waiting.for", who), columns)
    else:
        lines = wrap(speaker.say("waiting.lot"), columns)
    about = about_text(speaker, ask, scene.seat)
    lines += wrap(about, columns) if about else []
    own = None if scene.seat is None else ask.questions.get(scene.seat)
    if scene.seat is not None and ask.may_interrupt(scene.seat) and own is not None:
        # Their own question alone tells them, and nobody else.
        has_none = own.is_open and not own.value.choices
        if has_none and own.is_open:
            lines += wrap(speaker.say("question.nothing_to_interrupt"), columns)
            for one in refusals(own.value):
                lines += wrap(f"x {refusal(speaker, one)}", columns, indent=2)
    done = done_line(speaker, scene.table)
    lines += wrap(done, columns) if done else []
    if acts_as_host(room, scene.seat) and is_any_away(scene.table):
        lines += wrap(speaker.say("waiting.give"), columns)
    return lines


def is_any_away(table: Table) -> bool:
    """Return whether the game waits for an absent player, or for an empty seat."""
    seats, ask = table.room.seats, table.room.ask
    needed = (*ask.waiting_for, *interrupters_away(table.room)) if ask else ()
    waited = [seats[seat] for seat in needed if seat in seats]
    return any(is_away_from(seat) or not seat.name for seat in waited)
