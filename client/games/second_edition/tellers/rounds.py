"""Rounds, turns and actions, in words."""

from collections.abc import Iterator

from client.games.second_edition.tellers.base import SecondEditionContext, one_line, tells
from client.tellers.base import Told, Tone
from protocol.games.second_edition import events as se
from protocol.games.second_edition.table import Phase

one_line(
    se.ActionForfeited,
    "forfeited",
    lambda e, at: (at.who(e.investigator), at.speaker.say(f"action.{e.action}")),
)
one_line(se.ActionsGained, "actions_gained", lambda e, at: (at.who(e.investigator), e.count))
one_line(se.ActionsLost, "actions_lost", lambda e, at: (at.who(e.investigator), e.count))


@tells(se.PhaseBegan)
def _(event: se.PhaseBegan, at: SecondEditionContext) -> Iterator[Told]:
    if event.phase is Phase.INVESTIGATOR:
        yield Tone.ROUND, at.say("round", event.round_number)
    else:
        yield Tone.STEP, at.speaker.say(f"phase.{event.phase.value}")


@tells(se.MythosStepBegan)
def _(event: se.MythosStepBegan, at: SecondEditionContext) -> Iterator[Told]:
    yield Tone.STEP, at.speaker.say(f"step.{event.step.value}")


@tells(se.TurnBegan)
def _(event: se.TurnBegan, at: SecondEditionContext) -> Iterator[Told]:
    yield Tone.STEP, at.say("turn", at.who(event.investigator))


@tells(se.ActionSpent)
def _(event: se.ActionSpent, at: SecondEditionContext) -> Iterator[Told]:
    # Every step of a move is an event of its own, which is told.
    if event.action != "move":
        yield Tone.ACTION, at.speaker.say(f"acted.{event.action}", at.who(event.investigator))


@tells(se.PowerUsed)
def _(event: se.PowerUsed, at: SecondEditionContext) -> Iterator[Told]:
    who = at.who(event.investigator)
    if event.source == event.investigator:
        yield Tone.ACTION, at.say("ability_used", who)
    else:
        has = at.game.investigators[event.investigator].possessions
        # Before version 3 of the log, the source is the id of a card.
        named = (one.face for one in has if one.possession_id == event.source)
        yield Tone.ACTION, at.say("card_used", who, at.card(next(named, event.source)))
