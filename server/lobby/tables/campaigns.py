"""
Campaigns: a table continues a finished game.

The legacy of a game is on the log of its room, and only the host of that room can continue the
game; if a bot has the host's seat by then, the person in the lowest seat can. The new room copies
the legacy to its own log, and does not need the old room afterwards. The private legacy of a seat
goes to the key that owned the seat, in whichever seat the key is now.
"""

import contextlib
import itertools
from collections.abc import Iterable, Mapping

import attrs

from protocol.common import events
from protocol.common.hosts import host_in_person
from protocol.common.padded import Padded
from protocol.common.table import Legacy, RoomTable, Stage
from protocol.event import hidden
from server.kernel.errors import Refused
from server.lobby.rooms.host import RoomHost
from server.lobby.rooms.registry import Registry
from server.lobby.rooms.summary import Summary
from server.lobby.services.seams import Shelf
from server.lobby.tables.bots import bot_keys

MAX_LOOKED_AT = 20
"""Maximum number of finished tables of a key that are searched."""


async def continuation(
    registry: Registry, shelf: Shelf, key: bytes, around: RoomTable
) -> events.CampaignContinued:
    """
    Return the event that continues the host's last played campaign that is not over.

    Tables with the same people come first, so that two groups with one host can be in different
    parts of one campaign. Only the first table found of each campaign counts. If that table played
    the last part, the campaign is over, and older tables of it are ignored.

    Args:
        registry: knows the finished tables.
        shelf: knows the scenarios.
        key: the key of the host.
        around: the new table, with its seats.

    Raises:
        Refused: the host has no campaign, or all of them are over.
    """
    cards = {card.scenario: card for card in shelf.scenarios() if card.campaign}
    ended = [s for s in _ended_of(registry, key) if s.scenario in cards]
    beside = {seat.key for seat in around.seats.values() if not seat.is_bot} - {key}
    # A stable sort: within both groups the newest game stays first.
    ended.sort(key=lambda summary: not _share_company(beside, _others(summary, key)))
    over: set[str] = set()
    for summary in itertools.islice(ended, MAX_LOOKED_AT):
        campaign = cards[summary.scenario].campaign
        if campaign in over:
            continue
        left = await _legacy_of(registry, summary.room_id, key)
        if left is None or left.legacy.campaign != campaign:
            continue
        following = next(
            (card.scenario for card in cards.values() if card.after == summary.scenario), None
        )
        digest = None if following is None else shelf.current(following)
        if following is not None and digest is not None:
            return events.CampaignContinued(following, digest, left.legacy)
        over.add(campaign)
    raise Refused("table/campaign_over" if over else "table/no_campaign")


def next_part(shelf: Shelf, finished: RoomHost, scenario: str) -> events.CampaignContinued | None:
    """
    Return the event by which a scenario continues the campaign of a finished game.

    None if the scenario does not follow that game, or the game left nothing to it.
    """
    table = finished.room.table
    card = next((card for card in shelf.scenarios() if card.scenario == scenario), None)
    digest, game = shelf.current(scenario), table.game
    left = None if game is None else game.left_over()
    if card is None or digest is None or left is None:
        return None
    follows = card.after == table.room.scenario and card.campaign == left.campaign
    return events.CampaignContinued(scenario, digest, left) if follows else None


async def bring_along(registry: Registry, host: RoomHost, seats: Iterable[int]) -> None:
    """
    Give seats of a table that continues a campaign the private legacies of their owners.

    The source is the newest finished game of this table's host with one of these owners and with
    the legacy that this table continues; at most `MAX_LOOKED_AT` games are searched. Nothing
    happens at other tables, or once the game has begun.
    """
    room = host.room.table.room
    if room.legacy is None or room.stage is not Stage.LOBBY:
        return
    owner = room.seats[room.host].key
    keys = {seat: room.seats[seat].key for seat in seats if not room.seats[seat].is_bot}
    ended = [s for s in _ended_of(registry, owner) if not set(keys.values()).isdisjoint(s.keys)]
    for summary in itertools.islice(ended, MAX_LOOKED_AT):
        left = await _legacy_of(registry, summary.room_id, None)
        if left is not None and left.legacy == room.legacy:
            for seat, key in keys.items():
                if key in left.own:
                    brought = events.BroughtAlong(seat, hidden(left.own[key]))
                    # Refused if the owner has left meanwhile, or the game has begun.
                    with contextlib.suppress(Refused):
                        await host.submit(brought, seat, key=key)
            return


def _ended_of(registry: Registry, key: bytes) -> list[Summary]:
    """Return the finished games of a key, newest first, without practice games."""
    mine = registry.of_key(key)
    return [one for one in mine if one.stage is Stage.OVER and not one.is_practice]


def _others(ended: Summary, key: bytes) -> set[bytes]:
    """Return the keys of all people at a finished table except `key`."""
    # A summary does not say which of its keys are bots.
    return set(ended.keys) - {key} - bot_keys(ended.room_id)


def _share_company(beside: set[bytes], others: set[bytes]) -> bool:
    """Return True if two tables have a companion in common, or the host was alone at both."""
    return not beside.isdisjoint(others) if beside else not others


@attrs.frozen
class _Left:
    """The legacy of a finished game."""

    legacy: Legacy
    own: Mapping[bytes, Padded] = attrs.field(repr=False)
    """Private legacies, by the key of the owner."""


async def _legacy_of(registry: Registry, room_id: str, key: bytes | None) -> _Left | None:
    """Return the legacy of a room's game.

    None if `key` is given and not its host's (see `host_in_person`), the room cannot be loaded, or
    its game has no legacy.
    """
    try:
        host = await registry.load(room_id)
    except Refused:
        return None
    try:
        table = host.room.table
        owner = table.room.seats.get(host_in_person(table.room))
        if owner is None or key not in {None, owner.key} or table.game is None:
            return None
        legacy = table.game.left_over()
        if legacy is None:
            return None
        own = table.game.left_to_seats()
        seats = table.room.seats
        return _Left(legacy, {seats[seat].key: left.value for seat, left in own.items()})
    finally:
        registry.release(host)
