"""Events of the story. Section 15."""

from content.games.first_edition.schema.story import Exhaustion, StoryEvent, side_on_last_event
from protocol.common.text import Text
from protocol.games.first_edition.events import EventFaced, EventResolved, TimeAdded
from server.games.first_edition.rules import effects, objective
from server.games.first_edition.rules.play import Play, Source


def event_card(play: Play, event: str) -> StoryEvent:
    """Return an event of the story."""
    return next(one for one in play.content.story.events if one.id == event)


async def add_time(play: Play) -> None:
    """Put a time token on the event deck; at its number the event is resolved. K-EVENT-1, 2."""
    if not play.table.events:
        return
    play.emit(TimeAdded())
    if play.table.time >= play.table.event_time:
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
        goal = objective.secret(play)
        objective.end(play, (side,), Text(goal.id, field=f"won_by_{side.value}"))
    if play.content.story.event_exhaustion is Exhaustion.END:
        objective.end(play, (), Text("result/nobody_wins"))
