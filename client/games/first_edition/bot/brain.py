"""
Brains of both sides. Each answers questions from the records that its seat received.

They know no rules: every choice that a question offers is legal, and the points say which one a
person would like. The answer depends only on the arguments.
"""

import random
from collections.abc import Callable, Sequence

from client.bots.weighing import pick_by_worth
from client.games.first_edition.bot import investigator, keeper
from client.model.tables import TableView
from client.plugs.brains import pick_random
from protocol.common.asks import Question
from protocol.games.first_edition.puzzles import next_action, words_of
from protocol.games.first_edition.table import FirstEditionTable

Weigh = Callable[[TableView, FirstEditionTable, Question, random.Random], Sequence[float]]
"""Returns the points of each choice of a question."""


def keep(view: TableView, question: Question, rng: random.Random) -> tuple[str, ...]:
    """Return the answer of the keeper; in a question that can be let be, maybe none."""
    return _answer(view, question, rng, keeper.worths)


def investigate(view: TableView, question: Question, rng: random.Random) -> tuple[str, ...]:
    """Return the answer of an investigator."""
    return _answer(view, question, rng, investigator.worths)


def _answer(
    view: TableView, question: Question, rng: random.Random, weigh: Weigh
) -> tuple[str, ...]:
    game = view.table.game
    if not isinstance(game, FirstEditionTable) or not question.choices or question.can_repeat:
        return pick_random(view, question, rng)
    subject = question.prompt.subject
    if subject == "ask/variants":
        picks = _variants(view, question)
    elif subject in ("ask/puzzle", "ask/puzzle_timed"):
        picks = _puzzle(game, question, rng)
    else:
        worths = weigh(view, game, question, rng)
        if view.may_interrupt:
            best = max(range(len(worths)), key=lambda at: worths[at])
            # No choice lets it be.
            return (question.choices[best].choice_id,) if worths[best] > 0 else ()
        picks = pick_by_worth(question, worths, rng)
    # An illegal answer would be refused.
    return picks if question.faults(picks) is None else pick_random(view, question, rng)


def _variants(view: TableView, question: Question) -> tuple[str, ...]:
    """
    Return all variants if a bot of the server plays with people, who decide; otherwise none.

    The first choice is none, the last one is all. All seats have to want a variant, so a bot that
    says yes leaves the decision to people. Bots
    among themselves play the plain game.
    """
    me, seats = view.my_seat, view.table.room.seats.values()
    if me is None or not me.is_bot or all(one.is_bot for one in seats):
        return (question.choices[0].choice_id,)
    return (question.choices[-1].choice_id,)


def _puzzle(game: FirstEditionTable, question: Question, rng: random.Random) -> tuple[str, ...]:
    """Return the next action of a shortest solution; else a skill point; else leave the puzzle."""
    attempt = game.attempt
    puzzle = None if attempt is None else game.puzzles.get(attempt.puzzle)
    by_text = {choice.text: choice.choice_id for choice in question.choices}
    by_subject = {choice.text.subject: choice for choice in question.choices}
    action = None if puzzle is None else next_action(puzzle)
    if action is not None and (found := by_text.get(words_of(action))) is not None:
        return (found,)
    if action is not None and (point := by_subject.get("choice/puzzle_point")) is not None:
        return (point.choice_id,)
    exchanges = [c for c in question.choices if c.text.subject == "choice/puzzle_exchange"]
    # With time instead of a number of actions, exchanges would go on until the clock ends it.
    if action is None and exchanges and attempt is not None and attempt.left is not None:
        return (rng.choice(exchanges).choice_id,)
    leave = by_subject.get("choice/puzzle_leave")
    return () if leave is None else (leave.choice_id,)
