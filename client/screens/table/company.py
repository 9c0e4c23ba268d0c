"""Keys of a game that concern the other players: chat, proposals, leaving, playing again."""

import attrs

from client.keymap.keys import Action
from client.screens.base.boxes import Confirm
from client.screens.base.screen import CannotDo, Desk, TextEntry
from client.screens.table.again import begin_another
from client.screens.table.passing import passing_menu
from client.screens.table.proposals import Consent, proposals_menu
from client.screens.table.seated import is_seat_lost, is_seated
from client.widgets.question import is_any_away
from protocol.common.table import Stage

_OF_SEATS = frozenset(
    {Action.CHAT, Action.PROPOSALS, Action.CONSENT, Action.RESUME, Action.PASSES, Action.AGAIN}
)
"""Actions of seated players that spectators do not have."""


@attrs.define(eq=False)
class Company:
    """The actions that concern other players, such as chat and proposals, and their keys."""

    desk: Desk
    _asked_about: int = attrs.field(default=-1, init=False)
    """The id of the last proposal for which a box asked the viewer's consent."""

    def ask_for_consent(self) -> None:
        """Open the box of a new proposal; close the box of a settled proposal."""
        desk, view = self.desk, self.desk.view
        proposal = view.table.room.proposal
        if proposal is None or not is_seated(desk):
            desk.boxes[:] = [box for box in desk.boxes if not isinstance(box, Consent)]
            return
        # Asked once: after Esc, a key opens it again.
        is_new = proposal.proposal_id != self._asked_about
        if is_new and view.seat not in (*proposal.consents, proposal.by):
            self._asked_about = proposal.proposal_id
            desk.open(Consent(desk, proposal))

    def act(self, action: Action) -> bool:
        """Carry out an action about the other players; return False for any other action."""
        desk, room = self.desk, self.desk.view.table.room
        if action is Action.LEAVE and is_seat_lost(desk):
            # There is nothing here to keep; the lobby has the other tables.
            desk.port.leave_table()
            desk.port.list_tables()
            return True
        is_over = room.stage is Stage.OVER
        if action is Action.LEAVE:
            key = "leave.over" if is_over else "leave.game"
            if not is_seated(desk):
                key = "leave.watching"
            elif desk.model.is_solo:
                key = "leave.solo_over" if is_over else "leave.solo"
            text = desk.say(key, desk.model.launch.command)
            desk.open(Confirm(desk, "box.leave", text, desk.quit))
            return True
        if action not in _OF_SEATS:
            return False
        if not is_seated(desk) and action is not Action.AGAIN:
            raise CannotDo("wrong.looking_on")
        hindered = {
            Action.PROPOSALS: "wrong.over" if is_over else "",
            Action.CONSENT: "wrong.no_proposal" if room.proposal is None else "",
            Action.RESUME: "" if room.is_paused else "wrong.not_paused",
            Action.PASSES: "wrong.over" if is_over else "",
            Action.AGAIN: "" if is_over else "wrong.not_over",
        }
        # Reasons first, so that every key that does nothing says why.
        if why := hindered.get(action):
            raise CannotDo(why)
        match action:
            case Action.CHAT:
                desk.entry = TextEntry("entry.chat", desk.port.chat, stays=True)
            case Action.PROPOSALS:
                desk.open(proposals_menu(desk, desk.view))
            case Action.PASSES:
                desk.open(passing_menu(desk, desk.view))
            case Action.CONSENT if room.proposal is not None:
                desk.open(Consent(desk, room.proposal))
            case Action.RESUME:
                desk.port.resume()
            case _:
                begin_another(desk, room.scenario)
        return True

    def hints(self) -> dict[Action, str]:
        """Return the keys that make sense no matter which question is open."""
        desk, view = self.desk, self.desk.view
        model, room, found = desk.model, view.table.room, dict[Action, str]()
        if room.is_paused:
            found[Action.RESUME] = ""
        is_watched = view.seat is None and not view.is_practice
        if is_watched and room.stage is Stage.OVER and view.room_id in model.lobby.continued:
            found[Action.AGAIN] = "hint.next_table"
        if not is_seated(desk):
            return found
        if room.stage is Stage.OVER:
            found[Action.REVIEW] = ""
            if len(view.table.sides) > 1:
                found[Action.TIMELINE] = ""
            if not model.is_solo:
                found[Action.TOGETHER] = ""
            if not view.is_practice:
                found[Action.AGAIN] = "hint.real_game" if model.is_tutorial else ""
        if not model.is_solo:
            found[Action.CHAT] = ""
        if (proposal := room.proposal) is not None:
            is_mine = view.seat in (proposal.by, *proposal.consents)
            found[Action.CONSENT] = "hint.consented" if is_mine else ""
        if room.kinds and room.stage is not Stage.OVER:
            found[Action.PASSES] = ""
        if is_any_away(view.table):
            found[Action.PROPOSALS] = ""
        return found
