"""Writes the journal of a game to a new file in the player's working directory."""

import itertools
import re
from collections.abc import Sequence

from client.journal.markdown import journal_markdown
from client.keyring.private_files import write_new
from client.model.model import Bar
from client.screens.base.screen import CannotDo, Desk
from client.tellers.base import JournalLine
from client.text.ascii_fold import ascii_fold
from client.widgets.moments import day_of
from client.widgets.scene import Scene
from commands.faults import why_refused

_MOST_LETTERS = 60
"""The maximum length of the scenario's name in a file name."""
_UNNAMED = "manse"
"""The file name for a scenario without any letter that file names can have."""


def save_journal(desk: Desk, scene: Scene, lines: Sequence[JournalLine]) -> None:
    """
    Write a journal to a new file, named after the scenario and the day; overwrite no file.

    Raises:
        CannotDo: the file cannot be written.
    """
    name = desk.model.title(scene.table.room.scenario)
    if desk.wall is not None:
        day = desk.wall().date().isoformat()
    else:
        # Without a clock, the day of the last event.
        day = day_of(lines[-1].time if lines else 0)
    text = journal_markdown(lines, f"{name}, {day}", desk.model.locale)
    # Small letters and digits, which any disk takes.
    plain = re.sub(r"[^a-z0-9]+", "-", ascii_fold(name).replace("'", ""))
    stem = plain[:_MOST_LETTERS].strip("-") or _UNNAMED
    for number in itertools.count(1):
        suffix = "" if number == 1 else f"-{number}"
        path = desk.folder / f"{stem}-{day}{suffix}.md"
        try:
            write_new(path, text)
        except FileExistsError:
            continue
        except OSError as problem:
            reason = why_refused(problem, desk.say)
            raise CannotDo("wrong.not_saved", str(path.absolute()), reason) from problem
        saved = desk.say("journal_box.saved", path.name, str(path.parent.absolute()))
        desk.model.bar = Bar(saved)
        break
