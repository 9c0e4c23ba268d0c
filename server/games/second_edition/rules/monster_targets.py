"""
Monster targets: the monsters that a step of an effect concerns.

Rules RANDOM-1, NEAREST-1, ADJACENT-1, DECIDE-102 and DECIDE-103.
"""

from content.games.second_edition.schema import targets as schema
from content.games.second_edition.schema.targets import AnyMonster, Which
from protocol.common.text import Text
from protocol.games.second_edition.table import MonsterId
from server.games.second_edition.rules import distance, figures, naming, nearness, proposals
from server.games.second_edition.rules.play import Play, Source
from server.kernel.asks import Option


async def select(play: Play, which: AnyMonster, source: Source) -> tuple[MonsterId, ...]:
    """
    Return the monsters that a step concerns, in the order of their appearance. Rule RANDOM-1.

    The result is empty if no monster on the board fits.
    """
    monsters = play.table.monsters
    match which:
        case schema.NamedMonster():
            named = figures.find(play, which.name)
            return tuple(monster for monster in monsters if monster == named)
        case schema.OfKind():
            return tuple(one for one in monsters if monsters[one].kind == which.kind)
        case schema.OfTrait():
            cards = play.content.pack.monsters
            return tuple(one for one in monsters if which.trait in cards[monsters[one].kind].traits)
        case schema.MonstersWithin(spaces, of):
            return tuple(
                one.monster_id
                for one in monsters.values()
                if nearness.within(play, one.space, spaces, of, source.actor, source.monster)
            )
        case schema.MonstersAdjacent(of):
            return tuple(
                one.monster_id
                for one in monsters.values()
                if nearness.adjacent(play, one.space, of, source.actor, source.monster)
            )
        case Which.THIS:
            return tuple(monster for monster in monsters if monster == source.monster)
        case Which.RANDOM if len(monsters) > 1:
            # A single one needs no draw.
            return (play.pick("monster", tuple(monsters)),)
        case Which.NEAREST:
            return await _nearest(play, source)
        case _:
            return tuple(monsters)


async def _nearest(play: Play, source: Source) -> tuple[MonsterId, ...]:
    """
    Return the monster nearest to the actor as the only item; empty if unreachable. DECIDE-103.

    The investigators break a tie.
    """
    origin = play.table.investigators[source.actor].space
    if origin is None:
        return ()
    spaces = {monster.monster_id: monster.space for monster in play.table.monsters.values()}
    found = distance.nearest(play.table, origin, spaces)
    if len(found) < 2:
        return found
    by = Text("ask/choose_monster_by", (source.actor,))
    chosen = await proposals.tie(
        play,
        [
            Option(
                monster,
                Text("choice/monster", (naming.monster(play.table, monster),)),
                (naming.at_monster(monster),),
                "fight",
            )
            for monster in found
        ],
        rule="DECIDE-103",
        about=Text("about/choose_monster"),
        prompt=Text("ask/choose_monster") if play.version < 3 else by,
    )
    return (chosen,)
