"""
Targets: whom and where an effect concerns, by what it says.

Rules CONFLICT-1 and RANDOM-1, DECIDE-103 and DECIDE-149. Those who are eliminated are never among
them.
"""

from collections.abc import Awaitable, Callable, Sequence

from content.schema.effects import Who
from protocol.common.asks import Point
from protocol.common.text import Text
from protocol.second_edition.table import Harm, InvestigatorId, SpaceId
from server.kernel.asks import Option
from server.rules.second_edition import distance
from server.rules.second_edition.play import Play, Source

Measure = Callable[[InvestigatorId], int]
"""By what the most or the least is told."""


async def select(play: Play, who: Who, source: Source) -> tuple[InvestigatorId, ...]:
    """Return the investigators whom a step concerns, in seat order."""
    standing = play.table.standing()
    if who in _SEVERAL:
        return tuple(i for i in standing if _SEVERAL[who](play, i, source))
    if not standing:
        return ()
    return (await _ONE[who](play, standing),)


def space_at(play: Play, at: str, source: Source) -> SpaceId | None:
    """Return the space that a step says: one by name, the actor's, or a random one of the board.

    None where that is off the board.
    """
    if at == "actor":
        return play.table.investigators[source.actor].space
    spaces = tuple(play.table.map.rooms)
    if at == "random":
        return play.pick("space", spaces) if spaces else None
    return at if at in spaces else None


def _is_actor(_play: Play, investigator: InvestigatorId, source: Source) -> bool:
    return investigator == source.actor


def _is_anybody(_play: Play, _investigator: InvestigatorId, _source: Source) -> bool:
    return True


def _is_other(_play: Play, investigator: InvestigatorId, source: Source) -> bool:
    return investigator != source.actor


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
    Who.ALL: _is_anybody,
    Who.OTHERS: _is_other,
    Who.HERE: _is_here,
    Who.WITHIN_RANGE: _is_within_range,
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
    return candidates[0] if len(candidates) == 1 else play.pick("investigator", candidates)


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


async def _most_clues(play: Play, standing: Sequence[InvestigatorId]) -> InvestigatorId:
    clues = {who: play.table.investigators[who].clues for who in standing}
    return await extreme(play, standing, clues.__getitem__, most=True)


_ONE: dict[Who, Callable[[Play, Sequence[InvestigatorId]], Awaitable[InvestigatorId]]] = {
    Who.RANDOM: _random,
    Who.CHOSEN: _chosen,
    Who.MOST_DAMAGE: _by_harm(Harm.DAMAGE, most=True),
    Who.MOST_HORROR: _by_harm(Harm.HORROR, most=True),
    Who.LEAST_DAMAGE: _by_harm(Harm.DAMAGE, most=False),
    Who.LEAST_HORROR: _by_harm(Harm.HORROR, most=False),
    Who.MOST_CLUES: _most_clues,
}
