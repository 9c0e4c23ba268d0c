"""Access: which rooms somebody may know of, and with whose knowledge one is shown to them."""

import attrs

from server.kernel.errors import Refused
from server.lobby.finished.reviews import Reviews
from server.lobby.finished.sharing import SharedGames
from server.lobby.requests.visitor import RoomVisitor, Visitor
from server.lobby.views.viewer import Viewer, viewer_of


@attrs.frozen(eq=False)
class Access:
    """Decides by seats, invitations, reviews and agreements to share."""

    shared: SharedGames
    reviews: Reviews

    def known_room(self, visitor: Visitor, room_id: str) -> str:
        """Return the id of a room; that of none where a visitor may not know of it."""
        is_watched = room_id in visitor.watching or room_id in visitor.following
        if is_watched or self.shared.may_know(room_id, visitor.key):
            return room_id
        # No id has letters beyond f. What follows is done, and takes its time, as for any of none:
        # neither the answer nor its delay tells that there is such a room.
        return "-" * len(room_id)

    def viewer(self, visitor: RoomVisitor) -> Viewer:
        """Return how a room is shown to somebody. Refused: it is not shown to them at all."""
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
