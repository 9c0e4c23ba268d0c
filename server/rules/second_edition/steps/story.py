"""Steps that tell the story and remember it: `say`, `objective`, `count`, `end`."""

from content.schema import effects as schema
from protocol.common.text import Text
from protocol.second_edition.events import ObjectiveSet, Told
from server.rules.second_edition import counters, endings
from server.rules.second_edition.effects import resolves, story
from server.rules.second_edition.play import Outcome, Play, Source


@resolves(schema.Say)
async def _say(play: Play, step: schema.Say, source: Source, so_far: Outcome) -> Outcome:
    """Rule APP-3: a text comes to the table when the story has reached it."""
    play.emit(Told(story(play, step.text, source)))
    return so_far


@resolves(schema.SetObjective)
async def _objective(
    play: Play, step: schema.SetObjective, _source: Source, so_far: Outcome
) -> Outcome:
    """Rules WIN-2 and WIN-4."""
    play.emit(ObjectiveSet(Text(step.text)))
    return so_far


@resolves(schema.Count)
async def _count(play: Play, step: schema.Count, _source: Source, so_far: Outcome) -> Outcome:
    """Change what only the scenario knows."""
    counters.change(play, step.counter, add=step.add, to=step.to)
    return so_far


@resolves(schema.End)
async def _end(play: Play, step: schema.End, _source: Source, _so_far: Outcome) -> Outcome:
    """Rules WIN-3 and WIN-5."""
    endings.end(play, won=step.won, epilogue=step.epilogue)
