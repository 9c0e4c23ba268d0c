"""The metrics of a server that plays one game: what a real one tells, of a network in memory."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import attrs

from server.net.context import Traffic
from server.process.metrics import Metrics
from server.process.readings import readings_of

if TYPE_CHECKING:
    from tests.games.second_edition.twins.table import OneTable


@attrs.define(eq=False)
class Meter:
    """The parts of a server that metrics read, with its listener and its loop."""

    table: "OneTable"
    metrics: Metrics = attrs.field(init=False)
    traffic: Traffic = attrs.field(factory=Traffic, init=False)
    stalls: int = 0
    longest_seconds: float = 0.0

    def __attrs_post_init__(self) -> None:
        """Have the desk tell it of messages, by the clock of the table."""
        self.metrics = Metrics(self.table.clock.seconds)
        self.table.lobby.replies.counts = self.metrics
        me = cast("Any", self)
        self.metrics.watch(readings_of(me, me))

    def text(self) -> str:
        """
        Return the metrics, but for the bytes to clients.

        Those depend on the messages to seats, and so on their secrets. Hence they are rounded to
        steps, and a step may fall between a game and its twin.
        """
        lines = self.metrics.text().decode().splitlines()
        return "\n".join(line for line in lines if not line.startswith("manse_sent_bytes_total "))

    @property
    def lobby(self) -> object:
        """See `Server`."""
        return self.table.lobby

    @property
    def listener(self) -> "Meter":
        """See `Server`."""
        return self

    @property
    def store(self) -> "Meter":
        """See `Server`."""
        return self

    @property
    def config(self) -> "Meter":
        """See `Server`."""
        return self

    @property
    def folder(self) -> Path:
        """See `Config`: there is none, so the store has no size."""
        return Path("/nowhere")

    @property
    def commit_count(self) -> int:
        """See `Store`."""
        return self.table.store.appends

    @property
    def waiting_bytes(self) -> int:
        """See `Listener`: everybody here reads at once."""
        return 0

    @property
    def session_count(self) -> int:
        """See `Listener`."""
        return sum(viewer.is_connected for viewer in self.table.viewers)

    @property
    def logged_in_count(self) -> int:
        """See `Listener`."""
        return self.session_count
