"""Locks on rooms, and what opens locks and obstacles. K-DECIDE-36, K-DECIDE-37, K-DECIDE-44."""

from content.games.first_edition.schema.cards import LockCard, ObstacleCard
from protocol.common.text import Text
from protocol.games.first_edition.events import ItemUsedUp, LockOpened, LockShown
from protocol.games.first_edition.table import InvestigatorId, Item, RoomId
from protocol.games.first_edition.words import TestKind
from server.games.first_edition.rules import effects, puzzles
from server.games.first_edition.rules.play import Play, Source
from server.games.first_edition.rules.tests import attribute_test


async def try_to_enter(play: Play, who: InvestigatorId, room: RoomId) -> bool:
    """Try the lock of a room; return whether the room can be entered. K-DECIDE-36."""
    lock = play.table.locks.get(room)
    if lock is None:
        return True
    if lock.shown is None:
        play.emit(LockShown(room, play.disclose(lock.card), lock.card.value))
    card = play.content.pack.locks[lock.card.value]
    if not await is_opened(play, who, card):
        return False
    if room in play.table.locks:
        play.emit(LockOpened(room))
    await effects.resolve(play, card.opened, Source(card.id, who))
    return who in play.table.investigators


async def is_opened(play: Play, who: InvestigatorId, card: LockCard | ObstacleCard) -> bool:
    """Try what a lock or an obstacle asks for; a failure resolves its text. K-CARD-9, K-CARD-10."""
    opening = card.opening
    is_open = False
    if opening.test is not None:
        about = Text("about/opening", (who, card.id))
        is_open = await attribute_test(
            play,
            who,
            opening.test.attribute,
            kind=TestKind.CARD,
            about=about,
            modifier=opening.test.modifier,
        )
    elif opening.puzzle is not None:
        is_open = await puzzles.attempt(play, who, opening.puzzle)
    elif (item := _fitting(play, who, card)) is not None:
        is_open = True
        if opening.spend:
            play.emit(ItemUsedUp(who, item.piece))
    # Whom a trauma card killed before the roll has not failed.
    if not is_open and who in play.table.investigators:
        await effects.resolve(play, card.failed, Source(card.id, who))
    return is_open


def _fitting(play: Play, who: InvestigatorId, card: LockCard | ObstacleCard) -> Item | None:
    """Return an item of the investigator that a lock or an obstacle asks for."""
    wanted = card.opening
    for item in play.table.investigators[who].items:
        if item.card == wanted.item or (wanted.keyword and wanted.keyword in item.keywords):
            return item
    return None
