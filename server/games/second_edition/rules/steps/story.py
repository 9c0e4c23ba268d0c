"""Steps that tell the story, remember it and end it, such as `say`, `count` and `start_timer`."""

from content.games.second_edition.schema import effects as schema
from protocol.common.text import Text
from protocol.games.second_edition.events import CountdownStopped, ObjectiveSet, Told
from protocol.values import evolve
from server.games.second_edition.rules import counters, endings, timers
from server.games.second_edition.rules.effects import Run, resolves, story

NOBODY = ""
"""Empty parameter in place of a missing name, so that the numbers begin at `{2}`."""


@resolves(schema.Say)
async def _say(run: Run, step: schema.Say) -> None:
    """Show a text, sent to the table only when the story reaches it. Rule APP-3."""
    run.game.emit(Told(_with_values(run, step)))


@resolves(schema.SetObjective)
async def _objective(run: Run, step: schema.SetObjective) -> None:
    """Set the objective. Rules WIN-2 and WIN-4."""
    text = _with_values(run, step) if step.values else Text(step.text)
    run.game.emit(ObjectiveSet(text))


def _with_values(run: Run, step: schema.Say | schema.SetObjective) -> Text:
    """Return a text of the story with its numbers, which are its parameters from `{2}` on."""
    told = story(run.game, step.text, run.source)
    if not step.values:
        return told
    numbers = tuple(run.exact(number) for number in step.values)
    names = (*told.params, NOBODY)[:2]
    return evolve(told, params=(*names, *numbers))


@resolves(schema.Count)
async def _count(run: Run, step: schema.Count) -> None:
    """Change a counter, which stays sealed."""
    to = None if step.to is None else run.exact(step.to)
    add = run.exact(step.add)
    counters.change(run.game, step.counter, add=add, to=to, investigator=run.source.actor)


@resolves(schema.SetCounters)
async def _set(run: Run, step: schema.SetCounters) -> None:
    """Set counters, which stay sealed; all values are computed before the first is set."""
    # First all values, then all counters: the order in the file does not matter.
    values = {name: run.exact(number) for name, number in step.values.items()}
    for name, number in values.items():
        counters.put(run.game, name, number, run.source.actor)


@resolves(schema.Deal)
async def _deal(run: Run, step: schema.Deal) -> None:
    """Deal a secret number. Rule RANDOM-1."""
    numbers = range(step.from_, step.to + 1)
    counters.deal(run.game, step.counter, numbers, run.source.actor, is_fresh=step.fresh)


@resolves(schema.StartTimer)
async def _start_timer(run: Run, step: schema.StartTimer) -> None:
    """Start a timer; a running one restarts."""
    timers.start(run.game, step.timer, run.source, run.outcome)


@resolves(schema.StopTimer)
async def _stop_timer(run: Run, step: schema.StopTimer) -> None:
    """Stop a timer without resolving its effect."""
    timers.stop(run.game, step.timer)


@resolves(schema.StopCountdown)
async def _stop_countdown(run: Run, _step: schema.StopCountdown) -> None:
    """Stop the countdown, if an elimination began one. Rule ELIMINATED-5."""
    if run.game.table.countdown is not None:
        run.game.emit(CountdownStopped())


@resolves(schema.End)
async def _end(run: Run, step: schema.End) -> None:
    """End the game. Rules WIN-3 and WIN-5."""
    endings.end(run.game, won=step.won, epilogue=step.epilogue, results=step.results)
