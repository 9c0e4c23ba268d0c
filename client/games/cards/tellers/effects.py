"""Effects that waited for their moment, in words."""

from collections.abc import Iterator

from client.games.cards.tellers.base import CardsContext, tells
from client.tellers.base import Told, Tone
from protocol.games.cards import events as c


@tells(c.DelayedCame)
def _(event: c.DelayedCame, at: CardsContext) -> Iterator[Told]:
    for one in at.before.delayed:
        if one.number == event.number:
            yield Tone.ACTION, at.say("delayed", at.card_of(one.step, one.holder, one.unseen))
