"""Attribute tests and their die, in words."""

from collections.abc import Iterator

from client.games.first_edition.odds import kinds_of_test, percent
from client.games.first_edition.tellers.base import FirstEditionContext, one_line, tells
from client.tellers.base import Told, Tone
from protocol.games.first_edition import events as fe

one_line(fe.RollForced, "roll_forced", lambda _e, at: (at.game.keeper_skill_points,))


@tells(fe.CurseUsed)
def _(event: fe.CurseUsed, at: FirstEditionContext) -> Iterator[Told]:
    # An investigator rolls again; an ally fails.
    key = "curse_fails" if event.who in at.game.allies else "curse_rerolls"
    left = at.game.character(event.who).curses
    yield Tone.DICE, at.say(key, at.who(event.who), left)


@tells(fe.TestFixed)
def _(event: fe.TestFixed, at: FirstEditionContext) -> Iterator[Told]:
    key = "will_pass" if event.is_passed else "will_fail"
    yield Tone.DICE, at.say(key, at.who(event.investigator), kinds_of_test(at.speaker, event.kinds))


@tells(fe.TestDeclared)
def _(event: fe.TestDeclared, at: FirstEditionContext) -> Iterator[Told]:
    about = at.speaker.text(event.about)
    if about:
        yield Tone.DICE, about
    attribute = at.speaker.say(f"attribute.{event.attribute.value}")
    chance = percent(event.value)
    yield Tone.DICE, at.say("test", at.who(event.investigator), attribute, event.value, chance)


@tells(fe.TestPointSpent)
def _(event: fe.TestPointSpent, at: FirstEditionContext) -> Iterator[Told]:
    test, left = at.game.test, at.game.investigators[event.investigator].skill_points
    assert test is not None
    yield Tone.DICE, at.say("point_spent", at.who(event.investigator), test.value, left)


@tells(fe.TestRolled)
def _(event: fe.TestRolled, at: FirstEditionContext) -> Iterator[Told]:
    yield Tone.DICE, at.say("rolled", at.who(event.investigator), event.roll)


@tells(fe.TestEnded)
def _(event: fe.TestEnded, at: FirstEditionContext) -> Iterator[Told]:
    test = at.game.test
    value = test.value if test is not None else 0
    if test is None or test.roll is None:
        # By a card, without a roll.
        yield Tone.DICE, at.say("passes" if event.is_passed else "fails")
    else:
        yield Tone.DICE, at.say("passed" if event.is_passed else "failed", test.roll, value)
