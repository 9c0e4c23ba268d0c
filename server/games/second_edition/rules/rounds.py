"""
Rounds: the phases, and how they end.

Rules ROUND-1 to ROUND-5, MYTHOS-4 to MYTHOS-6, ELIMINATED-5 to ELIMINATED-7, DECIDE-12, DECIDE-29,
DECIDE-66, DECIDE-140.
"""

from content.games.second_edition.schema.scenario import Moment
from protocol.common.text import Text
from protocol.games.second_edition.events import PhaseBegan
from protocol.games.second_edition.table import Phase
from server.games.second_edition.rules import counters, endings, timers, tokens, triggers, turn
from server.games.second_edition.rules.play import Play
from server.kernel.asks import Option
from server.rulekit.offers import PlayerAction


async def begin_round(play: Play, number: int) -> None:
    """
    Begin a round. Rules ROUND-1 and ROUND-2.

    The Investigator phase begins, counters of the round are reset, and triggers run.
    """
    play.emit(PhaseBegan(Phase.INVESTIGATOR, number))
    counters.begin_round(play)
    if number == 1:
        triggers.begin(play)
        await triggers.run(play, Moment.STARTED)
    await triggers.run(play, Moment.ROUND_BEGAN)


async def end_investigator_phase(play: Play) -> None:
    """
    Let any seat end the phase once every investigator has had a turn.

    Rules ROUND-4, ROUND-5 and DECIDE-140. Players can still look at Sight tokens. If nobody can,
    and no token may have a private option, the phase ends by itself, except in games before
    version 3.
    """
    options = turn.between_turns(play)
    # Whether a token hides an option is public, unlike the option.
    if play.version > 2 and not options and not tokens.hides_options(play):
        await _end_phase(play)
        return

    async def end_it() -> None:
        await _end_phase(play)

    for who in play.table.standing():
        offers = options.setdefault(play.seat_of(who), [])
        if not any(option.value is end_it for option in offers):
            offers.insert(
                0, Option[PlayerAction](end_it, Text("choice/end_phase"), (), "rest", ends=True)
            )
    await turn.ask_anybody(play, options, rule="ROUND-5", subject="end_phase")


async def _end_phase(play: Play) -> None:
    """
    Run the triggers of the phase's end, then begin the Mythos phase or end the game.

    Rules ROUND-1 and ELIMINATED-5 to ELIMINATED-7: the Investigator phase after the first
    elimination is the last one, and the game ends with the investigation incomplete.
    """
    await triggers.run(play, Moment.INVESTIGATOR_PHASE_ENDED)
    countdown = play.table.countdown
    if countdown is not None and play.table.round_number >= countdown:
        endings.end(play, won=False, epilogue=play.content.scenario.eliminated_epilogue)
    play.emit(PhaseBegan(Phase.MYTHOS, play.table.round_number))


async def end_mythos_phase(play: Play) -> None:
    """
    End the Mythos phase and begin the next round.

    Rules MYTHOS-4 to MYTHOS-6. Before version 3 any seat ended the phase if a monster was in play;
    now it ends by itself, and the choice of the next turn waits for the readers (DECIDE-140).
    """
    await timers.end_round(play)
    await triggers.run(play, Moment.ROUND_ENDED)
    if play.table.monsters and play.version < 3:
        await confirm(play, "choice/end_phase", rule="MYTHOS-4", subject="end_mythos")
    await begin_round(play, play.table.round_number + 1)


async def confirm(play: Play, choice: str, *, rule: str, subject: str) -> None:
    """Wait until any seat with an investigator in play confirms that it has read the results."""

    async def go_on() -> None:
        """Do nothing: this is the action of a confirmation."""

    seats = dict.fromkeys(play.seat_of(who) for who in play.table.standing())
    options = {
        seat: [Option[PlayerAction](go_on, Text(choice), (), "rest", ends=True)] for seat in seats
    }
    await turn.ask_anybody(play, options, rule=rule, subject=subject)
