"""
Targets: whom and where an effect concerns, by what it says.

Rules CONFLICT-1 and RANDOM-1, DECIDE-103 and DECIDE-149. Those who are eliminated are never among
them.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from content.games.second_edition.schema import targets as schema
from content.games.second_edition.schema.requirements import HasItem, InRoom
from content.games.second_edition.schema.targets import Anybody, Who, Whom
from protocol.common.asks import Point
from protocol.common.text import Text
from protocol.games.second_edition.table import Harm, InvestigatorId, SecondEditionTable, SpaceId
from server.games.second_edition.rules import adjacency, distance, draws, requirements
from server.games.second_edition.rules.play import Play, Source
from server.kernel.asks import Option

Measure = Callable[[InvestigatorId], int]
"""The value of an investigator by which the most or the least is found."""


async def select(play: Play, who: Anybody, source: Source) -> tuple[InvestigatorId, ...]:
    """Return the investigators whom a step concerns, in seat order."""
    standing = play.table.standing()
    if isinstance(who, Whom):
        return tuple(i for i in standing if _MEANT[type(who)](play, who, i))
    if who in _SEVERAL:
        return tuple(i for i in standing if _SEVERAL[who](play, i, source))
    if who in _APART:
        return await _by_distance(play, who, standing, source)
    if not standing:
        return ()
    return (await _ONE[who](play, standing),)


def space_at(play: Play, at: str, source: Source, *, is_dealt: bool = False) -> SpaceId | None:
    """
    Return the space that a step says: by name, by its room, or by a word. Rule RANDOM-2.

    None where that is off the board, or where there is none that fits.

    Args:
        play: the game.
        at: what the step says.
        source: what it comes from.
        is_dealt: whether chance is the deal's, as for monsters that appear.
    """
    if at in play.table.map.rooms:
        return at
    spaces = spaces_at(play, at, source)
    if is_dealt and spaces and at not in _ONE_SPACE and play.version > 1:
        return draws.deal(play, f"space {at}", spaces)
    return any_space(play, spaces)


def spaces_at(play: Play, at: str, source: Source) -> Sequence[SpaceId]:
    """Return the spaces that can be the one that a step says."""
    if at in play.table.map.rooms:
        return (at,)
    word = _WORDS.get(at)
    return play.table.map.spaces_of(at) if word is None else word(play, source)


def any_space(play: Play, spaces: Sequence[SpaceId]) -> SpaceId | None:
    """Return one of these at random; where there is one only, chance is not asked."""
    return draws.draw_entry(play, "space", tuple(spaces)) if spaces else None


def _where_actor_is(play: Play, source: Source) -> Sequence[SpaceId]:
    space = _of_actor(play, source)
    return () if space is None else (space,)


def _where_monster_is(play: Play, source: Source) -> Sequence[SpaceId]:
    space = _of_monster(play, source)
    return () if space is None else (space,)


def _of_actor(play: Play, source: Source) -> SpaceId | None:
    return play.table.investigators[source.actor].space


def _of_monster(play: Play, source: Source) -> SpaceId | None:
    monster = play.table.monsters.get(source.monster or "")
    return None if monster is None else monster.space


def _anywhere(play: Play, _source: Source) -> Sequence[SpaceId]:
    return tuple(play.table.map.rooms)


def _at_the_start(play: Play, _source: Source) -> Sequence[SpaceId]:
    start = play.content.scenario.start
    return (start,) if start in play.table.map.rooms else ()


def _adjacent(play: Play, source: Source) -> Sequence[SpaceId]:
    here = _of_actor(play, source)
    return () if here is None else adjacency.steps(play.table, here)


def _empty_spaces(
    best: Callable[[SecondEditionTable, SpaceId, Mapping[SpaceId, SpaceId]], tuple[SpaceId, ...]],
) -> Callable[[Play, Source], Sequence[SpaceId]]:
    def find(play: Play, source: Source) -> Sequence[SpaceId]:
        here, people = _of_actor(play, source), play.table.investigators.values()
        taken = {who.space for who in people}
        empty = {space: space for space in play.table.map.rooms if space not in taken}
        return () if here is None else best(play.table, here, empty)

    return find


_WORDS: dict[str, Callable[[Play, Source], Sequence[SpaceId]]] = {
    "actor": _where_actor_is,
    "monster": _where_monster_is,
    "random": _anywhere,
    "start": _at_the_start,
    "adjacent": _adjacent,
    "nearest": _empty_spaces(distance.nearest),
    "farthest": _empty_spaces(distance.farthest),
}
"""The words for a space, those of `PLACES` in the schema of packs, and the spaces they mean."""
_ONE_SPACE = ("actor", "monster", "start")
"""The words that never mean several."""


def _is_actor(_play: Play, investigator: InvestigatorId, source: Source) -> bool:
    return investigator == source.actor


def _is_anybody(_play: Play, _investigator: InvestigatorId, _source: Source) -> bool:
    return True


def _is_other(_play: Play, investigator: InvestigatorId, source: Source) -> bool:
    return investigator != source.actor


def _is_active(play: Play, investigator: InvestigatorId, _source: Source) -> bool:
    return investigator == play.table.active


def _is_here(play: Play, investigator: InvestigatorId, source: Source) -> bool:
    people = play.table.investigators
    here = people[source.actor].space
    return here is not None and people[investigator].space == here


def _is_within_range(play: Play, investigator: InvestigatorId, source: Source) -> bool:
    """Count from the monster. Rules RANGE-1 and RANGE-7."""
    monster = play.table.monsters.get(source.monster or "")
    space = play.table.investigators[investigator].space
    if monster is None or space is None:
        return False
    return space in distance.within_range(play.table, monster.space)


_SEVERAL: dict[Who, Callable[[Play, InvestigatorId, Source], bool]] = {
    Who.ACTOR: _is_actor,
    Who.ACTIVE: _is_active,
    Who.ALL: _is_anybody,
    Who.OTHERS: _is_other,
    Who.HERE: _is_here,
    Who.WITHIN_RANGE: _is_within_range,
}


async def _by_distance(
    play: Play, who: Who, standing: Sequence[InvestigatorId], source: Source
) -> tuple[InvestigatorId, ...]:
    """
    Compare the ways from the monster, else from the actor, who is then not meant.

    Rules NEAREST-1, NEAREST-2 and DECIDE-104: whoever cannot be reached is neither near nor far.
    """
    origin = _of_monster(play, source)
    others = standing if origin is not None else [i for i in standing if i != source.actor]
    origin = origin or _of_actor(play, source)
    spaces = {i: at for i in others if (at := play.table.investigators[i].space) is not None}
    if origin is None:
        return ()
    found = _APART[who](play.table, origin, spaces)
    return (await choose(play, found),) if found else ()


_APART: dict[Who, Callable[..., tuple[InvestigatorId, ...]]] = {
    Who.NEAREST: distance.nearest,
    Who.FARTHEST: distance.farthest,
}


def _is_one(_play: Play, who: schema.OneInvestigator, investigator: InvestigatorId) -> bool:
    return investigator == who.investigator


def _is_in_room(play: Play, who: schema.AllInRoom, investigator: InvestigatorId) -> bool:
    return requirements.holds(play, InRoom(who.room), investigator)


def _is_in_space(play: Play, who: schema.AllInSpace, investigator: InvestigatorId) -> bool:
    return play.table.investigators[investigator].space == who.space


def _has_item(play: Play, who: schema.AllWithItem, investigator: InvestigatorId) -> bool:
    return requirements.holds(play, HasItem(who.item), investigator)


def _has_trait(play: Play, who: schema.AllWithTrait, investigator: InvestigatorId) -> bool:
    return requirements.has_trait(play, investigator, who.trait)


_MEANT: dict[type, Callable[[Play, Any, InvestigatorId], bool]] = {
    schema.OneInvestigator: _is_one,
    schema.AllInRoom: _is_in_room,
    schema.AllInSpace: _is_in_space,
    schema.AllWithItem: _has_item,
    schema.AllWithTrait: _has_trait,
}


async def choose(
    play: Play,
    candidates: Sequence[InvestigatorId],
    *,
    rule: str = "CONFLICT-1",
    about: Text | None = None,
) -> InvestigatorId:
    """Have the investigators decide on one of these. Rule CONFLICT-1."""
    options = [
        Option(who, Text("choice/investigator", (who,)), (Point("investigator", who),))
        for who in candidates
    ]
    return await play.agree(
        play.table.standing(),
        options,
        rule=rule,
        about=about or Text("about/choose_investigator"),
        prompt=Text("ask/choose_investigator"),
    )


async def extreme(
    play: Play,
    candidates: Sequence[InvestigatorId],
    measure: Measure,
    *,
    most: bool,
    rule: str = "CONFLICT-1",
    about: Text | None = None,
) -> InvestigatorId:
    """Return the one with the most or the least of something; ties are decided. DECIDE-103."""
    by_measure = {who: measure(who) for who in candidates}
    best = max(by_measure.values()) if most else min(by_measure.values())
    tied = [who for who in candidates if by_measure[who] == best]
    return await choose(play, tied, rule=rule, about=about)


def pick(play: Play, candidates: Sequence[InvestigatorId]) -> InvestigatorId:
    """Return one at random, each equally likely. Rules RANDOM-1 and RANDOM-2."""
    return draws.draw_entry(play, "investigator", candidates)


async def _random(play: Play, standing: Sequence[InvestigatorId]) -> InvestigatorId:
    return pick(play, standing)


async def _chosen(play: Play, standing: Sequence[InvestigatorId]) -> InvestigatorId:
    return await choose(play, standing, rule="DECIDE-149")


def _by_harm(
    harm: Harm, *, most: bool
) -> Callable[[Play, Sequence[InvestigatorId]], Awaitable[InvestigatorId]]:
    """Compare the cards that they have now. DECIDE-50."""

    def find(play: Play, standing: Sequence[InvestigatorId]) -> Awaitable[InvestigatorId]:
        return extreme(play, standing, lambda who: play.table.harm_count(who, harm), most=most)

    return find


def _by_clues(
    *, most: bool
) -> Callable[[Play, Sequence[InvestigatorId]], Awaitable[InvestigatorId]]:
    def find(play: Play, standing: Sequence[InvestigatorId]) -> Awaitable[InvestigatorId]:
        clues = {who: play.table.investigators[who].clues for who in standing}
        return extreme(play, standing, clues.__getitem__, most=most)

    return find


_ONE: dict[Who, Callable[[Play, Sequence[InvestigatorId]], Awaitable[InvestigatorId]]] = {
    Who.RANDOM: _random,
    Who.CHOSEN: _chosen,
    Who.MOST_DAMAGE: _by_harm(Harm.DAMAGE, most=True),
    Who.MOST_HORROR: _by_harm(Harm.HORROR, most=True),
    Who.LEAST_DAMAGE: _by_harm(Harm.DAMAGE, most=False),
    Who.LEAST_HORROR: _by_harm(Harm.HORROR, most=False),
    Who.MOST_CLUES: _by_clues(most=True),
    Who.LEAST_CLUES: _by_clues(most=False),
}
