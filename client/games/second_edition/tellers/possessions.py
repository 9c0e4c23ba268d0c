"""Clues and possessions, in words."""

from collections.abc import Iterator

from client.games.second_edition.tellers.base import SecondEditionContext, one_line, tells
from client.tellers.base import Told, Tone
from protocol.games.second_edition import events as se

one_line(se.CluesGained, "clues_gained", lambda e, at: (at.who(e.investigator), e.count), Tone.GAIN)
one_line(se.CluesSpent, "clues_spent", lambda e, at: (at.who(e.investigator), e.count))
one_line(
    se.CluesGiven,
    "clues_given",
    lambda e, at: (at.who(e.giver), e.count, at.who(e.receiver)),
)
one_line(
    se.PossessionGiven,
    "given",
    lambda e, at: (at.who(e.giver), _held(e.giver, e.possession, at), at.who(e.receiver)),
)
one_line(
    se.PossessionTaken,
    "stolen",
    lambda e, at: (at.who(e.thief), _held(e.victim, e.possession, at), at.who(e.victim)),
)
one_line(
    se.PossessionDropped,
    "dropped",
    lambda e, at: (at.who(e.investigator), _held(e.investigator, e.possession, at)),
)
one_line(
    se.PossessionDiscarded,
    "discarded",
    lambda e, at: (at.who(e.investigator), _held(e.investigator, e.possession, at)),
)


def _held(investigator: str, possession: str, at: SecondEditionContext) -> str:
    # After the event, this investigator no longer has a card that was given away.
    has = at.game_before.investigators[investigator].possessions
    return at.card(next(p.face for p in has if p.possession_id == possession))


@tells(se.PossessionGained)
def _(event: se.PossessionGained, at: SecondEditionContext) -> Iterator[Told]:
    card = event.possession.card
    yield Tone.GAIN, at.say("gained", at.who(event.investigator), at.card(card))
    yield from at.written_on(card)


@tells(se.PossessionPickedUp)
def _(event: se.PossessionPickedUp, at: SecondEditionContext) -> Iterator[Told]:
    # After the event the space no longer has it.
    lying = at.game_before.lying[event.space]
    card = next(p.face for p in lying if p.possession_id == event.possession)
    yield Tone.ACTION, at.say("picked_up", at.who(event.investigator), at.card(card))


@tells(se.LyingDiscarded)
def _(event: se.LyingDiscarded, at: SecondEditionContext) -> Iterator[Told]:
    lying = at.game_before.lying[event.space]
    card = next(p.face for p in lying if p.possession_id == event.possession)
    yield Tone.ACTION, at.say("lying_discarded", at.card(card))


@tells(se.PossessionFlipped)
def _(event: se.PossessionFlipped, at: SecondEditionContext) -> Iterator[Told]:
    card = _held(event.investigator, event.possession, at)
    yield from flipped(at, at.who(event.investigator), card, event.turned_to)


def flipped(at: SecondEditionContext, who: str, card: str, back: str | None) -> Iterator[Told]:
    """Yield the lines about a flipped card.

    Args:
        at: the event.
        who: the investigator's name.
        card: the name of the card.
        back: the id of the side that is up now; None if it is the front.
    """
    if back is None:
        yield Tone.ACTION, at.say("flipped_back", who, card)
        return
    yield Tone.ACTION, at.say("flipped", who, card, at.card(back))
    yield from at.written_on(back)
