"""
Screens: what the terminal shows at one time, and what the keys do there.

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
"""For so long after a story has opened or closed, a key was meant for what was there before."""


@attrs.frozen
class TextEntry:
    """A line of text that somebody is asked to type."""

    label: str
    """The catalog's key of what stands before it."""
    done: Callable[[str], None]
    """Told what was typed once Enter confirms it; may raise CannotDo."""
    hint: str = "hint.send"
    """The catalog's key of what Enter does with it."""
    stays: bool = False
    """Whether more can be typed after the first line, until Esc."""


@attrs.define(eq=False)
class Desk:
    """What all screens share: model, port, journal, and the boxes on top."""

    model: ClientModel
    port: ClientPort
    journal: Journal
    appearance: Appearance = attrs.field(factory=Appearance)
    """What the terminal allows."""
    prefs: Preferences = attrs.field(factory=Preferences)
    """How this player wants it; exchanged as a whole where something is switched."""
    keep: Keep = keep_nothing
    """Keeps a setting for the next time; see `client.settings.appearance.Wishes`."""
    now: Callable[[], float] = lambda: 0.0
    """Seconds on a clock that never goes back; whoever shows the screens puts it in."""
    wall: Callable[[], datetime] | None = None
    """The time of day, in the player's zone; put in likewise, and None where nobody knows it."""
    folder: Path = Path()
    """Where files go that the player asks for."""
    touched: float = -math.inf
    """When a key or a button of the mouse was pressed last, by `now`."""
    read_at: float = -math.inf
    """When a story was closed last, by `now`."""
    quit: Callable[[], None] = lambda: None
    """Ends the program; whoever shows the screens puts it in."""
    suspend: Callable[[], None] | None = None
    """Gives the terminal back to the shell for a while; None where no shell could take it."""
    show_outside: Callable[[str], None] = lambda _: None
    """Writes a line where it can be copied whole; put in likewise."""
    copy_outside: Callable[[str], None] = lambda _: None
    """Asks the terminal to keep a line in its clipboard; put in likewise."""
    watch: Watch = attrs.field(
        # The clock is put in later, so it is asked for each time.
        default=attrs.Factory(lambda desk: Watch(desk.seconds), takes_self=True)
    )
    """What the server's clock says; whoever shows the screens has it follow the model."""
    aside: "Screen | None" = None
    """A screen that is shown instead of what the model asks for, until it is left."""
    boxes: list["Screen"] = attrs.field(factory=list)
    """The open boxes, the topmost last."""
    coach: Coach | None = None
    """Who tells somebody new what they see; None for nobody."""
    entry: TextEntry | None = None
    """The line that is being typed."""
    due: float | None = None
    """In how many seconds what was drawn last will look otherwise by itself; None for never."""

    @property
    def view(self) -> TableView:
        """The table; there is one as long as a screen of a table is shown."""
        view = self.model.view
        assert view is not None
        return view

    def copy_invitation(self, line: str) -> None:
        """Put an invitation into the terminal's clipboard. CannotDo if that is not wanted."""
        if not self.prefs.clipboard:
            raise CannotDo("wrong.no_clipboard")
        self.copy_outside(line)
        self.model.tell(self.say("invitation.copied"))

    def seconds(self) -> float:
        """Return what the clock says now."""
        return self.now()

    def draw_again_in(self, seconds: float) -> None:
        """While drawing: say that this looks otherwise after so many seconds."""
        self.due = seconds if self.due is None else min(self.due, seconds)

    @property
    def charset(self) -> Charset:
        """What lines are drawn with."""
        return self.appearance.charset_for(self.prefs.lines)

    @property
    def theme(self) -> Theme:
        """What colours it is drawn in."""
        return self.appearance.theme_for(self.prefs.theme)

    @property
    def keys(self) -> KeyMap:
        """What the keys mean; the words that name keys follow it."""
        return self.model.spoken.keys

    @property
    def speaker(self) -> Speaker:
        """What puts things into words."""
        return self.model.speaker

    def say(self, key: str, *params: str | int) -> str:
        """Return the client's own words of a key."""
        return self.model.spoken.say(key, *params)

    def connection(self, *, is_short: bool = False) -> str:
        """Return how the connection fares, in a word or two; or shorter."""
        status, elapsed = self.model.status, self.watch.status_for(self.model.status)
        return connection_line(self.model.locale, status, elapsed, is_short=is_short)

    def open(self, box: "Screen") -> None:
        """Lay a box on top."""
        self.boxes.append(box)

    def has_just_read(self) -> bool:
        """
        Return whether a key to answer may have been meant for a story that was closed just now.

        Each such key puts off the end of that time, so that a key that is held down, or was
        typed ahead many times, ends in nothing.
        """
        is_early = self.now() < self.read_at + GUARD_SECONDS
        if is_early:
            self.read_at = self.now()
        return is_early

    def close(self) -> None:
        """Take the topmost box away."""
        if self.boxes:
            self.boxes.pop()


Hinted = frozenset[Action] | Mapping[Action, str]
"""
Actions that make sense now. A mapping says of each by which key of the catalog it is told what it
does, for one key may do one thing here and another there; empty for what it always does.
"""


def usual(*actions: Action) -> dict[Action, str]:
    """Return actions that do what they always do."""
    return dict.fromkeys(actions, "")


class Screen(Protocol):
    """One screen or box."""

    context: Context

    def draw(self, pane: Pane) -> None:
        """Draw everything; also the place where a screen learns its size."""

    def act(self, action: Action, key: str) -> None:
        """Do what a key means. CannotDo where it makes no sense now."""

    def hints(self) -> Hinted:
        """Return the actions that make sense now and are worth a place in the bottom line."""

    def click(self, spots: Sequence[Spot]) -> None:
        """Handle a click, on all targets under it, the topmost first."""

    def wheel(self, spots: Sequence[Spot], by: int) -> None:
        """Scroll what is under the pointer: on by 1, or back by -1."""


def item_clicked(spots: Sequence[Spot], cursor: int) -> tuple[int, bool]:
    """Return where a click sends the cursor of a list, and whether it chooses what is there."""
    at = number_under(spots, "item")
    return (cursor, False) if at is None else (at, at == cursor)


def number_under(spots: Sequence[Spot], kind: str) -> int | None:
    """Return the number of the topmost thing of a kind under the mouse; None for none."""
    return next((int(spot.value) for spot in spots if spot.kind == kind), None)


Hint = tuple[str, str, str]
"""A key as prompt_toolkit names it, as people read it, and what it does."""


def fitting_hints(hints: Sequence[Hint], width: int, kept: int = 2) -> list[Hint]:
    """Return as many hints as fit on one line; the last ones stay, as many as are to be kept."""
    shown = list(hints)
    while shown and sum(width_of(key) + width_of(what) + 3 for _, key, what in shown) > width + 2:
        # Help and leaving stand last, and whoever is lost needs them.
        shown.pop(max(0, len(shown) - 1 - kept))
    return shown
