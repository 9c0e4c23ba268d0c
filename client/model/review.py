"""The review that the player is in: members, leader's place, what is said and pointed at."""

import attrs

from protocol import messages

KEPT_LINES = 50
"""Number of spoken lines kept, the latest."""


@attrs.frozen
class Review:
    """The review of a finished game by several people together. Its texts are not trusted."""

    state: messages.ReviewState
    said: tuple[messages.ReviewSaid, ...] = attrs.field(default=(), repr=False)
    said_count: int = 0
    """Number of lines said since the review was entered, those dropped from `said` included."""
    pointed: messages.ReviewPointed | None = None
    """What a member pointed at last; None if nobody has pointed yet."""
    point_count: int = 0
    """How often members have pointed since the review was entered; tells two equal ones apart."""
    is_following: bool = True
    """True if the viewer's replay follows the leader's."""

    @property
    def room_id(self) -> str:
        """The room of the game."""
        return self.state.room_id

    @property
    def is_leader(self) -> bool:
        """Whether the viewer leads."""
        return self.state.me == self.state.leader

    @property
    def leader(self) -> str:
        """The name of the member who leads."""
        return self.name(self.state.leader)

    def name(self, number: int) -> str:
        """Return the name of a member; empty if no member has the number."""
        found = (one.name for one in self.state.members if one.number == number)
        return next(found, "")

    @property
    def others(self) -> list[messages.ReviewMember]:
        """The other members who are present."""
        return [m for m in self.state.members if m.is_here and m.number != self.state.me]

    def with_said(self, said: messages.ReviewSaid) -> "Review":
        """Return the review after a member has said something."""
        kept = (*self.said, said)[-KEPT_LINES:]
        return attrs.evolve(self, said=kept, said_count=self.said_count + 1)

    def with_pointed(self, pointed: messages.ReviewPointed) -> "Review":
        """Return the review after a member has pointed at something."""
        return attrs.evolve(self, pointed=pointed, point_count=self.point_count + 1)
