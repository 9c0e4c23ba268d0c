"""
Access: decides which rooms a session may know of, and as which viewer it is shown a room.

A reply reveals only what its viewer has been shown: to a viewer without a seat, no reply depends on
records that the delay still holds back (`Viewer.delay_seconds`, `Summary.stage_for`).
"""

import attrs

from protocol.keys import fingerprint
from server.kernel.errors import Refused
from server.lobby.finished.reviews import Reviews
from server.lobby.finished.sharing import SharedGames
from server.lobby.requests.visitor import RoomVisitor, Visitor
from server.lobby.views.viewer import Viewer, viewer_of


@attrs.frozen(eq=False)
class Access:
    """Decides which rooms a visitor may know and see: by seats, invitations, reviews, sharing."""

    shared: SharedGames
    reviews: Reviews

    def known_room(self, visitor: Visitor, room_id: str) -> str:
        """Return the id of a room that the visitor may know of, else an id that no room has."""
        # Without a summary the seats are unknown: `Sessions` asks `may_know` once the room is
        # loaded.
        if room_id not in self.shared.registry.summaries or self.may_know(visitor, room_id):
            return room_id
        # No room id has a dash. The request then takes the path and the time of an unknown room, so
        # neither the reply nor its delay reveals that the room exists.
        return "-" * len(room_id)

    def may_know(self, visitor: Visitor, room_id: str) -> bool:
        """Return True if a visitor may learn that a room exists, at any stage of its game."""
        summary = self.shared.registry.summaries.get(room_id)
        if room_id in visitor.watching or room_id in visitor.following or summary is None:
            return summary is not None
        if visitor.key in summary.keys or fingerprint(visitor.key) in (summary.observers or ()):
            return True
        return self.shared.is_open(room_id) or self.reviews.may_watch(room_id, visitor.key)

    def viewer(self, visitor: RoomVisitor) -> Viewer:
        """Return the view that a visitor has of the room. Refused: they may not see the room."""
        room = visitor.room
        viewer = viewer_of(room, visitor.key)
        if viewer != Viewer():
            return viewer
        # Neither a seat nor an observer's key: this takes a review or an invitation.
        if room.source is not None:
            if not self.reviews.may_watch(room.room_id, visitor.key):
                raise Refused("table/no_seat")
            return Viewer(seats=tuple(room.seats))
        if room.room_id not in visitor.visitor.watching:
            raise Refused("table/no_seat")
        if not room.settings.spectators:
            # The invitation is for observers, and the owner of this key is not among them.
            raise Refused("table/no_spectators")
        return viewer
