"""
Skill points of the monsters: a variant in which the keeper spoils rolls. K-VAR-2 to K-VAR-5.

The points are public, and they are not recovered (K-VAR-3). That they also buy special attacks is
in the chapter on attacks of monsters.
"""

import enum

from protocol.common.text import Text
from protocol.games.first_edition.events import RollForced
from protocol.games.first_edition.words import INVESTIGATOR, TestKind
from protocol.values import evolve
from server.games.first_edition.rules import trauma
from server.games.first_edition.rules.play import Play, answerer, keeper
from server.kernel.asking import Interruption
from server.kernel.asks import Option, Prompt


class PointsBy(enum.Enum):
    """What the skill points of the monsters are counted by. W-DECIDE-54."""

    INVESTIGATORS = "investigators"
    PLAYERS = "players"


KEEPER_SKILL_POINTS_BY = PointsBy.INVESTIGATORS


def at_start(play: Play) -> int:
    """Return the skill points at the start. K-VAR-2, W-DECIDE-54."""
    if KEEPER_SKILL_POINTS_BY is PointsBy.PLAYERS:
        return sum(player.role == INVESTIGATOR for player in play.players)
    return sum(len(player.characters) for player in play.players)


async def forces_new_roll(play: Play, kind: TestKind, roll: int) -> bool:
    """
    Ask whether the keeper has a roll in combat made again. K-VAR-4, K-DECIDE-55.

    Asked after each such roll as long as a point is left, whatever was rolled; the new roll stands
    (K-VAR-5). The rolls of horror, evade and fire tests are safe.

    Where the keeper is not simply asked, the keeper may interrupt the investigator, whose answer
    counts once the least time of the table is over (K-DECIDE-17).
    """
    test = play.table.test
    if kind is not TestKind.COMBAT or not play.table.keeper_skill_points or test is None:
        return False
    told = (test.investigator, roll, test.value)
    about, prompt = Text("about/force_roll", told), Text("ask/force_roll", told)
    stands = Option(False, Text("choice/let_roll"), (), "rest", ends=True)
    force = Option(True, Text("choice/force_roll"), (), "use")
    forces: bool | Interruption[bool]
    if trauma.is_simply_asked(play):
        forces = await play.choose(
            keeper(play), (stands, force), rule="K-VAR-4", about=about, prompt=prompt
        )
    else:
        going_on = Prompt(Text("ask/roll_stands", told), (evolve(stands, ends=False),))
        forces = await play.beside(
            answerer(play, test.investigator),
            going_on,
            {keeper(play): Prompt(prompt, (force,))},
            rule="K-VAR-4",
            about=about,
        )
    if forces:
        play.emit(RollForced())
    return bool(forces)
