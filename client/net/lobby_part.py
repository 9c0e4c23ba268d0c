"""Applies the server's messages about the lobby to the model: lists, codes, words, notices."""

from client.model.model import WATCH, Bar, ClientModel
from protocol import messages


def apply_lobby(model: ClientModel, message: messages.ServerMessage) -> None:
    """Apply a message that concerns no followed table; ignore all other kinds."""
    match message:
        case messages.Tables():
            model.update_lobby(tables=message.lines)
        case messages.Scenarios():
            lobby = model.lobby.with_scenarios(message)
            model.update_lobby(games=lobby.games, scenarios=lobby.scenarios)
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


def apply_refusal(
    model: ClientModel, refused: messages.Refusal, asked: messages.ClientMessage | None
) -> None:
    """
    Store a refused request that needs the player's confirmation or a password.

    Another refusal of a request of the same kind clears the stored request. All other refusals are
    ignored.
    """
    match asked:
        case messages.JoinTable():
            # Any other refusal drops what an earlier one left to be confirmed.
            model.update_pending(code=asked.code if refused.code == "setup/known_game" else "")
        case messages.OpenTable():
            is_asked = refused.code in {"table/password", "table/wrong_password"}
            model.update_pending(table=asked if is_asked else None)
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
