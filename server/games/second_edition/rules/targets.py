"""
Targets: the investigators and the spaces that an effect concerns.

Rules CONFLICT-1 and RANDOM-1, DECIDE-103 and DECIDE-149. Eliminated investigators are never
targets.
"""

from collections.abc import Callable, Sequence

from content.games.second_edition.schema import targets as schema
from content.games.second_edition.schema.requirements import HasItem, InRoom
from content.games.second_edition.schema.targets import Anybody, Who, Whom
from protocol.common.asks import Point
from protocol.common.text import Text
from protocol.games.second_edition.table import Harm, InvestigatorId, SpaceId
from server.games.second_edition.rules import (
    adjacency,
    distance,
    draws,
    nearness,
    proposals,
    requirements,
)
from server.games.second_edition.rules.play import Play, Source
from server.kernel.asks import Option

Measure = Callable[[InvestigatorId], int]
"""
Function that returns the value by which investigators are compared to find the most or the least.
"""


async def select(play: Play, who: Anybody, source: Source) -> tuple[InvestigatorId, ...]:
    """Return the investigators whom a step concerns, in seat order."""
    standing = play.table.standing()
    if isinstance(who, Whom) or who in _SEVERAL:
        return tuple(i for i in standing if _includes(play, who, i, source))
    if who in {Who.NEAREST, Who.FARTHEST}:
        return await _by_distance(play, who, standing, source)
    return (await _one(play, who, standing),) if standing else ()


def space_at(play: Play, at: str, source: Source, *, is_dealt: bool = False) -> SpaceId | None:
    """
    Return the space that a step names by id, room or word. Rule RANDOM-2.

    None if the space is off the board, or if no space fits.

    Args:
        play: the game.
        at: id, room or word in the step.
        source: source of the effect.
        is_dealt: True to draw a random space from the setup's chance, as for new monsters.
    """
    if at in play.table.map.rooms:
        return at
    spaces = spaces_at(play, at, source)
    # A fixed setup brings its monsters to the same spaces whatever the players do.
    if is_dealt and spaces and at not in _ONE_SPACE and play.version > 1:
        return draws.deal(play, f"space {at}", spaces)
    return any_space(play, spaces)


def spaces_at(play: Play, at: str, source: Source) -> Sequence[SpaceId]:
    """Return every space that an id, a room or a word in a step can mean."""
    rooms, here = play.table.map.rooms, _of_actor(play, source)
    if at in rooms:
        return (at,)
    match at:
        case "actor":
            found: Sequence[SpaceId | None] = (here,)
        case "monster":
            found = (_of_monster(play, source),)
        case "start":
            start = play.content.scenario.start
            found = (start,) if start in rooms else ()
        case "random":
            found = tuple(rooms)
        case "adjacent":
            found = () if here is None else adjacency.steps(play.table, here)
        case "nearest" | "farthest":
            taken = {who.space for who in play.table.investigators.values()}
            empty = {space: space for space in rooms if space not in taken}
            best = distance.nearest if at == "nearest" else distance.farthest
            found = () if here is None else (*best(play.table, here, empty),)
        case _:
            found = play.table.map.spaces_of(at)
    return tuple(space for space in found if space is not None)


def any_space(play: Play, spaces: Sequence[SpaceId]) -> SpaceId | None:
    """Return a random one of the spaces; None if there are none. A single one needs no draw."""
    return draws.draw_entry(play, "space", tuple(spaces)) if spaces else None


def _of_actor(play: Play, source: Source) -> SpaceId | None:
    return play.table.investigators[source.actor].space


def _of_monster(play: Play, source: Source) -> SpaceId | None:
    monster = play.table.monsters.get(source.monster or "")
    return None if monster is None else monster.space


_ONE_SPACE = ("actor", "monster", "start")
"""Words for a space, among `PLACES` of the schema, that always mean one space."""
_SEVERAL = (Who.ACTOR, Who.ACTIVE, Who.ALL, Who.OTHERS, Who.HERE, Who.WITHIN_RANGE)
"""
Words that each investigator either matches or not, so the group chooses nobody and the game draws
nobody.
"""


def _includes(play: Play, who: Anybody, investigator: InvestigatorId, source: Source) -> bool:
    """
    Return True if `who` includes an investigator; range is measured from the monster.

    Rules RANGE-1 and RANGE-7.
    """
    people = play.table.investigators
    space = people[investigator].space
    match who:
        case Who.ACTOR | Who.OTHERS:
            return (investigator == source.actor) is (who is Who.ACTOR)
        case Who.ACTIVE:
            return investigator == play.table.active
        case Who.ALL:
            return True
        case Who.HERE:
            return space is not None and space == people[source.actor].space
        case Who.WITHIN_RANGE:
            origin = _of_monster(play, source)
            if origin is None or space is None:
                return False
            return space in distance.within_range(play.table, origin)
        case Who():
            raise AssertionError(who)
        case schema.OneInvestigator():
            return investigator == who.investigator
        case schema.AllInRoom():
            return requirements.holds(play, InRoom(who.room), investigator)
        case schema.AllInSpace():
            return space == who.space
        case schema.AllWithin():
            return nearness.within(play, space, who.spaces, who.of, source.actor, source.monster)
        case schema.AllAdjacent():
            return nearness.adjacent(play, space, who.of, source.actor, source.monster)
        case schema.AllWithItem():
            return requirements.holds(play, HasItem(who.item), investigator)
        case _:
            assert isinstance(who, schema.AllWithTrait)
            return requirements.has_trait(play, investigator, who.trait)


async def _by_distance(
    play: Play, who: Who, standing: Sequence[InvestigatorId], source: Source
) -> tuple[InvestigatorId, ...]:
    """
    Return the nearest or farthest investigator; none if none can be reached.

    Rules NEAREST-1, NEAREST-2 and DECIDE-104. Distance is from the monster, or else from the actor,
    who is then left out. The investigators break a tie.
    """
    origin = _of_monster(play, source)
    others = standing if origin is not None else [i for i in standing if i != source.actor]
    origin = origin or _of_actor(play, source)
    spaces = {i: at for i in others if (at := play.table.investigators[i].space) is not None}
    if origin is None:
        return ()
    find = distance.nearest if who is Who.NEAREST else distance.farthest
    found = find(play.table, origin, spaces)
    return (await _tied(play, found, who.value, None, "CONFLICT-1"),) if found else ()


async def choose(
    play: Play,
    candidates: Sequence[InvestigatorId],
    *,
    rule: str = "CONFLICT-1",
    about: Text | None = None,
) -> InvestigatorId:
    """Return the candidate whom the investigators choose together. Rule CONFLICT-1."""
    options = [_named(who) for who in candidates]
    return await play.agree(
        play.table.standing(),
        options,
        rule=rule,
        about=about or Text("about/choose_investigator"),
        prompt=Text("ask/choose_investigator" if play.version < 3 else "ask/choose_anybody"),
    )


async def _tied(
    play: Play, candidates: Sequence[InvestigatorId], criterion: str, about: Text | None, rule: str
) -> InvestigatorId:
    """
    Return one of several candidates who meet a criterion equally, as the group decides.

    DECIDE-103.
    """
    by = Text("ask/choose_investigator_by", (Text(f"name/whoever_{criterion}"),))
    return await proposals.tie(
        play,
        [_named(who) for who in candidates],
        rule=rule,
        about=about or Text("about/choose_investigator"),
        prompt=Text("ask/choose_investigator") if play.version < 3 else by,
        worth=lambda who: resilience(play, who),
    )


def resilience(play: Play, investigator: InvestigatorId) -> int:
    """Return how many more cards of Damage and Horror an investigator can bear."""
    who = play.table.investigators[investigator]
    borne = sum(play.table.harm_count(investigator, harm) for harm in Harm)
    return who.health + who.sanity - borne


def _named(who: InvestigatorId) -> Option[InvestigatorId]:
    return Option(who, Text("choice/investigator", (who,)), (Point("investigator", who),))


async def extreme(
    play: Play,
    candidates: Sequence[InvestigatorId],
    measure: Measure,
    *,
    most: bool,
    criterion: str,
    rule: str = "CONFLICT-1",
    about: Text | None = None,
) -> InvestigatorId:
    """
    Return the candidate with the most or least of a measure; the group decides ties. DECIDE-103.

    Args:
        play: the game.
        candidates: the investigators who are compared.
        measure: returns the number by which an investigator is compared.
        most: True to return the candidate with the most, False for the least.
        criterion: the criterion, by its name in the catalog key `name/whoever_<criterion>`.
        rule: the rule that leaves a tie open.
        about: what the question on a tie is about.
    """
    by_measure = {who: measure(who) for who in candidates}
    best = max(by_measure.values()) if most else min(by_measure.values())
    tied = [who for who in candidates if by_measure[who] == best]
    return await _tied(play, tied, criterion, about, rule)


def pick(play: Play, candidates: Sequence[InvestigatorId]) -> InvestigatorId:
    """Return a random candidate, each equally likely. Rules RANDOM-1 and RANDOM-2."""
    return draws.draw_entry(play, "investigator", candidates)


async def _one(play: Play, who: Who, standing: Sequence[InvestigatorId]) -> InvestigatorId:
    """
    Return the one investigator that `who` means. DECIDE-50.

    The investigator is random, or chosen by the group, or has the most or the least Clues, Damage
    or Horror.
    """
    people = play.table.investigators
    match who:
        case Who.RANDOM:
            return pick(play, standing)
        case Who.CHOSEN:
            return await choose(play, standing, rule="DECIDE-149")
        case Who.MOST_CLUES | Who.LEAST_CLUES:
            is_most = who is Who.MOST_CLUES
            return await extreme(
                play, standing, lambda one: people[one].clues, most=is_most, criterion=who.value
            )
        case _:
            harm = Harm.DAMAGE if who in {Who.MOST_DAMAGE, Who.LEAST_DAMAGE} else Harm.HORROR
            is_most = who in {Who.MOST_DAMAGE, Who.MOST_HORROR}
            return await extreme(
                play,
                standing,
                lambda one: play.table.harm_count(one, harm),
                most=is_most,
                criterion=who.value,
            )
