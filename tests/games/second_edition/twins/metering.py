"""Metrics of a server with one game, as a real server reports them."""

from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, cast

import attrs

from protocol import messages
from protocol.common import events
from protocol.event import Event
from protocol.messages import ServerMessage
from server.net.context import Traffic
from server.process.metrics import Metrics
from server.process.readings import readings_of

if TYPE_CHECKING:
    from tests.games.second_edition.twins.table import OneTable


@attrs.define(eq=False)
class Meter:
    """Stand-in for the parts of a server that metrics read, including listener and loop."""

    table: "OneTable"
    metrics: Metrics = attrs.field(init=False)
    traffic: Traffic = attrs.field(factory=Traffic, init=False)
    stalls: int = 0
    longest_seconds: float = 0.0

    def __attrs_post_init__(self) -> None:
        """Have the lobby report messages, timed by the table's clock."""
        self.metrics = Metrics(self.table.clock.seconds)
        self.table.lobby.replies.counts = self.metrics
        me = cast("Any", self)
        # The same steps in a game and its twin.
        self.metrics.watch(readings_of(me, me, Random(1).randrange))

    def text(self) -> str:
        return self.metrics.text().decode()

    def given(self, happened: Event) -> None:
        """Count an answer as the bytes of its message."""
        if isinstance(happened, events.Answered):
            picks = happened.picks.value
            answer = messages.Answer(1, self.table.room_id, happened.ask_id, picks)
            self.traffic.received += len(messages.encode_message(answer))

    def heard(self, message: ServerMessage | str) -> None:
        if not isinstance(message, str):
            self.traffic.sent += len(messages.encode_message(message))

    @property
    def lobby(self) -> object:
        return self.table.lobby

    @property
    def listener(self) -> "Meter":
        return self

    @property
    def store(self) -> "Meter":
        return self

    @property
    def config(self) -> "Meter":
        return self

    @property
    def folder(self) -> "Meter":
        return self

    def __truediv__(self, _name: str) -> "Meter":
        """Return itself as the database file."""
        return self

    def with_name(self, _name: str) -> Path:
        """Return a path that does not exist, as the write-ahead log."""
        return Path("/nowhere")

    name = "rooms.sqlite"

    def stat(self) -> "Meter":
        return self

    @property
    def st_size(self) -> int:
        """See `Path.stat`: the bytes of the log."""
        log = self.table.store._logs.get(self.table.room_id, ())
        return sum(len(one.public) + len(one.openings) for one in log)

    @property
    def commit_count(self) -> int:
        return self.table.store.appends

    @property
    def waiting_bytes(self) -> int:
        """See `Listener`: nothing waits, as every viewer reads at once."""
        return 0

    @property
    def session_count(self) -> int:
        return sum(viewer.is_connected for viewer in self.table.viewers)

    @property
    def logged_in_count(self) -> int:
        return self.session_count
