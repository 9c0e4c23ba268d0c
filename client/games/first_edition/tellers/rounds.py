"""Rounds, turns and actions, in words."""

from collections.abc import Iterator

from client.games.first_edition.tellers.base import FirstEditionContext, one_line, tells
from client.tellers.base import Told, Tone
from protocol.games.first_edition import events as fe
from protocol.games.first_edition.table import KeeperStep
from protocol.games.first_edition.words import KEEPER

RULES = ("about/", "choice/", "refusal/", "result/", "stakes/")
"""Prefixes of texts that belong to the rules, not to the story."""
GUIDE = "guide/"
"""Prefix of the keeper's guide to an objective."""

one_line(fe.TurnBegan, "turn", lambda e, at: (at.who(e.investigator),), Tone.STEP)
one_line(fe.TurnWithdrawn, "turn_withdrawn", lambda e, at: (at.who(e.investigator),))
one_line(fe.StepsLimited, "steps_limited", lambda e, at: (at.who(e.investigator), e.left))


@tells(fe.RoundBegan)
def _(event: fe.RoundBegan, at: FirstEditionContext) -> Iterator[Told]:
    yield Tone.ROUND, at.say("round", event.round_number)
    if event.round_number == 1:
        # The investigators are in the room of the start, which nobody moves into.
        # A hostile server may have laid no such space.
        yield from at.text_of(at.game.map.rooms.get(at.game.start, ""))


@tells(fe.Told)
def _(event: fe.Told, at: FirstEditionContext) -> Iterator[Told]:
    is_rule = event.text.subject.startswith(RULES)
    yield Tone.ACTION if is_rule else Tone.STORY, at.speaker.text(event.text)


@tells(fe.ToldKeeper)
def _(event: fe.ToldKeeper, at: FirstEditionContext) -> Iterator[Told]:
    if not event.text.is_open:
        return
    text = at.speaker.text(event.text.value)
    key = "told_keeper" if event.role == KEEPER else "told_investigators"
    if event.text.value.subject.startswith(GUIDE):
        # A page before the first round, not several: a key shows the whole guide at any time.
        first, _, rest = text.partition("\n")
        text = f"{first} {at.say('guide_goes_on')}" if rest.strip() else first
    yield Tone.PRIVATE, at.say(key, text)


@tells(fe.ActionTaken)
def _(event: fe.ActionTaken, at: FirstEditionContext) -> Iterator[Told]:
    # Whom an attack is on, and with what, is told next.
    if event.action != "attack":
        yield Tone.ACTION, at.speaker.say(f"acted.{event.action}", at.who(event.investigator))


@tells(fe.ActionGained)
def _(event: fe.ActionGained, at: FirstEditionContext) -> Iterator[Told]:
    who, types = at.who(event.investigator), event.types
    if types:
        named = ", ".join(at.speaker.say(f"action.type.{one}") for one in types)
        yield Tone.ACTION, at.say("action_gained_of", who, named)
    else:
        yield Tone.ACTION, at.say("action_gained", who)


@tells(fe.AbilityUsed)
def _(event: fe.AbilityUsed, at: FirstEditionContext) -> Iterator[Told]:
    _, _, source = event.use.partition(":")
    yield Tone.ACTION, at.say("ability_used", at.who(event.investigator), at.card(source))


@tells(fe.KeeperStepBegan)
def _(event: fe.KeeperStepBegan, at: FirstEditionContext) -> Iterator[Told]:
    # A line for each of the steps would bury what happens in them, which is told.
    if event.step is KeeperStep.TRADE:
        yield Tone.STEP, at.say("keeper_turn")
    elif event.step is KeeperStep.ALLIES:
        # In the keeper's turn, and yet the investigators act.
        yield Tone.STEP, at.say("allies_phase")
