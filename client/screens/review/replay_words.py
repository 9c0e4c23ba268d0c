"""One moment of a replay in words: the event, and who could know of it."""

from collections.abc import Iterator, Sequence
from typing import Final

import attrs

from client.journal.replay_model import ReplayModel
from client.model.viewpoints import Viewpoint
from client.tellers.base import JournalLine
from client.text.printable import clip
from client.widgets.scene import Scene
from protocol.common.templates import Nickname

_NAME_COLUMNS: Final = 10
"""Columns for the name of the viewpoint, beside round and phase on a screen of 80 columns."""


@attrs.frozen(eq=False)
class ReplayWords:
    """The current moment of a replay in words."""

    replay: ReplayModel
    scene: Scene
    is_plain: bool = False
    """True in plain mode, where players type commands instead of keys."""

    def _say(self, key: str, *params: str | int) -> str:
        return self.scene.speaker.say(key, *params)

    def name(self, seat: int) -> str:
        return self.scene.speaker.seat(self.replay.tables[-1], seat)

    def names(self, seats: Sequence[int]) -> str:
        return self.scene.speaker.seats(self.replay.tables[-1], tuple(seats))

    def eyes(self) -> str:
        return self.eyes_of(self.replay.point)

    def eyes_of(self, point: Viewpoint) -> str:
        if point.is_all:
            return self._say("replay.all_open")
        if point.seat is None:
            return self._say("replay.table_knew")
        return self._say("replay.seat_knew", self.name(point.seat))

    def told(self, line: JournalLine) -> str:
        """Return a line of the journal with its event, and its round if there is one."""
        key = "replay.moment" if line.round_number else "replay.early_moment"
        return self._say(key, line.sequence, line.round_number, line.text)

    def place(self) -> str:
        """Return the current event and the viewpoint, short enough for the status line."""
        replay, eyes, point = self.replay, self.eyes(), self.replay.point
        if not point.is_all and point.seat is not None:
            # A long name would push the phase off the status line.
            name = Nickname(clip(self.name(point.seat), _NAME_COLUMNS))
            eyes = self._say("replay.seat_knew", name)
        key = "replay.place" if replay.event >= 0 else "replay.place_begin"
        return self._say(key, max(0, replay.event), len(replay.records) - 1, eyes)

    def note(self, lines: Sequence[JournalLine]) -> Iterator[str]:
        """
        Yield sentences on the current event: its journal lines, its odds, and who knew of it.

        Args:
            lines: the journal up to the current event.
        """
        replay = self.replay
        told = [line.text for line in lines if line.sequence == replay.event]
        begin = "plain.replay_begin" if self.is_plain else "replay.begin"
        quiet = self._say("replay.quiet" if replay.position else begin)
        ask = replay.table.room.ask
        if not told and ask is not None and ask.waiting_for:
            asks = "plain.replay_asks" if self.is_plain else "replay.asks"
            told = [
                self._say(asks, self.names(ask.waiting_for), self.scene.speaker.text(ask.about))
            ]
        yield from told or [quiet]
        yield from replay.face.odds(self.scene)
        secret = replay.secret_to()
        if secret is not None and replay.point.seat is None:
            yield self._say(
                "replay.secret" if secret else "replay.secret_to_all", self.names(secret)
            )
        for seats, event in replay.known_before():
            begun = replay.round_at(event)
            key = "replay.known_since" if begun else "replay.known"
            yield self._say(key, self.names(seats), event, begun)
        back = replay.abandoned_by()
        if back is not None:
            yield self._say("replay.abandoned", back)
