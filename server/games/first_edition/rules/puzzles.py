"""
Puzzles: an investigator turns, swaps and exchanges pieces. Section 19 and K-DECIDE-42 to 46.

An attempt is part of the step that met the lock or obstacle, and costs nothing else (K-DECIDE-44).
"""

import functools
from collections import Counter
from contextlib import AbstractContextManager, nullcontext
from typing import Any, TypeAlias

from content.games.first_edition.schema.puzzles import Layout
from protocol.common.asks import Point, RefusedChoice
from protocol.common.chance import SeededChance, Stream
from protocol.common.text import Text
from protocol.games.first_edition.events import (
    PuzzleAttemptBegan,
    PuzzleAttemptEnded,
    PuzzleLaid,
    PuzzlePieceExchanged,
    PuzzlePiecesSwapped,
    PuzzlePieceTurned,
    PuzzlePointSpent,
    PuzzleSolved,
)
from protocol.games.first_edition.puzzles import (
    Action,
    Family,
    PuzzleAttempt,
    Swap,
    Turn,
    legal_actions,
    search,
    supply_of,
    words_of,
)
from protocol.games.first_edition.table import CardId, InvestigatorId
from protocol.games.first_edition.words import Attribute, Variant
from server.games.first_edition.rules import trauma
from server.games.first_edition.rules.play import Play
from server.games.first_edition.rules.tests import modifiers
from server.kernel.asks import Ask, Option, Prompt
from server.rulekit import attempt as attempts

Perform: TypeAlias = attempts.Perform[Play]

SECONDS = 60
"""Length of an attempt in the variant of timed puzzles. K-VAR-1, K-DECIDE-46."""
DEALS = 20
"""Number of deals tried; if none takes as many actions as its layout asks, the last one is used."""


def lay_out_supplies(play: Play) -> None:
    """
    Shuffle the supply of each family: all pieces that no puzzle of the story needs. K-DECIDE-10.

    Pieces of the story's puzzles are kept for them, so that each can be dealt (K-DECIDE-43). Which
    ones these are does not depend on the keeper's answers (K-DECIDE-101).
    """
    for family in Family:
        pieces = Counter(play.content.pack.pieces.of(family))
        for layout in play.content.puzzles():
            if layout.family is family:
                pieces.subtract(layout.pieces)
        play.shuffle(supply_of(family), sorted(pieces.elements()), Stream.SETUP)


async def attempt(play: Play, who: str, puzzle_id: CardId, actions: int | None = None) -> bool:
    """
    Let an investigator try a puzzle; return whether it is solved. K-PUZZLE-1 to K-PUZZLE-6.

    The keeper tries the puzzle of a ritual, with as many `actions` as it allows him (W-STORY-8,
    W-DECIDE-48); his time is that of his turn.

    Pieces stay as they are until the next attempt, whoever makes it. In the variant of timed
    puzzles the clock of the server ends the attempt, and not the number of actions (K-VAR-1,
    K-DECIDE-46).
    """
    await trauma.settle(play)
    if actions is None and who not in play.table.investigators:
        # A trauma card killed the investigator.
        return False
    if puzzle_id in play.table.solved:
        return True
    if puzzle_id not in play.table.puzzles:
        await _lay(play, play.content.pack.puzzles[puzzle_id])
    is_timed = actions is None and Variant.TIMED_PUZZLES in play.table.variants
    if actions is None and not is_timed:
        actions = allowance(play, who)
    play.emit(PuzzleAttemptBegan(who, puzzle_id, actions))
    limit: AbstractContextManager[Any] = nullcontext()
    if is_timed:
        limit = play.timer(Text(puzzle_id, field="name"), SECONDS)
    with limit:
        await attempts.work(
            play,
            who,
            is_done=lambda: play.table.puzzles[puzzle_id].is_solved,
            choose=lambda: _choose(play, who, puzzle_id),
        )
    play.emit(PuzzleAttemptEnded())
    if not play.table.puzzles[puzzle_id].is_solved:
        return False
    _free(play, puzzle_id)
    return True


def allowance(play: Play, who: InvestigatorId) -> int:
    """
    Return the puzzle actions of an attempt: the intellect. K-PUZZLE-1.

    Cards can add to it. Stun does not count, and nothing that changes tests (K-STUN-5).
    """
    has = play.table.investigators[who]
    added = sum(one.puzzle_actions for one in modifiers(play, has))
    return max(0, has.attributes[Attribute.INTELLECT] + added)


async def _lay(play: Play, layout: Layout) -> None:
    """
    Deal a puzzle that is tried for the first time. K-CARD-18.

    One random number determines the deal; a fixed setup fixes the number. Deals that are solved
    with too few actions are dealt again.
    """
    purpose = f"puzzle {layout.id}"
    # Four deals of a byte: a deal lists its possible values, which are 2**32 for the number.
    seed = bytes(play.deal(purpose, range(256)) for _ in range(4))
    chance = SeededChance(seed)
    for number in range(DEALS):
        puzzle = layout.deal(chance, number)
        found = await play.through(search(puzzle))
        assert found is not None, "checks of content refuse such a layout"
        if found.actions >= layout.least or number == DEALS - 1:
            play.emit(PuzzleLaid(puzzle))
            return


def _free(play: Play, puzzle_id: CardId) -> None:
    """Put the pieces of a solved puzzle back into the supply. K-PUZZLE-6, K-DECIDE-42."""
    puzzle = play.table.puzzles[puzzle_id]
    play.emit(PuzzleSolved(puzzle_id))
    _put_back(play, puzzle.family, tuple(piece.face for piece in puzzle.pieces))


def _put_back(play: Play, family: Family, faces: tuple[str, ...]) -> None:
    """Shuffle pieces into the supply, whose order nobody knows. K-SECRET-22."""
    pile = supply_of(family)
    lying = tuple(play.table.card_of(handle) for handle in play.table.piles.get(pile, ()))
    play.shuffle(pile, (*lying, *faces))


async def _choose(play: Play, who: str, puzzle_id: CardId) -> Perform:
    """
    Return the next action as the player of the active investigator chooses. K-DECIDE-46.

    The attempt ends by itself once no action is left that the investigator could get.
    """
    table = play.table
    attempt, puzzle = table.attempt, table.puzzles[puzzle_id]
    assert attempt is not None
    supply = len(table.piles.get(supply_of(puzzle.family), ()))
    options: list[Option[Perform]] = []
    if attempt.left != 0:
        options += [_option(puzzle_id, action) for action in legal_actions(puzzle, supply)]
    if _can_spend_point(play, who, attempt):
        luck = play.table.investigators[who].attributes[Attribute.LUCK]
        options.append(Option(_spend_point, Text("choice/puzzle_point", (luck,)), (), "use"))
    if not options:
        return attempts.leave
    refused: list[RefusedChoice] = []
    if attempt.left == 0:
        refused.append(
            RefusedChoice(Text("choice/puzzle_go_on"), Text("refusal/puzzle_over"), "K-PUZZLE-1")
        )
    elif not supply:
        reason = Text("refusal/no_pieces")
        refused.append(RefusedChoice(Text("choice/puzzle_draw"), reason, "K-PUZZLE-5"))
    options.append(Option(attempts.leave, Text("choice/puzzle_leave"), (), "rest", ends=True))
    # Time leaves the puzzle; it turns no piece and spends no skill point.
    last = (len(options) - 1,)
    counts = () if attempt.left is None else (attempt.left,)
    prompt = Text("ask/puzzle" if counts else "ask/puzzle_timed", (puzzle_id, *counts))
    put = Prompt(prompt, tuple(options), tuple(refused), default=last)
    about, seat = Text("about/puzzle", (who, puzzle_id)), play.seat_of(who)
    return (await play.ask(Ask("K-PUZZLE-1", about, {seat: put})))[seat][0]


def _option(puzzle_id: CardId, action: Action) -> Option[Perform]:
    """Return an action as an option that points at its pieces."""
    cells = (action.one, action.other) if isinstance(action, Swap) else (action.cell,)
    perform = functools.partial(_act, puzzle_id=puzzle_id, action=action)
    points = tuple(Point("piece", str(cell)) for cell in cells)
    return Option(perform, words_of(action), points, "puzzle")


async def _act(play: Play, _: str, *, puzzle_id: CardId, action: Action) -> None:
    """Turn a piece, swap two, or exchange one for a random one of the supply. K-DECIDE-43."""
    if isinstance(action, Turn):
        play.emit(PuzzlePieceTurned(puzzle_id, action.cell, action.by))
        return
    if isinstance(action, Swap):
        play.emit(PuzzlePiecesSwapped(puzzle_id, (action.one, action.other)))
        return
    puzzle = play.table.puzzles[puzzle_id]
    # The pile was shuffled after its last change, so that its top piece is a random one.
    top = play.table.piles[supply_of(puzzle.family)][0]
    play.emit(PuzzlePieceExchanged(puzzle_id, action.cell, top, play.table.card_of(top)))
    _put_back(play, puzzle.family, (puzzle.pieces[action.cell].face,))


def _can_spend_point(play: Play, who: str, attempt: PuzzleAttempt) -> bool:
    """Return whether a skill point gets actions: one an attempt. K-PUZZLE-2, K-DECIDE-45."""
    has = play.table.investigators.get(who)
    is_counted = attempt.allowed is not None
    return is_counted and not attempt.has_point and has is not None and has.skill_points > 0


async def _spend_point(play: Play, who: InvestigatorId) -> None:
    """Spend a skill point for as many actions as the luck. K-PUZZLE-2."""
    luck = play.table.investigators[who].attributes[Attribute.LUCK]
    play.emit(PuzzlePointSpent(who, luck))
