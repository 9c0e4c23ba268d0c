"""Replays that several people watch together, all at the leader's place."""

from collections.abc import Callable

import attrs

from client.journal.replay_model import ReplayModel
from client.model.model import ClientModel
from client.model.review import Review
from client.model.viewpoints import Viewpoint
from protocol import messages

LEAST_SECONDS = 0.25
"""The minimum number of seconds between two publications from a screen."""

Place = tuple[int, int, bool]
"""Event, seat of the viewpoint, and whether all secrets are open."""


def place_of(replay: ReplayModel) -> Place:
    """Return a replay's place in the form in which the leader publishes it."""
    point = replay.point
    return replay.event, -1 if point.seat is None else point.seat, point.is_all


@attrs.define(eq=False)
class Together:
    """The link between a replay and the review of its game: follows or publishes the place."""

    model: ClientModel
    replay: ReplayModel
    lead: Callable[[int, int, bool], None]
    """Publishes the leader's place."""
    look_from: Callable[[Viewpoint], None]
    """
    Switches the viewpoint of the replay, and redraws everything that depends on the viewpoint.
    """
    least_seconds: float = LEAST_SECONDS
    """The minimum number of seconds between two publications."""
    _reached: Place | None = attrs.field(default=None, init=False)
    """The last place of the leader to which this replay moved; None if there was none."""
    _told: tuple[int, Place] | None = attrs.field(default=None, init=False)
    """The opening time of the review and the last published place; None if none was published."""
    _told_at: float = attrs.field(default=-LEAST_SECONDS, init=False)

    @property
    def review(self) -> Review | None:
        """The viewer's review of the replayed game; None if there is none."""
        review, room_id = self.model.review, self.replay.tables[-1].room.room_id
        return review if review is not None and review.room_id == room_id else None

    def keep_up(self, now: float) -> float | None:
        """
        Follow the leader's place, or publish the viewer's own place if the viewer leads.

        A follower who moves the replay stops following the leader.

        Returns:
            Seconds until the next call is due; None if no call is needed.
        """
        review = self.review
        if review is None:
            self._reached = self._told = None
            return None
        if review.is_leader:
            # A leader who hands over the lead becomes a follower.
            self._set_following(review, is_following=True)
            self._reached = None
            here = place_of(self.replay)
            told = review.state.opened_at, here
            # Published already, or waiting for the server to confirm it.
            if here == place_in(review.state) or told == self._told:
                return None
            left = self._told_at + self.least_seconds - now
            if left > 0:
                return left
            self._told, self._told_at = told, now
            self.lead(*here)
            return None
        self._told = None
        if review.is_following:
            self._follow(review)
        return None

    def follow(self) -> None:
        """Go to the leader's place, and follow the leader again."""
        review = self.review
        if review is not None:
            self._set_following(review, is_following=True)
            self._reached = None
            self._follow(review)

    def _follow(self, review: Review) -> None:
        here = place_of(self.replay)
        # The viewer has moved the replay since it was at the leader's place.
        if self._reached is not None and here != self._reached:
            self._set_following(review, is_following=False)
            return
        if here != place_in(review.state):
            last = len(self.replay.records) - 1
            wanted = Viewpoint(
                None if review.state.seat < 0 else review.state.seat, review.state.is_all
            )
            # A leader may publish a viewpoint that this file does not have.
            if wanted in self.replay.points and wanted != self.replay.point:
                self.look_from(wanted)
            # This file may end before the leader's place.
            self.replay.go_to(min(review.state.event, last))
        self._reached = place_of(self.replay)

    def _set_following(self, review: Review, *, is_following: bool) -> None:
        if review.is_following != is_following:
            self.model.set_review(attrs.evolve(review, is_following=is_following))


def place_in(state: messages.ReviewState) -> Place:
    return state.event, state.seat, state.is_all
