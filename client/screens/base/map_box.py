"""A game's board on the whole screen, with the complete legend."""

from collections.abc import Callable, Sequence

import attrs

from client.keymap.keys import Action, Context
from client.screens.base.boxes import PAST_ANY_END
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
"""The rows and columns by which each action scrolls a board."""
_MOVES = {
    "^": Action.MAP_UP,
    "v": Action.MAP_DOWN,
    "<": Action.MAP_LEFT,
    ">": Action.MAP_RIGHT,
}
"""The scrolling action for each mark of a side on which a board continues."""
_NEXT_SIZE = {
    MapSize.AUTO: MapSize.FULL,
    MapSize.FULL: MapSize.COMPACT,
    MapSize.COMPACT: MapSize.AUTO,
}


def change_map_size(desk: Desk, ruleset: str) -> None:
    """Switch to the next map size, and name the new size in the words of the game."""
    size = _NEXT_SIZE[desk.prefs.map]
    desk.prefs = attrs.evolve(desk.prefs, map=size)
    key = f"map.size.{size.value}"
    # A game may have words of its own, where those of any game fit badly.
    own = f"{key}.{ruleset}"
    desk.model.tell(desk.say(own if desk.speaker.locale.has(own) else key))


@attrs.define(eq=False)
class MapBox:
    """The board on the whole screen. The pieces of the choice under the cursor are in brackets."""

    desk: Desk
    scene: Callable[[], Scene]
    """Returns the table. Called for every frame."""
    board: Board
    context: Context = attrs.field(default=Context.MAP, init=False)
    _marks: str = attrs.field(default="", init=False)
    """The sides on which the board continues beyond the screen, some of `^v<>`."""

    def draw(self, pane: Pane) -> None:
        pane.spot("box")
        # No frame: at 80x24 its rows and columns are what many a board lacks.
        pane.fill()
        self._marks = self.board.draw(pane, self.scene(), self.desk.prefs.map)

    def act(self, action: Action, _key: str) -> None:
        if action in SCROLLS:
            self.board.scroll(*SCROLLS[action])
        elif action is Action.FIRST:
            self.board.scroll(-PAST_ANY_END, -PAST_ANY_END)
        elif action is Action.LAST:
            self.board.reset_scroll()
        elif action is Action.MAP_SIZE:
            self.board.reset_scroll()
            change_map_size(self.desk, self.scene().table.room.ruleset)
        elif action in {Action.BACK, Action.WHOLE_MAP}:
            self.desk.close()

    def click(self, _: Sequence[Spot]) -> None:
        """Do nothing: this board has no mouse targets."""

    def wheel(self, _: Sequence[Spot], by: int) -> None:
        self.board.scroll(2 * by, 0)

    def hints(self) -> frozenset[Action]:
        moves = (action for mark, action in _MOVES.items() if mark in self._marks)
        return frozenset({*moves, Action.MAP_SIZE, Action.BACK})
