"""Entering a room and leaving it: a session follows a room by a seat or by an invitation."""

from protocol import messages
from server.identity.invitations import InvitationKind, Invitations
from server.kernel.errors import Refused
from server.lobby.finished.access import Access
from server.lobby.requests.handlers import ANSWERED, Needs, Reply, handles
from server.lobby.requests.pace import Cost
from server.lobby.requests.visitor import RoomVisitor, Visitor
from server.lobby.services.mailing import Mail
from server.lobby.tables.again import PlayingAgain
from server.lobby.tables.setups import Setups
from server.lobby.views.held_logs import HeldLogs


@handles(messages.WatchTable, needs=Needs.SERVER, cost=Cost.STORED)
async def watch_table(
    visitor: Visitor, message: messages.WatchTable, invitations: Invitations
) -> messages.Joined:
    target = await invitations.find(message.code)
    if target is None or target.place is not InvitationKind.WATCH:
        raise Refused("invitation/unknown")
    visitor.watching.add(target.room_id)
    return messages.Joined(message.serial, target.room_id, -1)


@handles(messages.EnterTable, needs=Needs.ROOM, cost=Cost.STORED | Cost.LOADING | Cost.ENTERED)
async def enter_table(
    visitor: RoomVisitor,
    message: messages.EnterTable,
    access: Access,
    held_logs: HeldLogs,
    setups: Setups,
    mail: Mail,
    again: PlayingAgain,
) -> Reply:
    host, one = visitor.host, visitor.visitor
    room_id = host.room.room_id
    viewer = access.viewer(visitor)
    is_other = await held_logs.is_other(viewer, message)
    # Stored before the board is shown, so that a crash cannot undo it.
    await setups.known.note(visitor.room, [visitor.key])
    if access.viewer(visitor) != viewer:
        # The seat was given away while the log was compared.
        raise Refused("table/no_seat")
    end = host.followers.end_for(viewer)
    after = -1 if is_other else message.after
    if after >= end:
        raise Refused("table/no_such_record")
    if one.is_gone:
        # They left while the room was read: nobody is there to follow it.
        return ANSWERED
    one.following.add(room_id)
    # The reply comes first, so that the client knows what the records belong to.
    visitor.session.send(messages.Entered(message.serial, room_id, viewer.name, end, is_other))
    host.followers.follow(visitor.session, viewer, after, one.words.language)
    mail.mailing.present(visitor.key)
    await host.presence.note()
    await again.remind(host, visitor.session)
    return ANSWERED


@handles(messages.LeaveTable, needs=Needs.ROOM)
async def leave_table(visitor: RoomVisitor, _: messages.LeaveTable, mail: Mail) -> None:
    visitor.visitor.following.discard(visitor.host.room.room_id)
    mail.mailing.left(visitor.key)
    visitor.host.followers.unfollow(visitor.session)
    await visitor.host.presence.note()


@handles(messages.SpeakFor, needs=Needs.ROOM)
async def speak_for(visitor: RoomVisitor, message: messages.SpeakFor) -> None:
    """Choose the seat that the player of a practice game speaks for."""
    seat = visitor.visitor.seat_in(visitor.room, message.seat)
    visitor.visitor.speaking_for[visitor.room.room_id] = seat
