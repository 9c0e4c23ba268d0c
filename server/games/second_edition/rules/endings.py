"""
Endings: winning and losing, for the group and for single investigators.

Rules WIN-1 to WIN-8, ELIMINATED-4, ELIMINATED-8, INSANE-8, DECIDE-64, DECIDE-71.
"""

from collections.abc import Sequence
from typing import NoReturn

from content.games.second_edition.schema.cards import InsaneBack
from content.games.second_edition.schema.effects import OwnResult
from content.games.second_edition.schema.requirements import (
    AllOf,
    Always,
    AnyOf,
    IsEliminated,
    IsWon,
    Not,
    Requirement,
)
from protocol.common.text import Text
from protocol.games.second_edition.events import BackShown, CampaignKept, GameEnded
from protocol.games.second_edition.table import Ending, InvestigatorId, InvestigatorResult
from server.games.second_edition.rules import counters, memory, requirements
from server.games.second_edition.rules.play import GameOver, Play


def end(
    play: Play, *, won: bool, epilogue: Text | str, results: Sequence[OwnResult] = ()
) -> NoReturn:
    """
    End the game. Rules WIN-3, WIN-5 and DECIDE-71.

    Args:
        play: the game.
        won: the common result.
        epilogue: the text that all players read.
        results: the scenario's entries for the results of single investigators.

    Raises:
        GameOver: always; nothing more is resolved.
    """
    text = Text(epilogue) if isinstance(epilogue, str) else epilogue
    people = tuple(_result(play, who, results, won=won) for who in play.table.investigators)
    # Nothing comes after the end, and what is remembered is opened with the rest of the log.
    memory.write_down(play)
    play.emit(GameEnded(Ending(won, text, people)))
    _show_backs(play)
    legacy = counters.left_over(play)
    if legacy is not None:
        play.emit(CampaignKept(legacy))
    raise GameOver


def _result(
    play: Play, investigator: InvestigatorId, results: Sequence[OwnResult], *, won: bool
) -> InvestigatorResult:
    """
    Return the result of one investigator.

    The first of these decides: the goal of an Insane back, a result of the scenario for single
    investigators, elimination, the common result. Rules SETUP-2, ELIMINATED-4, WIN-6 and WIN-7,
    DECIDE-71.
    """
    back = insane_back(play, investigator)
    own = _own(play, investigator, results, won=won)
    if back is not None and back.wins is not None and _counts(play, investigator, back.wins):
        has_won = requirements.holds(play, known(back.wins, won=won), investigator)
        reason = "result/insane_won" if has_won else "result/insane_lost"
    elif own is not None:
        has_won, reason = own.won, own.text
    elif play.table.investigators[investigator].is_eliminated:
        has_won, reason = False, "result/eliminated"
    else:
        has_won, reason = won, "result/won" if won else "result/lost"
    return InvestigatorResult(investigator, has_won, Text(reason, (investigator,)))


def _own(
    play: Play, investigator: InvestigatorId, results: Sequence[OwnResult], *, won: bool
) -> OwnResult | None:
    """
    Return the first of the scenario's `results` that holds for an investigator; None if none does.

    A win counts for an eliminated investigator only if its requirement names elimination
    (ELIMINATED-4).
    """
    is_out = play.table.investigators[investigator].is_eliminated
    for result in results:
        asks = _speaks_of_eliminated(result.when)
        is_theirs = requirements.holds(play, known(result.when, won=won), investigator)
        if is_theirs and (asks or not (is_out and result.won)):
            return result
    return None


def _counts(play: Play, investigator: InvestigatorId, wins: Requirement) -> bool:
    """
    Return True if the goal `wins` of an Insane back decides the investigator's result.

    The goal of an eliminated investigator counts only if it requires somebody to be eliminated
    (ELIMINATED-4). In logs of version 1 every goal counts.
    """
    is_out = play.table.investigators[investigator].is_eliminated
    # Logs of version 1 decided for the eliminated, too; their results stand.
    return not is_out or play.version == 1 or _speaks_of_eliminated(wins)


def _speaks_of_eliminated(requirement: Requirement, *, is_negated: bool = False) -> bool:
    """Return True if a requirement explicitly asks for somebody to be eliminated."""
    match requirement:
        case IsEliminated(value=value):
            return value is not is_negated
        case Not(of=part):
            return _speaks_of_eliminated(part, is_negated=not is_negated)
        case AllOf(of=parts) | AnyOf(of=parts):
            return any(_speaks_of_eliminated(part, is_negated=is_negated) for part in parts)
        case _:
            return False


def insane_back(play: Play, investigator: InvestigatorId) -> InsaneBack | None:
    """
    Return the secret back of an investigator's Insane Condition; None if they have none.

    SECRET-6.
    """
    for condition in play.table.investigators[investigator].conditions:
        if condition.back is not None and condition.back.value:
            return play.content.pack.insane[condition.back.value]
    return None


def known(requirement: Requirement, *, won: bool) -> Requirement:
    """
    Return a requirement in which each `IsWon` is replaced by its truth, given the common result.

    The table does not have the common result until the game has ended.
    """
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
    """Reveal every Insane back, since the results are final. Rule DECIDE-64."""
    for who in tuple(play.table.investigators):
        for condition in play.table.investigators[who].conditions:
            if condition.back is not None:
                back = condition.back
                play.emit(BackShown(who, play.disclose(back), back.value))
