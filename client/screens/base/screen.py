"""
Screens: each draws the whole terminal and gives the keys their effect.

A screen reads the model through its `Desk` and speaks through the desk's port. It draws into a
pane of any size and is told of actions, never of keys.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Protocol

import attrs

from client.journal.journal import Journal
from client.keymap.keys import Action, Context, KeyMap
from client.locale.speaker import Speaker
from client.model.model import ClientModel
from client.model.tables import TableView
from client.model.waiting import Watch
from client.net.client_port import ClientPort
from client.settings.appearance import Appearance
from client.settings.preferences import Charset, Keep, Preferences, Theme, keep_nothing
from client.teaching.coach import Coach
from client.text.printable import width_of
from client.widgets.answering import CannotDo
from client.widgets.canvas import Pane, Spot
from client.widgets.status import connection_line

__all__ = [
    "CannotDo",
    "Desk",
    "Hint",
    "Hinted",
    "Screen",
    "TextEntry",
    "fitting_hints",
    "item_clicked",
    "number_under",
    "usual",
]

GUARD_SECONDS = 0.3
"""Seconds after a story opened or closed in which a key was still meant for the screen before."""


@attrs.frozen
class TextEntry:
    """A line of text that somebody is asked to type."""

    label: str
    """Catalog key of its label."""
    done: Callable[[str], None]
    """Called with the line on Enter; may raise CannotDo."""
    hint: str = "hint.send"
    """Catalog key of the hint for Enter."""
    stays: bool = False
    """Whether more can be typed after the first line, until Esc."""


@attrs.define(eq=False)
class Desk:
    """State shared by all screens: model, port, journal, and the open boxes."""

    model: ClientModel
    port: ClientPort
    journal: Journal
    appearance: Appearance = attrs.field(factory=Appearance)
    """Abilities of the terminal."""
    prefs: Preferences = attrs.field(factory=Preferences)
    """The player's preferences; replaced as a whole when one changes."""
    keep: Keep = keep_nothing
    """Saves a setting; see `client.settings.appearance.Wishes`."""
    now: Callable[[], float] = lambda: 0.0
    """Seconds on a monotonic clock; set by the terminal app."""
    wall: Callable[[], datetime] | None = None
    """Time of day in the player's zone; set by the terminal app, None in tests."""
    folder: Path = Path()
    """Folder for files that the player saves."""
    touched: float = -math.inf
    """Time of the last key or click, by `now`."""
    read_at: float = -math.inf
    """Time at which a story was last closed, by `now`."""
    quit: Callable[[], None] = lambda: None
    """Ends the program; set by the terminal app."""
    suspend: Callable[[], None] | None = None
    """Suspends the client; None if no shell could take the terminal."""
    show_outside: Callable[[str], None] = lambda _: None
    """Prints a line outside the screen, to be copied whole; set by the terminal app."""
    copy_outside: Callable[[str], None] = lambda _: None
    """Copies a line to the terminal's clipboard; set by the terminal app."""
    watch: Watch = attrs.field(
        # The clock is set later, so the watch reads it each time.
        default=attrs.Factory(lambda desk: Watch(desk.seconds), takes_self=True)
    )
    """The server's clock; the terminal app has it follow the model."""
    aside: "Screen | None" = None
    """Screen shown in place of the model's, such as a replay, until it is left."""
    boxes: list["Screen"] = attrs.field(factory=list)
    """The open boxes, the topmost last."""
    coach: Coach | None = None
    """The coach of a tutorial; None in any other game."""
    entry: TextEntry | None = None
    """The line that is being typed."""
    due: float | None = None
    """Seconds until the last frame goes stale by itself; None for never."""

    @property
    def view(self) -> TableView:
        """The table; there is one as long as a screen of a table is shown."""
        view = self.model.view
        assert view is not None
        return view

    def copy_invitation(self, line: str) -> None:
        """Copy an invitation to the terminal's clipboard. CannotDo if that is switched off."""
        if not self.prefs.clipboard:
            raise CannotDo("wrong.no_clipboard")
        self.copy_outside(line)
        self.model.tell(self.say("invitation.copied"))

    def seconds(self) -> float:
        """Return the time of the clock, in seconds."""
        return self.now()

    def draw_again_in(self, seconds: float) -> None:
        """While drawing: request another frame after some seconds."""
        self.due = seconds if self.due is None else min(self.due, seconds)

    @property
    def charset(self) -> Charset:
        """Line characters, by terminal and preference."""
        return self.appearance.charset_for(self.prefs.lines)

    @property
    def theme(self) -> Theme:
        """Colours, by terminal and preference."""
        return self.appearance.theme_for(self.prefs.theme)

    @property
    def keys(self) -> KeyMap:
        """The player's key map; words that name keys follow it."""
        return self.model.spoken.keys

    @property
    def speaker(self) -> Speaker:
        """The speaker, which puts the table into words."""
        return self.model.speaker

    def say(self, key: str, *params: str | int) -> str:
        """Return the client's own words for a catalog key."""
        return self.model.spoken.say(key, *params)

    def connection(self, *, is_short: bool = False) -> str:
        """Return the state of the connection in a word or two, or shorter."""
        status, elapsed = self.model.status, self.watch.status_for(self.model.status)
        return connection_line(self.model.locale, status, elapsed, is_short=is_short)

    def open(self, box: "Screen") -> None:
        """Open a box on top."""
        self.boxes.append(box)

    def has_just_read(self) -> bool:
        """
        Return whether a key may have been meant for a story box that was closed just now.

        Each such key extends that time, so that a key that is held down or typed ahead never
        answers.
        """
        is_early = self.now() < self.read_at + GUARD_SECONDS
        if is_early:
            self.read_at = self.now()
        return is_early

    def close(self) -> None:
        """Close the topmost box."""
        if self.boxes:
            self.boxes.pop()


Hinted = frozenset[Action] | Mapping[Action, str]
"""
Actions that make sense now. A mapping gives the catalog key of a hint where the usual one does not
fit this screen; empty for the usual one.
"""


def usual(*actions: Action) -> dict[Action, str]:
    """Return actions with their usual hints."""
    # A mapping, so that a screen can join it with hints of its own.
    return dict.fromkeys(actions, "")


class Screen(Protocol):
    """One screen or box."""

    context: Context

    def draw(self, pane: Pane) -> None:
        """Draw everything; a screen learns its size here."""

    def act(self, action: Action, key: str) -> None:
        """Carry out an action. CannotDo if it makes no sense now."""

    def hints(self) -> Hinted:
        """Return the actions that make sense now and are worth a place in the bottom line."""

    def click(self, spots: Sequence[Spot]) -> None:
        """Handle a click, on all targets under it, the topmost first."""

    def wheel(self, spots: Sequence[Spot], by: int) -> None:
        """Scroll what is under the pointer: on by 1, or back by -1."""


def item_clicked(spots: Sequence[Spot], cursor: int) -> tuple[int, bool]:
    """Return the cursor of a list after a click, and whether the click chooses the entry."""
    at = number_under(spots, "item")
    return (cursor, False) if at is None else (at, at == cursor)


def number_under(spots: Sequence[Spot], kind: str) -> int | None:
    """Return the number of the topmost target of a kind; None if there is none."""
    return next((int(spot.value) for spot in spots if spot.kind == kind), None)


Hint = tuple[str, str, str]
"""A key as prompt_toolkit names it, as people read it, and what it does."""


def fitting_hints(hints: Sequence[Hint], width: int, kept: int = 2) -> list[Hint]:
    """Return the hints that fit on one line; the last `kept` of them always stay."""
    shown = list(hints)
    while shown and sum(width_of(key) + width_of(what) + 3 for _, key, what in shown) > width + 2:
        # Help and leaving come last, and a player who is lost needs them.
        shown.pop(max(0, len(shown) - 1 - kept))
    return shown
