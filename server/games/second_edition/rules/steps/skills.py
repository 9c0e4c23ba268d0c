"""Steps with a test or a puzzle attempt: `test`, `attempt`."""

from content.games.second_edition.schema import effects as schema
from protocol.games.second_edition.events import OppositionRolled, ProgressKept
from protocol.games.second_edition.table import Face
from protocol.values import evolve
from server.games.second_edition.rules import interplay, simultaneous, stakes
from server.games.second_edition.rules.dice import roll
from server.games.second_edition.rules.effects import Run, resolve, resolves
from server.games.second_edition.rules.play import Outcome
from server.games.second_edition.rules.puzzles.attempt import attempt
from server.games.second_edition.rules.skill_test import make_test


@resolves(schema.SkillTest)
async def _test(run: Run, step: schema.SkillTest) -> Outcome:
    """
    Test a skill, then resolve the effect of the result; later steps are resolved either way.

    Rules TEST-1, TEST-10 to TEST-14, CONFLICT-2.
    """
    people = await run.people(step.who)
    results = (step.passed, step.failed, *(threshold.effect for threshold in step.thresholds))
    matters = any(
        interplay.effect_matters(run.game, effect, people, is_inner=run.source.is_inner)
        for effect in results
    )
    so_far = run.outcome
    for investigator in await simultaneous.each_in_order(run.game, people, matters=matters):
        if run.game.table.investigators[investigator].is_eliminated:
            continue
        own = Run(run.game, evolve(run.source, actor=investigator), so_far)
        # The keeper rolls first, so that the difficulty is public while the dice are changed.
        needed = _needed(own, step)
        is_open = step.hidden is None and not step.thresholds
        successes = await make_test(
            own.game,
            own.source.actor,
            step.skill,
            modifier=own.signed(step.modifier),
            difficulty=needed if is_open else None,
            stakes=stakes.of_test(own.game, step, own.source, own.outcome),
        )
        result = successes if step.hidden is None else _keep_progress(own, step.hidden, successes)
        branch = step.passed if result >= needed else step.failed
        if step.thresholds:
            # The highest threshold reached counts; a result below all of them has no effect.
            reached = [one for one in step.thresholds if one.at_least <= result]
            branch = max(reached, key=lambda one: one.at_least).effect if reached else ()
        outcome = await resolve(
            own.game, branch, own.source, evolve(own.outcome, successes=successes)
        )
        is_own = investigator == run.source.actor
        is_forfeited = outcome.is_forfeited if is_own else so_far.is_forfeited
        so_far = evolve(outcome, is_forfeited=is_forfeited)
        if so_far.is_returned:
            break
    return so_far


def _keep_progress(run: Run, test: str, successes: int) -> int:
    """
    Add successes to the investigators' sum in a test; return the sum. TEST-16, DECIDE-113.

    The sum is public; the required number is never shown (SECRET-16).
    """
    total = run.game.table.progress.get(test, 0) + successes
    run.game.emit(ProgressKept(test, total))
    return total


def _needed(run: Run, step: schema.SkillTest) -> int:
    """Return the successes needed: a number, or those of the keeper's public roll. DICE-1."""
    if step.against is None:
        return run.scaled(step.difficulty)
    faces = roll(run.game, "opposition", run.scaled(step.against))
    run.game.emit(OppositionRolled(faces))
    return faces.count(Face.SUCCESS)


@resolves(schema.Attempt, by_actor=True)
async def _attempt(run: Run, step: schema.Attempt) -> Outcome:
    """Let the actor work on a puzzle. Rules PUZZLE-3, PUZZLE-7 and PUZZLE-8."""
    more = run.scaled(step.more)
    is_solved = await attempt(run.game, run.source.actor, step.puzzle, step.skill, more=more)
    branch = step.solved if is_solved else step.unsolved
    return await run.resolve(branch)
