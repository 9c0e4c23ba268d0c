"""Tokens on cards, and the chaos bag, in words."""

from collections.abc import Iterator

from client.games.cards.tellers.base import CardsContext, one_line, tells
from client.tellers.base import Told, Tone
from protocol.games.cards import events as c

one_line(c.TokenSealed, "sealed", lambda e, at: (at.speaker.chaos(e.token), at.piece(e.piece)))
one_line(c.Unsealed, "unsealed", lambda e, at: (at.speaker.chaos_row(e.tokens), at.piece(e.piece)))


@tells(c.Tokens)
def _(event: c.Tokens, at: CardsContext) -> Iterator[Told]:
    # One line for each card: what was put on it, and what was taken off.
    for piece in dict.fromkeys(change.piece for change in event.changes):
        parts = [
            at.say(
                "put" if one.amount > 0 else "taken", at.speaker.token(one.kind, abs(one.amount))
            )
            for one in event.changes
            if one.piece == piece and one.amount
        ]
        if parts:
            yield Tone.ACTION, at.say("tokens", at.piece(piece), ", ".join(parts))


@tells(c.BagChanged)
def _(event: c.BagChanged, at: CardsContext) -> Iterator[Told]:
    for key, tokens in (("bag_added", event.added), ("bag_removed", event.removed)):
        if tokens:
            yield Tone.ACTION, at.say(key, at.speaker.chaos_row(tokens))
