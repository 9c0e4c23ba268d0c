"""The player's current review: its members, the leader's place, and what members say or show."""

import attrs

from protocol import messages

KEPT_LINES = 50
"""The maximum number of spoken lines kept; older lines are dropped."""


@attrs.frozen
class Review:
    """The review of a finished game by several people together. Its texts are not trusted."""

    state: messages.ReviewState
    said: tuple[messages.ReviewSaid, ...] = attrs.field(default=(), repr=False)
    said_count: int = 0
    """
    The number of lines said since the player entered the review, including lines no longer in
    `said`.
    """
    pointed: messages.ReviewPointed | None = None
    """The last pointing of any member; None if no member has pointed yet."""
    point_count: int = 0
    """The number of pointings since the player entered the review, to tell two equal ones apart."""
    is_following: bool = True
    """True if the viewer's replay follows the leader's."""

    @property
    def room_id(self) -> str:
        return self.state.room_id

    @property
    def is_leader(self) -> bool:
        return self.state.me == self.state.leader

    @property
    def leader(self) -> str:
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
        return attrs.evolve(self, pointed=pointed, point_count=self.point_count + 1)
