"""The timeline of a replay, as a box: one round, with the ways to the rounds before and after."""

from collections.abc import Callable, Sequence
from functools import partial

from client.journal.replay_model import ReplayModel
from client.journal.timeline import lasting, row_in_words, timeline
from client.screens.base.boxes import Item, Menu
from client.screens.base.screen import Desk
from client.tellers.base import JournalLine
from client.widgets.pages import prefix_of


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
        go_to: goes to an event, which closes the box.
        number: the round; None for that of the current event.
    """
    numbers = sorted({line.round_number for line in lines})
    if number is None:
        number = replay.round_at(replay.position)
    rows = timeline(replay, lines, number)
    begin = rows[0].line.sequence if rows else 0

    def turn(key: str, other: int) -> Item:
        return Item(desk.say(key, other), partial(open_timeline, desk, replay, lines, go_to, other))

    items = [turn("timeline.before", one) for one in [n for n in numbers if n < number][-1:]]
    items += [
        Item(text, partial(go_to, begin)) for text in lasting(replay, begin - 1, desk.speaker)
    ]
    items += [
        Item(
            prefix_of(row.line)[0].strip()
            + " " * bool(prefix_of(row.line)[0].strip())
            + row_in_words(row, desk.speaker),
            partial(go_to, row.line.sequence),
        )
        for row in rows
    ]
    items += [turn("timeline.after", one) for one in [n for n in numbers if n > number][:1]]
    desk.open(Menu(desk, "box.timeline", items))
