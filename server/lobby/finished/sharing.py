"""
Sharing: finished games that everybody may open, since every seat agreed.

A game is open to everybody on this server once the owner of each seat, bots aside, has agreed after
its end, and the longest delay of its spectators is over. Agreements are stored beside the log, and
can be withdrawn at any time.
"""

from collections.abc import Iterator

import attrs
from twisted.logger import Logger

from protocol import codec, messages
from protocol.bounds import MAX_LINES
from protocol.common.table import RoomTable, Stage
from protocol.errors import ProtocolError
from server.kernel.errors import Refused
from server.lobby.finished.export import may_be_whole
from server.lobby.requests.handlers import Needs, handles
from server.lobby.requests.pace import Cost
from server.lobby.requests.replies import Replies
from server.lobby.requests.visitor import SeatHolder, Visitor
from server.lobby.rooms.registry import Registry
from server.lobby.rooms.removal import SHARED
from server.lobby.rooms.summary import Summary
from server.lobby.services.one_by_one import OneByOne
from server.lobby.views.words import subjects_of_result
from server.storage import Store


@attrs.frozen
class Agreement:
    """Agreement of the players to share a finished game."""

    wanted: tuple[bytes, ...]
    """Keys of all people who had a seat at the end of the game."""
    given: tuple[bytes, ...]
    """Keys of `wanted` that have agreed, in the same order."""

    @property
    def is_complete(self) -> bool:
        """True if all people with a seat agreed; False also if only bots had seats."""
        return bool(self.wanted) and self.given == self.wanted


@attrs.define(eq=False)
class SharedGames:
    """The agreements to share, and the search for games that a key may open."""

    store: Store
    registry: Registry
    _by_room: dict[str, Agreement] = attrs.field(factory=dict, init=False)
    _one_by_one: OneByOne = attrs.field(factory=OneByOne, init=False)
    """Serialises changes: two people may agree at the same moment."""
    _log = Logger()

    async def load(self) -> None:
        """Read all agreements. An unreadable one is logged, and its game stays unshared."""
        for room_id, packed in await self.store.scan(SHARED):
            try:
                self._by_room[room_id] = codec.decode(packed, Agreement)
            except ProtocolError:
                self._log.warn("nobody knows who agreed to show room {id}", id=room_id)

    async def agree(self, room: RoomTable, key: bytes, *, is_agreed: bool) -> None:
        """
        Store the agreement of a seat's owner, or its withdrawal.

        Raises:
            Refused: the game is not over, its settings do not publish the log, or it is a practice
                game.
        """
        if room.stage is not Stage.OVER:
            raise Refused("table/not_over")
        if not room.settings.publish:
            raise Refused("table/keeps_log")
        if room.source is not None:
            raise Refused("table/in_practice")
        wanted = tuple(seat.key for seat in room.seats.values() if seat.key and not seat.is_bot)
        async with self._one_by_one:
            before = self._by_room.get(room.room_id)
            agreed = set(before.given) if before is not None else set()
            agreed = agreed | {key} if is_agreed else agreed - {key}
            # Only the owners of seats at the end of the game count.
            given = tuple(one for one in wanted if one in agreed)
            changed = Agreement(wanted, given)
            # Stored first: an agreement that a restart would lose must not open the game.
            await self.store.put(SHARED, room.room_id, codec.encode(changed, Agreement))
            self._by_room[room.room_id] = changed

    def is_open(self, room_id: str) -> bool:
        """
        Return True if everybody may open a game.

        Every owner of a seat has agreed, the delay no longer hides the end of the game, and its
        fixed setup, if it has one, was opened.
        """
        agreement, summary = self._by_room.get(room_id), self.registry.summaries.get(room_id)
        if agreement is None or summary is None or not agreement.is_complete:
            return False
        # As a stranger: the delay of spectators must be over.
        is_over = summary.stage_for(b"", self.registry.services.now()) is Stage.OVER
        return is_over and not summary.has_shut_setup

    def may_open(self, room_id: str, key: bytes) -> bool:
        """Return True if a key may open the finished game of a room now."""
        summary = self.registry.summaries.get(room_id)
        if summary is None or summary.stage is not Stage.OVER:
            return False
        return key in summary.keys or self.is_open(room_id)

    def refuse_unopened(self, room: RoomTable, key: bytes) -> None:
        """Refuse a key that may not open a game, and every key while the log stays closed."""
        if not self.may_open(room.room_id, key):
            # Only a seat is told whether the game is over.
            raise Refused("table/no_seat" if room.seat_of(key) is None else "table/not_over")
        if not may_be_whole(room):
            raise Refused("table/keeps_log")

    # The list

    def find(self, key: bytes, wanted: messages.FindGames) -> messages.GamesFound:
        """Return a page of matching finished games that a key may open, latest end first."""
        found = sorted(self._fitting(key, wanted), key=_place)
        page = found[:MAX_LINES]
        lines = tuple(self._line(key, summary) for summary in page)
        return messages.GamesFound(wanted.serial, lines, has_more=len(found) > len(page))

    def _fitting(self, key: bytes, wanted: messages.FindGames) -> Iterator[Summary]:
        after = (-wanted.before, wanted.before_room)
        for summary in self.registry.summaries.values():
            is_game = summary.stage is Stage.OVER and not summary.is_practice
            fits = (
                wanted.scenario in {"", summary.scenario}
                and wanted.seats in {0, len(summary.names)}
                and wanted.since <= summary.over_at
                and (not wanted.until or summary.over_at < wanted.until)
            )
            if not (is_game and fits):
                continue
            if wanted.before and _place(summary) <= after:
                continue
            if key in summary.keys or self.is_open(summary.room_id):
                yield summary

    def _line(self, key: bytes, summary: Summary) -> messages.FoundGame:
        agreement = self._by_room.get(summary.room_id)
        is_mine = key in summary.keys
        given = agreement.given if agreement is not None and is_mine else ()
        names = zip(summary.keys, summary.names, strict=True)
        return messages.FoundGame(
            summary.room_id,
            summary.scenario,
            summary.names,
            summary.over_at,
            is_mine,
            self.is_open(summary.room_id),
            tuple(name for one, name in names if one in given),
            key in given,
            summary.result_for(key),
            winners=summary.winners,
        )


def _place(summary: Summary) -> tuple[int, str]:
    """Return the sort key of a game in lists: the latest end comes first."""
    return -summary.over_at, summary.room_id


@handles(messages.ShareGame, needs=Needs.SEAT, cost=Cost.STORED)
async def share_game(holder: SeatHolder, message: messages.ShareGame, shared: SharedGames) -> None:
    await holder.turn()
    await shared.agree(holder.room, holder.key, is_agreed=message.is_agreed)


@handles(messages.FindGames, needs=Needs.SERVER, cost=Cost.SEARCHED)
async def find_games(
    visitor: Visitor, message: messages.FindGames, shared: SharedGames, replies: Replies
) -> messages.GamesFound:
    found = shared.find(visitor.key, message)
    sides = (subject for line in found.lines for subject in subjects_of_result(line.winners, ()))
    replies.send_words(visitor, [*(line.scenario for line in found.lines), *sides])
    return found
