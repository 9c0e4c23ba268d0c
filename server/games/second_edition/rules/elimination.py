"""
Elimination: an investigator leaves the game.

Rules ELIMINATED-1, ELIMINATED-2, ELIMINATED-5 and ELIMINATED-8, with DECIDE-66 to DECIDE-69. `turn`
ends the turn of an eliminated investigator, and `rounds` the time of the others.
"""

from content.games.second_edition.schema.scenario import Moment
from protocol.games.second_edition.events import InvestigatorEliminated
from protocol.games.second_edition.table import InvestigatorId
from server.games.second_edition.rules import endings, possessions, triggers
from server.games.second_edition.rules.play import Play


async def eliminate(play: Play, investigator: InvestigatorId) -> None:
    """
    Eliminate an investigator.

    Clues, Conditions, Damage and Horror stay with them, out of play (DECIDE-68). Nobody is asked to
    report the elimination or the end of the game (DECIDE-73).
    """
    # Dropped while the figure still has a space to drop them in.
    possessions.drop_all(play, investigator)
    # Read before the event, which sets the countdown.
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
    Return the number of the last round, given that an investigator is eliminated.

    Its Investigator phase is the first to start after the first elimination: the phase in progress
    does not count, and a second elimination does not extend the game. DECIDE-66 and DECIDE-67.
    """
    if play.table.countdown is not None:
        return play.table.countdown
    return play.table.round_number + 1
