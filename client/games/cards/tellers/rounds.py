"""Rounds, phases, turns and the end, in words."""

from collections.abc import Iterator

from client.games.cards.tellers.base import CardsContext, one_line, tells
from client.tellers.base import Told, Tone
from protocol.common.text import Text
from protocol.games.cards import events as c
from protocol.games.cards.words import Fate, Phase

NOTICE = "notice/"
"""Prefix of texts that belong to the rules, not to the story."""

one_line(c.RoundBegan, "round", lambda e, _: (e.number,), Tone.ROUND)
one_line(
    c.TraumaSuffered,
    "trauma",
    lambda e, at: (at.who(e.investigator), e.amount, at.speaker.say(f"trauma.{e.kind.value}")),
)


@tells(c.StepCame)
def _(event: c.StepCame, at: CardsContext) -> Iterator[Told]:
    if event.phase is not at.before.phase and event.phase not in (Phase.SETUP, Phase.OVER):
        yield Tone.STEP, at.say("phase", at.speaker.say(f"phase.{event.phase.value}"))


@tells(c.TurnBegan)
def _(event: c.TurnBegan, at: CardsContext) -> Iterator[Told]:
    who = at.who(event.investigator)
    lost = at.before.investigators[event.investigator].actions_lost
    yield Tone.STEP, at.say("turn_lost", who, lost) if lost else at.say("turn", who)


@tells(c.Used)
def _(event: c.Used, at: CardsContext) -> Iterator[Told]:
    is_played = event.ability < 0
    key = "played" if is_played else "forced" if event.is_forced else "used"
    yield Tone.ACTION, at.say(key, at.who(event.investigator), at.card(event.code))
    if is_played:
        yield from at.printed(event.code)


@tells(c.UsedUnseen)
def _(event: c.UsedUnseen, at: CardsContext) -> Iterator[Told]:
    """Its holder reads which card it is."""
    card = at.source(event.use.value[0] if event.use.is_open else "")
    yield Tone.ACTION, at.say("used", at.who(event.investigator), card)


@tells(c.Attacked)
def _(event: c.Attacked, at: CardsContext) -> Iterator[Told]:
    key = "attacks_first" if event.is_opportunity else "attacks"
    yield Tone.ACTION, at.say(key, at.card(event.code), at.who(event.investigator))


@tells(c.Told)
def _(event: c.Told, at: CardsContext) -> Iterator[Told]:
    if event.text.subject.startswith(NOTICE):
        yield Tone.ACTION, at.speaker.text(event.text)
    else:
        yield from at.story(event.text)


@tells(c.Eliminated)
def _(event: c.Eliminated, at: CardsContext) -> Iterator[Told]:
    key = "resigned" if event.fate is Fate.RESIGNED else "defeated"
    yield Tone.STEP, at.say(key, at.who(event.investigator))


@tells(c.Ended)
def _(event: c.Ended, at: CardsContext) -> Iterator[Told]:
    yield from at.story(Text(event.resolution))
    yield Tone.STEP, at.speaker.say("ending.won" if event.is_won else "ending.lost")
