"""
Campaigns: how a table goes on where another one ended.

What is carried over stands open on the log of the finished room, whose host alone can go on with
it; the new room keeps it on its own log, and needs the old one no more.
"""

from protocol.common import events as on
from protocol.common.table import Legacy, Stage
from server.kernel.errors import Refused
from server.lobby.registry import Registry
from server.lobby.seams import ScenarioCard, Shelf

MAX_LOOKED_AT = 20
"""How many finished tables of a key are looked at, the newest first."""


async def continuation(registry: Registry, shelf: Shelf, key: bytes) -> on.CampaignContinued:
    """
    Return how a host goes on: after the last finished table that something comes after.

    Raises:
        Refused: there is none.
    """
    following = [card for card in shelf.scenarios() if card.after]
    before = {card.after for card in following}
    over = [s for s in registry.of_key(key) if s.stage is Stage.OVER and s.scenario in before]
    newest = sorted(over, key=lambda summary: summary.when, reverse=True)[:MAX_LOOKED_AT]
    for summary in newest:
        legacy = await _legacy(registry, summary.room_id, key)
        card = _next(following, summary.scenario, legacy)
        digest = None if card is None else shelf.current(card.scenario)
        if card is not None and legacy is not None and digest is not None:
            return on.CampaignContinued(card.scenario, digest, legacy)
    raise Refused("table/no_campaign")


def _next(cards: list[ScenarioCard], scenario: str, legacy: Legacy | None) -> ScenarioCard | None:
    if legacy is None:
        return None
    fitting = (c for c in cards if c.after == scenario and c.campaign == legacy.campaign)
    return next(fitting, None)


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
