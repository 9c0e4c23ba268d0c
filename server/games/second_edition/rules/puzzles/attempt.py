"""
Attempts: an investigator works on a puzzle, step by step.

Rules PUZZLE-1 to PUZZLE-11, CLUE-5 and DECIDE-115 to DECIDE-118. The puzzle's type defines its
steps and its layout. Each module of this package declares one type, for one puzzle class of the
schema.
"""

import functools
from contextlib import AbstractContextManager, nullcontext
from typing import Any, TypeAlias

from content.games.second_edition.schema.cards import MoreSteps
from content.games.second_edition.schema.puzzles import Puzzle
from protocol.common.asks import RefusedChoice
from protocol.common.text import Text
from protocol.games.second_edition.events import AttemptBegan, AttemptEnded, StepsAdded
from protocol.games.second_edition.table import InvestigatorId, Skill
from server.games.second_edition.rules import clues, costs, powers
from server.games.second_edition.rules.amounts import scaled
from server.games.second_edition.rules.play import Play, Source
from server.kernel.asks import Ask, Option, Prompt
from server.rulekit import attempt as attempts
from server.rulekit.offers import RISK

Perform: TypeAlias = attempts.Perform[Play]

KINDS: attempts.Kinds[Play] = attempts.Kinds()
"""Types of puzzle by their classes in the schema. Rules PUZZLE-5 and PUZZLE-12."""


async def attempt(
    play: Play, investigator: InvestigatorId, puzzle_id: str, skill: Skill, *, more: int = 0
) -> bool:
    """
    Let an investigator work on a puzzle. Rules PUZZLE-2 to PUZZLE-10.

    The number of steps is the printed value of the skill, plus the steps that cards and the calling
    effect add (PUZZLE-3), plus one for each Clue, which can be spent at any moment. Unused steps
    are lost; the puzzle keeps its state (DECIDE-115 to DECIDE-117). Once the seconds of the puzzle
    are over, the investigator leaves it.

    Args:
        play: the game.
        investigator: the investigator who works on the puzzle.
        puzzle_id: the puzzle.
        skill: the skill whose value is the number of steps.
        more: the number of steps that the effect adds.

    Returns:
        True if the puzzle is solved now.
    """
    puzzle = next(one for one in play.content.scenario.puzzles if one.id == puzzle_id)
    if puzzle_id not in play.table.puzzles:
        await KINDS.of(puzzle).lay_out(play, puzzle)
    if play.table.puzzles[puzzle_id].is_solved:
        return True
    steps = _allowance(play, investigator, skill, more)
    play.emit(AttemptBegan(investigator, puzzle_id, steps))
    with _timer(play, puzzle):
        await attempts.work(
            play,
            investigator,
            is_done=lambda: play.table.puzzles[puzzle_id].is_solved,
            choose=lambda: _choose(play, investigator, puzzle, skill),
        )
    play.emit(AttemptEnded())
    return play.table.puzzles[puzzle_id].is_solved


def _timer(play: Play, puzzle: Puzzle) -> AbstractContextManager[Any]:
    """Limit the time of an attempt to the seconds of its puzzle. Older logs have no timers."""
    if puzzle.seconds is None or play.version < 4:
        return nullcontext()
    return play.timer(Text(puzzle.id, field="name"), puzzle.seconds)


def _allowance(play: Play, investigator: InvestigatorId, skill: Skill, more: int) -> int:
    """
    Return the steps of an attempt before any Clue is spent, at least 0. PUZZLE-2, PUZZLE-3.

    Cards that add dice to tests add no steps (DECIDE-116).
    """
    printed = play.table.investigators[investigator].skills[skill]
    return max(0, printed + powers.puzzle_steps(play, investigator, skill) + more)


async def _choose(
    play: Play, investigator: InvestigatorId, puzzle: Puzzle, skill: Skill
) -> Perform:
    """Return the next step, as the player chooses; `leave` if nothing else can be chosen."""
    assert play.table.attempt is not None
    kind, left = KINDS.of(puzzle), play.table.attempt.left
    options: list[Option[Perform]] = []
    if left:
        options += kind.steps(play, puzzle)
    if clues.for_steps(play, investigator):
        options.append(Option(_buy_a_step, Text("choice/puzzle_clue"), (), "use"))
    options += _helps(play, investigator, skill)
    if not options:
        return attempts.leave
    # Leaving forfeits the steps that are left, so the client asks again.
    group = RISK if left and play.version > 1 else "rest"
    close: Option[Perform] = Option(
        attempts.leave, Text("choice/puzzle_close"), (), group, ends=True
    )
    # A time-out takes the first option. From version 3 on it spends no Clue and no card for more.
    options.insert(0 if not left and play.version > 2 else len(options), close)
    # An investigator without time leaves the puzzle, even with steps left.
    default = None if play.open_timer is None else (options.index(close),)
    refused = clues.refused(play, investigator, Text("choice/puzzle_clue"), "DARKNESS-2")
    if not left:
        step = Text("choice/puzzle_step")
        refused += (RefusedChoice(step, Text("refusal/no_steps"), "PUZZLE-4"),)
    seat = play.seat_of(investigator)
    about = Text(f"about/{kind.name}", (investigator, puzzle.id))
    prompt = Text(f"ask/{kind.name}", (puzzle.id, left))
    put = Prompt(prompt, tuple(options), refused, default=default)
    return (await play.ask(Ask("PUZZLE-4", about, {seat: put})))[seat][0]


def _helps(play: Play, investigator: InvestigatorId, skill: Skill) -> list[Option[Perform]]:
    """Offer the cards that can be used for more steps. Rule PUZZLE-3."""
    return [
        Option(
            functools.partial(_use, card=card),
            Text("choice/puzzle_card", (card.origin.source, _added(play, investigator, card))),
            powers.points_at(card.origin, investigator),
            "use",
        )
        for card in powers.more_steps(play, investigator, skill)
    ]


def _added(play: Play, investigator: InvestigatorId, card: powers.Help) -> int:
    """Return the number of steps that a card adds: at least one."""
    assert isinstance(card.terms, MoreSteps)
    return max(1, scaled(play, card.terms.steps, Source(investigator)))


async def _use(play: Play, investigator: InvestigatorId, *, card: powers.Help) -> None:
    """Use a card for more steps of this attempt. Rules PUZZLE-3, SPEND-1 and DECIDE-29."""
    added = _added(play, investigator, card)
    costs.pay(play, investigator, card.origin, card.terms)
    play.emit(StepsAdded(added))


async def _buy_a_step(play: Play, investigator: InvestigatorId) -> None:
    """Spend a Clue on one more step. Rules CLUE-5, PUZZLE-3 and DECIDE-115."""
    clues.spend(play, investigator, 1)
    play.emit(StepsAdded(1))
