"""Damage, Horror and their consequences, in words."""

from collections.abc import Iterator

from client.games.second_edition.tellers.base import SecondEditionContext, one_line, tells
from client.games.second_edition.tellers.possessions import flipped
from client.tellers.base import Told, Tone
from protocol.games.second_edition import events as se

one_line(
    se.HarmPrevented,
    "prevented",
    lambda e, at: (at.who(e.investigator), e.count, at.speaker.say(f"harm.{e.harm.value}")),
)
one_line(
    se.ConditionDiscarded,
    "condition_lost",
    lambda e, at: (at.who(e.investigator), at.card(e.card)),
)
one_line(
    se.InvestigatorEliminated, "eliminated", lambda e, at: (at.who(e.investigator), e.countdown)
)


@tells(se.HarmTurnedFaceup)
def _(happened: se.HarmTurnedFaceup, at: SecondEditionContext) -> Iterator[Told]:
    yield Tone.ACTION, at.say("turned_up", at.who(happened.investigator), at.card(happened.card))
    yield from at.written_on(happened.card)


@tells(se.BecameWounded)
def _(happened: se.BecameWounded, at: SecondEditionContext) -> Iterator[Told]:
    yield Tone.ACTION, at.say("wounded", at.who(happened.investigator))
    yield from at.written_on(happened.card)


@tells(se.ConditionGained)
def _(happened: se.ConditionGained, at: SecondEditionContext) -> Iterator[Told]:
    yield Tone.ACTION, at.say("condition", at.who(happened.investigator), at.card(happened.card))
    yield from at.written_on(happened.card)


@tells(se.HarmTaken)
def _(happened: se.HarmTaken, at: SecondEditionContext) -> Iterator[Told]:
    harm = at.speaker.say(f"harm.{happened.harm.value}")
    if happened.card is None:
        yield Tone.ACTION, at.say("harm_facedown", at.who(happened.investigator), harm)
    else:
        card = at.card(happened.card)
        yield Tone.ACTION, at.say("harm_faceup", at.who(happened.investigator), harm, card)
        yield from at.written_on(happened.card)


@tells(se.HarmTurnedFacedown)
def _(happened: se.HarmTurnedFacedown, at: SecondEditionContext) -> Iterator[Told]:
    card = _faceup(happened.investigator, happened.handle, at)
    yield Tone.ACTION, at.say("turned_down", at.who(happened.investigator), card)


@tells(se.HarmDiscarded)
def _(happened: se.HarmDiscarded, at: SecondEditionContext) -> Iterator[Told]:
    who = at.who(happened.investigator)
    card = _faceup(happened.investigator, happened.handle, at)
    if card:
        yield Tone.ACTION, at.say("harm_discarded", who, card)
    else:
        harm = at.speaker.say(f"harm.{happened.harm.value}")
        yield Tone.ACTION, at.say("harm_discarded_facedown", who, harm)


def _faceup(investigator: str, handle: str, at: SecondEditionContext) -> str:
    faceup = at.game_before.investigators[investigator].faceup
    cards = [card for lying in faceup.values() for card in lying if card.handle == handle]
    return at.card(cards[0].card) if cards else ""


@tells(se.ConditionFlipped)
def _(happened: se.ConditionFlipped, at: SecondEditionContext) -> Iterator[Told]:
    held = at.game_before.investigators[happened.investigator].conditions
    # A hostile server flips what nobody has.
    face = next((one.face for one in held if one.handle == happened.handle), happened.card)
    yield from flipped(at, at.who(happened.investigator), at.card(face), happened.turned_to)


@tells(se.BecameInsane)
def _(happened: se.BecameInsane, at: SecondEditionContext) -> Iterator[Told]:
    yield Tone.ACTION, at.say("insane", at.who(happened.investigator))
    yield from at.written_on(happened.card)
    if happened.back.is_open and happened.back.value:
        details = " ".join(at.speaker.details("card", happened.back.value))
        yield Tone.PRIVATE, at.say("back", at.card(happened.back.value), details)
