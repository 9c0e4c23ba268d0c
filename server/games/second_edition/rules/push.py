"""
Pushing: the rare action that moves another figure.

Rules PUSH-1 to PUSH-12 and ACTION-3, DECIDE-35, DECIDE-37 to DECIDE-41. A figure can be pushed into
any space that it could enter by itself, an investigator without the help of cards. Its movement is
involuntary, so it evades nothing.
"""

import functools

from protocol.common.asks import Point
from protocol.common.text import Text
from protocol.games.second_edition.table import InvestigatorId, MonsterId, Skill, SpaceId
from server.games.second_edition.rules import (
    abilities,
    actions,
    adjacency,
    monsters,
    movement,
    naming,
)
from server.games.second_edition.rules.play import Play, because
from server.games.second_edition.rules.skill_test import make_test
from server.games.second_edition.rules.stakes import Stakes
from server.kernel.asks import Option
from server.rulekit.offers import Offers, choose_from, refusal

Target = InvestigatorId | MonsterId
"""Figure that can be pushed."""


def targets(play: Play, investigator: InvestigatorId) -> tuple[Target, ...]:
    """Return the monsters and other investigators in an investigator's space. PUSH-1, PUSH-2."""
    space = play.table.investigators[investigator].space
    return (*monsters.here(play.table, space), *movement.others_here(play.table, investigator))


def destinations(play: Play, investigator: InvestigatorId, target: Target) -> tuple[SpaceId, ...]:
    """
    Return the adjacent spaces into which a figure can be pushed. Rule DECIDE-39.

    The abilities of a monster let it through obstacles; the cards of an investigator do not.
    """
    space = play.table.investigators[investigator].space
    passing = abilities.passing(play, target) if target in play.table.monsters else ()
    return () if space is None else adjacency.steps(play.table, space, passing)


def menu(play: Play, investigator: InvestigatorId) -> Offers:
    """
    Offer to push each figure in the space, or say why it cannot be pushed.

    PUSH-1 and ACTION-3.
    """
    offers = Offers()
    for target in targets(play, investigator):
        name, point = _named(play, target)
        text = Text("choice/push", (name,))
        if not destinations(play, investigator, target):
            offers += refusal(text, Text("refusal/no_way_out"), "DECIDE-39")
            continue
        action = functools.partial(push, play, investigator, target)
        offers += Offers((Option(action, text, (point,), "fight"),))
    return offers


def _named(play: Play, target: Target) -> tuple[str | Text, Point]:
    if target in play.table.monsters:
        return naming.monster(play.table, target), naming.at_monster(target)
    return target, naming.at_investigator(target)


async def push(play: Play, investigator: InvestigatorId, target: Target) -> None:
    """
    Perform a push action.

    Rules PUSH-2, PUSH-7 to PUSH-12. If a monster is in the space, the most alert one is evaded
    first, even if the target is another figure (DECIDE-37). If the check separates the two figures,
    nobody is pushed. A failed push forfeits the action; after a successful one the pusher may
    follow.
    """
    if not await actions.begin(play, investigator, "push"):
        return
    # The evade check may have moved either figure, or blocked a way.
    if target not in targets(play, investigator):
        return
    ways = destinations(play, investigator, target)
    if not ways:
        return
    space = await _choose_way(play, investigator, target, ways)
    if not await _succeeds(play, investigator, target):
        await actions.forfeit(play, investigator, "push")
        return
    await _move(play, target, space)
    await movement.may_step(play, investigator, space, rule="PUSH-11", subject="may_follow")


async def _choose_way(
    play: Play, investigator: InvestigatorId, target: Target, ways: tuple[SpaceId, ...]
) -> SpaceId:
    """Let the pusher choose the space; a single one is taken without asking. Rule PUSH-2."""
    if len(ways) == 1:
        return ways[0]
    name, _ = _named(play, target)
    options = [
        Option(
            way,
            Text("choice/to", (naming.space(play.table, way),)),
            (naming.at_space(way),),
            "move",
        )
        for way in ways
    ]
    chosen: SpaceId = await choose_from(
        play,
        play.seat_of(investigator),
        options,
        rule="PUSH-2",
        about=Text("about/push", (investigator, name)),
        prompt=Text("ask/push", (investigator, name)),
    )
    return chosen


async def _succeeds(play: Play, investigator: InvestigatorId, target: Target) -> bool:
    """
    Return True if the push succeeds.

    Rules PUSH-4 to PUSH-9: a monster resists by its brawn, an investigator by a test of their own.
    """
    difficulty = (
        play.table.monsters[target].brawn
        if target in play.table.monsters
        else await _resistance(play, investigator, target)
    )
    if difficulty is None:
        return True
    name, _ = _named(play, target)
    about = Text("about/push", (investigator, name))
    with because(play, about):
        result = await make_test(
            play,
            investigator,
            Skill.STRENGTH,
            difficulty=difficulty,
            stakes=Stakes(Text("stakes/push", (name,)), about, is_all_or_nothing=True),
        )
    return result >= difficulty


async def _resistance(
    play: Play, investigator: InvestigatorId, target: InvestigatorId
) -> int | None:
    """
    Return the difficulty of pushing an investigator; None if the investigator agrees.

    Rules PUSH-3, PUSH-4 and PUSH-6; the target chooses and rolls first (DECIDE-41).
    """
    resists = await play.choose(
        play.seat_of(target),
        [
            Option(False, Text("choice/go_along", (target,)), (), "move"),
            Option(True, Text("choice/resist", (target,)), (), "rest", ends=True),
        ],
        rule="PUSH-3",
        about=Text("about/pushed", (target, investigator)),
        prompt=Text("ask/pushed", (target, investigator)),
    )
    if not resists:
        return None
    about = Text("about/resist", (target, investigator))
    held = Stakes(Text("stakes/resist", (target,)), about)
    # A tie keeps the target in place: the pusher needs one success more.
    with because(play, about):
        return await make_test(play, target, Skill.STRENGTH, stakes=held) + 1


async def _move(play: Play, target: Target, space: SpaceId) -> None:
    """Move the target without an evade check. Rules PUSH-10 and EVADE-8, DECIDE-40."""
    if target in play.table.monsters:
        await movement.enter_as_monster(play, target, space)
    else:
        await movement.enter(play, target, space)
