"""
Elimination: out of the game, and what that means for the others.

Rules ELIMINATED-1, ELIMINATED-2, ELIMINATED-5 and ELIMINATED-8, with DECIDE-66 to DECIDE-69. The
chapter `turn` ends the turn of the eliminated, `rounds` the time of the others.
"""

from content.games.second_edition.schema.scenario import Moment
from protocol.games.second_edition.events import InvestigatorEliminated
from protocol.games.second_edition.table import InvestigatorId
from server.games.second_edition.rules import endings, possessions, triggers
from server.games.second_edition.rules.play import Play


async def eliminate(play: Play, investigator: InvestigatorId) -> None:
    """
    Put an investigator out of the game.

    Clues, Conditions, Damage and Horror stay with them, out of play (DECIDE-68). Nobody has to say
    that it has come to this, or that the game is over (DECIDE-73).
    """
    possessions.drop_all(play, investigator)
    is_first = play.table.countdown is None
    play.emit(InvestigatorEliminated(investigator, last_round(play)))
    if not play.table.standing():
        endings.end(play, won=False, epilogue=play.content.scenario.eliminated_epilogue)
    occurred = [triggers.Occurrence(Moment.INVESTIGATOR_ELIMINATED, investigator=investigator)]
    if is_first:
        occurred.append(triggers.Occurrence(Moment.FINAL_ROUND))
    await triggers.run_together(play, occurred)


def last_round(play: Play) -> int:
    """
    Return the round whose Investigator phase is the last once somebody is eliminated.

    It is the first phase that starts after the first elimination; the one in progress does not
    count, and a second elimination does not extend it. DECIDE-66 and DECIDE-67.
    """
    if play.table.countdown is not None:
        return play.table.countdown
    return play.table.round_number + 1
