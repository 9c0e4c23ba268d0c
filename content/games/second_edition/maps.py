"""The maps of a scenario, and the checks of all its tiles together."""

from collections import ChainMap
from collections.abc import Iterator, Mapping, Sequence

from content.games.second_edition.schema.scenario import Scenario, Tile
from content.language.drawings import DOOR_CHARACTERS
from content.reading.mistakes import ContentError, Place
from protocol.boards.maps import (
    Boundary,
    Cell,
    Covering,
    Map,
    PlacedTile,
    compose,
    drawn,
    read_drawing,
    wall_between,
)


def placed(tile: Tile) -> PlacedTile:
    """Return a tile of a scenario as placed on the board."""
    lines = tuple(tile.drawing.split("\n"))
    return PlacedTile(tile.id, tile.row, tile.column, lines, tuple(sorted(tile.rooms.items())))


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
    if _is_drawn(scenario):
        yield from _overlaps(scenario, places)
        board = drawn_map(scenario)
        door_at = {cell: door.door for door in board.doors.values() for cell in door.cells}
        # Where tiles lie by turns, the first layout counts.
        boards = [drawn(tuple(map(placed, tiles))) for tiles in layouts(scenario)]
        characters = dict(ChainMap(*map(dict, boards)))
        named: dict[str, dict[str, Tile]] = {}
        for tile in scenario.tiles:
            for row, line in enumerate(tile.drawing.split("\n"), tile.row):
                for column, digit in enumerate(line, tile.column):
                    if digit.isdigit() and (row, column) in door_at:
                        named.setdefault(door_at[row, column], {})[f"{tile.id}/{digit}"] = tile
            for cell in sorted(_cells(tile)[1]):
                if characters[cell] in DOOR_CHARACTERS and cell not in door_at:
                    reason = (
                        f"the door in row {cell[0] - tile.row + 1}, column "
                        f"{cell[1] - tile.column + 1} has the name or the sides of another door; "
                        "give each its own digit"
                    )
                    yield ContentError.at(places[tile.id], reason)
                    break
        for names in named.values():
            if len(names) > 1:
                tile = list(names.values())[-1]
                reason = f"one door is named {' and '.join(sorted(names))}; leave one name"
                yield ContentError.at(places[tile.id], reason)


def _is_drawn(scenario: Scenario) -> bool:
    """Return whether every tile is drawn and readable, so that a board can be composed."""
    return all(
        read_drawing(tile.drawing.split("\n")).keys() == tile.rooms.keys()
        for tile in scenario.tiles
    )


def _overlaps(scenario: Scenario, places: Mapping[str, Place]) -> Iterator[ContentError]:
    # An outline may lie on an outline; what an area covers is its own.
    areas: dict[Cell, str] = {}
    lines: dict[Cell, str] = {}
    steads = {tile.id: tile.stead for tile in scenario.tiles}
    told = set()
    for tile in scenario.tiles:
        own_areas, own_lines = _cells(tile)
        for cell in sorted(own_areas | own_lines):
            other = areas.get(cell) or (lines.get(cell) if cell in own_areas else None)
            if other is None or steads[other] == tile.stead:
                continue
            if (other, tile.id) not in told:
                told.add((other, tile.id))
                row, column = cell[0] - tile.row + 1, cell[1] - tile.column + 1
                reason = (
                    f"lies on the tile {other!r} from row {row}, column {column} of its drawing; "
                    "only outlines may lie on one another, so change row or column, or, if they "
                    f"lie there by turns, write 'instead_of: {other}'"
                )
                yield ContentError.at(places[tile.id], reason)
        areas.update(dict.fromkeys(own_areas, tile.id))
        lines.update(dict.fromkeys(own_lines, tile.id))


def _cells(tile: Tile) -> tuple[set[Cell], set[Cell]]:
    """Return the cells that a tile's areas take on the board, and the cells of its lines."""
    drawing = tile.drawing.split("\n")
    areas = {
        (row + tile.row, column + tile.column)
        for area in read_drawing(drawing).values()
        for row, column in area
    }
    lines = {
        (row + tile.row, column + tile.column)
        for row, line in enumerate(drawing)
        for column, character in enumerate(line)
        if character != " " and not character.islower()
    }
    return areas, lines


def check_door_tokens(scenario: Scenario, places: Mapping[str, Place]) -> Iterator[ContentError]:
    """Yield mistakes: Door tokens without a wall that fits, or two in one place. Rule DOOR-3."""
    if not _is_drawn(scenario):
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
