"""The linter's chapter on what scenarios share: the pack's tiles, persons and events."""

from collections.abc import Callable, Iterator, Mapping

from content.findings import Finding
from content.schema.pack import Pack
from content.schema.scenario import Scenario
from content.schema.shared import SharedEvent

HasTile = Callable[[str], bool]
"""Whether a tile of a scenario can ever be placed."""


def shared_findings(pack: Pack, can_lie: Mapping[str, HasTile]) -> Iterator[Finding]:
    """
    Yield what no scenario takes, and what can never come where it is taken.

    Args:
        pack: all of it.
        can_lie: for each scenario, which of its tiles can be placed.
    """
    yield from _tiles(pack)
    yield from _unused_persons(pack)
    for event in pack.events.values():
        yield from _event(pack, event, can_lie)


def _tiles(pack: Pack) -> Iterator[Finding]:
    if len(pack.tiles) > pack.box.tiles:
        reason = f"{len(pack.tiles)} tiles stand in tiles.yaml, and the box has {pack.box.tiles}"
        yield Finding(pack.id, "tiles", reason)
    laid = {tile.of for scenario in pack.scenarios.values() for tile in scenario.tiles}
    for tile in pack.tiles:
        if tile not in laid:
            yield Finding(pack.id, tile, "unused tile: no scenario lays it by 'of'")


def _unused_persons(pack: Pack) -> Iterator[Finding]:
    met = {token.person for scenario in pack.scenarios.values() for token in scenario.tokens}
    for person in pack.persons:
        if person not in met:
            yield Finding(pack.id, person, "unused person: no token of a scenario is this person")


def _event(pack: Pack, event: SharedEvent, can_lie: Mapping[str, HasTile]) -> Iterator[Finding]:
    takers = [s for s in pack.scenarios.values() if event in pack.events_of(s)]
    if not takers:
        yield Finding(pack.id, event.id, "unused shared event: no scenario takes it")
    elif not any(_has_room(s, event.fits.rooms, can_lie[s.id]) for s in takers):
        rooms = " or ".join(event.fits.rooms)
        reason = f"never fits: no scenario that takes it has a room with the trait {rooms}"
        yield Finding(pack.id, event.id, reason)


def _has_room(scenario: Scenario, traits: tuple[str, ...], can_lie: HasTile) -> bool:
    drawn = {room for tile in scenario.tiles if can_lie(tile.id) for room in tile.rooms.values()}
    return not traits or any(
        room.id in drawn and any(trait in traits for trait in room.traits)
        for room in scenario.rooms
    )
