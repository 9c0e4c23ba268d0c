"""Events of the story. Section 15."""

from content.games.first_edition.schema.story import Exhaustion, StoryEvent, side_on_last_event
from protocol.common.text import Text
from protocol.games.first_edition.events import EventFaced, EventResolved, TimeAdded, Told
from protocol.games.first_edition.words import Variant
from server.games.first_edition.rules import effects, objective
from server.games.first_edition.rules.play import Play, Source

SIDES = 10
"""Sides of the die that decides whether the last event comes. K-VAR-8."""
LATE = 2
"""The greatest roll at which the last event does not come yet. K-VAR-8."""


def event_card(play: Play, event: str) -> StoryEvent:
    """Return an event of the story."""
    return next(one for one in play.content.story.events if one.id == event)


async def add_time(play: Play) -> None:
    """
    Put a time token on the event deck; at its number the event is resolved. K-EVENT-1, K-EVENT-2.

    While the last event is late no token is added. K-DECIDE-67.
    """
    if not play.table.events or is_due(play):
        return
    play.emit(TimeAdded())
    if is_due(play):
        await face_event(play)


def is_due(play: Play) -> bool:
    """Return whether the time tokens have reached the number of the next event. K-EVENT-2."""
    return bool(play.table.events) and play.table.time >= play.table.event_time


async def face_event(play: Play) -> None:
    """
    Resolve the next event, unless it is the last one and the die says not yet. K-VAR-8, K-VAR-9.

    Variant "game length". There is no roll if the objective names a winner on the last event, which
    tells something about the objective, as the variant has it. K-VAR-10, K-DECIDE-67.
    """
    can_be_late = (
        Variant.GAME_LENGTH in play.table.variants
        and len(play.table.events) == 1
        and side_on_last_event(objective.secret(play)) is None
    )
    if can_be_late:
        (face,) = play.roll("event", 1, sides=SIDES)
        if face + 1 <= LATE:
            play.emit(Told(Text("result/event_late", (face + 1,))))
            return
    await resolve_event(play)


async def resolve_event(play: Play) -> None:
    """
    Resolve the next event, which everybody reads. K-EVENT-2, K-EVENT-4, K-DECIDE-65, K-DECIDE-68.

    After the last one the side wins that the objective names; if it names none, and the story ends
    with its events, nobody wins. K-GOAL-5, K-DECIDE-66.
    """
    sealed = play.table.events[0]
    card = event_card(play, sealed.value)
    play.emit(EventResolved(play.disclose(sealed), card.id))
    left = play.table.events
    play.emit(EventFaced(event_card(play, left[0].value).time if left else 0))
    await effects.resolve(play, card.effect, Source(card.id))
    if play.table.events:
        return
    side = side_on_last_event(objective.secret(play))
    if side is not None:
        objective.win(play, side)
    if play.content.story.event_exhaustion is Exhaustion.END:
        objective.end(play, (), Text("result/nobody_wins"))
