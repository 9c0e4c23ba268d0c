"""
Endings: how a game is won or lost, for all and for each.

Rules WIN-1 to WIN-8, ELIMINATED-4, ELIMINATED-8, INSANE-8, DECIDE-64, DECIDE-71.
"""

from typing import NoReturn

from content.schema.cards import InsaneBack
from content.schema.requirements import AllOf, Always, AnyOf, IsWon, Not, Requirement
from protocol.common.text import Text
from protocol.second_edition.events import BackShown, GameEnded
from protocol.second_edition.table import Ending, InvestigatorId, InvestigatorResult
from server.rules.second_edition import requirements
from server.rules.second_edition.play import GameOver, Play


def end(play: Play, *, won: bool, epilogue: Text | str) -> NoReturn:
    """
    End the game. Rules WIN-3, WIN-5 and DECIDE-71.

    Args:
        won: the common result.
        epilogue: the text told to all.

    Raises:
        GameOver: always; nothing more is resolved.
    """
    text = Text(epilogue) if isinstance(epilogue, str) else epilogue
    results = tuple(_result(play, who, won=won) for who in play.table.investigators)
    play.emit(GameEnded(Ending(won, text, results)))
    _show_backs(play)
    raise GameOver


def _result(play: Play, investigator: InvestigatorId, *, won: bool) -> InvestigatorResult:
    """
    Return how it ended for one investigator.

    The common result first, then elimination, then what changes one investigator's own
    conditions. Rules ELIMINATED-4, WIN-6 and WIN-7, DECIDE-71.
    """
    back = insane_back(play, investigator)
    if back is not None and back.wins is not None:
        has_won = requirements.holds(play, known(back.wins, won=won), investigator)
        reason = "result/insane_won" if has_won else "result/insane_lost"
    elif play.table.investigators[investigator].is_eliminated:
        has_won, reason = False, "result/eliminated"
    else:
        has_won, reason = won, "result/won" if won else "result/lost"
    return InvestigatorResult(investigator, has_won, Text(reason, (investigator,)))


def insane_back(play: Play, investigator: InvestigatorId) -> InsaneBack | None:
    """Return the back of an investigator's Insane Condition; a secret of theirs (SECRET-6)."""
    for condition in play.table.investigators[investigator].conditions:
        if condition.back is not None and condition.back.value:
            return play.content.pack.insane[condition.back.value]
    return None


def known(requirement: Requirement, *, won: bool) -> Requirement:
    """Return a requirement with the common result filled in, before the table can show it."""
    if isinstance(requirement, IsWon):
        return Always if requirement.value == won else Not(Always)
    if isinstance(requirement, Not):
        return Not(known(requirement.of, won=won))
    if isinstance(requirement, AllOf):
        return AllOf(tuple(known(part, won=won) for part in requirement.of))
    if isinstance(requirement, AnyOf):
        return AnyOf(tuple(known(part, won=won) for part in requirement.of))
    return requirement


def _show_backs(play: Play) -> None:
    """Turn every Insane back up: the result is final. Rule DECIDE-64."""
    for who in tuple(play.table.investigators):
        for condition in play.table.investigators[who].conditions:
            if condition.back is not None:
                back = condition.back
                play.emit(BackShown(who, play.disclose(back), back.value))
