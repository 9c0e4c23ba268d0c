"""Steps that tell the story, remember it and end it, such as `say`, `count` and `start_timer`."""

from content.games.second_edition.schema import effects as schema
from protocol.common.text import Text
from protocol.games.second_edition.events import ObjectiveSet, Told
from protocol.values import evolve
from server.games.second_edition.rules import counters, endings, timers
from server.games.second_edition.rules.amounts import exact
from server.games.second_edition.rules.effects import resolves, story
from server.games.second_edition.rules.play import Outcome, Play, Source

NOBODY = ""
"""What stands for the monster in a text with numbers, where there is none."""


@resolves(schema.Say)
async def _say(play: Play, step: schema.Say, source: Source, so_far: Outcome) -> Outcome:
    """Rule APP-3: a text comes to the table when the story has reached it."""
    play.emit(Told(_with_values(play, step, source, so_far)))
    return so_far


@resolves(schema.SetObjective)
async def _objective(
    play: Play, step: schema.SetObjective, source: Source, so_far: Outcome
) -> Outcome:
    """Rules WIN-2 and WIN-4."""
    text = _with_values(play, step, source, so_far) if step.values else Text(step.text)
    play.emit(ObjectiveSet(text))
    return so_far


def _with_values(
    play: Play, step: schema.Say | schema.SetObjective, source: Source, so_far: Outcome
) -> Text:
    """Return a text of the story with the numbers that it tells, which begin at `{2}`."""
    told = story(play, step.text, source)
    if not step.values:
        return told
    numbers = tuple(exact(play, number, source, so_far) for number in step.values)
    names = (*told.params, NOBODY)[:2]
    return evolve(told, params=(*names, *numbers))


@resolves(schema.Count)
async def _count(play: Play, step: schema.Count, source: Source, so_far: Outcome) -> Outcome:
    """Change what only the scenario knows."""
    to = None if step.to is None else exact(play, step.to, source, so_far)
    add = exact(play, step.add, source, so_far)
    counters.change(play, step.counter, add=add, to=to, investigator=source.actor)
    return so_far


@resolves(schema.SetCounters)
async def _set(play: Play, step: schema.SetCounters, source: Source, so_far: Outcome) -> Outcome:
    """Change what only the scenario knows."""
    values = {name: exact(play, number, source, so_far) for name, number in step.values.items()}
    for name, number in values.items():
        counters.put(play, name, number, source.actor)
    return so_far


@resolves(schema.Deal)
async def _deal(play: Play, step: schema.Deal, source: Source, so_far: Outcome) -> Outcome:
    """Rule RANDOM-1, out of everybody's sight."""
    numbers = range(step.from_, step.to + 1)
    counters.deal(play, step.counter, numbers, source.actor, is_fresh=step.fresh)
    return so_far


@resolves(schema.StartTimer)
async def _start_timer(
    play: Play, step: schema.StartTimer, source: Source, so_far: Outcome
) -> Outcome:
    """Start a timer; one that runs begins anew."""
    timers.start(play, step.timer, source, so_far)
    return so_far


@resolves(schema.StopTimer)
async def _stop_timer(
    play: Play, step: schema.StopTimer, _source: Source, so_far: Outcome
) -> Outcome:
    """Stop a timer without its effect."""
    timers.stop(play, step.timer)
    return so_far


@resolves(schema.End)
async def _end(play: Play, step: schema.End, _source: Source, _so_far: Outcome) -> Outcome:
    """Rules WIN-3 and WIN-5."""
    endings.end(play, won=step.won, epilogue=step.epilogue, results=step.results)
