"""
Triggers: effects of the scenario that come by themselves.

What has come already is remembered in sealed counters, since names of triggers would tell the
script. Rules EVENT-3, WIN-4, WIN-5.
"""

from collections.abc import Iterator, Sequence

from content.games.second_edition.schema.counters import Scope
from content.games.second_edition.schema.scenario import Moment, Trigger
from protocol.common.text import Text
from protocol.games.second_edition.table import InvestigatorId, MonsterId
from server.games.second_edition.rules import (
    counters,
    effects,
    happenings,
    memory,
    requirements,
    simultaneous,
)
from server.games.second_edition.rules.play import Play, Source
from server.kernel.asks import Option

_Numbered = tuple[int, Trigger]
"""A trigger with its number in the scenario."""
_A_PAIR = 2


async def run(
    play: Play,
    moment: Moment,
    investigator: InvestigatorId | None = None,
    *,
    about: tuple[str, ...] = (),
    monster: MonsterId | None = None,
    is_inner: bool = False,
) -> None:
    """
    Resolve every trigger of a moment whose requirement holds, in the order of the scenario.

    Those that all may read of are put in order by the investigators (CONFLICT-2); of any other its
    being named would tell the script.

    Nothing sets a trigger off before the first round has begun, and none sets itself off while it
    is resolved.

    Args:
        investigator: whom the moment concerns; else the first one who is not eliminated.
        about: what the moment is about, by every name that a trigger may know it under.
        monster: what is "the monster" in the effects.
        is_inner: whether harm is still being suffered (DECIDE-51).
    """
    if not play.table.round_number:
        return
    meant = [
        (number, trigger)
        for number, trigger in play.content.scenario.triggers_by_moment[moment]
        if trigger.of is None or trigger.of in about
    ]
    source = _source(play, investigator, monster, is_inner=is_inner)
    for number, trigger in await _in_order(play, meant, source):
        source = _source(play, investigator, monster, is_inner=is_inner)
        await _set_off(play, number, trigger, source)


async def _in_order(
    play: Play, meant: Sequence[_Numbered], source: Source | None
) -> Sequence[_Numbered]:
    """Return triggers in the order in which they come: those with a text as the group says."""
    if source is None or sum(trigger.text is not None for _, trigger in meant) < _A_PAIR:
        return meant
    due = [
        Option(one, Text(one[1].text))
        for one in meant
        if one[1].text is not None and _is_due(play, *one, source)
    ]
    if not any(simultaneous.effect_reaches_others(play, one.value[1].effect) for one in due):
        return meant
    ordered = iter(await simultaneous.in_order(play, due))
    places = {one.value[0] for one in due}
    return [next(ordered) if one[0] in places else one for one in meant]


def _source(
    play: Play,
    investigator: InvestigatorId | None,
    monster: MonsterId | None,
    *,
    is_inner: bool,
) -> Source | None:
    actor = investigator or next(iter(play.table.standing()), None)
    return None if actor is None else Source(actor, monster, is_inner=is_inner)


async def _set_off(play: Play, number: int, trigger: Trigger, source: Source | None) -> None:
    if source is None or not _is_due(play, number, trigger, source):
        return
    if trigger.once:
        memory.remember(play, _name(number), 1)
    happenings.note(play, trigger.id)
    play.under_way.add(_name(number))
    try:
        await effects.resolve(play, trigger.effect, source)
    finally:
        play.under_way.discard(_name(number))


def _is_due(play: Play, number: int, trigger: Trigger, source: Source) -> bool:
    if _name(number) in play.under_way:
        return False
    if trigger.once and memory.number(play, _name(number)) is not None:
        return False
    return requirements.holds_for(play, trigger.when, source)


def _name(number: int) -> str:
    return f"t{number}"


# Counters that reach something --------------------------------------------------------------


@effects.follows
async def _reached(play: Play, source: Source) -> None:
    """Set off the triggers whose counter has just come into their bounds, whatever moved it."""
    if not play.table.round_number:
        return
    for number, trigger, whose in _counted(play):
        if _note(play, number, trigger, whose):
            own = Source(whose or source.actor, is_inner=source.is_inner)
            await _set_off(play, number, trigger, own)


def begin(play: Play) -> None:
    """
    Record which counters are within their bounds at the start: those have not been reached.

    A mark is written for each counter. Marks of those within their bounds alone would show in a log
    of version 1 what was dealt.
    """
    for number, trigger, whose in _counted(play):
        is_within = _is_within(play, trigger, whose)
        memory.remember(play, _mark(number, whose), int(is_within))


def _counted(play: Play) -> Iterator[tuple[int, Trigger, InvestigatorId | None]]:
    """Yield the triggers that wait for a counter, and whose it is where each has one."""
    for number, trigger in play.content.scenario.triggers_by_moment[Moment.COUNTER_REACHED]:
        if trigger.of is None:
            continue
        each = counters.declared(play, trigger.of).of is Scope.INVESTIGATOR
        for whose in tuple(play.table.investigators) if each else (None,):
            yield number, trigger, whose


def _note(play: Play, number: int, trigger: Trigger, whose: InvestigatorId | None) -> bool:
    """Remember whether a counter is within bounds, and return whether it has just come there."""
    mark = _mark(number, whose)
    was_within = bool(memory.number(play, mark))
    is_within = _is_within(play, trigger, whose)
    if is_within is not was_within:
        memory.remember(play, mark, int(is_within))
    return is_within and not was_within


def _mark(number: int, whose: InvestigatorId | None) -> str:
    return f"r{number}" if whose is None else f"r{number}/{whose}"


def _is_within(play: Play, trigger: Trigger, whose: InvestigatorId | None) -> bool:
    assert trigger.of is not None
    value = counters.value(play, trigger.of, whose)
    is_enough = trigger.at_least is None or value >= trigger.at_least
    return is_enough and (trigger.at_most is None or value <= trigger.at_most)
