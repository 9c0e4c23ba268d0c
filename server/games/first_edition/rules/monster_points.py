"""
Skill points of the monsters: a variant in which the keeper spoils rolls. K-VAR-2 to K-VAR-5.

The points are public, and they are not recovered (K-VAR-3). That they also buy special attacks is
in the chapter on attacks of monsters.
"""

from protocol.common.text import Text
from protocol.games.first_edition.events import RollForced
from protocol.games.first_edition.words import TestKind
from server.games.first_edition.rules import trauma
from server.games.first_edition.rules.play import Play
from server.kernel.asks import Option

WINDOW = "kind/roll"
"""Kind of the timed windows in which a roll may be forced anew. K-DECIDE-17."""


async def forces_new_roll(play: Play, kind: TestKind, roll: int) -> bool:
    """
    Ask whether the keeper has a roll in combat made again. K-VAR-4, K-DECIDE-55.

    Asked after each such roll as long as a point is left, whatever was rolled; the new roll stands
    (K-VAR-5). The rolls of horror, evade and fire tests are safe.
    """
    test = play.table.test
    if kind is not TestKind.COMBAT or not play.table.keeper_skill_points or test is None:
        return False
    told = (test.investigator, roll, test.value)
    options = (
        Option(False, Text("choice/let_roll"), (), "rest", ends=True),
        Option(True, Text("choice/force_roll"), (), "use"),
    )
    forces = await trauma.ask_keeper(
        play,
        options,
        rule="K-VAR-4",
        about=Text("about/force_roll", told),
        prompt=Text("ask/force_roll", told),
        kind=WINDOW,
    )
    if forces:
        play.emit(RollForced())
    return forces
