"""
Targets among the monsters: which of them a step concerns, by what it says.

Rules RANDOM-1, NEAREST-1, DECIDE-102 and DECIDE-103.
"""

from collections.abc import Callable
from typing import Any

from content.games.second_edition.schema import targets as schema
from content.games.second_edition.schema.targets import AnyMonster, Which
from protocol.common.text import Text
from protocol.games.second_edition.table import MonsterId
from server.games.second_edition.rules import distance, figures, naming
from server.games.second_edition.rules.play import Play, Source
from server.kernel.asks import Option


async def select(play: Play, which: AnyMonster, source: Source) -> tuple[MonsterId, ...]:
    """Return the monsters on the board that a step concerns, in the order they appeared."""
    table = play.table
    if not isinstance(which, Which):
        return tuple(
            monster for monster in table.monsters if _MEANT[type(which)](play, which, monster)
        )
    match which:
        case Which.THIS:
            return tuple(monster for monster in table.monsters if monster == source.monster)
        case Which.ALL:
            return tuple(table.monsters)
        case Which.RANDOM:
            return _one_of(play, tuple(table.monsters))
        case Which.NEAREST:
            return await _nearest(play, source)


def _one_of(play: Play, found: tuple[MonsterId, ...]) -> tuple[MonsterId, ...]:
    """Return one at random. Rule RANDOM-1."""
    return found if len(found) < 2 else (play.pick("monster", found),)


async def _nearest(play: Play, source: Source) -> tuple[MonsterId, ...]:
    """Return the one nearest to the actor; among equals the investigators decide. DECIDE-103."""
    origin = play.table.investigators[source.actor].space
    if origin is None:
        return ()
    spaces = {monster.monster_id: monster.space for monster in play.table.monsters.values()}
    found = distance.nearest(play.table, origin, spaces)
    if len(found) < 2:
        return found
    chosen = await play.agree(
        play.table.standing(),
        [_option(play, monster) for monster in found],
        rule="DECIDE-103",
        about=Text("about/choose_monster"),
        prompt=Text("ask/choose_monster"),
    )
    return (chosen,)


def _option(play: Play, monster: MonsterId) -> Option[MonsterId]:
    text = Text("choice/monster", (naming.monster(play.table, monster),))
    return Option(monster, text, (naming.at_monster(monster),), "fight")


def _is_named(play: Play, which: schema.NamedMonster, monster: MonsterId) -> bool:
    return figures.find(play, which.name) == monster


def _is_of_kind(play: Play, which: schema.OfKind, monster: MonsterId) -> bool:
    return play.table.monsters[monster].kind == which.kind


def _is_of_trait(play: Play, which: schema.OfTrait, monster: MonsterId) -> bool:
    return which.trait in play.content.pack.monsters[play.table.monsters[monster].kind].traits


_MEANT: dict[type, Callable[[Play, Any, MonsterId], bool]] = {
    schema.NamedMonster: _is_named,
    schema.OfKind: _is_of_kind,
    schema.OfTrait: _is_of_trait,
}
