"""The timeline of a replay, as a box: one round, with the ways to the rounds before and after."""

from collections.abc import Callable, Sequence
from functools import partial

import attrs

from client.journal.replay_model import ReplayModel
from client.journal.timeline import lasting, row_in_words, timeline
from client.keymap.keys import Action
from client.screens.base.boxes import Item, Menu
from client.screens.base.screen import Desk
from client.tellers.base import JournalLine
from client.widgets.pages import prefix_of


@attrs.define(eq=False)
class TimelineBox(Menu):
    """The menu of one round, which begins at the current event."""

    here: int = 0
    """The line at which the cursor begins."""

    def __attrs_post_init__(self) -> None:
        self._cursor = self.here

    def hints(self) -> frozenset[Action]:
        return Menu.hints(self) | {Action.PAGE_UP, Action.PAGE_DOWN}


def open_timeline(
    desk: Desk,
    replay: ReplayModel,
    lines: Sequence[JournalLine],
    go_to: Callable[[int], None],
    number: int | None = None,
) -> None:
    """
    Open the timeline of a round.

    Args:
        desk: the desk.
        replay: the replay.
        lines: the journal of the whole game.
        go_to: goes to an event.
        number: the round; None for that of the current event.
    """
    numbers = sorted({line.round_number for line in lines})
    if number is None:
        number = replay.round_at(replay.position)
    rows = timeline(replay, lines, number)
    begin = rows[0].line.sequence if rows else 0

    def turn(key: str, other: int) -> Item:
        return Item(desk.say(key, other), partial(open_timeline, desk, replay, lines, go_to, other))

    items = [turn("timeline.before", one) for one in numbers if one < number][-1:]
    items += [
        Item(text, partial(go_to, begin)) for text in lasting(replay, begin - 1, desk.speaker)
    ]
    past = sum(row.line.sequence < replay.event for row in rows)
    here = min(len(items) + past, len(items) + len(rows) - 1) if past else 0
    for row in rows:
        sign, _ = prefix_of(row.line)
        text = f"{sign.strip()} {row_in_words(row, desk.speaker)}".strip()
        items.append(Item(text, partial(go_to, row.line.sequence)))
    items += [turn("timeline.after", one) for one in numbers if one > number][:1]
    desk.open(TimelineBox(desk, "box.timeline", items, here))
