"""Steps that are decided by a test or a puzzle: `test`, `attempt`."""

from collections.abc import Sequence

from content.games.second_edition.schema import effects as schema
from protocol.games.second_edition.events import OppositionRolled, ProgressKept
from protocol.games.second_edition.table import Face
from protocol.values import evolve
from server.games.second_edition.rules import interplay, simultaneous, stakes, targets
from server.games.second_edition.rules.amounts import scaled, signed
from server.games.second_edition.rules.dice import roll
from server.games.second_edition.rules.effects import resolve, resolves
from server.games.second_edition.rules.play import Outcome, Play, Source
from server.games.second_edition.rules.puzzles.attempt import attempt
from server.games.second_edition.rules.skill_test import make_test


@resolves(schema.SkillTest)
async def _test(play: Play, step: schema.SkillTest, source: Source, so_far: Outcome) -> Outcome:
    """Rules TEST-1, TEST-10 to TEST-14, CONFLICT-2: what follows the step happens either way."""
    people = await targets.select(play, step.who, source)
    results = (step.passed, step.failed, *(threshold.effect for threshold in step.thresholds))
    matters = any(
        interplay.effect_matters(play, effect, people, is_inner=source.is_inner)
        for effect in results
    )
    for investigator in await simultaneous.each_in_order(play, people, matters=matters):
        if play.table.investigators[investigator].is_eliminated:
            continue
        outcome = await _make(play, step, evolve(source, actor=investigator), so_far)
        is_own = investigator == source.actor
        is_forfeited = outcome.is_forfeited if is_own else so_far.is_forfeited
        so_far = evolve(outcome, is_forfeited=is_forfeited)
        if so_far.is_returned:
            break
    return so_far


async def _make(play: Play, step: schema.SkillTest, source: Source, so_far: Outcome) -> Outcome:
    """Have the actor make the test, and resolve what comes of it."""
    needed = _needed(play, step, source, so_far)
    is_open = step.hidden is None and not step.thresholds
    modifier = signed(play, step.modifier, source, so_far)
    successes = await make_test(
        play,
        source.actor,
        step.skill,
        modifier=modifier,
        difficulty=needed if is_open else None,
        stakes=stakes.of_test(play, step, source, so_far),
    )
    result = successes if step.hidden is None else _keep_progress(play, step.hidden, successes)
    branch = step.passed if result >= needed else step.failed
    if step.thresholds:
        branch = _reached(step.thresholds, result)
    return await resolve(play, branch, source, evolve(so_far, successes=successes))


def _needed(play: Play, step: schema.SkillTest, source: Source, so_far: Outcome) -> int:
    """Return the difficulty; against the keeper what its dice show, for all to see. DICE-1."""
    if step.against is None:
        return scaled(play, step.difficulty, source, so_far)
    faces = roll(play, "opposition", scaled(play, step.against, source, so_far))
    play.emit(OppositionRolled(faces))
    return faces.count(Face.SUCCESS)


def _reached(thresholds: Sequence[schema.Threshold], result: int) -> schema.Effect:
    """Return what the highest threshold says that a result comes to; nothing below all."""
    reached = [threshold for threshold in thresholds if threshold.at_least <= result]
    return max(reached, key=lambda threshold: threshold.at_least).effect if reached else ()


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
    """Rules PUZZLE-3, PUZZLE-7 and PUZZLE-8."""
    more = scaled(play, step.more, source, so_far)
    is_solved = await attempt(play, source.actor, step.puzzle, step.skill, more=more)
    branch = step.solved if is_solved else step.unsolved
    return await resolve(play, branch, source, so_far)
