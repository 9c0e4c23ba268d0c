"""
The client's screens for each step of a game and each viewpoint, compact enough for one page.

All steps and viewpoints share one list of distinct rows. A step lists the rows that changed since
the previous step.
"""

import bisect
from collections.abc import Callable, Mapping, Sequence

import attrs

from client.journal.replay_model import ReplayModel
from client.locale.speaker import Speaker
from client.model.tables import role_of
from client.screens.review.offered import offered
from client.screens.review.replay_words import ReplayWords
from client.tellers.base import JournalLine
from client.text.printable import printable
from client.widgets.canvas import Canvas
from client.widgets.frame import Frame
from client.widgets.layout import Layout
from client.widgets.scene import Scene

ROWS, COLUMNS = 30, 80
"""The size of each screen on a wide page."""
NARROW_ROWS, NARROW_COLUMNS = 40, 44
"""The size of each screen on a phone, where 80 columns would be too small to read."""
SIZES = {"rows": (ROWS, COLUMNS), "narrow": (NARROW_ROWS, NARROW_COLUMNS)}
"""Rows and columns of the screens of a step, by the name of the screen in the step."""

_Plain = dict[str, object]


@attrs.define(eq=False)
class Drawings:
    """The distinct rows and styles of a page, each stored once with an index."""

    rows: dict[tuple[int | str, ...], int] = attrs.field(factory=dict)
    """The index of each row. A row is style, text, style, text, and so on."""
    styles: dict[str, int] = attrs.field(factory=dict)

    def add_screen(self, canvas: Canvas, before: list[int]) -> list[int]:
        """Add a screen, and return the rows that changed since the previous screen.

        Args:
            canvas: the screen.
            before: the index of each row of the previous screen; updated to this screen.

        Returns:
            For each changed row, its place on the screen and its index in `rows`, in one flat list.
        """
        changed: list[int] = []
        for at in range(canvas.rows):
            parts: list[int | str] = []
            for style, text in canvas.line(at):
                parts += [self.styles.setdefault(style, len(self.styles)), text]
            row = self.rows.setdefault(tuple(parts), len(self.rows))
            if before[at] != row:
                before[at] = row
                changed += [at, row]
        return changed


def view_of(
    replay: ReplayModel, speaker: Speaker, drawings: Drawings, drawn: Callable[[int, int], None]
) -> _Plain:
    """
    Return the content of a page as JSON values, as seen from a replay's current viewpoint.

    Args:
        replay: the replay, which ends up at its last event.
        speaker: puts the journal and the screens into words.
        drawings: collects the rows and styles.
        drawn: called after each step with the number of steps drawn and their total.
    """
    journal = replay.journal(speaker)
    role = role_of(replay.tables[-1], replay.point.seat)
    # Each size has a layout of its own, which keeps what is shown of the board from step to step.
    sheets = {
        name: _Sheet(replay.face.layout_for(role), rows, columns)
        for name, (rows, columns) in SIZES.items()
    }
    steps: list[_Plain] = []
    for count, position in enumerate(replay.stops, 1):
        replay.position = position
        # The journal of the whole game is written once; each step sees its beginning.
        end = bisect.bisect_left(journal, position, key=lambda line: line.sequence)
        steps.append(_step(replay, speaker, sheets, journal[:end], drawings))
        drawn(count, len(replay.stops))
    words = ReplayWords(replay, Scene(replay.table, replay.point.seat, speaker))
    return {
        "name": printable(words.eyes()),
        "steps": steps,
        "journal": [[line.sequence, line.tone.value, printable(line.text)] for line in journal],
        "moments": [
            [
                line.sequence,
                printable(
                    speaker.say("replay.moment", line.sequence + 1, line.round_number, line.text)
                ),
            ]
            for line in (moment.line for moment in replay.moments(journal))
        ],
        "rounds": [place - 1 for place in replay.rounds],
    }


@attrs.define(eq=False)
class _Sheet:
    """The drawing of consecutive steps on a screen of one size."""

    layout: Layout
    rows: int
    columns: int
    before: list[int] = attrs.field(init=False)
    """The row of `Drawings` at each place of the screen of the step before."""

    def __attrs_post_init__(self) -> None:
        self.before = [-1] * self.rows

    def changed(self, frame: Frame, drawings: Drawings) -> list[int]:
        """Draw a frame; return its changed rows as `Drawings.add_screen` does."""
        canvas = Canvas(self.rows, self.columns)
        self.layout.draw(canvas.pane(), frame)
        return drawings.add_screen(canvas, self.before)


def _step(
    replay: ReplayModel,
    speaker: Speaker,
    sheets: Mapping[str, _Sheet],
    journal: Sequence[JournalLine],
    drawings: Drawings,
) -> _Plain:
    scene = Scene(replay.table, replay.point.seat, speaker)
    words = ReplayWords(replay, scene)
    game = replay.table.game
    note = list(words.note(journal))
    frame = Frame(
        scene=scene,
        moment=None if game is None else replay.face.moment(game),
        # No journal: the page has it beside the screen.
        journal=[line for line in journal if line.sequence == replay.event],
        # Without the number of the event, which the page has beside the screen.
        connection=words.eyes(),
        is_away=False,
        title="pane.replay",
        note=note,
    )
    step: _Plain = {
        "event": replay.event,
        **{name: sheet.changed(frame, drawings) for name, sheet in sheets.items()},
        "note": [printable(text) for text in note],
    }
    if replay.table.room.ask is not None:
        step["offered"] = [printable(text) for _, text in offered(scene, replay.chosen())]
    return step


def as_plain(drawings: Drawings, views: Sequence[Mapping[str, object]]) -> _Plain:
    """Return the data of a page in the form that its script expects."""
    return {"rows": [list(row) for row in drawings.rows], "views": list(views)}
