"""
Triggers: effects of the scenario that come by themselves.

What has come already is remembered in sealed counters, since names of triggers would tell the
script. Rules EVENT-3, WIN-4, WIN-5.
"""

from content.schema.scenario import Moment, Trigger
from protocol.event import hidden
from protocol.second_edition.events import CounterSet
from protocol.second_edition.table import InvestigatorId
from server.rules.second_edition import effects, requirements
from server.rules.second_edition.play import Play, Source


async def run(play: Play, moment: Moment, investigator: InvestigatorId | None = None) -> None:
    """
    Resolve every trigger of a moment whose requirement holds, in the order of the scenario.

    Args:
        investigator: whom the moment concerns; else the first one who is not eliminated.
    """
    for number, trigger in enumerate(play.content.scenario.triggers, start=1):
        standing = play.table.standing()
        actor = investigator or (standing[0] if standing else None)
        if trigger.on is not moment or actor is None or not _is_due(play, number, trigger, actor):
            continue
        if trigger.once:
            play.emit(CounterSet(_memory(number), hidden(1)))
        await effects.resolve(play, trigger.effect, Source(actor))


def _is_due(play: Play, number: int, trigger: Trigger, actor: InvestigatorId) -> bool:
    if trigger.once and _memory(number) in play.table.counters:
        return False
    return trigger.when is None or requirements.holds(play, trigger.when, actor)


def _memory(number: int) -> str:
    return f"t{number}"
