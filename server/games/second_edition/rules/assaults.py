"""
Assaults: monsters roll against Barricades, and cards allow rerolls of those dice.

Rules BARRICADE-10 to BARRICADE-16, DECIDE-86 to DECIDE-88 and DECIDE-91.
"""

from collections.abc import Sequence

from protocol.common.text import Text
from protocol.games.second_edition.events import (
    BarricadeAssaulted,
    BarricadeRerolled,
    FeatureRemoved,
)
from protocol.games.second_edition.table import Face, Feature, InvestigatorId, MonsterId
from server.games.second_edition.rules import abilities, adjacency, costs, naming, powers
from server.games.second_edition.rules.adjacency import WayOut
from server.games.second_edition.rules.amounts import scaled
from server.games.second_edition.rules.barricades import NEEDED
from server.games.second_edition.rules.dice import roll
from server.games.second_edition.rules.play import Play, Source, because
from server.games.second_edition.rules.powers import Rerolling
from server.kernel.asks import Option


async def break_through(play: Play, monster: MonsterId, way: WayOut) -> bool:
    """
    Have a monster try to break every Barricade on a way.

    Rules BARRICADE-10, BARRICADE-15 and BARRICADE-16; a monster always tries (DECIDE-88).

    Returns:
        True if the way is open now; otherwise the monster's movement is lost.
    """
    if adjacency.Obstacle.BARRICADE in abilities.passing(play, monster):
        return True
    # Looked up again after each: both sides of a door may be blocked (DECIDE-92).
    while blockers := adjacency.blockers(play.table, play.table.monsters[monster].space, way):
        if not await _assault(play, monster, blockers[0]):
            return False
    return True


async def _assault(play: Play, monster: MonsterId, barricade: Feature) -> bool:
    """
    Roll a monster's brawn against a Barricade; if the Barricade breaks, discard it and return True.

    Rules BARRICADE-11 to BARRICADE-14. Clues cannot change the dice; cards can only if they name
    this roll (DECIDE-86, DECIDE-91). A pool below one rolls nothing (DECIDE-87).
    """
    pool = play.table.monsters[monster].brawn + abilities.barricade_dice(play, monster)
    faces = roll(play, "barricade", pool)
    play.emit(BarricadeAssaulted(monster, barricade.feature_id, faces, _breaks(faces)))
    faces = await _rerolled(play, monster, barricade, faces)
    if _breaks(faces):
        play.emit(FeatureRemoved(barricade.feature_id))
    return _breaks(faces)


def _breaks(faces: Sequence[Face]) -> bool:
    return faces.count(Face.SUCCESS) >= NEEDED


# Rolling again -------------------------------------------------------------------------------


async def _rerolled(
    play: Play, monster: MonsterId, barricade: Feature, faces: tuple[Face, ...]
) -> tuple[Face, ...]:
    """
    Return the dice after the rerolls that an investigator's cards allow.

    Rules BARRICADE-13 and BARRICADE-14: only one investigator may reroll. The investigators with
    such a card are asked in seat order until one of them uses it.
    """
    about = Text("about/assault", (naming.monster(play.table, monster),))
    for investigator in play.table.standing() if faces else ():
        used: list[Rerolling] = []
        while again := await _choose_reroll(play, investigator, used, faces, about):
            # Successes last: a timeout rerolls the first die.
            order = sorted(range(len(faces)), key=lambda die: faces[die] is not Face.SUCCESS)
            most = _most_dice(play, investigator, again)
            with because(play, about):
                dice = await play.choose_some(
                    play.seat_of(investigator),
                    [
                        Option(die, Text("choice/die", (die + 1, f"face/{faces[die].value}")))
                        for die in order
                    ],
                    rule="BARRICADE-14",
                    about=about,
                    prompt=Text("ask/reroll", (again.origin.source, most)),
                    at_least=0,
                    at_most=min(most, len(faces)),
                    default=(0,),
                )
            if dice:
                used.append(again)
                costs.pay(play, investigator, again.origin, again.reroll)
                now = list(faces)
                for die, face in zip(dice, roll(play, "barricade reroll", len(dice)), strict=True):
                    now[die] = face
                faces = tuple(now)
                told = (monster, barricade.feature_id, faces, tuple(sorted(dice)))
                play.emit(BarricadeRerolled(*told, _breaks(faces)))
        if used:
            break
    return faces


async def _choose_reroll(
    play: Play,
    investigator: InvestigatorId,
    used: Sequence[Rerolling],
    faces: Sequence[Face],
    about: Text,
) -> Rerolling | None:
    """Let the investigator choose a reroll that is not in `used`; None if they choose none."""
    offers = [
        Option[Rerolling | None](
            again,
            Text("choice/reroll", (again.origin.source, _most_dice(play, investigator, again))),
            powers.points_at(again.origin, investigator),
            # Dice that hold the Barricade are better left as they are.
            costs.group_of(play, again.reroll) if _breaks(faces) else "use",
        )
        for again in powers.barricade_rerolls(play, investigator)
        if again not in used
    ]
    if not offers:
        return None
    counts = [faces.count(face) for face in (Face.SUCCESS, Face.INVESTIGATION, Face.BLANK)]
    stands = Option[Rerolling | None](None, Text("choice/let_stand"), group="rest", ends=True)
    return await play.choose(
        play.seat_of(investigator),
        [stands, *offers],
        rule="BARRICADE-14",
        about=about,
        prompt=Text("ask/assault", (*counts, NEEDED)),
    )


def _most_dice(play: Play, investigator: InvestigatorId, again: Rerolling) -> int:
    return max(1, scaled(play, again.reroll.dice, Source(investigator)))
