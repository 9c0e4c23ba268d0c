"""A review that the player is in: who is there, where the leader is, what is said and shown."""

import attrs

from protocol import messages

KEPT_LINES = 50
"""What was said last, that is kept here."""


@attrs.define(eq=False)
class Review:
    """A game that is looked back on together. What its members wrote is a stranger's text."""

    state: messages.ReviewState
    said: list[messages.ReviewSaid] = attrs.field(factory=list, repr=False)
    heard: int = 0
    """How often somebody has said something."""
    pointed: messages.ReviewPointed | None = None
    """What was pointed at last."""
    points: int = 0
    """How often somebody has pointed at something."""
    is_following: bool = True
    """Whether the viewer, who does not lead, goes where the leader goes."""

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
        """The name of who leads."""
        return self.name(self.state.leader)

    def name(self, number: int) -> str:
        """Return the name of a member; empty for who is none."""
        found = (one.name for one in self.state.members if one.number == number)
        return next(found, "")

    @property
    def others(self) -> list[messages.ReviewMember]:
        """The other members who are there."""
        return [m for m in self.state.members if m.is_here and m.number != self.state.me]

    def hear(self, said: messages.ReviewSaid) -> None:
        """Keep what was said."""
        self.said, self.heard = [*self.said, said][-KEPT_LINES:], self.heard + 1

    def look(self, pointed: messages.ReviewPointed) -> None:
        """Keep what is pointed at."""
        self.pointed, self.points = pointed, self.points + 1
