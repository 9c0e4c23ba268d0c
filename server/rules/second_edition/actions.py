"""
Actions: how one is paid for, and what may bar it at the last moment.

Rules ACTION-1, ACTION-5, EVADE-4, EVADE-6, EVADE-7, FORFEIT-1, ATTACK-13, DECIDE-32 to DECIDE-34.
"""

from content.schema.cards import ModifierKind
from protocol.common.text import Text
from protocol.second_edition.events import ActionForfeited, ActionSpent
from protocol.second_edition.table import InvestigatorId
from server.rules.second_edition import evade, movement, powers
from server.rules.second_edition.menu import Menu, refusal
from server.rules.second_edition.play import Play

BARRED_BY = {
    "search": ModifierKind.NO_SEARCH,
    "interact": ModifierKind.NO_INTERACT,
    "trade": ModifierKind.NO_TRADE,
    "attack": ModifierKind.NO_ATTACK,
}
"""What a card says of an action that its owner cannot perform."""


def spend(play: Play, investigator: InvestigatorId, action: str) -> None:
    """Spend one action of the turn. Rule ACTION-5."""
    play.emit(ActionSpent(investigator, action))


async def begin(play: Play, investigator: InvestigatorId, action: str) -> bool:
    """
    Spend an action that is neither a move nor an attack, and evade first where a monster is.

    Rules EVADE-4, EVADE-6, EVADE-7 and FORFEIT-1: a forfeited action is lost, and none of its
    effects is resolved.

    Returns:
        Whether the action goes on.
    """
    spend(play, investigator, action)
    outcome = await evade.check(play, investigator)
    if outcome.is_forfeited:
        forfeit(play, investigator, action)
        return False
    return movement.is_on_board(play, investigator)


def forfeit(play: Play, investigator: InvestigatorId, action: str) -> None:
    """Let an action come to nothing. Rule FORFEIT-1."""
    play.emit(ActionForfeited(investigator, action))


def barred(play: Play, investigator: InvestigatorId, action: str, text: Text) -> Menu | None:
    """
    Return the refusal of an action that a card forbids, or None. Rule GOLDEN-3.

    It may rest on an Insane back, so it belongs in its owner's question only (SECRET-7).
    """
    if action not in BARRED_BY:
        return None
    reason = powers.is_barred(play, investigator, BARRED_BY[action])
    return None if reason is None else refusal(text, reason, "GOLDEN-3")
