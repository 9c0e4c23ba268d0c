"""
Barricades: shifting them, and forcing them from behind. Monsters break them in `assaults`.

Rules BARRICADE-1 to BARRICADE-9, COMPONENT-3, COMPONENT-5, DECIDE-92 to DECIDE-97. The ways that
Barricades block are in `adjacency`. Barricades need neither a token of the app nor a dialogue
(FEATURE-2).
"""

import functools
from collections.abc import Iterator

from protocol.common.text import Text
from protocol.games.second_edition.events import (
    BarricadeShifted,
)
from protocol.games.second_edition.table import (
    Feature,
    FeatureId,
    FeatureKind,
    InvestigatorId,
    SecondEditionTable,
    Skill,
    SpaceId,
)
from protocol.values import frozen
from server.games.second_edition.rules import actions, adjacency, movement, naming
from server.games.second_edition.rules.adjacency import WayOut
from server.games.second_edition.rules.play import Play, because
from server.games.second_edition.rules.skill_test import make_test
from server.games.second_edition.rules.stakes import Stakes
from server.kernel.asks import Option
from server.rulekit.offers import Offers

NEEDED = 2
"""
Number of successes that shift a Barricade from behind, or break it. BARRICADE-8, BARRICADE-15.
"""


def menu(play: Play, investigator: InvestigatorId) -> Offers:
    """Return the options that Barricades give an investigator. COMPONENT-3 and COMPONENT-5."""
    space = play.table.investigators[investigator].space
    if space is None:
        return Offers()
    return _shift_menu(play, investigator, space) + _force_menu(play, investigator, space)


# Beside one ----------------------------------------------------------------------------------


def beside(table: SecondEditionTable, space: SpaceId) -> tuple[Feature, ...]:
    """
    Return the Barricades that can be shifted in a space.

    Of several that block the same door or passage, or that all stand free, only the first is
    returned: shifting another would have the same result.
    """
    found: dict[str | None, Feature] = {}
    for feature in table.features.values():
        if feature.kind is FeatureKind.BARRICADE and feature.space == space:
            found.setdefault(blocks(table, feature), feature)
    return tuple(found.values())


def blocks(table: SecondEditionTable, barricade: Feature) -> str | None:
    """Return the door or Secret Passage that a Barricade blocks; None if it stands free."""
    door = adjacency.blocked_door(table, barricade)
    if door is not None:
        return door.door
    return barricade.against if adjacency.blocks_passage(table, barricade) else None


def _shift_menu(play: Play, investigator: InvestigatorId, space: SpaceId) -> Offers:
    """
    Offer to shift the Barricades of a space.

    Rules BARRICADE-2 to BARRICADE-4. A Barricade goes against another door or the Secret Passage of
    its own space, or away from all of them. It can go straight from one door to the next
    (DECIDE-93), and against a door with an Explore token (DECIDE-97).
    """
    table = play.table
    offers = Offers()
    for barricade in beside(table, space):
        now = blocks(table, barricade)
        wanted = [one for one in adjacency.blockable(table, space) if one != now]
        for against in (*wanted, *(() if now is None else (None,))):
            action = functools.partial(shift, play, investigator, barricade.feature_id, against)
            points = [naming.at_feature(barricade.feature_id)]
            what = against or blocks(table, barricade) or ""
            if what in table.map.doors:
                points.append(naming.at_door(what))
            subject = "choice/unblock" if against is None else "choice/block"
            name = naming.blocked(table, barricade.space, what)
            offers += Offers((Option(action, Text(subject, (name,)), tuple(points), "use"),))
    return offers


async def shift(
    play: Play, investigator: InvestigatorId, barricade: FeatureId, against: str | None
) -> None:
    """Perform the action of moving a Barricade in its space. Rules BARRICADE-2 and BARRICADE-3."""
    if not await actions.begin(play, investigator, "component"):
        return
    # The evade check may have moved the investigator or removed the Barricade.
    found, here = play.table.features.get(barricade), play.table.investigators[investigator].space
    if found is None or here is None or found.space != here:
        return
    if against is None or against in adjacency.blockable(play.table, here):
        play.emit(BarricadeShifted(barricade, against))


# Behind one ----------------------------------------------------------------------------------


@frozen
class Behind:
    """A Barricade seen from the other side of the door or Secret Passage that it blocks."""

    barricade: Feature
    way: WayOut
    """The blocked way, as a way out of the space across from the Barricade."""


def behind(table: SecondEditionTable, space: SpaceId) -> Iterator[Behind]:
    """
    Yield the Barricades on the other side of the ways out of a space.

    Rules BARRICADE-6 and BARRICADE-7, DECIDE-95. `space` is next to the blocked door, or has
    another Secret Passage that is not blocked, and is in another room than the Barricade.
    """
    seen = set()
    for way in adjacency.ways(table, space):
        blockers = adjacency.blockers(table, space, way)
        # DECIDE-94: a Secret Passage blocked on this side leads nowhere.
        is_blocked_here = way.edge is None and any(b.space == space for b in blockers)
        if is_blocked_here or table.map.rooms[way.to] == table.map.rooms[space]:
            continue
        for barricade in blockers:
            key = (way, blocks(table, barricade))
            if barricade.space == way.to and key not in seen:
                seen.add(key)
                yield Behind(barricade, way)


def _force_menu(play: Play, investigator: InvestigatorId, space: SpaceId) -> Offers:
    """Offer to push away each Barricade that blocks a way from another room. Rule BARRICADE-6."""
    return Offers(
        tuple(
            Option(
                functools.partial(force, play, investigator, found),
                Text("choice/force", (naming.way(play.table, space, found.way), NEEDED)),
                (naming.at_feature(found.barricade.feature_id), naming.at_space(found.way.to)),
                "use",
            )
            for found in behind(play.table, space)
        )
    )


async def force(play: Play, investigator: InvestigatorId, found: Behind) -> None:
    """
    Perform the action of pushing a Barricade away from the other side.

    Rules BARRICADE-8 and BARRICADE-9. On success the Barricade stays in its space without blocking
    anything, and the investigator may go one space through the opened way if nothing else blocks
    it. A failed test spends the action, but does not forfeit it (DECIDE-96).
    """
    if not await actions.begin(play, investigator, "component"):
        return
    space = play.table.investigators[investigator].space
    if space is None or found not in behind(play.table, space):
        return
    way = naming.way(play.table, space, found.way)
    with because(play, Text("within/force", (way,))):
        successes = await make_test(
            play,
            investigator,
            Skill.STRENGTH,
            difficulty=NEEDED,
            about=Text("about/force", (investigator, way)),
            stakes=Stakes(Text("stakes/force"), is_all_or_nothing=True),
        )
    if successes < NEEDED:
        return
    play.emit(BarricadeShifted(found.barricade.feature_id, None))
    if adjacency.obstacle(play.table, space, found.way) is None:
        await movement.may_step(
            play, investigator, found.way.to, rule="BARRICADE-9", subject="may_follow_through"
        )
