"""
Code puzzles: guess a code; each answer has a number of successes and of investigations.

Rules CODE-1 to CODE-9, DECIDE-119 and DECIDE-120. The code is kept in hidden piles, one for each
position, so that no player can know it before it is solved.
"""

from collections import Counter
from collections.abc import Sequence

from content.games.second_edition.schema.puzzles import Code
from protocol.common.text import Text
from protocol.games.second_edition.events import CodeGuessed, CodeLaidOut
from protocol.games.second_edition.table import CodePuzzle, Guess, InvestigatorId
from server.games.second_edition.rules.draws import stream_of_puzzles
from server.games.second_edition.rules.play import Play
from server.games.second_edition.rules.puzzles.attempt import KINDS, Perform
from server.kernel.asks import Option


async def lay_out(play: Play, code: Code) -> None:
    """
    Lay out a code: the pieces of each position are mixed, and the top one belongs to the code.

    Rules CODE-1 to CODE-4. In a fixed setup the code is fixed, too.
    """
    for position in range(code.length):
        play.shuffle(_pile(code.id, position), code.pieces, stream_of_puzzles(play))
    play.emit(CodeLaidOut(CodePuzzle(code.id, code.length, code.pieces)))


def _pile(puzzle: str, position: int) -> str:
    return f"puzzle/{puzzle}/{position}"


def answer(code: Sequence[str], guess: Sequence[str]) -> tuple[int, int]:
    """
    Return the numbers of successes and investigations that answer a guess.

    Rules CODE-7 to CODE-9. Exact matches count first; then each unmatched piece of the code matches
    at most one unmatched piece of the guess (DECIDE-119).
    """
    pairs = tuple(zip(code, guess, strict=True))
    successes = sum(one == other for one, other in pairs)
    left = Counter(one for one, other in pairs if one != other)
    tried = Counter(other for one, other in pairs if one != other)
    investigations = sum(min(count, tried[piece]) for piece, count in left.items())
    return successes, investigations


def _steps(_play: Play, code: Code) -> list[Option[Perform]]:
    """Return the option to guess the code, which is the only step. Rule CODE-5."""

    async def guess(play: Play, investigator: InvestigatorId) -> None:
        pieces = await _choose_pieces(play, investigator, code)
        # What time chose in their place is no guess.
        if play.open_timer is None or not play.open_timer.is_over:
            propose(play, code, pieces)

    return [Option(guess, Text("choice/puzzle_guess"), (), "look")]


def propose(play: Play, code: Code, guess: tuple[str, ...]) -> None:
    """Answer one guess in public. Rules CODE-5 to CODE-9 and DECIDE-120."""
    table = play.table
    tops = (table.piles[_pile(code.id, position)][0] for position in range(code.length))
    solution = tuple(table.card_of(handle) for handle in tops)
    successes, investigations = answer(solution, guess)
    play.emit(CodeGuessed(code.id, Guess(guess, successes, investigations), guess == solution))


async def _choose_pieces(play: Play, investigator: InvestigatorId, code: Code) -> tuple[str, ...]:
    """Ask for a piece in every position; a piece can repeat. Rules CODE-3 to CODE-5."""
    return await play.choose_some(
        play.seat_of(investigator),
        [Option(piece, Text("choice/piece", (piece,)), (), "look") for piece in code.pieces],
        rule="CODE-5",
        about=Text("about/code", (investigator, code.id)),
        prompt=Text("ask/code_pieces", (code.id, code.length)),
        at_least=code.length,
        at_most=code.length,
        is_ordered=True,
        can_repeat=True,
    )


KINDS.declare(Code, "code", lay_out, _steps)
