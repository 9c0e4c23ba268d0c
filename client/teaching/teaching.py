"""
Begins or continues the tutorial's game, and says what comes after it.

The table is opened and its seat filled for the player, so that the lobby is seen and explained but
asks for one key. A game that was left in the middle is gone on with.
"""

from collections.abc import Iterator

import attrs

from client.model.lobby import TUTORIAL
from client.model.model import ClientModel
from client.net.client_port import ClientPort
from protocol.common.table import Settings, Stage
from protocol.messages import TableLine


@attrs.define(eq=False)
class TutorialOpening:
    """Goes to the table of the tutorial, step by step as the server answers."""

    model: ClientModel
    port: ClientPort
    scenario: str
    is_anew: bool
    """Whether a new table is opened although an older one is not finished."""
    is_over: bool = attrs.field(default=False, init=False)
    """Whether the table is as it should be."""
    _steps: Iterator[None] | None = attrs.field(default=None, init=False)

    def begin(self) -> None:
        """Begin; what is left is done as the model changes."""
        self.model.launch = TUTORIAL
        self._steps = self._go()
        self.model.on_change.append(self.look)
        self.look()

    def look(self) -> None:
        """Do what can be done now."""
        # Saying something changes the model, too: no step is taken inside another.
        steps, self._steps = self._steps, None
        if steps is None:
            return
        try:
            next(steps)
        except StopIteration:
            self.is_over = True
            self.model.on_change.remove(self.look)
        else:
            self._steps = steps

    def _go(self) -> Iterator[None]:
        """Yield whenever there is something to wait for."""
        model, port = self.model, self.port
        while model.lobby.tables is None or model.lobby.scenarios is None:
            yield
        last = self._last(model.lobby.tables)
        if last is None:
            port.open_table(self.scenario, Settings())
        else:
            port.enter(last.room_id)
        while (view := model.view) is None or model.is_catching_up or not view.my_seat:
            yield
        seat = view.my_seat
        if view.table.room.stage is not Stage.LOBBY:
            return
        if not seat.characters:
            wanted = model.count_wanted(view.table.room, seat)
            port.claim(model.characters(view.table.room)[:wanted])
        if not seat.is_ready:
            port.set_ready(is_ready=True)
        while not view.table.room.seats[seat.seat].is_ready:
            yield

    def _last(self, tables: tuple[TableLine, ...]) -> TableLine | None:
        """Return the newest table of the tutorial, if it is to be gone on with."""
        ours = (line for line in tables if line.scenario == self.scenario)
        newest = max(ours, key=lambda line: line.when, default=None)
        if newest is None or newest.stage is Stage.OVER or self.is_anew:
            return None
        return newest


def parting(model: ClientModel) -> str:
    """Return what is said to somebody who leaves: what comes next, or how to come back."""
    is_over = model.view is not None and model.view.table.room.stage is Stage.OVER
    return model.locale.say("coach.next" if is_over else "coach.kept")
