"""
The Mythos phase: events, then monsters, then horror.

Rules MYTHOS-1 to MYTHOS-7, EVENT-1 to EVENT-5, ACTIVATE-1, ACTIVATE-10, DECIDE-12, DECIDE-132,
DECIDE-133. Each event, activation and check is a procedure of its own.
"""

from content.games.second_edition.schema.pack import Pack
from content.games.second_edition.schema.scenario import Moment, MythosEvent, Scenario
from content.games.second_edition.schema.shared import Fits, SharedEvent
from protocol.common.text import Text
from protocol.event import hidden
from protocol.games.second_edition.events import DealtWith, ToldPrivately
from protocol.games.second_edition.table import InvestigatorId, MythosStep
from protocol.memo import memo
from server.games.second_edition.rules import (
    draws,
    effects,
    fire,
    happenings,
    memory,
    proposals,
    requirements,
    rounds,
    triggers,
)
from server.games.second_edition.rules.amounts import scaled
from server.games.second_edition.rules.play import Play, Source, because

Event = MythosEvent | SharedEvent
"""An event of the scenario's own, or one that several scenarios share."""


async def begin(play: Play) -> None:
    """
    Begin the phase: show each Insane investigator a line, then triggers, Fire and the event step.

    Every Insane investigator gets the line at this moment, independent of the back of their card,
    so that the line reveals nothing. Rules MYTHOS-1, MYTHOS-3, SECRET-6 and DECIDE-144.
    """
    for who in play.table.standing():
        for condition in play.table.investigators[who].conditions:
            if condition.back is not None:
                # Where no copy of the card was left, there is nothing to read.
                line = Text(condition.back.value or "told/insane_without_card")
                play.emit(ToldPrivately(who, hidden(line)))
    await triggers.run(play, Moment.MYTHOS_BEGAN)
    await fire.spread(play)
    proposals.begin_step(play, MythosStep.EVENT)


def events_left(play: Play) -> bool:
    """Return True if the event step still has events to draw. Rule EVENT-1."""
    return _events_drawn(play) < max(1, scaled(play, play.content.scenario.events_each_round))


def _events_drawn(play: Play) -> int:
    return sum(item.startswith(_EVENT) for item in play.table.done)


_EVENT = "event/"
"""Prefix of the marks that count drawn events in the table's list of things done in a step."""


async def draw_event(play: Play) -> None:
    """
    Draw one Mythos event and resolve it. Rules EVENT-1 to EVENT-3 and DECIDE-132.

    Steps that name no investigator concern the first one who is not eliminated.
    """
    number = _events_drawn(play) + 1
    # Somebody stands: the last elimination ends the game.
    actor = play.table.standing()[0]
    fitting = _fitting(play, actor)
    taken = play.content.scenario.shared_events
    shared = 1 if taken is None else taken.weight
    # Counted even if no event fits, or the step would never end.
    play.emit(DealtWith(f"{_EVENT}{number}"))
    pool = _pool(play)
    at = draws.deal(
        play,
        "mythos event",
        fitting,
        weights=[
            pool[at].weight * (shared if isinstance(pool[at], SharedEvent) else 1) for at in fitting
        ],
        name=lambda at: pool[at].id,
        before="mythos event",
    )
    if at is None:
        return
    memory.remember(play, _name(at), _times(play, at) + 1)
    happenings.note(play, pool[at].id)
    with because(play, Text("within/event")):
        await effects.resolve(play, pool[at].effect, Source(actor))


def _pool(play: Play) -> tuple[Event, ...]:
    """Return every event of the scenario: its own events, then the shared ones."""
    return _pool_of(play.content.pack, play.content.scenario)


@memo()
def _pool_of(pack: Pack, scenario: Scenario) -> tuple[Event, ...]:
    return (*scenario.mythos, *pack.events_of(scenario))


def _fitting(play: Play, actor: InvestigatorId) -> list[int]:
    """
    Return the positions of the events that can be drawn now.

    Each event is drawn once. When none is left, repeatable events can be drawn again, those with
    the fewest draws first.
    """
    pool = _pool(play)
    allowed = [at for at, event in enumerate(pool) if _is_due(play, event, actor)]
    fresh = [at for at in allowed if not _times(play, at)]
    if fresh:
        return fresh
    again = [at for at in allowed if pool[at].repeats]
    fewest = min((_times(play, at) for at in again), default=0)
    return [at for at in again if _times(play, at) == fewest]


def _is_due(play: Play, event: Event, actor: InvestigatorId) -> bool:
    asked = [event.when]
    if isinstance(event, SharedEvent):
        if not _fits(play, event.fits, actor):
            return False
        taken = play.content.scenario.shared_events
        asked.append(None if taken is None else taken.when)
    return all(when is None or requirements.holds(play, when, actor) for when in asked)


def _fits(play: Play, fits: Fits, actor: InvestigatorId) -> bool:
    """
    Return True if a shared event suits this round and the board. Rule EVENT-3.

    If the event names traits of rooms, the board must have a room with one of them.
    """
    if fits.rounds is not None and not requirements.holds(play, fits.rounds, actor):
        return False
    if not fits.rooms:
        return True
    open_rooms = set(play.table.map.rooms.values())
    return any(
        room.id in open_rooms and any(trait in fits.rooms for trait in room.traits)
        for room in play.content.scenario.rooms
    )


def _name(at: int) -> str:
    """Return the name under which memory counts the draws of the event at position `at`."""
    return f"m{at + 1}"


def _times(play: Play, at: int) -> int:
    return memory.number(play, _name(at)) or 0


async def finish_events(play: Play) -> None:
    """
    Run the triggers that follow the events, then end the event step. Rules EVENT-4 and MYTHOS-7.

    Without a monster on the board, the monster and horror steps are skipped (DECIDE-12).
    """
    await triggers.run(play, Moment.EVENTS_DONE)
    if play.table.monsters:
        proposals.begin_step(play, MythosStep.MONSTER)
    else:
        await rounds.end_mythos_phase(play)


async def finish_monsters(play: Play) -> None:
    """End the monster step. Rule ACTIVATE-10; without a monster left the phase ends (DECIDE-12)."""
    if play.table.monsters:
        proposals.begin_step(play, MythosStep.HORROR)
    else:
        await rounds.end_mythos_phase(play)


async def finish_horror(play: Play) -> None:
    """Run the triggers that follow the horror checks, then end the phase. Rule MYTHOS-4."""
    await triggers.run(play, Moment.HORROR_DONE)
    await rounds.end_mythos_phase(play)
