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


one_line(se.CountdownStopped, "countdown_stopped", lambda _e, _at: ())
one_line(
    se.LimitsChanged,
    "limits_changed",
    lambda e, at: (at.who(e.investigator), e.health, e.sanity),
)


@tells(se.HarmTurnedFaceup)
def _(event: se.HarmTurnedFaceup, at: SecondEditionContext) -> Iterator[Told]:
    yield Tone.ACTION, at.say("turned_up", at.who(event.investigator), at.card(event.card))
    yield from at.written_on(event.card)


@tells(se.BecameWounded)
def _(event: se.BecameWounded, at: SecondEditionContext) -> Iterator[Told]:
    yield Tone.ACTION, at.say("wounded", at.who(event.investigator))
    yield from at.written_on(event.card)


@tells(se.ConditionGained)
def _(event: se.ConditionGained, at: SecondEditionContext) -> Iterator[Told]:
    yield Tone.ACTION, at.say("condition", at.who(event.investigator), at.card(event.card))
    yield from at.written_on(event.card)


@tells(se.HarmTaken)
def _(event: se.HarmTaken, at: SecondEditionContext) -> Iterator[Told]:
    harm = at.speaker.say(f"harm.{event.harm.value}")
    if event.card is None:
        yield Tone.ACTION, at.say("harm_facedown", at.who(event.investigator), harm)
    else:
        card = at.card(event.card)
        yield Tone.ACTION, at.say("harm_faceup", at.who(event.investigator), harm, card)
        yield from at.written_on(event.card)


@tells(se.HarmTurnedFacedown)
def _(event: se.HarmTurnedFacedown, at: SecondEditionContext) -> Iterator[Told]:
    card = _faceup(event.investigator, event.handle, at)
    yield Tone.ACTION, at.say("turned_down", at.who(event.investigator), card)


@tells(se.HarmDiscarded)
def _(event: se.HarmDiscarded, at: SecondEditionContext) -> Iterator[Told]:
    who = at.who(event.investigator)
    card = _faceup(event.investigator, event.handle, at)
    if card:
        yield Tone.ACTION, at.say("harm_discarded", who, card)
    else:
        harm = at.speaker.say(f"harm.{event.harm.value}")
        yield Tone.ACTION, at.say("harm_discarded_facedown", who, harm)


def _faceup(investigator: str, handle: str, at: SecondEditionContext) -> str:
    # After the event, the card is facedown or gone.
    faceup = at.game_before.investigators[investigator].faceup
    cards = [card for lying in faceup.values() for card in lying if card.handle == handle]
    return at.card(cards[0].card) if cards else ""


@tells(se.ConditionFlipped)
def _(event: se.ConditionFlipped, at: SecondEditionContext) -> Iterator[Told]:
    held = at.game_before.investigators[event.investigator].conditions
    # A hostile server flips what nobody has.
    face = next((one.face for one in held if one.handle == event.handle), event.card)
    yield from flipped(at, at.who(event.investigator), at.card(face), event.turned_to)


@tells(se.BecameInsane)
def _(event: se.BecameInsane, at: SecondEditionContext) -> Iterator[Told]:
    yield Tone.ACTION, at.say("insane", at.who(event.investigator))
    yield from at.written_on(event.card)
    if event.back.is_open and event.back.value:
        details = " ".join(at.speaker.details("card", event.back.value))
        yield Tone.PRIVATE, at.say("back", at.card(event.back.value), details)
