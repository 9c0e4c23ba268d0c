"""Applies the server's messages about the lobby to the model: lists, codes, words, notices."""

from client.model.model import WATCH, Bar, ClientModel
from protocol import messages


def apply_lobby(model: ClientModel, message: messages.ServerMessage) -> None:
    """Apply a message that concerns no followed table; ignore all other kinds."""
    match message:
        case messages.Tables():
            model.update_lobby(tables=message.lines)
        case messages.Scenarios():
            model.update_lobby(scenarios=message.lines)
        case messages.LostSeats():
            # The server reports a seat only once, so that none may be lost before it is shown.
            model.update_lobby(lost_seats=model.lobby.lost_seats + message.lines)
        case messages.Announcement():
            model.bar = Bar(model.locale.say("announcement", message.words))
        case messages.Goodbye():
            model.bar = Bar(message.reason, is_wrong=True)
        case messages.InvitationMade():
            seat = WATCH if message.is_to_watch else message.seat
            before = model.codes.get(message.room_id, {})
            model.set_codes(message.room_id, {**before, seat: message.code})
            model.bar = Bar(model.locale.say("invitation.made"))
        case _:
            pass


def apply_notice(model: ClientModel, notice: messages.Notice) -> None:
    """Apply a notice about the followed table that changes only the model; ignore all others."""
    match notice.code:
        case "table/stopped" | "table/unreadable":
            model.update_table(is_stopped=True)
        case "table/invitations_renewed":
            # The codes from before are invalid.
            model.set_codes(notice.room_id, {})
        case "table/again":
            model.update_lobby(continued=model.lobby.continued | {notice.room_id})
        case _:
            pass
