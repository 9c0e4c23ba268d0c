"""Console: a plain client at a scripted table, with everything it printed."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import attrs

from client.journal.lost import local_now
from client.model.model import ClientModel
from client.plain.client import PlainClient
from client.plain.commands import by_name
from client.plain.game_commands import commands_for
from client.plain.talk import Environment
from client.teaching.coach import Coach
from tests.games.second_edition.client.scripted import Script
from tests.games.second_edition.client.stage import RecordingPort, model_of

COMMANDS = by_name(commands_for("second_edition"))
"""Commands that a player can type at a table of the scripted game, by name."""


@attrs.define
class Shelf:
    """In-memory replacement for the files that a client writes."""

    files: dict[str, str] = attrs.field(factory=dict)

    def write(self, name: str, text: str) -> None:
        if name in self.files:
            raise FileExistsError(name)
        if name.startswith("/no/"):
            raise PermissionError(13, "Permission denied", name)
        self.files[name] = text


@attrs.define(eq=False)
class Console:
    """Plain client at a scripted table, with everything it printed."""

    script: Script | None
    seat: int | None = 0
    language: str = "en"
    is_lobby: bool = False
    coach: Coach | None = None
    model: ClientModel = attrs.field(init=False)
    port: RecordingPort = attrs.field(factory=RecordingPort, init=False)
    shelf: Shelf = attrs.field(factory=Shelf, init=False)
    printed: list[str] = attrs.field(factory=list, init=False)
    client: PlainClient = attrs.field(init=False)
    rings: int = 0
    now: float = 1000.0
    """Time on the clock of the client's machine, in seconds."""
    wall: Callable[[], datetime] = local_now
    """Returns the time of day."""

    def __attrs_post_init__(self) -> None:
        self.model = model_of(
            self.script, seat=self.seat, language=self.language, is_lobby=self.is_lobby
        )
        environment = Environment(self.shelf.write, lambda: self.now, self._ring, self.wall)
        self.client = PlainClient(
            self.model, self.port, self.printed.append, self.coach, environment
        )
        self.client.update()

    def _ring(self) -> None:
        self.rings += 1

    def fresh(self) -> list[str]:
        """Return the lines printed since the last call."""
        lines, self.printed[:] = self.printed.copy(), []
        return lines

    def type(self, *lines: str) -> list[str]:
        self.fresh()
        for line in lines:
            self.client.hear(line)
        return self.fresh()

    def go_on(self, *happened: Any) -> list[str]:
        """Emit events at the table and return the lines printed for them."""
        assert self.script is not None
        view = self.model.view
        assert view is not None
        self.script.emit(*happened)
        self.fresh()
        self.model.pass_steps(view.receive(self.script.cuts(self.seat, view.last + 1)))
        self.model.changed()
        return self.fresh()
