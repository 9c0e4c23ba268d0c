"""The board of the second edition, in the form in which `client.boards` can draw it."""

from client.boards.contents import BoardContents
from client.boards.labels import labels
from client.boards.map import Outlook
from client.boards.whole_map import WholeMap
from client.games.second_edition.panes.legend import figure_legend, legend_entries
from client.games.second_edition.panes.scene import SecondEditionScene, scene_of
from client.games.second_edition.panes.signs import signs_at
from client.settings.preferences import MapSize


def board_of(scene: SecondEditionScene) -> BoardContents | None:
    """Return the board with everything on the board; None if no tile is placed yet."""
    game = scene.game
    if game is None or not game.tiles:
        return None
    # The active investigator matters most, then the viewer's own.
    mine = [who for who in game.investigators.values() if who.seat == scene.seat]
    active = game.investigators.get(game.active or "")
    places = (who.space for who in (active, *mine) if who is not None)
    return BoardContents(
        game.tiles,
        game.coverings,
        game.map,
        labels(game.tiles, game.map, scene.speaker),
        signs_at(game, scene.speaker),
        tuple(legend_entries(scene, game)),
        figure_legend(scene, game),
        [space for space in places if space is not None],
    )


def outlook(scene: SecondEditionScene, size: MapSize) -> Outlook | None:
    """Return the board, ready to be drawn; None if no tile is placed yet."""
    board = board_of(scene)
    return None if board is None else Outlook(scene, board, size)


def whole_map() -> WholeMap:
    return WholeMap(lambda scene, size: outlook(scene_of(scene), size), "map.empty")
