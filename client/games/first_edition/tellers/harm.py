"""Damage, horror, stun, trauma, death and elimination, in words."""

from collections.abc import Iterator

from client.games.first_edition.tellers.base import FirstEditionContext, one_line, tells
from client.tellers.base import Told, Tone
from protocol.games.first_edition import events as fe

one_line(fe.SeatEliminated, "eliminated", lambda e, at: (at.seat(e.seat),))


@tells(fe.HarmTaken)
def _(event: fe.HarmTaken, at: FirstEditionContext) -> Iterator[Told]:
    name, who = at.who(event.investigator), at.game.character(event.investigator)
    before = at.game_before.character(event.investigator)
    if event.damage:
        key = "damage_taken" if event.damage > 0 else "damage_healed"
        yield Tone.ACTION, at.say(key, name, abs(event.damage), max(0, who.health_left))
    if event.horror:
        key = "horror_taken" if event.horror > 0 else "horror_healed"
        yield Tone.ACTION, at.say(key, name, abs(event.horror), who.sanity_left)
    if who.is_insane is not before.is_insane:
        yield Tone.ACTION, at.say("insane" if who.is_insane else "sane", name)


@tells(fe.Stunned)
def _(event: fe.Stunned, at: FirstEditionContext) -> Iterator[Told]:
    key = "stunned" if event.count >= 0 else "less_stunned"
    left = at.game.character(event.investigator).stun
    yield Tone.ACTION, at.say(key, at.who(event.investigator), left)


@tells(fe.Cursed)
def _(event: fe.Cursed, at: FirstEditionContext) -> Iterator[Told]:
    key, left = "cursed" if event.count >= 0 else "less_cursed", at.game.character(event.who).curses
    yield Tone.ACTION, at.say(key, at.who(event.who), left, abs(event.count))


@tells(fe.SkillPointsChanged)
def _(event: fe.SkillPointsChanged, at: FirstEditionContext) -> Iterator[Told]:
    key = "points_gained" if event.by > 0 else "points_lost"
    left = at.game.investigators[event.investigator].skill_points
    yield Tone.ACTION, at.say(key, at.who(event.investigator), abs(event.by), left)


@tells(fe.TraumaPlayed)
def _(event: fe.TraumaPlayed, at: FirstEditionContext) -> Iterator[Told]:
    who, card = at.who(event.investigator), at.card(event.card)
    kind = at.speaker.say(f"trauma.{event.kind.value}")
    yield Tone.STEP, at.say("trauma_played", who, card, kind)
    yield from at.written_on(event.card)


@tells(fe.TraumaLost)
def _(event: fe.TraumaLost, at: FirstEditionContext) -> Iterator[Told]:
    card = at.game_before.investigators[event.investigator].trauma(event.kind)
    if card is not None:
        yield Tone.ACTION, at.say("trauma_lost", at.who(event.investigator), at.card(card))


@tells(fe.InvestigatorKilled)
def _(event: fe.InvestigatorKilled, at: FirstEditionContext) -> Iterator[Told]:
    seat = at.seat(at.game_before.investigators[event.investigator].seat)
    yield Tone.STEP, at.say("investigator_killed", at.who(event.investigator))
    yield Tone.ACTION, at.say("returns" if event.returns else "eliminated", seat)
