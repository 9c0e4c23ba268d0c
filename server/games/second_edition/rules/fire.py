"""
Fire: how it hurts, how successes put it out, and how it spreads.

Rules FIRE-1 to FIRE-3 and FIRE-5 to FIRE-12, MYTHOS-3, DECIDE-5, DECIDE-6, DECIDE-14, DECIDE-74 to
DECIDE-85. Setting and fighting Fire are actions, in `fire_actions`.
"""

from protocol.common.asks import Point
from protocol.common.text import Text
from protocol.games.second_edition.events import FirePutOut, Told
from protocol.games.second_edition.table import (
    FeatureKind,
    InvestigatorId,
    MonsterId,
    SecondEditionTable,
    SpaceId,
)
from server.games.second_edition.rules import adjacency, features, harm, monsters, naming, proposals
from server.games.second_edition.rules.play import Play
from server.kernel.asks import Option


def burns(table: SecondEditionTable, space: SpaceId | None) -> bool:
    """Return True if a space contains Fire."""
    return table.has_feature(FeatureKind.FIRE, space)


# Investigators -------------------------------------------------------------------------------


async def enter(play: Play, investigator: InvestigatorId, *, is_inner: bool = False) -> None:
    """
    Resolve the Fire of a space that an investigator has just entered. Rules FIRE-1 and DECIDE-30.

    A success left from fighting Fire may be used first (DECIDE-84).
    """
    await may_put_out(play, investigator)
    await _burn(play, investigator, is_inner=is_inner)


async def after_action(play: Play, investigator: InvestigatorId, began_in: SpaceId | None) -> None:
    """
    Hurt an investigator who performed an action other than a move in Fire. FIRE-2, DECIDE-5.

    Args:
        play: the game.
        investigator: the investigator who acted.
        began_in: space with Fire in which the action started, if any. Both the investigator and the
            Fire must still be in it (DECIDE-79, DECIDE-80).
    """
    # Without Fire at the start and a figure at the end, both are None; then nothing burns.
    if play.table.investigators[investigator].space == began_in:
        await _burn(play, investigator)


async def after_forfeit(play: Play, investigator: InvestigatorId) -> None:
    """Hurt an investigator who forfeits an action in Fire. Rules FIRE-3 and DECIDE-81."""
    await _burn(play, investigator)


async def _burn(play: Play, investigator: InvestigatorId, *, is_inner: bool = False) -> None:
    if burns(play.table, play.table.investigators[investigator].space):
        await harm.suffer(play, investigator, damage=1, facedown=True, is_inner=is_inner)


# Putting out ---------------------------------------------------------------------------------


async def may_put_out(play: Play, investigator: InvestigatorId) -> None:
    """
    Offer to discard the Fire of the investigator's space for one of their unused successes.

    Rules FIRE-5, FIRE-6 and DECIDE-84: discarded Fire does no more harm.
    """
    who = play.table.investigators[investigator]
    fire = features.find(play.table, FeatureKind.FIRE, who.space)
    if fire is None or not who.quenches:
        return
    options = [
        Option(True, Text("choice/put_out"), (Point("feature", fire.feature_id),), "use"),
        Option(False, Text("choice/let_burn"), (), "rest", ends=True),
    ]
    if await play.choose(
        play.seat_of(investigator),
        options,
        rule="FIRE-5",
        about=Text("about/fight_fire", (investigator,)),
        prompt=Text("ask/put_out", (investigator, who.quenches)),
    ):
        play.emit(FirePutOut(investigator, fire.feature_id))


# Monsters ------------------------------------------------------------------------------------


async def burn_monster(play: Play, monster: MonsterId) -> None:
    """Hurt a monster in Fire, as its activation begins or it enters the space. FIRE-7, FIRE-8."""
    if burns(play.table, play.table.monsters[monster].space):
        await monsters.damage(play, monster, 1)


# Spreading -----------------------------------------------------------------------------------


def catching(table: SecondEditionTable) -> tuple[SpaceId, ...]:
    """
    Return the spaces that Fire can spread to, sorted.

    Rules FIRE-9 to FIRE-11 and DECIDE-76: spaces without Fire that are adjacent to a burning space,
    unless a wall lies between them.
    """
    burning = table.spaces_with(FeatureKind.FIRE)
    near = {other for space in burning for other in adjacency.reached(table, space)}
    return tuple(sorted(near.difference(burning)))


async def spread(play: Play) -> None:
    """
    Spread Fire to one more space. Rules MYTHOS-3, FIRE-9 and FIRE-12.

    Only one space catches Fire, however many burn (DECIDE-75). The investigators choose the space
    (DECIDE-74); by default it is one without investigators. Spreading hurts nobody (DECIDE-78). If
    no space can catch Fire, nothing happens (DECIDE-77).
    """
    spaces = catching(play.table)
    if not spaces:
        return
    play.emit(Told(Text("told/fire_spreads")))
    people = {who.space for who in play.table.investigators.values()}
    chosen = await proposals.tie(
        play,
        [
            Option(
                space,
                Text("choice/to", (naming.space(play.table, space),)),
                (naming.at_space(space),),
            )
            for space in spaces
        ],
        rule="FIRE-9",
        about=Text("about/fire_spreads"),
        prompt=Text("ask/fire_spreads"),
        worth=lambda space: space not in people,
    )
    features.place(play, FeatureKind.FIRE, chosen)
