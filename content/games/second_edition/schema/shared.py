"""
Parts that the scenarios of a pack share: tiles of the box, persons, and events that fit anywhere.

Files of the pack hold them (`tiles.yaml`, `persons.yaml`, `mythos.yaml`); a scenario says which it
takes, and adds its own.
"""

from typing import Annotated

import attrs

from content.games.second_edition.schema.effects import Effect
from content.games.second_edition.schema.kinds import Kind, Mood, RoomTrait
from content.games.second_edition.schema.requirements import Requirement, Round
from content.reading.meanings import Bounds, Declares, Names


@attrs.frozen
class PackTile:
    """
    A tile of the box, as it is drawn.

    A scenario lays it by `of:`, with a place on the board and the rooms of its spaces. A tile can
    lie on the board only once. Rules LIMIT-2 and TILE-3.
    """

    id: Annotated[str, Declares(Kind.PACK_TILE)]
    """Such as `tile/long-gallery`; nobody reads it."""
    drawing: str
    """A block of lines."""


@attrs.frozen
class Person:
    """
    Somebody whom scenarios can meet, with a Person token of their own. Rule TOKEN-6.

    The words have the name under the id, and may have a text that describes them.
    """

    id: Annotated[str, Declares(Kind.PERSON)]
    """Such as `person/vicar`."""
    traits: tuple[Annotated[str, Declares(Kind.PERSON_TRAIT)], ...] = ()
    """The kind of person this is, for authors of scenarios."""


@attrs.frozen
class Fits:
    """The conditions under which a shared event can come. Those left out do not matter."""

    rooms: tuple[RoomTrait, ...] = ()
    """Traits of rooms: some room that is on the board has one of them."""
    rounds: Round | None = None
    """Bounds of the number of the round."""
    moods: tuple[Annotated[str, Declares(Kind.MOOD)], ...] = ()
    """It is for scenarios that name one of these moods; without any, for all."""


@attrs.frozen
class SharedEvent:
    """A Mythos event that several scenarios can take. Rules EVENT-1 to EVENT-3."""

    id: Annotated[str, Declares(Kind.SHARED_EVENT)]
    """Such as `mythos/cold-draught`."""
    effect: Effect
    fits: Fits = Fits()
    """The conditions under which it can come."""
    when: Requirement | None = None
    """Drawn only if this holds, too."""
    repeats: bool = False
    """Whether it can come again once all others are used up."""
    weight: Annotated[int, Bounds(1, 9)] = 1
    """Number of times that it is in the pool."""


@attrs.frozen
class SharedEvents:
    """The shared events that a scenario takes into its pool."""

    moods: tuple[Mood, ...] = ()
    """Only events of one of these moods, or of none, are taken; all, if left out."""
    without: tuple[Annotated[str, Names(Kind.SHARED_EVENT)], ...] = ()
    """Shared events that are not taken."""
    weight: Annotated[int, Bounds(1, 9)] = 1
    """Number of times that each is in the pool, beside the scenario's own."""
    when: Requirement | None = None
    """The shared events are drawn only if this holds, such as in the first chapter."""

    def takes(self, event: SharedEvent) -> bool:
        """Return whether the scenario takes a shared event."""
        moods = event.fits.moods
        is_mood = not moods or not self.moods or any(mood in self.moods for mood in moods)
        return is_mood and event.id not in self.without
