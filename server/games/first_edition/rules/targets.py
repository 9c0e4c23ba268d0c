"""Targets: the investigators and monsters that a step concerns."""

from collections.abc import Sequence

from content.games.first_edition.schema import targets as schema
from content.games.first_edition.schema.targets import Anybody, AnyMonster, Which, Who
from protocol.common.text import Text
from protocol.games.first_edition.table import (
    Ally,
    CharacterId,
    Investigator,
    Monster,
    MonsterId,
)
from server.games.first_edition.rules import places
from server.games.first_edition.rules.play import Play, Source, about, answerer, chooser
from server.kernel.asks import Option


async def characters(
    play: Play, who: Anybody, source: Source, *, heals: bool = False
) -> tuple[CharacterId, ...]:
    """
    Return the characters whom a step concerns, in seat order; one may have to be chosen.

    An actor who chooses somebody in the room may choose himself (K-SPELL-6).
    """
    found = in_question(play, who, source, heals=heals)
    if not found:
        # Nobody is there, or an earlier step killed the actor, who has no seat any more.
        return ()
    if who is Who.CHOSEN:
        return (await _choose(play, chooser(play, source), found, source),)
    if who is Who.COMRADE and source.actor is not None:
        return (await _choose(play, answerer(play, source.actor), found, source),)
    return found


def in_question(
    play: Play, who: Anybody, source: Source, *, heals: bool = False
) -> tuple[CharacterId, ...]:
    """
    Return the characters whom a step concerns or may concern: by seat, then allies.

    Most words mean investigators (W-DECIDE-33), and an ally that is the actor. What heals somebody
    in a place may heal allies there (W-DECIDE-30); so does what lifts curses (W-CURSE-6).
    """
    table = play.table
    everybody: list[Investigator | Ally] = list(table.in_seat_order())
    all_of_them = tuple(one.character_id for one in everybody)
    everybody += [one for one in table.allies.values() if heals or one.ally_id == source.actor]
    match who:
        case Who.ALLIES:
            return tuple(table.allies)
        case schema.TheAlly(ally):
            return (ally,) if ally in table.allies else ()
        case Who.ALL | Who.CHOSEN:
            return all_of_them
        case Who.ACTOR:
            actor = source.actor
            return (actor,) if actor is not None and table.is_here(actor) else ()
        case Who.OTHERS:
            return tuple(one for one in all_of_them if one != source.actor)
        case Who.SPACE | Who.ROOM | Who.COMRADE:
            place = "monster" if source.actor is None else "actor"
            rooms = places.rooms_at(play, place, source)
            spaces = places.spaces_at(play, place, source)
            return tuple(
                one.character_id
                for one in everybody
                if (one.space in spaces if who is Who.SPACE else table.room_of(one.space) in rooms)
            )
        case schema.AllIn(place):
            there = places.spaces_at(play, place, source)
            return tuple(one.character_id for one in everybody if one.space in there)
        case schema.AllWithItem(card):
            return tuple(
                one.character_id
                for one in table.in_seat_order()
                if any(item.card == card for item in one.items)
            )
    raise TypeError(who)


async def _choose(
    play: Play, seat: int, among: Sequence[CharacterId], source: Source
) -> CharacterId:
    """Have a seat choose one character; a single one needs no question."""
    if len(among) == 1:
        return among[0]
    options = [
        Option(one, Text("choice/whom", (one,)), (places.at_investigator(one),)) for one in among
    ]
    prompt = Text("ask/whom", (source.card,))
    return await play.choose(seat, options, rule="K-DECIDE-48", about=about(source), prompt=prompt)


async def monsters(
    play: Play, which: AnyMonster, most: int, source: Source
) -> tuple[MonsterId, ...]:
    """
    Return the monsters that a step concerns, in the order in which they came.

    Args:
        play: the game.
        which: the monsters in question.
        most: how many of them are chosen, by the keeper or by the investigator whose card it is; 0
            for all.
        source: the source of the effect.
    """
    found = which_monsters(play, which, source)
    if not most or len(found) <= most:
        return found
    return await play.choose_some(
        chooser(play, source),
        [places.of_monster(play.table, one) for one in found],
        rule="K-KEEPER-7",
        about=about(source),
        prompt=Text("ask/monsters", (source.card, most)),
        at_least=most,
        at_most=most,
    )


def which_monsters(play: Play, which: AnyMonster, source: Source) -> tuple[MonsterId, ...]:
    """Return the monsters that a word or a mapping means, in the order in which they came."""
    return tuple(
        monster.monster_id
        for monster in play.table.monsters.values()
        if _is_meant(play, monster, which, source)
    )


def _is_meant(play: Play, monster: Monster, which: AnyMonster, source: Source) -> bool:
    match which:
        case Which.ALL:
            return True
        case Which.THIS:
            return monster.monster_id == source.monster
        case Which.SPACE:
            return monster.space in places.spaces_at(play, "actor", source)
        case Which.ROOM:
            return play.table.room_of(monster.space) in places.rooms_at(play, "actor", source)
        case schema.OfKind(kind):
            return monster.kind == kind
        case schema.OfClass(class_):
            return monster.class_ is class_
        case schema.MonstersIn(place):
            return monster.space in places.spaces_at(play, place, source)
    raise TypeError(which)
