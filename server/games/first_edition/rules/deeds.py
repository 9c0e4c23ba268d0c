"""Actions of the story. K-ACT-2."""

import functools

from content.games.first_edition.schema.story import Deed
from protocol.common.text import Text
from protocol.games.first_edition.events import DealtWith
from protocol.games.first_edition.table import InvestigatorId
from server.games.first_edition.rules import effects, lacking, requirements, turn
from server.games.first_edition.rules.play import Play, Source
from server.kernel.asks import Option
from server.rulekit.offers import Offers, refusal, together


def offers(play: Play, who: InvestigatorId) -> Offers:
    """Offer the actions that the story has where the investigator is, or say why not."""
    room = play.table.room_of(play.table.investigators[who].space)
    return together(
        _offer(play, who, deed)
        for deed in play.content.story.deeds
        if deed.room is None or deed.room == room
    )


def _offer(play: Play, who: InvestigatorId, deed: Deed) -> Offers:
    text = Text("choice/deed", (deed.id,))
    if barred := turn.no_action(play, text, "deed"):
        return barred
    if deed.once and _done(deed) in play.table.done:
        return refusal(text, Text("refusal/once_a_game"), "K-CARD-1")
    if not requirements.holds(play, deed.requires, Source(deed.id, who)):
        return refusal(text, lacking.reason(play, deed.requires, Source(deed.id, who)), "K-CARD-1")
    return Offers((Option(functools.partial(perform, play, who, deed), text, (), "use"),))


async def perform(play: Play, who: InvestigatorId, deed: Deed) -> None:
    """
    Perform an action of the story. K-ACT-2.

    The action is lost if an evade test or a card of the keeper has taken what it needs before: the
    room, or what else it asks for.
    """
    if not await turn.begin_action(play, who, "deed"):
        return
    if deed.room not in {None, play.table.room_of(play.table.investigators[who].space)}:
        return
    if not requirements.holds(play, deed.requires, Source(deed.id, who)):
        return
    if deed.once:
        play.emit(DealtWith(_done(deed)))
    await effects.resolve(play, deed.effect, Source(deed.id, who, by_actor=True))


def _done(deed: Deed) -> str:
    return f"game:{deed.id}"
