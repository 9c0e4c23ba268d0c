"""Steps that are decided by a test or a puzzle: `test`, `attempt`."""

import attrs

from content.schema import effects as schema
from protocol.second_edition.events import ProgressKept
from server.rules.second_edition.amounts import scaled, signed
from server.rules.second_edition.effects import resolve, resolves
from server.rules.second_edition.play import Outcome, Play, Source
from server.rules.second_edition.puzzles.attempt import attempt
from server.rules.second_edition.skill_test import make_test


@resolves(schema.SkillTest, by_actor=True)
async def _test(play: Play, step: schema.SkillTest, source: Source, so_far: Outcome) -> Outcome:
    """Rules TEST-1 and TEST-10 to TEST-14: what follows the step happens either way."""
    needed = scaled(play, step.difficulty, source, so_far)
    shown = None if step.hidden is not None else needed
    modifier = signed(play, step.modifier, source, so_far)
    successes = await make_test(play, source.actor, step.skill, modifier=modifier, difficulty=shown)
    if step.hidden is not None:
        needed -= _keep_progress(play, step.hidden, successes) - successes
    branch = step.passed if successes >= needed else step.failed
    return await resolve(play, branch, source, attrs.evolve(so_far, successes=successes))


def _keep_progress(play: Play, test: str, successes: int) -> int:
    """
    Add successes to those gathered before, over all investigators. TEST-16, DECIDE-113.

    The sum is open to all; how many are needed is told to nobody (SECRET-16).
    """
    total = play.table.progress.get(test, 0) + successes
    play.emit(ProgressKept(test, total))
    return total


@resolves(schema.Attempt, by_actor=True)
async def _attempt(play: Play, step: schema.Attempt, source: Source, so_far: Outcome) -> Outcome:
    """Rules PUZZLE-7 and PUZZLE-8."""
    is_solved = await attempt(play, source.actor, step.puzzle, step.skill)
    branch = step.solved if is_solved else step.unsolved
    return await resolve(play, branch, source, so_far)
