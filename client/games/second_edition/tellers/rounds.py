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
one_line(se.ActionsLost, "actions_lost", lambda e, at: (at.who(e.investigator), e.count))


@tells(se.PhaseBegan)
def _(happened: se.PhaseBegan, at: SecondEditionContext) -> Iterator[Told]:
    if happened.phase is Phase.INVESTIGATOR:
        yield Tone.ROUND, at.say("round", happened.round_number)
    else:
        yield Tone.STEP, at.speaker.say(f"phase.{happened.phase.value}")


@tells(se.MythosStepBegan)
def _(happened: se.MythosStepBegan, at: SecondEditionContext) -> Iterator[Told]:
    yield Tone.STEP, at.speaker.say(f"step.{happened.step.value}")


@tells(se.TurnBegan)
def _(happened: se.TurnBegan, at: SecondEditionContext) -> Iterator[Told]:
    yield Tone.STEP, at.say("turn", at.who(happened.investigator))


@tells(se.ActionSpent)
def _(happened: se.ActionSpent, at: SecondEditionContext) -> Iterator[Told]:
    # Every step of a move is an event of its own, which is told.
    if happened.action != "move":
        yield Tone.ACTION, at.speaker.say(f"acted.{happened.action}", at.who(happened.investigator))


@tells(se.PowerUsed)
def _(happened: se.PowerUsed, at: SecondEditionContext) -> Iterator[Told]:
    who = at.who(happened.investigator)
    if happened.source == happened.investigator:
        yield Tone.ACTION, at.say("ability_used", who)
    else:
        has = at.game.investigators[happened.investigator].possessions
        named = (one.face for one in has if one.possession_id == happened.source)
        yield Tone.ACTION, at.say("card_used", who, at.card(next(named, happened.source)))
