"""
Campaigns: how a table goes on where another one ended.

What is carried over stands open on the log of the finished room, whose host alone can go on with
it; the new room keeps it on its own log, and needs the old one no more.
"""

import itertools
from collections.abc import Iterable

from protocol.common import events as on
from protocol.common.table import Legacy, Stage
from server.kernel.errors import Refused
from server.lobby.registry import Registry
from server.lobby.seams import ScenarioCard, Shelf

MAX_LOOKED_AT = 20
"""How many finished tables of a key are looked at, the newest first."""


async def continuation(registry: Registry, shelf: Shelf, key: bytes) -> on.CampaignContinued:
    """
    Return how a host goes on: with the campaign they played last, of those that are not over.

    Of each campaign the newest table counts alone. Where that was the last part, the campaign is
    over, and no older table of it is gone back to.

    Raises:
        Refused: there is none; or there were some, and all of them are over.
    """
    cards = {card.scenario: card for card in shelf.scenarios() if card.campaign}
    ended = (s for s in registry.of_key(key) if s.stage is Stage.OVER and s.scenario in cards)
    over: set[str] = set()
    for summary in itertools.islice(ended, MAX_LOOKED_AT):
        campaign = cards[summary.scenario].campaign
        if campaign in over:
            continue
        legacy = await _legacy(registry, summary.room_id, key)
        if legacy is None or legacy.campaign != campaign:
            continue
        following = _next(cards.values(), summary.scenario)
        digest = None if following is None else shelf.current(following)
        if following is not None and digest is not None:
            return on.CampaignContinued(following, digest, legacy)
        over.add(campaign)
    raise Refused("table/campaign_over" if over else "table/no_campaign")


def _next(cards: Iterable[ScenarioCard], scenario: str) -> str | None:
    """Return the scenario that comes after one in its campaign."""
    return next((card.scenario for card in cards if card.after == scenario), None)


async def _legacy(registry: Registry, room_id: str, key: bytes) -> Legacy | None:
    """Return what a room has left, if this key is its host's and the room can be read."""
    try:
        host = await registry.wake(room_id)
    except Refused:
        return None
    try:
        table = host.room.table
        owner = table.room.seats.get(table.room.host)
        if owner is None or owner.key != key or table.game is None:
            return None
        return table.game.left_over()
    finally:
        registry.release(host)
