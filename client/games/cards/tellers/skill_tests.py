"""Skill tests and revealed chaos tokens, in words."""

from collections.abc import Iterator

from client.games.cards.plain.words import symbol_lines
from client.games.cards.tellers.base import CardsContext, one_line, tells
from client.tellers.base import Told, Tone
from protocol.games.cards import events as c
from protocol.games.cards.events.tokens import shown_of

RESULT = 6
"""The step of a test that finds its result."""

one_line(c.TokenIgnored, "chaos_ignored", lambda e, at: (_shown(e, at),), tone=Tone.DICE)
one_line(c.TokenCancelled, "chaos_cancelled", lambda e, at: (_shown(e, at),), tone=Tone.DICE)
one_line(c.TestPutOff, "test_put_off", lambda e, at: (at.card_of(e.step, e.holder, e.unseen),))


@tells(c.TokensRevealed)
def _(event: c.TokensRevealed, at: CardsContext) -> Iterator[Told]:
    """Name the tokens, and in a test what the symbols do; outside it they do nothing."""
    yield Tone.DICE, at.say("chaos", at.speaker.chaos_row(event.tokens))
    if not event.beside and at.game.test is not None:
        yield from ((Tone.DICE, said) for said in symbol_lines(at.speaker, at.game, event.tokens))


def _shown(event: c.TokenIgnored | c.TokenCancelled, at: CardsContext) -> str:
    return at.speaker.chaos(shown_of(at.before, beside=event.beside)[event.at].token)


@tells(c.TestBegan)
def _(event: c.TestBegan, at: CardsContext) -> Iterator[Told]:
    skill = at.speaker.say(f"skill.{event.skill.value}")
    about = at.piece(event.target) if event.target in at.game.cards else at.source(event.source)
    who = at.who(event.tester)
    yield Tone.DICE, at.say("test", who, skill, event.difficulty, about)


@tells(c.TestStep)
def _(event: c.TestStep, at: CardsContext) -> Iterator[Told]:
    value = 0 if event.value is None else event.value
    if event.step != RESULT or event.has_succeeded is None:
        return
    key = "test_passed" if event.has_succeeded else "test_failed"
    by = abs(value - event.difficulty)
    yield Tone.DICE, at.say(key, value, event.difficulty, by)
