"""Proposals, which need the other seats' consent: the menus to make one, the box to answer one."""

import bisect
import functools
from collections.abc import Sequence

import attrs

from client.journal.proposals import offered_checkpoint, proposed
from client.keymap.keys import Action, Context
from client.model.checkpoints import checkpoints
from client.model.model import WATCH
from client.model.tables import TableView
from client.plugs.face import face_of
from client.screens.base.boxes import Confirm, Item, Menu
from client.screens.base.screen import Desk
from client.screens.table.inviting import renewing_box
from client.tellers.base import Tone
from client.widgets.canvas import Pane, Spot
from protocol.common.patience import is_held_up
from protocol.common.table import Proposal, Seat, Stage
from protocol.common.templates import Nickname


def proposals_menu(desk: Desk, view: TableView) -> Menu:
    """Return the menu of proposals.

    It has the open proposal, the proposals that this seat can make, and invitations.
    """
    items, room = list[Item](), view.table.room
    proposal = room.proposal
    if proposal is not None:
        items.append(
            Item(
                proposed(desk.speaker, view.table, proposal),
                lambda: desk.open(Consent(desk, proposal)),
            )
        )
    items += _invitations(desk, view)
    # A game that a fault has halted can go on in no other way, whatever was settled.
    if view.table.checkpoints and (room.settings.takebacks or desk.model.is_halted):
        key = "propose.rests" if room.settings.takebacks else "propose.rests_off"
        items.append(Item(desk.say(key), lambda: desk.open(_checkpoints_menu(desk, view))))
    if desk.model.is_host:
        for seat in room.seats.values():
            if seat.seat != view.seat and not desk.model.is_solo:
                items += give_items(desk, seat, is_apart=room.is_apart)
    for one in face_of(room.ruleset).corrections(view.table, desk.speaker):
        ways = [
            Item(text, functools.partial(desk.port.propose_correction, piece, number))
            for text, piece, number in one.ways
        ]
        menu = Menu(desk, "box.proposals", ways)
        items.append(Item(one.text, functools.partial(desk.open, menu)))
    if desk.model.is_host and not desk.model.is_solo and room.stage is not Stage.OVER:
        items.append(Item(desk.say("propose.renew"), lambda: desk.open(renewing_box(desk))))
    # It is asked once more: nothing takes back a game that was given up.
    sure_text = desk.say("propose.give_up_sure")
    if is_held_up(room):
        sure_text += " " + desk.say("propose.give_up_away")
    sure = Confirm(
        *(desk, "box.give_up", sure_text),
        *(desk.port.propose_give_up, lambda: None),
    )
    items.append(Item(desk.say("propose.give_up"), functools.partial(desk.open, sure)))
    return Menu(desk, "box.proposals", items)


def _checkpoints_menu(desk: Desk, view: TableView) -> Menu:
    items, lines = list[Item](), desk.journal.lines
    for point in checkpoints(view):
        when = offered_checkpoint(desk.speaker, view, point)
        # A number of a round says little: the last thing done before is what people remember.
        at = bisect.bisect_right(lines, point.sequence, key=lambda line: line.sequence)
        told = (
            line.text
            for line in reversed(lines[:at])
            if line.tone in {Tone.ACTION, Tone.GAIN, Tone.STEP}
        )
        what = next(told, "")
        text = desk.say("propose.back", when, what) if what else when
        if point.is_now:
            text = desk.say("propose.now")
        items.append(Item(text, functools.partial(desk.port.propose_take_back, point.sequence)))
    return Menu(desk, "box.rests", items)


def _invitations(desk: Desk, view: TableView) -> list[Item]:
    """Return the invitations to seats that were given away, and the invitation to watch."""
    lines = [
        ("invitation", desk.speaker.place(view.table, seat), line)
        for seat in sorted(desk.model.codes.get(view.room_id, {}))
        if view.is_free(seat) and (line := desk.model.invitation(seat))
    ]
    # That to watch holds as long as the game does.
    if not desk.model.is_solo and (line := desk.model.invitation(WATCH)):
        lines.append(("watch", "", line))
    items = []
    for kind, place, line in lines:
        items.append(
            Item(desk.say(f"propose.{kind}", place), functools.partial(desk.show_outside, line))
        )
        if desk.prefs.clipboard:
            copy = functools.partial(desk.copy_invitation, line)
            items.append(Item(desk.say(f"propose.{kind}_copy", place), copy))
    return items


def give_items(desk: Desk, seat: Seat, *, is_apart: bool) -> list[Item]:
    """Return the proposals to give a seat away: to a bot, to a person, or both.

    A bot's seat can go to a person only, and a seat without a player to a bot only. Where roles are
    kept apart, the player is told first what this means.
    """

    def propose(*, to_bot: bool) -> None:
        give = functools.partial(desk.port.propose_give_seat, seat.seat, to_bot=to_bot)
        if is_apart:
            desk.open(Confirm(desk, "box.proposals", desk.say("propose.apart"), give))
        else:
            give()

    # An empty seat has no player, so it goes by its characters, or by its role without any.
    characters = desk.speaker.names("character", seat.characters)
    role = desk.model.role(desk.view.table.room, seat)
    played = characters or (desk.speaker.name("role", role) if role else "")
    named = desk.say("propose.whose", seat.name, played) if seat.name and played else seat.name
    whose = Nickname(named) if seat.name else characters
    empty = desk.say("place.empty_of", played) if played else desk.say("place.empty")
    to_bot = Item(
        desk.say("propose.give_bot", whose) if whose else desk.say("propose.give_empty", empty),
        functools.partial(propose, to_bot=True),
    )
    to_person = Item(
        desk.say("propose.give_person", whose),
        functools.partial(propose, to_bot=False),
    )
    if seat.is_bot:
        return [to_person]
    return [to_bot, to_person] if seat.name else [to_bot]


@attrs.define(eq=False)
class Consent:
    """The box about a proposal, made anew for each frame: others answer, and time passes."""

    desk: Desk
    proposal: Proposal
    context: Context = attrs.field(default=Context.CONFIRM, init=False)

    def draw(self, pane: Pane) -> None:
        self._box().draw(pane)

    def click(self, spots: Sequence[Spot]) -> None:
        self._box().click(spots)

    def wheel(self, spots: Sequence[Spot], by: int) -> None:
        self._box().wheel(spots, by)

    def act(self, action: Action, key: str) -> None:
        self._box().act(action, key)

    def hints(self) -> frozenset[Action]:
        return self._box().hints()

    def _box(self) -> Confirm:
        """Return the box in which a seat agrees, rejects, withdraws, or agrees for absent seats."""
        desk, view = self.desk, self.desk.view
        proposal = view.table.room.proposal or self.proposal
        number = proposal.proposal_id
        agree = functools.partial(desk.port.consent, number, is_agreed=True)
        end = functools.partial(desk.port.consent, number, is_agreed=False)
        text = proposed(desk.speaker, view.table, proposal)
        if proposal.consents:
            agreed = desk.speaker.seats(view.table, proposal.consents)
            text += " " + desk.say("consent.agreed", agreed)
        if absent := desk.model.agrees_for:
            away, left = (
                desk.speaker.seats(view.table, absent),
                desk.watch.absence_left(view.table.room),
            )
            if left is None:
                text += " " + desk.say("consent.absent", away)
                agree = functools.partial(desk.port.agree_for_absent, number)
                return Confirm(desk, "box.consent", text, agree, end, keys="confirm.absent")
            if left.changes_in is not None:
                desk.draw_again_in(left.changes_in)
            text += " " + desk.say("consent.absent_early", away, left.text(desk.speaker))
            return Confirm(desk, "box.consented", text, None, end, keys="confirm.early")
        if view.seat in (proposal.by, *proposal.consents):
            text += " " + desk.say("consent.withdraw")
            return Confirm(desk, "box.consented", text, end)
        return Confirm(desk, "box.consent", text, agree, end, keys="confirm.later")
