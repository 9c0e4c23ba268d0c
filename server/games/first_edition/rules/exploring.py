"""
Exploring: the cards of a room are turned up, and items and clues are taken.

K-ACT-4, K-DARK-1, K-DECIDE-35 to K-DECIDE-39 and K-DECIDE-83.
"""

import functools

from content.games.first_edition.schema.cards import Doing, Trigger
from content.games.first_edition.schema.kinds import NOTHING
from protocol.common.text import Text
from protocol.games.first_edition.events import (
    CardCleared,
    CardTurnedUp,
    ClueFound,
    ItemTaken,
    StepSpent,
)
from protocol.games.first_edition.table import CardId, InvestigatorId, LaidCard, RoomId
from server.games.first_edition.rules import (
    effects,
    locks,
    mythos,
    newcomers,
    objective,
    places,
    requirements,
    turn,
)
from server.games.first_edition.rules.play import Play, Source
from server.games.first_edition.rules.tests import forbids
from server.kernel.asks import Option
from server.rulekit.offers import Offers, refusal

LAST_CLUE = 1
"""Number of the clue that reveals the objective. K-DECIDE-38."""


def offers(play: Play, who: InvestigatorId) -> Offers:
    """Offer to explore the own room, or say why not. K-ACT-4, K-DARK-1, K-DECIDE-83."""
    table, has = play.table, play.table.investigators[who]
    room = table.room_of(has.space)
    text = Text("choice/explore", (room,))
    if barred := turn.no_action(play, text, "explore"):
        return barred
    if not table.laid.get(room) and not table.lying.get(room):
        return refusal(text, Text("refusal/nothing_to_explore"), "K-ACT-4")
    if forbids(play, who, Doing.EXPLORE):
        return refusal(text, Text("refusal/by_card"), "K-CARD-5")
    if requirements.is_in_dark(play, has) and not table.steps_left:
        return refusal(text, Text("refusal/too_dark"), "K-DECIDE-83")
    return Offers((Option(functools.partial(explore, play, who), text, (), "look"),))


async def explore(play: Play, who: InvestigatorId) -> None:
    """
    Explore the own room. K-ACT-4, K-DARK-1, K-DECIDE-35, K-DECIDE-39.

    Cards that lie face up can be taken first. Then the others are turned up from the top, until
    none is left, an obstacle stops the investigator, or the investigator is no longer there.
    """
    if not await turn.begin_action(play, who, "explore"):
        return
    has = play.table.investigators[who]
    if requirements.is_in_dark(play, has):
        # An evade test may have brought a card that took the last step.
        if not play.table.steps_left:
            return
        play.emit(StepSpent(who))
    room = play.table.room_of(has.space)
    await mythos.triggered(play, who, Trigger.EXPLORED)
    if not _is_in(play, who, room):
        return
    came_for_more = bool(play.table.lying.get(room))
    await take(play, who, room)
    while play.table.laid.get(room) and _is_in(play, who, room):
        top = play.table.laid[room][0]
        if came_for_more and top.shown is not None and not await _tries(play, who, top.shown):
            return
        came_for_more = False
        if not await _turn_up(play, who, room, top):
            return


async def take(play: Play, who: InvestigatorId, room: RoomId) -> None:
    """Let an investigator take any of the items that lie face up in a room. K-DECIDE-39."""
    lying = play.table.lying.get(room, ())
    if not lying:
        return
    options = [
        Option(one.piece, Text("choice/take", (one.card,)), (places.at_item(one.piece),))
        for one in lying
    ]
    taken = await play.choose_some(
        play.seat_of(who),
        options,
        rule="K-DECIDE-39",
        about=Text("about/explore", (who, room)),
        prompt=Text("ask/take", (who,)),
        at_least=0,
        at_most=len(options),
        default=tuple(range(len(options))),
    )
    for piece in taken:
        play.emit(ItemTaken(who, piece, room))


async def _tries(play: Play, who: InvestigatorId, obstacle: CardId) -> bool:
    """Ask whether to try an obstacle that lies open, as there was something else to come for."""
    options = [
        Option(True, Text("choice/try", (obstacle,))),
        Option(False, Text("choice/leave_be", (obstacle,)), ends=True),
    ]
    return await play.choose(
        play.seat_of(who),
        options,
        rule="K-DECIDE-35",
        about=Text("about/opening", (who, obstacle)),
        prompt=Text("ask/try", (who, obstacle)),
    )


async def _turn_up(play: Play, who: InvestigatorId, room: RoomId, top: LaidCard) -> bool:
    """
    Turn the top card of a room up for all, and take it; return whether it is gone. K-INFO-10.

    K-DECIDE-95: who wants to check the cards later reads the record.
    """
    card, pack = top.card.value, play.content.pack
    if top.shown is None:
        play.emit(CardTurnedUp(who, room, top.number, play.disclose(top.card), card))
    obstacle = pack.obstacles.get(card)
    if obstacle is not None and not await locks.is_opened(play, who, obstacle):
        # It stays on top, face up. K-DECIDE-35, K-DECIDE-37.
        return False
    play.emit(CardCleared(room, top.number))
    if obstacle is not None:
        await effects.resolve(play, obstacle.opened, Source(card, who))
    elif card in pack.items:
        newcomers.gain_item(play, who, card)
    elif card != NOTHING:
        await find_clue(play, who, card)
    objective.check(play)
    return True


async def find_clue(play: Play, who: InvestigatorId, clue: CardId) -> None:
    """
    Find a clue for the team, show its text to all, and resolve it. K-GOAL-2, K-DECIDE-38.

    The last clue reveals the objective, before anything else that it does (K-GOAL-3, K-DECIDE-93).
    """
    card = next(one for one in play.content.story.clues if one.id == clue)
    play.emit(ClueFound(who, clue))
    if card.number == LAST_CLUE:
        objective.reveal(play)
    await effects.resolve(play, card.effect, Source(clue, who))


def _is_in(play: Play, who: InvestigatorId, room: RoomId) -> bool:
    has = play.table.investigators.get(who)
    return has is not None and play.table.room_of(has.space) == room
