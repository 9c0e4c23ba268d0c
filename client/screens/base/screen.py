"""
Screens: each draws the whole terminal and carries out actions.

A screen reads the model through its `Desk` and acts through the desk's port. A screen draws on a
pane of any size and receives actions, never keys.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Protocol

import attrs

from client.journal.journal import Journal
from client.journal.shown import ShownTable
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

GUARD_SECONDS = 0.4
"""Seconds after a box closes, or a story opens, for which keys count for the earlier screen."""


@attrs.frozen
class TextEntry:
    """A line of text that the player is asked to type."""

    label: str
    """The catalog key of the label."""
    done: Callable[[str], None]
    """Called with the line on Enter; may raise CannotDo."""
    hint: str = "hint.send"
    """The catalog key of the hint for Enter."""
    stays: bool = False
    """Whether the player can type further lines after the first, until Esc."""


@attrs.define(eq=False)
class Desk:
    """State shared by all screens: model, port, journal, and the open boxes."""

    model: ClientModel
    port: ClientPort
    journal: Journal
    appearance: Appearance = attrs.field(factory=Appearance)
    """The capabilities of the terminal."""
    prefs: Preferences = attrs.field(factory=Preferences)
    """The player's preferences. A change replaces the whole object."""
    keep: Keep = keep_nothing
    """Saves a setting; see `client.settings.appearance.Wishes`."""
    now: Callable[[], float] = lambda: 0.0
    """Returns the seconds on a monotonic clock; set by the terminal app."""
    wall: Callable[[], datetime] | None = None
    """Returns the time of day in the player's zone; set by the terminal app, None in tests."""
    folder: Path = Path()
    """The folder for files that the player saves."""
    touched: float = -math.inf
    """The time of the last key or click, by `now`."""
    closed_at: float = -math.inf
    """The time at which a box was last closed, by `now`."""
    quit: Callable[[], None] = lambda: None
    """Ends the program; set by the terminal app."""
    suspend: Callable[[], None] | None = None
    """Suspends the client; None if there is no shell to return to."""
    show_outside: Callable[[str], None] = lambda _: None
    """
    Prints a line outside the screen, so that the player can copy it as one line; set by the
    terminal app.
    """
    copy_outside: Callable[[str], None] = lambda _: None
    """Copies a line to the terminal's clipboard; set by the terminal app."""
    watch: Watch = attrs.field(
        # The clock is set later, so the watch reads it each time.
        default=attrs.Factory(lambda desk: Watch(desk.seconds), takes_self=True)
    )
    """The server's clock; the terminal app registers it with the model."""
    shown: ShownTable = attrs.field(
        default=attrs.Factory(
            lambda desk: ShownTable(desk.model, desk.journal, lambda: desk.prefs.story),
            takes_self=True,
        )
    )
    """The followed table as far as the player has read."""
    introduced: set[str] = attrs.field(factory=set)
    """The tables whose story so far was shown; it is not shown twice in one evening."""
    aside: "Screen | None" = None
    """
    A screen shown in place of the model's screen, such as a replay, until the player leaves it.
    """
    boxes: list["Screen"] = attrs.field(factory=list)
    """The open boxes, the topmost last."""
    coach: Coach | None = None
    """The coach of a tutorial; None in any other game."""
    entry: TextEntry | None = None
    """The line that the player is typing; None if no line is open."""
    due: float | None = None
    """Seconds until the last frame becomes stale by time alone; None if it never does."""

    @property
    def view(self) -> TableView:
        """
        The followed table up to the page of story that the player reads; see `ShownTable`.

        Must be read only on the screen of a table.
        """
        view = self.shown.view
        assert view is not None
        return view

    def copy_invitation(self, line: str) -> None:
        """
        Copy an invitation to the terminal's clipboard.

        Raise CannotDo if copying is switched off.
        """
        if not self.prefs.clipboard:
            raise CannotDo("wrong.no_clipboard")
        self.copy_outside(line)
        self.model.tell(self.say("invitation.copied"))

    def have_read(self, until: int, *, is_there: bool = False) -> None:
        """
        Report to waiting bots how far the player has read. Called while drawing.

        Args:
            until: the last record that the player has read.
            is_there: whether the player has turned a page. If so, report `until` even if it was
                reported before, as a sign that the player is present.
        """
        reported = self.model.reported
        if reported is not None and self.model.is_online and (until > reported or is_there):
            self.port.have_read(until)

    def seconds(self) -> float:
        return self.now()

    def draw_again_in(self, seconds: float) -> None:
        """While drawing: request another frame after some seconds."""
        self.due = seconds if self.due is None else min(self.due, seconds)

    @property
    def charset(self) -> Charset:
        """The line characters, by terminal and preference."""
        return self.appearance.charset_for(self.prefs.lines)

    @property
    def theme(self) -> Theme:
        """The colours, by terminal and preference."""
        return self.appearance.theme_for(self.prefs.theme)

    @property
    def keys(self) -> KeyMap:
        """The player's key map. Words that name keys use this map."""
        return self.model.spoken.keys

    @property
    def speaker(self) -> Speaker:
        return self.model.speaker

    def say(self, key: str, *params: str | int) -> str:
        return self.model.spoken.say(key, *params)

    def connection(self, *, is_short: bool = False) -> str:
        """Return the state of the connection.

        It is not "online" before the followed table takes answers again.

        Args:
            is_short: whether to show the delay without words.
        """
        model = self.model
        if model.is_online and (model.is_entering or model.is_catching_up):
            return model.locale.say("connection.catching_up")
        status, elapsed = self.model.status, self.watch.status_for(self.model.status)
        return connection_line(self.model.locale, status, elapsed, is_short=is_short)

    def open(self, box: "Screen") -> None:
        self.boxes.append(box)

    def has_just_closed(self) -> bool:
        """
        Return whether a key may have been meant for a box that was closed just now.

        Each call within the period extends it, so that a key that is held down or typed ahead never
        answers a question.
        """
        is_early = self.now() < self.closed_at + GUARD_SECONDS
        if is_early:
            self.closed_at = self.now()
        return is_early

    def close(self) -> None:
        """Close the topmost box."""
        if self.boxes:
            self.boxes.pop()
            self.closed_at = self.now()


Hinted = frozenset[Action] | Mapping[Action, str]
"""
Actions that make sense now. A mapping gives the catalog key of a hint that replaces the usual hint;
empty for the usual hint.
"""


def usual(*actions: Action) -> dict[Action, str]:
    """Return a mapping from each action to an empty text, which stands for its usual hint."""
    # A mapping, so that a screen can join it with hints of its own.
    return dict.fromkeys(actions, "")


class Screen(Protocol):
    """The interface of everything that fills the terminal, or covers a part of it as a box."""

    context: Context

    def draw(self, pane: Pane) -> None:
        """Draw the whole screen; the size of the pane is the size of the screen."""

    def act(self, action: Action, key: str) -> None:
        """Carry out an action. Raise CannotDo if the action makes no sense now."""

    def hints(self) -> Hinted:
        """Return the actions that make sense now and deserve a hint in the bottom line."""

    def click(self, spots: Sequence[Spot]) -> None:
        """Handle a click on all mouse targets under the pointer, the topmost first."""

    def wheel(self, spots: Sequence[Spot], by: int) -> None:
        """Scroll the list or text under the pointer: forward by 1, or back by -1."""


def item_clicked(spots: Sequence[Spot], cursor: int) -> tuple[int, bool]:
    """Return the cursor of a list after a click, and whether the click chooses the entry."""
    at = number_under(spots, "item")
    return (cursor, False) if at is None else (at, at == cursor)


def number_under(spots: Sequence[Spot], kind: str) -> int | None:
    """Return the number of the topmost mouse target of a kind; None if there is none."""
    return next((int(spot.value) for spot in spots if spot.kind == kind), None)


Hint = tuple[str, str, str]
"""A key's prompt_toolkit name, its name for people, and the effect of the key."""


def fitting_hints(hints: Sequence[Hint], width: int, kept: int = 2) -> list[Hint]:
    """Return the hints that fit on one line.

    The last `kept` hints are dropped only after all others.
    """
    shown = list(hints)
    while shown and sum(width_of(key) + width_of(what) + 3 for _, key, what in shown) > width + 2:
        # Help and leaving come last, and a player who is lost needs them.
        shown.pop(max(0, len(shown) - 1 - kept))
    return shown
