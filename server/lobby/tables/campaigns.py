"""
Campaigns: how a table continues a finished game.

What is carried over stands on the log of the finished room, whose host alone can go on with it; the
new room keeps it on its own log, and needs the old one no more. What was left to a seat alone goes
to whoever had it, by their key, wherever they sit now.
"""

import contextlib
import itertools
from collections.abc import Iterable, Mapping

import attrs

from protocol.common import events
from protocol.common.padded import Padded
from protocol.common.table import Legacy, RoomTable, Stage
from protocol.event import hidden
from server.kernel.errors import Refused
from server.lobby.rooms.host import RoomHost
from server.lobby.rooms.registry import Registry
from server.lobby.rooms.summary import Summary
from server.lobby.services.seams import ScenarioCard, Shelf
from server.lobby.tables.bots import bot_keys

MAX_LOOKED_AT = 20
"""How many finished tables of a key are looked at."""


async def continuation(
    registry: Registry, shelf: Shelf, key: bytes, services: RoomTable
) -> events.CampaignContinued:
    """
    Return how a host goes on: with the campaign they played last, of those that are not over.

    Tables with the same company go before all others, so that two groups with one host can be in
    different parts of one campaign. Of each campaign the first table counts alone. Where that was
    the last part, the campaign is over, and no older table of it is gone back to.

    Args:
        registry: where the finished tables are.
        shelf: what can be played.
        key: the host.
        around: the table at which they go on, and those who sit there.

    Raises:
        Refused: there is none; or there were some, and all of them are over.
    """
    cards = {card.scenario: card for card in shelf.scenarios() if card.campaign}
    ended = [s for s in _ended_of(registry, key) if s.scenario in cards]
    beside = {seat.key for seat in services.seats.values() if not seat.is_bot} - {key}
    ended.sort(key=lambda summary: not _is_company(beside, _others(summary, key)))
    over: set[str] = set()
    for summary in itertools.islice(ended, MAX_LOOKED_AT):
        campaign = cards[summary.scenario].campaign
        if campaign in over:
            continue
        left = await _left(registry, summary.room_id, key)
        if left is None or left.legacy.campaign != campaign:
            continue
        following = _next(cards.values(), summary.scenario)
        digest = None if following is None else shelf.current(following)
        if following is not None and digest is not None:
            return events.CampaignContinued(following, digest, left.legacy)
        over.add(campaign)
    raise Refused("table/campaign_over" if over else "table/no_campaign")


async def bring_along(registry: Registry, host: RoomHost, seats: Iterable[int]) -> None:
    """
    Give seats of a table that goes on with a campaign what the last game left to their owners.

    That game is the newest one of the table's host that left what this table begins with.
    """
    room = host.room.table.room
    if room.legacy is None or room.stage is not Stage.LOBBY:
        return
    owner = room.seats[room.host].key
    keys = {seat: room.seats[seat].key for seat in seats if not room.seats[seat].is_bot}
    ended = [s for s in _ended_of(registry, owner) if not set(keys.values()).isdisjoint(s.keys)]
    for summary in itertools.islice(ended, MAX_LOOKED_AT):
        left = await _left(registry, summary.room_id, owner)
        if left is not None and left.legacy == room.legacy:
            for seat, key in keys.items():
                if key in left.own:
                    brought = events.BroughtAlong(seat, hidden(left.own[key]))
                    # Who left meanwhile, or whose game began, brings nothing.
                    with contextlib.suppress(Refused):
                        await host.submit(brought, seat, key=key)
            return


def _ended_of(registry: Registry, key: bytes) -> list[Summary]:
    """Return the finished games of a key, the newest first; practice is none."""
    mine = registry.of_key(key)
    return [one for one in mine if one.stage is Stage.OVER and not one.is_practice]


def _others(ended: Summary, key: bytes) -> set[bytes]:
    """Return the other people of a finished table."""
    return set(ended.keys) - {key} - bot_keys(ended.room_id)


def _is_company(beside: set[bytes], others: set[bytes]) -> bool:
    """Whether one who played with me is here; alone, whether I played alone."""
    return not beside.isdisjoint(others) if beside else not others


def _next(cards: Iterable[ScenarioCard], scenario: str) -> str | None:
    """Return the scenario that comes after one in its campaign."""
    return next((card.scenario for card in cards if card.after == scenario), None)


@attrs.frozen
class _Left:
    """What a finished game has left."""

    legacy: Legacy
    own: Mapping[bytes, Padded] = attrs.field(repr=False)
    """What it left to each seat alone, by the key of its owner."""


async def _left(registry: Registry, room_id: str, key: bytes) -> _Left | None:
    """Return what a room has left, if this key is its host's and the room can be read."""
    try:
        host = await registry.load(room_id)
    except Refused:
        return None
    try:
        table = host.room.table
        owner = table.room.seats.get(table.room.host)
        if owner is None or owner.key != key or table.game is None:
            return None
        legacy = table.game.left_over()
        if legacy is None:
            return None
        own = table.game.left_to_seats()
        seats = table.room.seats
        return _Left(legacy, {seats[seat].key: left.value for seat, left in own.items()})
    finally:
        registry.release(host)
