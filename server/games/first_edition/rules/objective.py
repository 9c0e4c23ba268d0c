"""The objective: revealed with the last clue, and checked after every effect."""

from content.games.first_edition.schema.story import Objective
from protocol.common.text import Text
from protocol.games.first_edition.events import GameEnded, ObjectiveRevealed
from protocol.games.first_edition.table import Ending, Phase
from protocol.games.first_edition.words import Side
from server.games.first_edition.rules import requirements
from server.games.first_edition.rules.play import GameOver, Play, Source


def secret(play: Play) -> Objective:
    """Return the keeper's objective, which others must not learn before it is revealed."""
    assert play.table.objective is not None
    found = play.table.objective.value
    return next(one for one in play.content.story.objectives if one.id == found)


def reveal(play: Play) -> None:
    """Reveal the objective; it is never hidden again. K-GOAL-3, K-GOAL-4."""
    if play.table.revealed is None and play.table.objective is not None:
        sealed = play.table.objective
        play.emit(ObjectiveRevealed(play.disclose(sealed), sealed.value))


def check(play: Play) -> None:
    """
    End the game if a side has reached what the objective asks of it. K-DECIDE-93, K-GOAL-6.

    The acting side wins ties. A check that does not end the game leaves no trace.
    """
    table = play.table
    if table.objective is None or table.phase is Phase.SETUP or table.ending is not None:
        return
    goal = secret(play)
    source = Source(goal.id)
    conditions = {
        Side.INVESTIGATORS: goal.investigators_win,
        Side.KEEPER: goal.keeper_wins,
    }
    sides = [Side.INVESTIGATORS, Side.KEEPER]
    if table.phase is Phase.KEEPER:
        sides.reverse()
    for side in sides:
        if requirements.holds(play, conditions[side], source):
            win(play, side)


def win(play: Play, side: Side) -> None:
    """
    End the game for one side, as the objective tells it. Raises GameOver.

    The ending is a subject of its own: the keeper is sent the words of the objective in setup, and
    must not be told how it ends.
    """
    goal = secret(play)
    texts = (
        one.text
        for one in goal.endings
        if one.side is side and requirements.holds(play, one.when, Source(goal.id))
    )
    end(play, (side,), Text(next(texts, goal.usual_ending(side))))


def end(play: Play, winners: tuple[Side, ...], reason: Text) -> None:
    """End the game; an objective that is still hidden is revealed first. Raises GameOver."""
    reveal(play)
    play.emit(GameEnded(Ending(winners, reason)))
    raise GameOver
