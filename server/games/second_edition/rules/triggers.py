"""
Triggers: effects that the scenario starts by itself at certain moments.

Sealed counters record the triggers already resolved, since their names would reveal the script.
Rules EVENT-3, WIN-4, WIN-5.
"""

from collections.abc import Iterator, Sequence

from content.games.second_edition.schema.counters import Scope
from content.games.second_edition.schema.scenario import Moment, Trigger
from protocol.common.text import Text
from protocol.games.second_edition.table import InvestigatorId, MonsterId
from protocol.values import frozen
from server.games.second_edition.rules import (
    counters,
    effects,
    happenings,
    interplay,
    memory,
    requirements,
    simultaneous,
)
from server.games.second_edition.rules.play import Play, Source, because
from server.kernel.asks import Option

_A_PAIR = 2


@frozen
class Occurrence:
    """Occurrence of a moment, which triggers can wait for."""

    moment: Moment
    about: tuple[str, ...] = ()
    """Every name by which a trigger may refer to the subject of the moment."""
    investigator: InvestigatorId | None = None
    """Investigator whom the moment concerns; None for the first one who is not eliminated."""


@frozen
class _Triggered:
    """Trigger whose moment has occurred, and the investigator whom it concerns."""

    number: int
    """Number of the trigger in the scenario."""
    trigger: Trigger
    investigator: InvestigatorId | None


async def run(
    play: Play,
    moment: Moment,
    investigator: InvestigatorId | None = None,
    *,
    about: tuple[str, ...] = (),
    monster: MonsterId | None = None,
    is_inner: bool = False,
) -> None:
    """Resolve every trigger of one moment; see `run_together`."""
    occurred = [Occurrence(moment, about, investigator)]
    await run_together(play, occurred, monster=monster, is_inner=is_inner)


async def run_together(
    play: Play,
    occurred: Sequence[Occurrence],
    *,
    monster: MonsterId | None = None,
    is_inner: bool = False,
) -> None:
    """
    Resolve the triggers of simultaneous occurrences whose requirements hold, in script order.

    The investigators may reorder the triggers with a public text (CONFLICT-2); naming any other
    trigger would reveal the script.

    No trigger is resolved before the first round has begun, and none starts again while it is being
    resolved.

    Args:
        play: the game.
        occurred: the occurrences.
        monster: the monster that the effects call "the monster".
        is_inner: True if harm is still being suffered (DECIDE-51).
    """
    if not play.table.round_number:
        return
    meant = [
        _Triggered(number, trigger, one.investigator)
        for one in occurred
        for number, trigger in play.content.scenario.triggers_by_moment[one.moment]
        if trigger.of is None or trigger.of in one.about
    ]
    for one in await _in_order(play, meant, monster):
        source = _source(play, one.investigator, monster, is_inner=is_inner)
        await _set_off(play, one.number, one.trigger, source)


async def _in_order(
    play: Play, meant: Sequence[_Triggered], monster: MonsterId | None
) -> Sequence[_Triggered]:
    """
    Return triggers in the order of their resolution.

    The group orders those with a public text, if the order matters.
    """
    if sum(one.trigger.text is not None for one in meant) < _A_PAIR:
        return meant
    due: dict[int, Option[int]] = {}
    for one in meant:
        source = _source(play, one.investigator, monster)
        is_due = source is not None and _is_due(play, one.number, one.trigger, source)
        if one.trigger.text is not None and is_due:
            due[one.number] = Option(one.number, Text(one.trigger.text))
    seen = [one for one in meant if one.number in due]
    if not any(interplay.effect_reaches_others(play, one.trigger.effect) for one in seen):
        return meant
    with because(play, Text("within/story")):
        numbers = await simultaneous.in_order(play, list(due.values()))
    ordered = iter(sorted(seen, key=lambda one: numbers.index(one.number)))
    return [next(ordered) if one.number in due else one for one in meant]


def _source(
    play: Play,
    investigator: InvestigatorId | None,
    monster: MonsterId | None,
    *,
    is_inner: bool = False,
) -> Source | None:
    actor = investigator or next(iter(play.table.standing()), None)
    return None if actor is None else Source(actor, monster, is_inner=is_inner)


async def _set_off(play: Play, number: int, trigger: Trigger, source: Source | None) -> None:
    # Asked only now: the effect of an earlier trigger may decide it.
    if source is None or not _is_due(play, number, trigger, source):
        return
    # Marked before its effect, which may cause the same moment again.
    if trigger.once:
        memory.remember(play, interplay.name_of_trigger(number), 1)
    happenings.note(play, trigger.id)
    play.under_way.add(interplay.name_of_trigger(number))
    try:
        with because(play, _cause(trigger)):
            await effects.resolve(play, trigger.effect, source)
    finally:
        play.under_way.discard(interplay.name_of_trigger(number))


def _cause(trigger: Trigger) -> Text:
    """Name a trigger by its public text; the name of any other would reveal the script."""
    return Text(trigger.text or "within/story")


def _is_due(play: Play, number: int, trigger: Trigger, source: Source) -> bool:
    if interplay.name_of_trigger(number) in play.under_way:
        return False
    if trigger.once and memory.number(play, interplay.name_of_trigger(number)) is not None:
        return False
    return requirements.holds_for(play, trigger.when, source)


# Counters that reach something --------------------------------------------------------------


@effects.STEPS.follows
async def _run_counter_triggers(play: Play, source: Source) -> None:
    """
    Resolve each trigger whose counter has just entered the bounds of the trigger.

    The group orders simultaneous triggers with a text, as in `run_together` (CONFLICT-2).
    """
    if not play.table.round_number:
        return
    waiting = play.content.scenario.triggers_by_moment[Moment.COUNTER_REACHED]
    # Without two public texts there is no order to ask for, so each counter is compared after the
    # effect of the trigger before it; otherwise all are compared first.
    if sum(trigger.text is not None for _, trigger in waiting) < _A_PAIR:
        for number, trigger, whose in _counter_triggers(play):
            if _note_bounds(play, number, trigger, whose):
                await _set_off(play, number, trigger, _source_for(source, whose))
        return
    come = [
        _Triggered(number, trigger, whose or source.actor)
        for number, trigger, whose in _counter_triggers(play)
        if _note_bounds(play, number, trigger, whose)
    ]
    for one in await _in_order(play, come, None):
        await _set_off(play, one.number, one.trigger, _source_for(source, one.investigator))


def _source_for(source: Source, whose: InvestigatorId | None) -> Source:
    return Source(whose or source.actor, is_inner=source.is_inner)


def begin(play: Play) -> None:
    """
    Record which counters start within their triggers' bounds, so that no trigger runs at once.

    A mark is written for each counter. In a log of version 1, marks for some counters only would
    reveal the numbers dealt.
    """
    for number, trigger, whose in _counter_triggers(play):
        is_within = _is_within(play, trigger, whose)
        memory.remember(play, _mark(number, whose), int(is_within))


def _counter_triggers(play: Play) -> Iterator[tuple[int, Trigger, InvestigatorId | None]]:
    """Yield each trigger that waits for a counter, once for each owner of a personal counter."""
    for number, trigger in play.content.scenario.triggers_by_moment[Moment.COUNTER_REACHED]:
        if trigger.of is None:
            continue
        each = counters.declared(play, trigger.of).of is Scope.INVESTIGATOR
        for whose in tuple(play.table.investigators) if each else (None,):
            yield number, trigger, whose


def _note_bounds(play: Play, number: int, trigger: Trigger, whose: InvestigatorId | None) -> bool:
    """
    Record whether a counter is within its trigger's bounds.

    Return True if it has just entered them. A personal counter is that of `whose`.
    """
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
