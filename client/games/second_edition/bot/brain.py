"""
The brain: answers a question from the information that was sent to its seat, and no other.

The brain plays like a careful beginner: it explores, searches and talks, fights while its
investigator is well, heals, and gives up choices without results. The brain knows no rules and
picks only choices that the question offers. The answer depends only on the arguments: the same
view, question and generator give the same answer.
"""

import itertools
import random
from collections import Counter
from collections.abc import Sequence

from client.bots.weighing import pick_by_worth
from client.games.second_edition.bot import heuristics as sense
from client.model.tables import TableView
from client.plugs.brains import pick_random
from protocol.common.asks import Question
from protocol.games.second_edition.table import CodePuzzle, SecondEditionTable

MAX_CODES = 50_000
"""The maximum number of codes searched for a fitting one. If there are more codes, the guess is
random."""


def pick_sensibly(view: TableView, question: Question, rng: random.Random) -> tuple[str, ...]:
    """Return the brain's answer: a guess for a code puzzle, else the choices with the most points.

    If that answer would be illegal, or the question is of another kind, return a random answer.
    """
    picks: tuple[str, ...] = ()
    game = view.table.game
    if question.can_repeat and isinstance(game, SecondEditionTable):
        # The question names no puzzle: the open code that it fits is meant.
        fitting = (
            puzzle
            for puzzle in game.puzzles.values()
            if isinstance(puzzle, CodePuzzle)
            and not puzzle.is_solved
            and puzzle.length == question.at_least
            and len(puzzle.pieces) == len(question.choices)
        )
        puzzle = next(fitting, None)
        picks = _guess(puzzle, question, rng) if puzzle is not None else ()
    elif question.choices and not question.can_repeat:
        picks = pick_by_worth(question, sense.worths(view, question), rng)
    # An illegal answer, such as none for a code that no guess fits, would be refused.
    return picks if question.faults(picks) is None else pick_random(view, question, rng)


# Codes -------------------------------------------------------------------------------------


def _guess(puzzle: CodePuzzle, question: Question, rng: random.Random) -> tuple[str, ...]:
    """Return a random code that fits the answers to all guesses so far; empty if none fits.

    If there are more than `MAX_CODES` codes, the code need not fit.
    """
    # The first parameter of a choice's words is its piece.
    by_piece = {
        str(choice.text.params[0]) if choice.text.params else piece: choice.choice_id
        for piece, choice in zip(puzzle.pieces, question.choices, strict=True)
    }
    pieces = tuple(by_piece)
    # With too many codes to try, any guess still tells something.
    if len(pieces) ** puzzle.length > MAX_CODES:
        return tuple(by_piece[rng.choice(pieces)] for _ in range(puzzle.length))
    codes = [
        code
        for code in itertools.product(pieces, repeat=puzzle.length)
        if all(
            _answer(code, guess.pieces) == (guess.successes, guess.investigations)
            for guess in puzzle.guesses
        )
    ]
    if not codes:
        return ()
    return tuple(by_piece[piece] for piece in rng.choice(codes))


def _answer(code: Sequence[str], guess: Sequence[str]) -> tuple[int, int]:
    """Return the marks of a guess if `code` were right: pieces in place, and pieces elsewhere."""
    exact = sum(one == other for one, other in zip(code, guess, strict=False))
    common = Counter(code) & Counter(guess)
    return exact, common.total() - exact
