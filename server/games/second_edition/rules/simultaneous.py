"""
Simultaneous effects: the investigators decide in which order they are resolved.

Rules CONFLICT-2 and DECIDE-142. A usual order is proposed (`proposals`). If a seat wants another,
the group agrees on a list, or chance decides (CONFLICT-3). Nothing is asked if the order cannot
matter (`interplay`).
"""

from collections.abc import Sequence
from typing import TypeVar

from protocol.common.text import Text
from protocol.games.second_edition.table import InvestigatorId, MonsterId
from server.games.second_edition.rules import naming, proposals
from server.games.second_edition.rules.play import Play
from server.kernel.asks import Option

T = TypeVar("T")


async def in_order(play: Play, things: Sequence[Option[T]]) -> tuple[T, ...]:
    """
    Return simultaneous things in the order in which they are resolved.

    Seats are asked only for two or more things.

    Args:
        play: the game.
        things: an option for each, in the usual order, which games of version 1 always use.
    """
    usual = tuple(thing.value for thing in things)
    # Nobody is left to ask once all are eliminated.
    if len(things) < 2 or play.version == 1 or not play.table.standing():
        return usual
    is_usual = await proposals.is_accepted(
        play,
        _listed(things),
        kind=proposals.ORDERS,
        rule="CONFLICT-2",
        about=Text("about/same_time"),
        prompt=Text("ask/usual_order"),
    )
    if is_usual:
        return usual
    return await play.agree_on_list(
        play.table.standing(),
        things,
        rule="CONFLICT-2",
        about=Text("about/same_time"),
        prompt=Text("ask/order"),
        at_least=len(things),
        at_most=len(things),
    )


def _listed(things: Sequence[Option[T]]) -> Text:
    """Join the texts of options into one; of a long list only the first are named."""
    texts = [thing.text for thing in things]
    is_whole = len(texts) <= _MOST_LISTED
    listed, *others = texts if is_whole else texts[: _MOST_LISTED - 1]
    for text in others:
        listed = Text("choice/then", (listed, text))
    return listed if is_whole else Text("choice/then_others", (listed,))


_MOST_LISTED = 5
"""Maximum number of items in one text, each nested one level deeper; as many as investigators."""


# Investigators and monsters -------------------------------------------------------------------


async def each_in_order(
    play: Play, people: Sequence[InvestigatorId], *, matters: bool
) -> tuple[InvestigatorId, ...]:
    """Return investigators in the order in which an effect is resolved; asks only if it matters."""
    if not matters:
        return tuple(people)
    return await in_order(
        play,
        [Option(who, Text("choice/who", (who,)), (naming.at_investigator(who),)) for who in people],
    )


async def each_monster_in_order(
    play: Play, monsters: Sequence[MonsterId], *, matters: bool
) -> tuple[MonsterId, ...]:
    """Return monsters in the order in which an effect is resolved; asks only if it matters."""
    if not matters:
        return tuple(monsters)
    names = {one: Text("choice/monster", (naming.monster(play.table, one),)) for one in monsters}
    return await in_order(
        play, [Option(one, name, (naming.at_monster(one),)) for one, name in names.items()]
    )
