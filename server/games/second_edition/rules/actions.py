"""
Actions: spending, forfeiting and refusing them.

Rules ACTION-1, ACTION-5, EVADE-4, EVADE-6, EVADE-7, FORFEIT-1, ATTACK-13, FIRE-2, FIRE-3, DECIDE-32
to DECIDE-34, DECIDE-79, DECIDE-81, DECIDE-82.
"""

from content.games.second_edition.schema.cards import ModifierKind
from protocol.common.text import Text
from protocol.games.second_edition.events import ActionForfeited, ActionSpent
from protocol.games.second_edition.table import InvestigatorId
from server.games.second_edition.rules import evade, fire, movement, powers
from server.games.second_edition.rules.play import Play
from server.rulekit.offers import Offers, PlayerAction, refusal

BARRED_BY = {
    "search": ModifierKind.NO_SEARCH,
    "interact": ModifierKind.NO_INTERACT,
    "trade": ModifierKind.NO_TRADE,
    "attack": ModifierKind.NO_ATTACK,
}
"""The power of a card that bars its owner from an action, by action."""


def spend(play: Play, investigator: InvestigatorId, action: str) -> None:
    """Spend one action of the turn. Rule ACTION-5."""
    play.emit(ActionSpent(investigator, action))


async def begin(play: Play, investigator: InvestigatorId, action: str) -> bool:
    """
    Spend an action that is neither a move nor an attack, then evade a monster in the space.

    Rules EVADE-4, EVADE-6, EVADE-7 and FORFEIT-1: none of the effects of a forfeited action is
    resolved.

    Returns:
        True if the action can be resolved; False if it is forfeited, or if the evade check took the
            investigator off the board.
    """
    spend(play, investigator, action)
    outcome = await evade.check(play, investigator)
    if outcome.is_forfeited:
        await forfeit(play, investigator, action)
        return False
    return movement.is_on_board(play, investigator)


async def forfeit(play: Play, investigator: InvestigatorId, action: str) -> None:
    """Forfeit an action already spent; the investigator then suffers from Fire in their space."""
    play.emit(ActionForfeited(investigator, action))
    await fire.after_forfeit(play, investigator)


async def carry_out(play: Play, investigator: InvestigatorId, action: PlayerAction) -> None:
    """
    Carry out a chosen option other than a move.

    If the option was an action, the investigator then suffers from Fire in their space. Rules
    FIRE-2, DECIDE-79 and DECIDE-82. An option that costs no action, or that was forfeited, does not
    count as an action (DECIDE-81).
    """
    who = play.table.investigators[investigator]
    began_in = who.space if fire.burns(play.table, who.space) else None
    await action()
    if len(play.table.investigators[investigator].performed) > len(who.performed):
        await fire.after_action(play, investigator, began_in)


def barred(play: Play, investigator: InvestigatorId, action: str, text: Text) -> Offers | None:
    """
    Return the refusal of an action that a card forbids; None if no card forbids it. GOLDEN-3.

    The reason may be an Insane back, so only the owner's question may show it (SECRET-7).
    """
    if action not in BARRED_BY:
        return None
    reason = powers.reason_barred(play, investigator, BARRED_BY[action])
    return None if reason is None else refusal(text, reason, "GOLDEN-3")
