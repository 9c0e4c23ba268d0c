"""Access: decides which rooms a session may know of, and as which viewer it is shown a room."""

import attrs

from server.kernel.errors import Refused
from server.lobby.finished.reviews import Reviews
from server.lobby.finished.sharing import SharedGames
from server.lobby.requests.visitor import RoomVisitor, Visitor
from server.lobby.views.viewer import Viewer, viewer_of


@attrs.frozen(eq=False)
class Access:
    """The rules of access, by seats, invitations, reviews and agreements to share."""

    shared: SharedGames
    reviews: Reviews

    def known_room(self, visitor: Visitor, room_id: str) -> str:
        """Return the room id, or an id of no room if the visitor may not know of that room."""
        is_watched = room_id in visitor.watching or room_id in visitor.following
        if is_watched or self.shared.may_know(room_id, visitor.key):
            return room_id
        # No id has letters beyond f. What follows is done, and takes its time, as for any of none:
        # neither the answer nor its delay tells that there is such a room.
        return "-" * len(room_id)

    def viewer(self, visitor: RoomVisitor) -> Viewer:
        """Return the viewer as which a visitor sees the room. Refused: they may not see it."""
        room = visitor.room
        viewer = viewer_of(room, visitor.key)
        if viewer != Viewer():
            return viewer
        if room.source is not None:
            if not self.reviews.may_watch(room.room_id, visitor.key):
                raise Refused("table/no_seat")
            return Viewer(seats=tuple(room.seats))
        if room.room_id not in visitor.visitor.watching:
            raise Refused("table/no_seat")
        if not room.settings.spectators:
            # The invitation is for observers, and this key is none of theirs.
            raise Refused("table/no_spectators")
        return viewer
