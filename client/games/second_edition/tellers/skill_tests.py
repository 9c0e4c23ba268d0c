"""Skill tests and their dice, in words."""

from collections.abc import Iterator

from client.games.second_edition.tellers.base import DICE, SecondEditionContext, tells
from client.tellers.base import Told, Tone
from protocol.games.second_edition import events as se
from protocol.games.second_edition.table import Face


@tells(se.TestDeclared)
def _(happened: se.TestDeclared, at: SecondEditionContext) -> Iterator[Told]:
    skill = at.speaker.say(f"skill.{happened.skill.value}")
    who = at.who(happened.investigator)
    if happened.difficulty is None:
        yield Tone.DICE, at.say("test_open", who, skill, happened.pool)
    else:
        yield Tone.DICE, at.say("test", who, skill, happened.pool, happened.difficulty)


@tells(se.DiceShown)
def _(happened: se.DiceShown, _: SecondEditionContext) -> Iterator[Told]:
    # Signs alone: plain mode puts them into words (`plain.words.said`).
    yield Tone.DICE, " ".join(DICE[face] for face in happened.faces)


@tells(se.DiceConverted)
def _(happened: se.DiceConverted, at: SecondEditionContext) -> Iterator[Told]:
    yield Tone.DICE, at.say("converted", len(happened.dice))


@tells(se.TestFinished)
def _(happened: se.TestFinished, at: SecondEditionContext) -> Iterator[Told]:
    keys = {True: "passed", False: "failed", None: "successes"}
    yield Tone.DICE, at.say(keys[happened.is_passed], happened.successes)


@tells(se.OppositionRolled)
def _(happened: se.OppositionRolled, at: SecondEditionContext) -> Iterator[Told]:
    dice = " ".join(DICE[face] for face in happened.faces)
    yield Tone.DICE, at.say("opposed", dice, happened.faces.count(Face.SUCCESS))
