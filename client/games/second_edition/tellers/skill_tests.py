"""Skill tests and their dice, in words."""

from collections.abc import Iterator

from client.games.second_edition.tellers.base import DICE, SecondEditionContext, tells
from client.tellers.base import Told, Tone
from protocol.games.second_edition import events as se
from protocol.games.second_edition.table import Face


@tells(se.TestDeclared)
def _(event: se.TestDeclared, at: SecondEditionContext) -> Iterator[Told]:
    skill = at.speaker.say(f"skill.{event.skill.value}")
    who = at.who(event.investigator)
    if event.difficulty is None:
        yield Tone.DICE, at.say("test_open", who, skill, event.pool)
    else:
        yield Tone.DICE, at.say("test", who, skill, event.pool, event.difficulty)


@tells(se.DiceShown)
def _(event: se.DiceShown, _: SecondEditionContext) -> Iterator[Told]:
    # Signs alone: plain mode puts them into words (`plain.words.said`).
    yield Tone.DICE, " ".join(DICE[face] for face in event.faces)


@tells(se.DiceConverted)
def _(event: se.DiceConverted, at: SecondEditionContext) -> Iterator[Told]:
    yield Tone.DICE, at.say("converted", len(event.dice))


@tells(se.TestFinished)
def _(event: se.TestFinished, at: SecondEditionContext) -> Iterator[Told]:
    keys = {True: "passed", False: "failed", None: "successes"}
    yield Tone.DICE, at.say(keys[event.is_passed], event.successes)


@tells(se.OppositionRolled)
def _(event: se.OppositionRolled, at: SecondEditionContext) -> Iterator[Told]:
    dice = " ".join(DICE[face] for face in event.faces)
    yield Tone.DICE, at.say("opposed", dice, event.faces.count(Face.SUCCESS))
