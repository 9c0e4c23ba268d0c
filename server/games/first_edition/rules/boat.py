"""Boats: across barriers and under bridges, with others or alone. Section 12."""

import functools
from collections.abc import Callable, Coroutine, Iterable, Iterator
from typing import Any

from protocol.boards.links import linked
from protocol.common.asks import RefusedChoice
from protocol.common.text import Text
from protocol.games.first_edition.events import FeatureMoved, Moved
from protocol.games.first_edition.table import CharacterId, Feature, InvestigatorId, SpaceId
from protocol.games.first_edition.words import UNDER, FeatureKind
from server.games.first_edition.rules import adjacency, evade, features, movement, places
from server.games.first_edition.rules.play import Play, Refusal, answerer
from server.kernel.asks import Option
from server.rulekit.offers import Offers, PlayerAction

Ride = Callable[..., Coroutine[Any, Any, None]]
"""A function that takes the game, an investigator, a space, and `alone`."""


def offers(play: Play, who: InvestigatorId) -> Offers:
    """Offer to cross barriers in the boat of the own space, by a step. W-BOAT-1, W-DECIDE-14."""
    reason = movement.stays(play, who) or _locked_up(play, who)
    if reason is None:
        return Offers(tuple(options(play, who, spaces(play, who), row)))
    texts = [Text("choice/row", (places.name(play.table, one),)) for one in spaces(play, who)]
    return Offers((), tuple(RefusedChoice(text, *reason) for text in texts))


def spaces(play: Play, who: CharacterId) -> tuple[SpaceId, ...]:
    """
    Return the spaces to which the boat beside an investigator can go; none without a boat.

    Under a bridge it does not come into the room above. W-BOAT-1, W-BOAT-2, W-DECIDE-16.
    """
    table = play.table
    if (boat := _beside(play, who)) is None:
        return ()
    ways = (*adjacency.across_barriers(table, boat.at), *linked(table.links, boat.at, (UNDER,)))
    return tuple(dict.fromkeys(ways))


def _beside(play: Play, who: CharacterId) -> Feature | None:
    """Return the boat in the space of an investigator; None if there is none."""
    has = play.table.investigators.get(who)
    there = () if has is None else play.table.features_at(has.space, FeatureKind.BOAT)
    return next(iter(there), None)


def _locked_up(play: Play, who: InvestigatorId) -> Refusal | None:
    """Return why an investigator cannot use the boat: the key is missing. W-DECIDE-13."""
    key = play.content.story.boat_key
    if key is None or any(item.card == key for item in play.table.investigators[who].items):
        return None
    return Text("refusal/boat_key", (key,)), "W-DECIDE-13"


def can_use(play: Play, who: CharacterId) -> bool:
    """Return whether an investigator is beside a boat, and has its key. W-DECIDE-13."""
    return _beside(play, who) is not None and _locked_up(play, who) is None


def options(
    play: Play,
    who: InvestigatorId,
    ways: Iterable[SpaceId],
    ride: Ride,
    *,
    is_alone: bool = False,
) -> Iterator[Option[PlayerAction]]:
    """
    Yield the crossings: each one with passengers, and alone. W-DECIDE-15.

    Args:
        play: the game.
        who: the investigator who has the boat.
        ways: spaces to which the boat goes.
        ride: what is done.
        is_alone: True if the keeper moves the boat, who takes nobody along (W-DECIDE-17).
    """
    with_others = not is_alone and bool(_others(play, who))
    for space in ways:
        name, point = places.name(play.table, space), (places.at_space(space),)
        go = functools.partial(ride, play, who, space, is_alone=not with_others)
        yield Option(go, Text("choice/row", (name,)), point, "move")
        if with_others:
            go = functools.partial(ride, play, who, space, is_alone=True)
            yield Option(go, Text("choice/row_alone", (name,)), point, "move")


def _others(play: Play, who: InvestigatorId) -> tuple[CharacterId, ...]:
    """Return the possible passengers in the space: by seat, then allies. W-DECIDE-21."""
    table = play.table
    return tuple(
        one.character_id
        for one in table.characters()
        if one.character_id not in {who, *table.trapped}
        and one.space == table.investigators[who].space
        and one.hidden_in is None
    )


async def row(play: Play, who: InvestigatorId, space: SpaceId, *, is_alone: bool) -> None:
    """Cross a barrier by a movement step, as one walks. W-DECIDE-14, W-DECIDE-9."""
    if await movement.set_out(play, who, space):
        await ride(play, who, space, is_alone=is_alone)


async def ride(
    play: Play, who: InvestigatorId, space: SpaceId, *, is_alone: bool, over_pits: bool = False
) -> None:
    """
    Move the boat with an investigator and passengers. W-BOAT-3, W-DECIDE-14, W-DECIDE-15.

    All arrive together (W-PIT-13); horror tests are one's own. With `over_pits` the investigator
    ignores the pit, and nobody else does (W-PIT-15).
    """
    here = play.table.investigators[who].space
    enters = play.table.room_of(space) != play.table.room_of(here)
    party: list[CharacterId] = [
        who,
        *([] if is_alone else await _board(play, who, space, enters=enters)),
    ]
    boat = _beside(play, who)
    if boat is None or not movement.is_at(play, who, here):
        return
    play.emit(FeatureMoved(boat.feature_id, space))
    for one in party:
        play.emit(Moved(one, space))
    above = (who,) if over_pits else ()
    await movement.come(play, party, space, enters=enters, over_pits=above)


async def _board(
    play: Play, who: InvestigatorId, space: SpaceId, *, enters: bool
) -> list[CharacterId]:
    """Ask the others whether they come; each takes own evade and fire tests. W-DECIDE-15."""
    here, name = play.table.investigators[who].space, places.name(play.table, space)
    stay = Option(False, Text("choice/stay_ashore"), (), "rest", ends=True)
    board = Option(True, Text("choice/board"), (), "move")
    willing = [
        one
        for one in _others(play, who)
        if await play.choose(
            answerer(play, one),
            (stay, board),
            rule="W-DECIDE-15",
            about=Text("about/boat", (who, name)),
            prompt=Text("ask/board", (one, name)),
        )
    ]
    for one in willing:
        if await evade.before(play, one) and enters and movement.is_at(play, one, here):
            await features.enter_fire(play, one, play.table.room_of(space))
    return [one for one in willing if movement.is_at(play, one, here)]
