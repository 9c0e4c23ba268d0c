"""
Practice games on the screen, in which one player plays every seat.

A practice game begins from a replay, and the player returns to the replay at its end.
"""

from collections.abc import Mapping
from functools import partial

from client.keymap.keys import Action
from client.model.tables import TableView
from client.screens.base.boxes import Confirm, Item, Menu
from client.screens.base.screen import CannotDo, Desk


def ask_to_practise(desk: Desk, room_id: str, event: int) -> None:
    """Ask the player to confirm a practice game that continues a game from an event.

    Raise CannotDo while offline, or for a game that the server cannot continue.
    """
    if not desk.model.is_online:
        raise CannotDo("error.offline")
    if room_id not in desk.model.finished.notes:
        # A file of this machine, or a game of which not all is open.
        raise CannotDo("practice.not_here")
    review = desk.model.review
    is_led = review is not None and review.room_id == room_id and review.is_leader
    text = desk.say("practice.begin_together" if is_led else "practice.begin", max(0, event))
    desk.open(
        Confirm(desk, "box.practice", text, partial(desk.port.practise, room_id, max(0, event)))
    )


def act(desk: Desk, view: TableView, action: Action) -> bool:
    """Carry out an action of practice games; return False for any other action.

    Raise CannotDo outside a practice game.
    """
    if action is Action.LEAVE and desk.model.is_practising:
        desk.port.leave_table()
    elif action is Action.SPEAK:
        _must_play(view)
        ask = view.ask

        def turn(seat: int) -> None:
            view.seat = seat
            desk.model.changed()

        items = []
        for seat in view.table.room.seats:
            key = "practice.not_asked"
            if ask is not None and seat in ask.waiting_for:
                key = "practice.asked"
            elif ask is not None and ask.may_interrupt(seat):
                key = "practice.may_interrupt"
            name = desk.speaker.seat(view.table, seat)
            items.append(Item(desk.say(key, name), partial(turn, seat)))
        desk.open(Menu(desk, "box.speak", items))
    elif action is Action.REMOVE:
        _must_play(view)
        text = desk.say("practice.remove")
        desk.open(Confirm(desk, "box.practice", text, desk.port.remove_table))
    else:
        return False
    return True


def _must_play(view: TableView) -> None:
    if not view.is_practice or view.seat is None:
        raise CannotDo("practice.none")


def role(desk: Desk, view: TableView) -> str:
    """Return the notice in a practice game: the acting seat, or that the viewer spectates."""
    if view.seat is None:
        return desk.say("practice.role_watching")
    return desk.say("practice.role", desk.speaker.seat(view.table, view.seat))


def hints(desk: Desk, view: TableView) -> Mapping[Action, str]:
    found: dict[Action, str] = {}
    if view.is_practice and view.seat is not None and len(view.table.room.seats) > 1:
        found[Action.SPEAK] = ""
    if desk.model.is_practising:
        found[Action.LEAVE] = "hint.to_replay"
    return found
