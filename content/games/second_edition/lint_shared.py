"""The linter's chapter on the parts that scenarios share: tiles, persons and events of the pack."""

from collections.abc import Callable, Iterator, Mapping

from content.games.second_edition.schema.pack import Pack
from content.games.second_edition.schema.scenario import Scenario
from content.language.findings import Finding

HasTile = Callable[[str], bool]
"""Function that returns True if a tile of a scenario, given by its id, can ever be placed."""


def shared_findings(pack: Pack, can_lie: Mapping[str, HasTile]) -> Iterator[Finding]:
    """
    Yield findings for more tiles than the box has, and for shared events that can never come.

    A tile, person or event that no scenario takes is no fault: a later scenario may take it.

    Args:
        pack: the whole pack.
        can_lie: for each scenario, by its id, whether a tile of it can be placed.
    """
    if len(pack.tiles) > pack.box.tiles:
        reason = f"{len(pack.tiles)} tiles stand in tiles.yaml, and the box has {pack.box.tiles}"
        yield Finding(pack.id, "tiles", reason)
    for event in pack.events.values():
        takers = [s for s in pack.scenarios.values() if event in pack.events_of(s)]
        without = [s.shared_events for s in pack.scenarios.values() if s.shared_events is not None]
        if not takers and any(event.id in taken.without for taken in without):
            yield Finding(pack.id, event.id, "unused shared event: who could take it leaves it out")
        elif takers and not any(_has_room(s, event.fits.rooms, can_lie[s.id]) for s in takers):
            rooms = " or ".join(event.fits.rooms)
            reason = f"never fits: no scenario that takes it has a room with the trait {rooms}"
            yield Finding(pack.id, event.id, reason)


def _has_room(scenario: Scenario, traits: tuple[str, ...], can_lie: HasTile) -> bool:
    drawn = {room for tile in scenario.tiles if can_lie(tile.id) for room in tile.rooms.values()}
    return not traits or any(
        room.id in drawn and any(trait in traits for trait in room.traits)
        for room in scenario.rooms
    )
