"""The board of the first edition, in the form in which `client.boards` can draw it."""

from client.boards.contents import BoardContents
from client.boards.labels import labels
from client.boards.map import Outlook
from client.boards.whole_map import WholeMap
from client.games.first_edition.panes.legend import figure_legend, legend_entries
from client.games.first_edition.panes.scene import FirstEditionScene, scene_of
from client.games.first_edition.panes.signs import grounds, signs_at
from client.settings.preferences import MapSize


def outlook(scene: FirstEditionScene, size: MapSize) -> Outlook | None:
    """Return the board with everything on it, ready to be drawn; None if no tile is placed yet."""
    game = scene.game
    if game is None or not game.tiles:
        return None
    # The active investigator matters most, then the viewer's own.
    mine = [who for who in game.investigators.values() if who.seat == scene.seat]
    active = game.investigators.get(game.active or "")
    board = BoardContents(
        game.tiles,
        (),
        game.map,
        labels(game.tiles, game.map, scene.speaker),
        signs_at(game, scene.speaker),
        tuple(legend_entries(scene, game)),
        figure_legend(scene, game),
        [who.space for who in (active, *mine) if who is not None],
        grounds(game),
        has_limits=bool(game.outdoor),
    )
    return Outlook(scene, board, size)


def whole_map() -> WholeMap:
    return WholeMap(lambda scene, size: outlook(scene_of(scene), size), "map.empty")
