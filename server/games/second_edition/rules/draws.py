"""
Draws: all random choices of the scenario and the keeper. Rule SECRET-13.

The texts of a monster, and the entries of a deck, are unknown until they are drawn.
"""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager

from content.games.second_edition.schema import effects as schema
from content.games.second_edition.schema.effects import Effect
from content.games.second_edition.schema.targets import Who
from protocol.common.chance import Stream
from server.games.second_edition.rules.memory import MEMORY
from server.games.second_edition.rules.play import Play
from server.rulekit.draws import Draws

DRAWS = Draws(MEMORY)
draw_entry = DRAWS.draw_entry
draw_unseen = DRAWS.draw_unseen
deal = DRAWS.deal


def stream_of_puzzles(play: Play) -> Stream:
    """Return the stream of chance for the layout of puzzles; a fixed setup fixes that layout."""
    # The deal draws by name, so that a later puzzle does not depend on earlier draws.
    return Stream.SETUP if play.version == 1 else Stream.DEAL


def behind_a_secret(play: Play, ways: Sequence[Effect]) -> AbstractContextManager[None]:
    """
    Return a context for resolving one of the effects `ways`; only the actor knows which one.

    The context leaves the same number of draws on the log for each of the effects `ways`; see
    `server.rulekit.draws`.
    """
    return DRAWS.behind_a_secret(play, lambda: _most_draws(play, ways))


def _most_draws(play: Play, ways: Iterable[Effect], called: frozenset[str] = frozenset()) -> int:
    """Return the largest number of hidden draws that any one of these effects can make."""
    return max((sum(_draws_of(play, step, called) for step in way) for way in ways), default=0)


def _draws_of(play: Play, step: schema.Step, called: frozenset[str]) -> int:
    scenario = play.content.scenario
    match step:
        case schema.Deal():
            return 1
        case schema.OneOf():
            return 1 + _most_draws(play, (way.effect for way in step.ways), called)
        case schema.Draw():
            return 1 + _most_draws(
                play, (card.effect for card in scenario.decks[step.deck]), called
            )
        case schema.When():
            return _most_draws(play, (step.then, step.otherwise), called)
        case schema.Choose():
            return _most_draws(play, (option.effect for option in step.options), called)
        case schema.ForEach():
            each = _most_draws(play, (step.effect,), called)
            return (step.who is Who.RANDOM) + len(play.table.investigators) * each
        case schema.Call() if step.effect not in called:
            inner = called | {step.effect}
            return _most_draws(play, (scenario.effects[step.effect],), inner)
        case _:
            return 0
