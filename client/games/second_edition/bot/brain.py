"""
Brains: how a bot answers a question, from what its seat was sent and nothing else.

`RANDOM` takes any legal answer, each as likely as every other. `SENSIBLE` plays as a careful
beginner would: it explores, searches and talks, fights while it is well, mends what hurts and
does not do over and over what came to nothing. Neither knows a rule. Both are pure: the same view,
question and generator give the same answer, and every answer is one that was offered.
"""

import itertools
import math
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import attrs

from client.games.second_edition.bot import heuristics as sense
from client.model.tables import TableView
from protocol.common.asks import Choice, Question
from protocol.games.second_edition.table import CodePuzzle, Guess, SecondEditionTable

Brain = Callable[[TableView, Question, random.Random], tuple[str, ...]]
"""Picks the choice ids of an answer that `Question.faults` has nothing to say against."""

MAX_CODES = 50_000
"""How many codes are thought through; of more, any is tried."""

_NEAR = 4.0
"""Choices whose worth differs by less are as good as one another, so that bots vary."""


def pick_random(_view: TableView, question: Question, rng: random.Random) -> tuple[str, ...]:
    """Return any legal answer, each as likely as every other, how many picks included."""
    ids = [choice.choice_id for choice in question.choices]
    most = question.at_most
    if not question.can_repeat:
        most = min(most, len(ids))
    counts = range(question.at_least, most + 1) if ids else range(1)
    ways = [_ways(question, len(ids), count) for count in counts]
    at = rng.randrange(sum(ways))
    for count, many in zip(counts, ways, strict=True):
        if at < many:
            return _any_picks(question, ids, count, rng)
        at -= many
    raise AssertionError("no number of picks is legal")


def _ways(question: Question, size: int, count: int) -> int:
    if not count:
        return 1
    if question.can_repeat:
        return size**count if question.is_ordered else math.comb(size + count - 1, count)
    return math.perm(size, count) if question.is_ordered else math.comb(size, count)


def _any_picks(
    question: Question, ids: Sequence[str], count: int, rng: random.Random
) -> tuple[str, ...]:
    if not question.can_repeat:
        picks = rng.sample(range(len(ids)), count)
        return tuple(ids[at] for at in (picks if question.is_ordered else sorted(picks)))
    if question.is_ordered:
        return tuple(rng.choice(ids) for _ in range(count))
    # Bars among stars: every heap of so many picks is as likely as every other.
    bars = sorted(rng.sample(range(len(ids) + count - 1), count)) if count else []
    return tuple(ids[bar - at] for at, bar in enumerate(bars))


def pick_sensibly(view: TableView, question: Question, rng: random.Random) -> tuple[str, ...]:
    """Return what seems best; anything legal where nothing is known about the question."""
    picks = _sensible(view, question, rng)
    return picks if question.faults(picks) is None else pick_random(view, question, rng)


RANDOM: Brain = pick_random
SENSIBLE: Brain = pick_sensibly
BRAINS: Mapping[str, Brain] = {"sensible": SENSIBLE, "random": RANDOM}
"""By the name that a command line gives them."""


def _sensible(view: TableView, question: Question, rng: random.Random) -> tuple[str, ...]:
    if not question.choices:
        return ()
    game = view.table.game
    if question.can_repeat:
        puzzle = _puzzle_of(game, question) if isinstance(game, SecondEditionTable) else None
        return _guess(puzzle, question, rng) if puzzle is not None else ()
    worths = sense.worths(view, question)
    if question.at_most == 1 == question.at_least:
        return (_best(worths, question.choices, rng),)
    order = sorted(range(len(question.choices)), key=lambda at: -worths[at])
    wanted = [at for at in order if worths[at] > 0]
    count = max(question.at_least, min(len(wanted), question.at_most))
    return tuple(question.choices[at].choice_id for at in order[:count])


def _best(worths: Sequence[float], choices: Sequence[Choice], rng: random.Random) -> str:
    top = max(worths)
    near = [at for at, worth in enumerate(worths) if worth > top - _NEAR]
    return choices[rng.choice(near)].choice_id


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
