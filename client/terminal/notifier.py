"""
Alerts an absent player by the terminal's title and bell.

The bell rings as soon as the table waits for the player, even if a page of story is open, because
the player may not be there to read it. The title tells nothing beyond that page.

The notifier is called whenever the model changes. Widgets never write to the terminal.
"""

import attrs
from prompt_toolkit.output import Output

from client.model.model import ClientModel
from client.model.tables import TableView
from client.plugs.face import face_of
from client.screens.base.screen import Desk
from client.text.printable import clip
from protocol.common.table import Stage

MAX_TITLE = 80
"""The maximum width of a title in cells. Terminals show no more, and some accept no more."""


@attrs.define(eq=False)
class Notifier:
    """The terminal's title, and the bell that rings when it becomes the viewer's turn."""

    desk: Desk
    output: Output
    _title: str = attrs.field(default="", init=False)
    _seen: tuple[TableView, bool] | None = attrs.field(default=None, init=False)
    """The last table, and whether the last question there was for the viewer."""

    def update(self) -> None:
        """Set the title, and ring the bell if the viewer's turn has begun, if preferences allow."""
        prefs = self.desk.prefs
        is_behind = self.desk.shown.is_behind
        self._say(title_of(self.desk.model, is_behind=is_behind) if prefs.title else "")
        if self._has_become_mine() and prefs.bell:
            self.output.bell()
            self.output.flush()

    def end(self) -> None:
        self._say("")

    def _say(self, title: str) -> None:
        # Every write goes over the player's connection, and the model changes often.
        if title != self._title:
            self._title = title
            self.output.set_title(title)
            self.output.flush()

    def _has_become_mine(self) -> bool:
        model = self.desk.model
        view = model.view
        if view is None or not view.records or model.is_catching_up:
            return False
        # A question open before the player came rings no bell.
        is_known = self._seen is not None and self._seen[0] is view
        was_mine = self._seen is not None and is_known and self._seen[1]
        if view.ask is None and is_known:
            # Two of one's own questions in a row are one turn.
            return False
        is_mine = is_my_turn(model)
        self._seen = (view, is_mine)
        return is_known and is_mine and not was_mine


def is_my_turn(model: ClientModel) -> bool:
    """Return whether the table waits for the viewer's answer, vote or change of vote."""
    view = model.view
    if view is None or view.ask is None or view.table.room.stands_still or model.is_catching_up:
        return False
    mine = view.my_seat
    is_owner = mine is not None and mine.key == model.key
    is_asked = view.seat in view.ask.waiting_for or view.can_call_tiebreak()
    return is_owner and is_asked and view.my_question() is not None


def title_of(model: ClientModel, *, is_behind: bool = False) -> str:
    """
    Return the terminal's title, printable and within `MAX_TITLE`.

    Args:
        model: the model.
        is_behind: whether a page of story waits to be read.
    """
    return clip(_title(model, is_behind=is_behind), MAX_TITLE)


def _title(model: ClientModel, *, is_behind: bool) -> str:
    say, view = model.locale.say, model.view
    if view is None or view.table.room.stage is not Stage.PLAYING:
        return say("call.idle")
    if not model.is_online:
        return say("call.offline")
    if view.table.room.stands_still:
        return say("call.paused")
    if is_behind:
        # Round and turn may be what the page is about to tell.
        return say("call.story")
    if is_my_turn(model):
        game = view.table.game
        face = face_of(view.table.room.ruleset)
        count = 0 if game is None else face.moment(game).round_number
        return say("call.turn", say("status.round", count)) if count else say("call.turn_early")
    who = model.speaker.awaited(view.table)
    return say("call.waiting", who) if who else say("call.idle")
