"""The open question: what is asked, what may be chosen, what may not and why."""

import attrs

from client.screens.answering import Answering
from client.widgets.canvas import Pane, Styled
from client.widgets.printable import wrap
from client.widgets.scene import Scene
from protocol.common.asks import Choice, RefusedChoice, Settle

MOST_PROMPT = 4
"""Lines of a prompt that are shown at most; the journal has the story."""


@attrs.frozen
class _Entry:
    """One listed thing, wrapped."""

    lines: tuple[str, ...]
    style: str
    number: int
    """Of a choice, from 0; -1 for what cannot be chosen."""


def draw_question(pane: Pane, scene: Scene, answering: Answering) -> None:
    """Draw a question with its choices around the cursor, and say how to answer."""
    prompt = wrap(scene.speaker.text(answering.question.prompt), pane.columns - 1)
    prompt = prompt[: max(1, min(MOST_PROMPT, pane.rows - 4))]
    for row, line in enumerate(prompt):
        pane.write(row, 0, line, "class:prompt")
    footer = _footer(scene, answering)
    space = pane.rows - len(prompt) - (1 if footer else 0)
    entries = _entries(scene, answering, pane.columns)
    _draw_entries(pane.inner(len(prompt), 0, space), entries, answering.cursor)
    if footer:
        pane.write_clipped(pane.rows - 1, 0, footer, "class:hint")


def _entries(scene: Scene, answering: Answering, width: int) -> list[_Entry]:
    digits = len(str(len(answering.choices)))
    entries = []
    group = None
    for number, choice in enumerate(answering.choices):
        is_first = choice.group != group
        group = choice.group
        entries.append(_choice(scene, answering, number, digits, width, is_first=is_first))
    return entries + [_refused(scene, one, width) for one in answering.question.refused]


def _choice(
    scene: Scene, answering: Answering, number: int, digits: int, width: int, *, is_first: bool
) -> _Entry:
    choice = answering.choices[number]
    here = number == answering.cursor
    mark = _mark(answering, choice)
    head = f"{'>' if here else ' '}{number + 1:>{digits}} {mark}"
    text = scene.speaker.text(choice.text) + _votes(scene, choice)
    if is_first and choice.group:
        text = f"{scene.speaker.say(f'group.{choice.group}')}: {text}"
    elif choice.group and any(c.group != choice.group for c in answering.choices):
        text = f"  {text}"
    lines = wrap(text, width - len(head) - 1)
    indent = "  " if text.startswith("  ") else ""
    shown = [head + indent + lines[0], *(" " * len(head) + "  " + line for line in lines[1:])]
    return _Entry(tuple(shown), "class:cursor" if here else "class:choice", number)


def _mark(answering: Answering, choice: Choice) -> str:
    if answering.is_row or not answering.is_many:
        return ""
    return "[x] " if choice.choice_id in answering.picks else "[ ] "


def _votes(scene: Scene, choice: Choice) -> str:
    ask = scene.table.room.ask
    if ask is None or ask.settle is not Settle.AGREE:
        return ""
    seats = tuple(seat for seat, vote in ask.votes.items() if vote == choice.choice_id)
    return f"  <- {scene.speaker.seats(scene.table, seats)}" if seats else ""


def _refused(scene: Scene, refused: RefusedChoice, width: int) -> _Entry:
    speaker = scene.speaker
    text = speaker.say("question.refused", speaker.text(refused.text), speaker.text(refused.reason))
    return _Entry(tuple(wrap(f" x {text}", width - 1, indent=5)), "class:refused", -1)


def _draw_entries(pane: Pane, entries: list[_Entry], cursor: int) -> None:
    """Draw the entries so that the one under the cursor is seen whole, and the ends marked."""
    lines: list[tuple[str, str]] = []
    first = last = 0
    for entry in entries:
        if entry.number == cursor:
            first, last = len(lines), len(lines) + len(entry.lines)
        lines += [(line, entry.style) for line in entry.lines]
    if pane.rows < 1:
        return
    top = max(0, min(first - 1, len(lines) - pane.rows), last - pane.rows)
    top = min(top, first)
    for row, (line, style) in enumerate(lines[top : top + pane.rows]):
        pane.write(row, 0, line, style)
        if style == "class:cursor":
            pane.restyle(row, style)
    if top > 0:
        pane.write_right(0, "^", "class:hint")
    if top + pane.rows < len(lines):
        pane.write_right(pane.rows - 1, "v", "class:hint")


def _footer(scene: Scene, answering: Answering) -> str:
    speaker, question = scene.speaker, answering.question
    if answering.is_row:
        row = [_picked(scene, answering, pick) for pick in answering.picks]
        row += ["_"] * (question.at_most - len(row))
        return speaker.say("question.row", " ".join(row))
    if answering.is_many:
        key = "question.exactly" if question.at_least == question.at_most else "question.some"
        return speaker.say(key, len(answering.picks), question.at_most, question.at_least)
    return ""


def _picked(scene: Scene, answering: Answering, pick: str) -> str:
    return scene.speaker.text(answering.choices[answering.number_of(pick) - 1].text)


def draw_waiting(pane: Pane, scene: Scene, *, is_sent: bool) -> None:
    """Say what the table waits for, where nothing is asked of the viewer."""
    lines: list[Styled] = [[("class:prompt", line)] for line in _waiting(scene, pane, is_sent)]
    for row, line in enumerate(lines[: pane.rows]):
        pane.write_line(row, line)


def _waiting(scene: Scene, pane: Pane, is_sent: bool) -> list[str]:  # noqa: FBT001 (private)
    speaker, ask = scene.speaker, scene.table.room.ask
    game = scene.game
    if game is not None and game.ending is not None:
        key = "ending.won" if game.ending.is_won else "ending.lost"
        lines = wrap(speaker.say(key), pane.columns)
        return [*lines, "", *wrap(speaker.text(game.ending.epilogue), pane.columns)]
    if scene.table.room.is_paused:
        return wrap(speaker.say("waiting.paused"), pane.columns)
    if is_sent:
        return wrap(speaker.say("waiting.sent"), pane.columns)
    if ask is None:
        return wrap(speaker.say("waiting.server"), pane.columns)
    who = speaker.seats(scene.table, ask.waiting_for) or speaker.say("waiting.nobody")
    lines = wrap(speaker.say("waiting.for", who), pane.columns)
    return [*lines, *wrap(speaker.text(ask.about), pane.columns - 2)]
