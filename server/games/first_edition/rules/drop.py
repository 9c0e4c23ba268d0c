"""Dropping items, and what makes investigators lose them. K-ACT-5, K-DECIDE-39."""

import functools
from collections.abc import Sequence

from protocol.common.text import Text
from protocol.games.first_edition.events import ItemDropped
from protocol.games.first_edition.table import InvestigatorId, Item
from server.games.first_edition.rules import places, turn
from server.games.first_edition.rules.play import Play
from server.kernel.asks import Option
from server.rulekit.offers import Offers


def offers(play: Play, who: InvestigatorId) -> Offers:
    """Offer to drop items; without items there is nothing to say. K-ACT-5."""
    if not play.table.investigators[who].items:
        return Offers()
    text = Text("choice/drop")
    return turn.no_action(play, text, "drop") or Offers(
        (Option(functools.partial(drop, play, who), text, (), "use"),)
    )


async def drop(play: Play, who: InvestigatorId) -> None:
    """Leave any number of items face up in the room, by one action. K-DECIDE-39."""
    if not await turn.begin_action(play, who, "drop"):
        return
    items = play.table.investigators[who].items
    about = Text("about/drop", (who,))
    for piece in await choose(play, who, items, (1, len(items)), about, Text("ask/drop", (who,))):
        leave(play, who, piece)


def leave(play: Play, who: InvestigatorId, piece: str) -> None:
    """Leave an item face up in the room of an investigator. K-ACT-5."""
    room = play.table.room_of(play.table.investigators[who].space)
    play.emit(ItemDropped(who, piece, room))


async def choose(
    play: Play,
    who: InvestigatorId,
    items: Sequence[Item],
    bounds: tuple[int, int],
    about: Text,
    prompt: Text,
) -> tuple[str, ...]:
    """Have an investigator choose among own items; as few as must be chosen need no question."""
    if len(items) <= bounds[0]:
        return tuple(one.piece for one in items)
    options = [
        Option(one.piece, Text("choice/item", (one.card,)), (places.at_item(one.piece),))
        for one in items
    ]
    return await play.choose_some(
        play.seat_of(who),
        options,
        rule="K-DECIDE-39",
        about=about,
        prompt=prompt,
        at_least=bounds[0],
        at_most=bounds[1],
    )
