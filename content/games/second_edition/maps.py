"""The maps of a scenario, and the checks of all its tiles together."""

from collections.abc import Iterator, Mapping, Sequence

from content.games.second_edition.schema.scenario import Scenario, Tile
from content.language.boards import doors_twice, is_drawn, overlaps, placed
from content.reading.mistakes import ContentError, Place
from protocol.boards.maps import (
    Boundary,
    Cell,
    Covering,
    Map,
    compose,
    wall_between,
)


def layouts(scenario: Scenario) -> tuple[tuple[Tile, ...], ...]:
    """
    Return the layouts of a scenario: tiles that can be on the board together.

    Each tile is in at least one layout. Where tiles take turns in one place (`instead_of`), the
    first layout has the first of them, the second layout the second, and so on. If there are fewer
    tiles than layouts, the other layouts have the first tile.
    """
    by_turns: dict[str, list[Tile]] = {}
    for tile in scenario.tiles:
        by_turns.setdefault(tile.stead, []).append(tile)
    count = max((len(tiles) for tiles in by_turns.values()), default=1)
    return tuple(
        tuple(tiles[turn] if turn < len(tiles) else tiles[0] for tiles in by_turns.values())
        for turn in range(count)
    )


def drawn_map(scenario: Scenario) -> Map:
    """Return the union of the maps of all layouts, as their tiles are drawn."""
    return _merged([compose(tuple(map(placed, tiles))) for tiles in layouts(scenario)])


def whole_map(scenario: Scenario) -> Map:
    """Return the union of the maps of all layouts, with all Door tokens placed."""
    maps = []
    for tiles in layouts(scenario):
        board = compose(tuple(map(placed, tiles)))
        doors = tuple(
            Covering(door.id, Boundary.DOOR, wall_between(board, *door.between))
            for door in scenario.doors
            if board.rooms.keys() >= set(door.between)
        )
        maps.append(compose(tuple(map(placed, tiles)), doors))
    return _merged(maps)


def _merged(maps: Sequence[Map]) -> Map:
    """Return the union of several maps."""
    # Most scenarios have one layout, and then nothing is merged.
    first, *others = maps
    if not others:
        return first
    doors = dict(first.doors)
    for other in others:
        for name, door in other.doors.items():
            known = doors.get(name)
            if known is None or len(known.sides) < len(door.sides):
                doors[name] = door
    return Map(
        rooms=dict(sorted(pair for m in maps for pair in m.rooms.items())),
        cells=dict(sorted(pair for m in maps for pair in m.cells.items())),
        doors=doors,
        edges=tuple(dict.fromkeys(edge for m in maps for edge in m.edges)),
        # Reversed, so that the walls of the first layout win.
        walls=dict(wall for m in reversed(maps) for wall in m.walls.items()),
    )


def check_board(scenario: Scenario, places: Mapping[str, Place]) -> Iterator[ContentError]:
    """
    Yield mistakes: tiles that overlap, doors that share a name, and doors with several names.

    Nothing is checked while a drawing cannot be read.
    """
    if is_drawn(scenario.tiles):
        steads = {tile.id: tile.stead for tile in scenario.tiles}
        by_turns = "instead_of"
        yield from overlaps(scenario.tiles, places, steads=steads, else_write=by_turns)
        board = drawn_map(scenario)
        yield from doors_twice(layouts(scenario), scenario.tiles, board, places)


def check_door_tokens(scenario: Scenario, places: Mapping[str, Place]) -> Iterator[ContentError]:
    """Yield mistakes: Door tokens without a wall that fits, or two in one place. Rule DOOR-3."""
    if not is_drawn(scenario.tiles):
        return
    board = drawn_map(scenario)
    taken: dict[Cell, str] = {}
    for door in scenario.doors:
        sides = set(door.between)
        if not len(sides) == len(door.between) == 2 or not board.rooms.keys() >= sides:
            continue  # told elsewhere
        cells = wall_between(board, *door.between)
        other = next((taken[cell] for cell in cells if cell in taken), None)
        if not cells:
            reason = f"{' and '.join(door.between)} share no wall that a door fits into"
            yield ContentError.at(places[door.id], reason)
        elif other is not None:
            reason = f"the Door token {other!r} lies there; leave one of them"
            yield ContentError.at(places[door.id], reason)
        taken.update(dict.fromkeys(cells, door.id))
