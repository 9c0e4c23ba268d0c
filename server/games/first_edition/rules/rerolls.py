"""
Rolls made again: what the keeper can do about the roll of an attribute test.

A skill point of the monsters spoils a roll in combat (a variant), a curse token any roll of its
owner. At most one roll of a test is spoilt. W-DECIDE-35.
"""

from contextlib import nullcontext

from protocol.common.text import Text
from protocol.games.first_edition.events import CurseUsed, RollForced
from protocol.games.first_edition.table import OpenTest
from protocol.games.first_edition.words import TestKind
from protocol.values import evolve
from server.games.first_edition.rules import trauma
from server.games.first_edition.rules.play import Play, answerer, keeper
from server.kernel.asking import Interruption
from server.kernel.asks import Option, Prompt

Spoiler = RollForced | CurseUsed
"""Payment of the keeper for another roll."""


async def forced(play: Play, kind: TestKind, roll: int) -> Spoiler | None:
    """
    Ask whether the keeper has a roll made again, and pay for it; return what was paid.

    Asked about any roll, passed or not (W-CURSE-10), if the keeper can pay; the new roll stands
    (K-VAR-5, W-CURSE-4, W-CURSE-5). Tokens and points are public, so being asked tells nothing.

    Where the keeper is not simply asked, the keeper may interrupt the investigator, whose answer
    counts once the least time of the table is over (K-DECIDE-17). The roll of somebody who is
    cursed stands at that moment, whether the investigator answers or not; a bot as keeper answers
    at once (W-DECIDE-34). Rolls that a skill point alone can spoil wait for the answer, since base
    stories on older logs have it so.
    """
    test = play.table.test
    assert test is not None
    ways = _ways(play, test, kind)
    if test.is_spoilt or not ways:
        return None
    told = (test.investigator, roll, test.value)
    about, prompt = Text("about/force_roll", told), Text("ask/force_roll", told)
    rule = "K-VAR-4" if isinstance(ways[0].value, RollForced) else "W-CURSE-3"
    stands: Option[Spoiler | None] = Option(None, Text("choice/let_roll"), (), "rest", ends=True)
    spoiler: Spoiler | Interruption[Spoiler] | None
    seat = answerer(play, test.investigator)
    is_cursed = any(isinstance(one.value, CurseUsed) for one in ways)
    is_bots = is_cursed and play.is_bot(keeper(play))
    if trauma.is_simply_asked(play) or seat == keeper(play) or is_bots:
        choices = [stands]
        choices += [one.with_value(one.value) for one in ways]
        spoiler = await play.choose(keeper(play), choices, rule=rule, about=about, prompt=prompt)
    else:
        going_on = Prompt(Text("ask/roll_stands", told), (evolve(stands, ends=False),))
        seconds = play.least_seconds if is_cursed else 0
        with play.timer(Text("about/curse_in_time"), seconds) if seconds else nullcontext():
            spoiler = await play.beside(
                seat,
                going_on,
                {keeper(play): Prompt(prompt, ways)},
                rule=rule,
                about=about,
            )
    if isinstance(spoiler, Interruption):
        spoiler = spoiler.value
    if spoiler is not None:
        play.emit(spoiler)
    return spoiler


def _ways(play: Play, test: OpenTest, kind: TestKind) -> tuple[Option[Spoiler], ...]:
    """
    Return what the keeper can pay: a point in combat, a curse of the one who rolls.

    K-VAR-4, K-DECIDE-55, W-CURSE-3. The curses of an ally work in another way (W-CURSE-9).
    """
    ways: list[Option[Spoiler]] = []
    if kind is TestKind.COMBAT and play.table.keeper_skill_points:
        ways.append(Option(RollForced(), Text("choice/force_roll"), (), "use"))
    has = play.table.investigators.get(test.investigator)
    if has is not None and has.curses:
        curse = CurseUsed(test.investigator)
        ways.append(Option(curse, Text("choice/use_curse"), (), "use"))
    return tuple(ways)
