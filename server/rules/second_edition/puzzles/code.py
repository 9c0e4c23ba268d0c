"""
Code puzzles: a code is guessed from answers that only count.

Rules CODE-1 to CODE-9, PUZZLE-1 to PUZZLE-11, CLUE-5, DECIDE-115 to DECIDE-120. The code lies in
hidden piles, one for each position, so that nobody at the table can know it before it is solved.
"""

import enum
from collections import Counter
from collections.abc import Sequence

from content.schema.scenario import Code
from protocol.common.text import Text
from protocol.second_edition.events import CluesSpent, CodeGuessed, CodeLaidOut
from protocol.second_edition.table import CodePuzzle, Guess, InvestigatorId, Skill
from server.kernel.asks import Option
from server.rules.second_edition import clues
from server.rules.second_edition.play import Play


class Step(enum.Enum):
    """What an attempt can go on with."""

    GUESS = "guess"
    CLUE = "clue"
    CLOSE = "close"


def lay_out(play: Play, code: Code) -> None:
    """
    Set a code up: for each position all its pieces are mixed, and the top one counts.

    Rules CODE-1 to CODE-4. It belongs to the setup's chance, as the house does.
    """
    for position in range(code.length):
        play.shuffle(_pile(code.id, position), code.pieces, setup=True)
    play.emit(CodeLaidOut(CodePuzzle(code.id, code.length, code.pieces)))


def _pile(puzzle: str, position: int) -> str:
    return f"puzzle/{puzzle}/{position}"


def _solution(play: Play, puzzle: str) -> tuple[str, ...]:
    table = play.table
    length = table.puzzles[puzzle].length
    tops = (table.piles[_pile(puzzle, position)][0] for position in range(length))
    return tuple(table.card_of(handle) for handle in tops)


def answer(code: Sequence[str], guess: Sequence[str]) -> tuple[int, int]:
    """
    Return how many successes and investigations a guess gets.

    Rules CODE-7 to CODE-9: exact matches first; then every piece of the code that is left
    matches at most one piece that is left of the guess (DECIDE-119).
    """
    pairs = tuple(zip(code, guess, strict=True))
    successes = sum(one == other for one, other in pairs)
    left = Counter(one for one, other in pairs if one != other)
    tried = Counter(other for one, other in pairs if one != other)
    investigations = sum(min(count, tried[piece]) for piece, count in left.items())
    return successes, investigations


async def attempt(play: Play, investigator: InvestigatorId, puzzle: str, skill: Skill) -> bool:
    """
    Let an investigator work on a code. Rules PUZZLE-2 to PUZZLE-10.

    The steps are the printed value of the skill, one for each guess, and one more for each Clue
    spent at any moment; what is not used is lost (DECIDE-115 to DECIDE-117).

    Returns:
        Whether the puzzle is solved now.
    """
    if puzzle not in play.table.puzzles:
        lay_out(play, next(code for code in play.content.scenario.codes if code.id == puzzle))
    left = play.table.investigators[investigator].skills[skill]
    while not play.table.puzzles[puzzle].is_solved:
        step = await _choose_step(play, investigator, puzzle, left)
        if step is Step.CLOSE:
            return False
        if step is Step.CLUE:
            play.emit(CluesSpent(investigator, 1))
            left += 1
        else:
            propose(play, puzzle, await _choose_pieces(play, investigator, puzzle))
            left -= 1
    return True


def propose(play: Play, puzzle: str, guess: tuple[str, ...]) -> None:
    """Answer one guess, for all to see. Rules CODE-5 to CODE-9 and DECIDE-120."""
    code = _solution(play, puzzle)
    successes, investigations = answer(code, guess)
    play.emit(CodeGuessed(puzzle, Guess(guess, successes, investigations), guess == code))


async def _choose_step(play: Play, investigator: InvestigatorId, puzzle: str, left: int) -> Step:
    """Ask how the attempt goes on; where nothing is left to do it closes by itself."""
    options = [Option(Step.CLOSE, Text("choice/puzzle_close"), (), "rest")]
    if clues.for_steps(play, investigator):
        options.insert(0, Option(Step.CLUE, Text("choice/puzzle_clue"), (), "use"))
    if left:
        options.insert(0, Option(Step.GUESS, Text("choice/puzzle_guess"), (), "look"))
    if len(options) == 1:
        return Step.CLOSE
    return await play.choose(
        play.seat_of(investigator),
        options,
        rule="PUZZLE-4",
        about=Text("about/code", (investigator, puzzle)),
        prompt=Text("ask/code", (puzzle, left)),
        refused=clues.refused(play, investigator, Text("choice/puzzle_clue"), "DARKNESS-2"),
    )


async def _choose_pieces(play: Play, investigator: InvestigatorId, puzzle: str) -> tuple[str, ...]:
    """Ask for a piece in every position; pieces can come several times. Rules CODE-3 to CODE-5."""
    shown = play.table.puzzles[puzzle]
    return await play.choose_some(
        play.seat_of(investigator),
        [Option(piece, Text("choice/piece", (piece,)), (), "look") for piece in shown.pieces],
        rule="CODE-5",
        about=Text("about/code", (investigator, puzzle)),
        prompt=Text("ask/code_pieces", (puzzle, shown.length)),
        at_least=shown.length,
        at_most=shown.length,
        is_ordered=True,
        can_repeat=True,
    )
