"""
Screens: what the terminal shows at one time, and what the keys do there.

A screen reads the model through its `Desk` and speaks through the desk's port. It draws into a
pane of any size and is told of actions, never of keys.
"""

from collections.abc import Callable
from typing import Protocol

import attrs

from client.journal import Journal
from client.keys import Action, Context
from client.locale.speaker import Speaker
from client.model import ClientModel, ClientPort
from client.screens.answering import CannotDo
from client.widgets.canvas import Pane, Styled
from client.widgets.printable import width_of
from client.widgets.scene import Charset

__all__ = ["CannotDo", "Desk", "Entry", "Screen", "hint_line"]


@attrs.frozen
class Entry:
    """A line of text that somebody is asked to type."""

    label: str
    """The catalog's key of what stands before it."""
    done: Callable[[str], None]
    """Told what was typed once Enter confirms it; may raise CannotDo."""
    stays: bool = False
    """Whether more can be typed after the first line, until Esc."""


@attrs.define(eq=False)
class Desk:
    """What all screens share: model, port, journal, and the boxes on top."""

    model: ClientModel
    port: ClientPort
    journal: Journal
    charset: Charset
    quit: Callable[[], None] = lambda: None
    """Ends the program; whoever shows the screens puts it in."""
    show_outside: Callable[[str], None] = lambda _: None
    """Writes a line where it can be copied whole; put in likewise."""
    boxes: list["Screen"] = attrs.field(factory=list)
    """What lies over the screen, the topmost last."""
    entry: Entry | None = None
    """The line that is being typed."""

    @property
    def speaker(self) -> Speaker:
        """What puts things into words."""
        return self.model.speaker

    def say(self, key: str, *params: str | int) -> str:
        """Return the client's own words of a key."""
        return self.model.locale.say(key, *params)

    def open(self, box: "Screen") -> None:
        """Lay a box on top."""
        self.boxes.append(box)

    def close(self) -> None:
        """Take the topmost box away."""
        if self.boxes:
            self.boxes.pop()


class Screen(Protocol):
    """One screen or box."""

    context: Context

    def draw(self, pane: Pane) -> None:
        """Draw everything; also the place where a screen learns its size."""

    def act(self, action: Action, key: str) -> None:
        """Do what a key means. CannotDo where it makes no sense now."""

    def hints(self) -> frozenset[Action]:
        """Return the actions that make sense now and are worth a place in the bottom line."""


def hint_line(entries: list[tuple[str, str]], width: int) -> Styled:
    """Return as many key hints as fit, each a key and what it does; the last two stay."""
    shown = list(entries)
    while shown and sum(width_of(key) + width_of(label) + 3 for key, label in shown) > width + 2:
        # Help and leaving stand last, and whoever is lost needs them.
        shown.pop(max(0, len(shown) - 3))
    line: Styled = []
    for key, label in shown:
        line += [("class:key", key), ("class:hint", f" {label}  ")]
    return line
