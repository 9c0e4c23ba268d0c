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
    """The id of the tile, such as `tile/long-gallery`. Players never see the id."""
    drawing: str
    """The drawing of the tile, a block of lines."""


@attrs.frozen
class Person:
    """
    A person whom scenarios can place, each with a Person token of their own. Rule TOKEN-6.

    The words have the name under the id, and may have a text that describes them.
    """

    id: Annotated[str, Declares(Kind.PERSON)]
    """The id of the person, such as `person/vicar`."""
    traits: tuple[Annotated[str, Declares(Kind.PERSON_TRAIT)], ...] = ()
    """Traits of the person, for authors of scenarios."""


@attrs.frozen
class Fits:
    """The conditions under which a shared event can be drawn. Omitted conditions always hold."""

    rooms: tuple[RoomTrait, ...] = ()
    """Traits of rooms. A room on the board must have one of them."""
    rounds: Round | None = None
    """Bounds for the number of the current round."""
    moods: tuple[Annotated[str, Declares(Kind.MOOD)], ...] = ()
    """The moods of the event. A scenario that names moods takes only events with one of these
    moods, and events without a mood."""


@attrs.frozen
class SharedEvent:
    """A Mythos event that several scenarios can take. Rules EVENT-1 to EVENT-3."""

    id: Annotated[str, Declares(Kind.SHARED_EVENT)]
    """The id of the event, such as `mythos/cold-draught`."""
    effect: Effect
    fits: Fits = Fits()
    """The conditions under which the event can come."""
    when: Requirement | None = None
    """A further requirement. The event is drawn only if the requirement holds, too."""
    repeats: bool = False
    """Whether the event can be drawn again once all other events are used up."""
    weight: Annotated[int, Bounds(1, 9)] = 1
    """Number of times that the event is in the pool."""


@attrs.frozen
class SharedEvents:
    """The shared events that a scenario takes into its pool."""

    moods: tuple[Mood, ...] = ()
    """Moods. Only events of one of these moods, and events without a mood, are taken; if left out,
    all are."""
    without: tuple[Annotated[str, Names(Kind.SHARED_EVENT)], ...] = ()
    """Shared events that the scenario leaves out."""
    weight: Annotated[int, Bounds(1, 9)] = 1
    """Number of times that each shared event is in the pool, which also holds the scenario's own
    events."""
    when: Requirement | None = None
    """A requirement, such as being in the first chapter. Shared events are drawn only if the
    requirement holds."""

    def takes(self, event: SharedEvent) -> bool:
        """Return whether the scenario takes a shared event."""
        moods = event.fits.moods
        is_mood = not moods or not self.moods or any(mood in self.moods for mood in moods)
        return is_mood and event.id not in self.without
