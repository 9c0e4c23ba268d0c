"""A game's board on the whole screen, with its whole legend."""

from collections.abc import Callable, Sequence

import attrs

from client.keymap.keys import Action, Context
from client.screens.base.screen import Desk
from client.settings.preferences import MapSize
from client.widgets.canvas import Pane, Spot
from client.widgets.layout import Board
from client.widgets.scene import Scene

SCROLLS = {
    Action.MAP_UP: (-2, 0),
    Action.MAP_DOWN: (2, 0),
    Action.MAP_LEFT: (0, -6),
    Action.MAP_RIGHT: (0, 6),
}
"""Rows and columns by which each action scrolls a board."""
_MOVES = {
    "^": Action.MAP_UP,
    "v": Action.MAP_DOWN,
    "<": Action.MAP_LEFT,
    ">": Action.MAP_RIGHT,
}
"""Scrolling actions, by the marks of the sides on which a board goes on."""
_NEXT_SIZE = {
    MapSize.AUTO: MapSize.FULL,
    MapSize.FULL: MapSize.COMPACT,
    MapSize.COMPACT: MapSize.AUTO,
}


def change_map_size(desk: Desk) -> None:
    """Switch to the next size of maps, and name it on the message bar."""
    size = _NEXT_SIZE[desk.prefs.map]
    desk.prefs = attrs.evolve(desk.prefs, map=size)
    desk.model.tell(desk.say(f"map.size.{size.value}"))


@attrs.define(eq=False)
class MapBox:
    """The board on the whole screen, with the pieces of the choice under the cursor in brackets."""

    desk: Desk
    scene: Callable[[], Scene]
    """Called for every frame."""
    board: Board
    context: Context = attrs.field(default=Context.MAP, init=False)
    _marks: str = attrs.field(default="", init=False)
    """Marks of the sides on which the board goes on, some of `^v<>`."""

    def draw(self, pane: Pane) -> None:
        """Draw the board over everything, with its legend."""
        pane.spot("box")
        # No frame: at 80x24 its rows and columns are what many a board lacks.
        pane.fill()
        self._marks = self.board.draw(pane, self.scene(), self.desk.prefs.map)

    def act(self, action: Action, _key: str) -> None:
        """Scroll the board, switch its size, or close."""
        if action in SCROLLS:
            self.board.scroll(*SCROLLS[action])
        elif action is Action.MAP_SIZE:
            self.board.let_go()
            change_map_size(self.desk)
        elif action in {Action.BACK, Action.WHOLE_MAP}:
            self.desk.close()

    def click(self, _: Sequence[Spot]) -> None:
        """Do nothing: on this board nothing can be clicked."""

    def wheel(self, _: Sequence[Spot], by: int) -> None:
        """Scroll the board up or down."""
        self.board.scroll(2 * by, 0)

    def hints(self) -> frozenset[Action]:
        moves = (action for mark, action in _MOVES.items() if mark in self._marks)
        return frozenset({*moves, Action.MAP_SIZE, Action.BACK})
