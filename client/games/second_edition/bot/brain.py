"""
The brain: how a bot answers a question, from what its seat was sent and nothing else.

It plays as a careful beginner would: it explores, searches and talks, fights while it is well,
mends what hurts and does not do over and over what came to nothing. It knows no rule. It is pure:
the same view, question and generator give the same answer, and every answer is one that was
offered.
"""

import itertools
import random
from collections import Counter
from collections.abc import Sequence

import attrs

from client.bots.weighing import pick_by_worth
from client.games.second_edition.bot import heuristics as sense
from client.model.tables import TableView
from client.plugs.brains import pick_random
from protocol.common.asks import Question
from protocol.games.second_edition.table import CodePuzzle, Guess, SecondEditionTable

MAX_CODES = 50_000
"""How many codes are thought through; of more, any is tried."""


def pick_sensibly(view: TableView, question: Question, rng: random.Random) -> tuple[str, ...]:
    """Return what seems best; anything legal where nothing is known about the question."""
    picks = _sensible(view, question, rng)
    return picks if question.faults(picks) is None else pick_random(view, question, rng)


def _sensible(view: TableView, question: Question, rng: random.Random) -> tuple[str, ...]:
    if not question.choices:
        return ()
    game = view.table.game
    if question.can_repeat:
        puzzle = _puzzle_of(game, question) if isinstance(game, SecondEditionTable) else None
        return _guess(puzzle, question, rng) if puzzle is not None else ()
    return pick_by_worth(question, sense.worths(view, question), rng)


# Codes -------------------------------------------------------------------------------------


@attrs.frozen
class _Answer:
    successes: int
    investigations: int


def _puzzle_of(game: SecondEditionTable, question: Question) -> CodePuzzle | None:
    """Return the open code that has as many places as the question has picks."""
    fitting = (
        puzzle
        for puzzle in game.puzzles.values()
        if isinstance(puzzle, CodePuzzle)
        and not puzzle.is_solved
        and puzzle.length == question.at_least
        and len(puzzle.pieces) == len(question.choices)
    )
    return next(fitting, None)


def _guess(puzzle: CodePuzzle, question: Question, rng: random.Random) -> tuple[str, ...]:
    """Return a guess that all answers so far allow: what any player with a pencil would do."""
    by_piece = {
        str(choice.text.params[0]) if choice.text.params else piece: choice.choice_id
        for piece, choice in zip(puzzle.pieces, question.choices, strict=True)
    }
    pieces = tuple(by_piece)
    if len(pieces) ** puzzle.length > MAX_CODES:
        return tuple(by_piece[rng.choice(pieces)] for _ in range(puzzle.length))
    codes = [
        code
        for code in itertools.product(pieces, repeat=puzzle.length)
        if all(_fits(code, guess) for guess in puzzle.guesses)
    ]
    if not codes:
        return ()
    return tuple(by_piece[piece] for piece in rng.choice(codes))


def _fits(code: Sequence[str], guess: Guess) -> bool:
    return _answer(code, guess.pieces) == _Answer(guess.successes, guess.investigations)


def _answer(code: Sequence[str], guess: Sequence[str]) -> _Answer:
    """Return what a guess would have been told if this were the code."""
    exact = sum(one == other for one, other in zip(code, guess, strict=False))
    common = Counter(code) & Counter(guess)
    return _Answer(exact, common.total() - exact)
