"""
Begins or continues the game of the tutorial, and composes the parting words.

The table is opened and the seat prepared for the player, so that the waiting room can be explained
but needs only one key. An unfinished game is continued.
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
    """The opening of the tutorial's table: one request after each reply of the server."""

    model: ClientModel
    port: ClientPort
    scenario: str
    is_anew: bool
    """True to open a new table although an older table is unfinished."""
    is_over: bool = attrs.field(default=False, init=False)
    """True once the table is ready."""
    _steps: Iterator[None] | None = attrs.field(default=None, init=False)

    def begin(self) -> None:
        """Send the first request; the others follow when the model changes."""
        self.model.launch = TUTORIAL
        self._steps = self._take_steps()
        self.model.on_change.append(self.advance)
        self.advance()

    def advance(self) -> None:
        # Sending changes the model and calls this again: no step may run inside another.
        steps, self._steps = self._steps, None
        if steps is None:
            return
        try:
            next(steps)
        except StopIteration:
            self.is_over = True
            self.model.on_change.remove(self.advance)
        else:
            self._steps = steps

    def _take_steps(self) -> Iterator[None]:
        """Enter the table, claim characters and get ready; yield while waiting for the server."""
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
        """Return the newest table of the tutorial; None if none is found or a new one is wanted."""
        ours = (line for line in tables if line.scenario == self.scenario)
        newest = max(ours, key=lambda line: line.when, default=None)
        if newest is None or newest.stage is Stage.OVER or self.is_anew:
            return None
        return newest


def parting(model: ClientModel) -> str:
    """Return the parting words: the next step, or how to come back."""
    is_over = model.view is not None and model.view.table.room.stage is Stage.OVER
    return model.locale.say("coach.next" if is_over else "coach.kept")
