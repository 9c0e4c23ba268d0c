"""A board on the whole screen, on which the player chooses a space."""

from collections.abc import Callable, Mapping, Sequence

import attrs

from client.keymap.keys import Action, Context
from client.screens.base.screen import CannotDo, Desk, Hinted
from client.widgets.canvas import Pane, Spot
from client.widgets.layout import Board
from client.widgets.scene import SPACE, Scene
from protocol.common.asks import Point


@attrs.define(eq=False)
class SpaceBox:
    """The board with one space in brackets. Keys and clicks move the brackets to other spaces."""

    desk: Desk
    scene: Callable[[], Scene]
    """Returns the table. Called for every frame."""
    board: Board
    spaces: Mapping[str, str]
    """Names of the spaces, by id; at least one."""
    chosen: Callable[[str], None]
    """Called with the id of the chosen space."""
    context: Context = attrs.field(default=Context.MENU, init=False)
    _cursor: int = attrs.field(default=0, init=False)

    @property
    def _selected(self) -> str:
        return list(self.spaces)[self._cursor]

    def draw(self, pane: Pane) -> None:
        """Draw the board, and above the board the name of the space in brackets."""
        pane.spot("box")
        pane.fill()
        said = self.desk.say("point.space", self.spaces[self._selected])
        pane.write_clipped(0, 0, said, "class:prompt")
        lit = frozenset({Point(SPACE, self._selected)})
        scene = attrs.evolve(self.scene(), lit=lit)
        self.board.draw(pane.inner(1, 0), scene, self.desk.prefs.map)

    def act(self, action: Action, key: str) -> None:
        if action is Action.BACK:
            self.desk.close()
        elif action in {Action.UP, Action.DOWN}:
            self._go_to(self._cursor + (1 if action is Action.DOWN else -1))
        elif action is Action.CHOOSE:
            self.desk.close()
            self.chosen(self._selected)
        else:
            raise CannotDo("wrong.key_here", key)

    def click(self, spots: Sequence[Spot]) -> None:
        """Go to the clicked space; a second click chooses the space."""
        ids = list(self.spaces)
        found = (ids.index(s.value) for s in spots if s.kind == SPACE and s.value in self.spaces)
        at = next(found, None)
        if at == self._cursor:
            self.act(Action.CHOOSE, "")
        elif at is not None:
            self._go_to(at)

    def wheel(self, _: Sequence[Spot], by: int) -> None:
        self.board.scroll(2 * by, 0)

    def _go_to(self, at: int) -> None:
        """Put the brackets on another space, and scroll the board to that space."""
        self._cursor = at % len(self.spaces)
        self.board.reset_scroll()

    def hints(self) -> Hinted:
        return {Action.CHOOSE: "hint.point", Action.BACK: ""}
