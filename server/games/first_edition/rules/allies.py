"""
Allies: characters without a seat, each of which does one thing in a round. Sections 13 and 20.3.

Their phase follows the trade (W-ALLY-8, W-DECIDE-19). Harm, tests, attacks and moves are those of
all characters.
"""

import functools

from protocol.common.text import Text
from protocol.games.first_edition.events import DealtWith, KeeperStepBegan
from protocol.games.first_edition.table import (
    Ally,
    AllyId,
    InvestigatorId,
    KeeperStep,
    SpaceId,
)
from protocol.games.first_edition.words import INVESTIGATOR_LINKS
from server.games.first_edition.rules import (
    adjacency,
    attacks,
    burning,
    evade,
    features,
    harm,
    movement,
    places,
    tales,
    trauma,
    water,
)
from server.games.first_edition.rules.play import Play, answerer, leading, nearest
from server.kernel.asks import Option, Prompt
from server.rulekit.offers import Offers, PlayerAction, refusal, together

_WATER = "water"
"""Mark of the ally phase whose start is over."""


async def step(play: Play) -> None:
    """
    Have one ally act, or end the ally phase. W-ALLY-8, W-DECIDE-19, W-DECIDE-20.

    Each ally is handled once. The investigators choose the order: the nearest to an ally can take
    it on, and of several equally near ones the first who does leads it.
    """
    if _WATER not in play.table.done:
        await _begin(play)
        return
    skip_stunned(play)
    left = [ally for ally in play.table.allies if _can_act(play, ally)]
    options: dict[int, list[Option[PlayerAction]]] = {}
    for ally in left:
        for who in nearest(play, ally):
            take = functools.partial(act, play, who, ally)
            option = Option[PlayerAction](
                take, Text("choice/lead_ally", (who, ally)), (places.at_investigator(ally),), "use"
            )
            options.setdefault(play.seat_of(who), []).append(option)
    if not options:
        await _end(play)
        return
    prompts = {seat: Prompt(Text("ask/ally"), tuple(some)) for seat, some in options.items()}
    _, (take_on,) = await play.any_one(prompts, rule="W-DECIDE-20", about=Text("about/allies"))
    await take_on()


def skip_stunned(play: Play) -> None:
    """Have each stunned ally lose a stun token instead of acting. W-DECIDE-21."""
    for ally in list(play.table.allies.values()):
        if ally.stun and ally.ally_id not in play.table.done:
            harm.unstun(play, ally.ally_id, 1)
            play.emit(DealtWith(ally.ally_id))


def _can_act(play: Play, ally: AllyId) -> bool:
    """Return whether the investigators have yet to handle an ally: a sane one. W-DECIDE-28."""
    return ally not in play.table.done and not play.table.allies[ally].is_insane


async def _begin(play: Play) -> None:
    """Begin the phase: allies in the water take damage and leave it. W-DECIDE-6."""
    play.emit(DealtWith(_WATER))
    for ally in list(play.table.allies):
        if ally in play.table.allies:
            await water.leave(play, ally, answerer(play, ally))


async def _end(play: Play) -> None:
    """End the phase: allies in a burning room take harm. W-DECIDE-21, K-DECIDE-80."""
    for ally in list(play.table.allies):
        if ally in play.table.allies:
            await burning.at_end_of_turn(play, ally)
    play.emit(KeeperStepBegan(KeeperStep.STUN))


async def act(play: Play, who: InvestigatorId, ally: AllyId) -> None:
    """
    Let an investigator choose what an ally does: talk, attack, move, or nothing. W-DECIDE-20.

    Where it can do one thing only, or none, that is asked all the same: nothing is always offered.
    """
    play.emit(DealtWith(ally))
    found = together(
        [talk_offers(play, who, ally), attack_offers(play, ally), move_offers(play, ally)]
    )
    rest = Option[PlayerAction](_rest, Text("choice/ally_rests"), (), "rest", ends=True)
    perform = await play.choose(
        play.seat_of(who),
        (rest, *found.options),
        rule="W-DECIDE-20",
        about=Text("about/allies"),
        prompt=Text("ask/ally_act", (ally, who)),
        refused=found.refused,
    )
    mark = leading(who, ally)
    play.under_way.add(mark)
    try:
        await perform()
        await trauma.settle(play)
    finally:
        play.under_way.discard(mark)


async def _rest() -> None:
    """Do nothing with an ally."""


def talk_offers(play: Play, who: InvestigatorId, ally: AllyId) -> Offers:
    """Offer to talk with an ally in the same room. W-ALLY-9, W-DECIDE-20, W-DECIDE-32."""
    table, text = play.table, Text("choice/talk", (ally,))
    if not table.tales[ally]:
        return refusal(text, Text("refusal/nothing_to_say", (ally,)), "W-DECIDE-32")
    room = table.room_of(table.allies[ally].space)
    if table.room_of(table.investigators[who].space) != room:
        return refusal(text, Text("refusal/not_in_room_of", (ally,)), "W-DECIDE-20")
    tell = functools.partial(tales.tell, play, ally, who)
    return Offers((Option(tell, text, (places.at_investigator(ally),), "use"),))


def attack_offers(play: Play, ally: AllyId) -> Offers:
    """Offer each attack of an ally. W-ALLY-10, W-DECIDE-25."""
    weapons = attacks.weapons(play, ally)
    return together(attacks.offers_with(play, ally, one, attacks.strike) for one in weapons)


def move_offers(play: Play, ally: AllyId) -> Offers:
    """Offer a move to each adjacent space. W-ALLY-12, W-DECIDE-20."""
    options: list[Option[PlayerAction]] = []
    if not play.table.allies[ally].steps:
        return Offers()
    for space in ways(play, ally):
        go = functools.partial(move, play, ally, space)
        options.append(places.leading_to(play.table, ally, space, go))
    return Offers(tuple(options))


def ways(play: Play, ally: AllyId) -> tuple[SpaceId, ...]:
    """
    Return the spaces to which an ally can go: by doors and ladders, through no lock. W-DECIDE-21.

    One that fell into a pit goes nowhere in that turn (W-PIT-4).
    """
    table = play.table
    if ally in table.trapped:
        return ()
    near = adjacency.steps(table, table.allies[ally].space, INVESTIGATOR_LINKS)
    return tuple(one for one in near if not movement.is_locked(play, ally, one))


async def move(play: Play, ally: AllyId, space: SpaceId) -> None:
    """
    Move an ally by its movement value, space by space. W-ALLY-12, W-DECIDE-20, W-DECIDE-23.

    Evade tests come first, and the test of a burning room, as in a step of an investigator
    (W-MOVED-1, W-DECIDE-9).
    """
    left = play.table.allies[ally].steps
    goes: SpaceId | None = space
    while goes is not None:
        await _step(play, ally, goes)
        left -= 1
        await trauma.settle(play)
        goes = await _next(play, ally, left) if left else None


async def _step(play: Play, ally: AllyId, space: SpaceId) -> None:
    """Move an ally to an adjacent space. W-MOVED-1, W-DECIDE-9."""
    table, here = play.table, play.table.allies[ally].space
    if not await evade.before(play, ally):
        return
    if table.room_of(space) != table.room_of(here):
        await features.enter_fire(play, ally, table.room_of(space))
    if movement.is_at(play, ally, here):
        await movement.put(play, ally, space)


async def _next(play: Play, ally: AllyId, left: int) -> SpaceId | None:
    """Ask where a moving ally goes on to; None if it stays, is gone, or has lost its mind."""
    has = play.table.allies.get(ally)
    if has is None or has.is_insane or not (spaces := ways(play, ally)):
        return None
    options: list[Option[SpaceId | None]] = [
        Option(None, Text("choice/end_leading"), (), "rest", ends=True)
    ]
    options += [places.leading_to(play.table, ally, space, space) for space in spaces]
    return await play.choose(
        answerer(play, ally),
        options,
        rule="W-DECIDE-20",
        about=Text("about/allies"),
        prompt=Text("ask/lead", (ally, left)),
    )


def adrift(play: Play) -> tuple[Ally, ...]:
    """Return the insane allies that the keeper can yet move in this step. W-DECIDE-28."""
    return tuple(
        one
        for one in play.table.allies.values()
        if one.is_insane and one.ally_id not in play.table.done and ways(play, one.ally_id)
    )


def keeper_offers(play: Play) -> Offers:
    """Offer the keeper a free move of each insane ally, without evade tests. W-DECIDE-28."""
    options: list[Option[PlayerAction]] = []
    for one in adrift(play):
        for space in ways(play, one.ally_id):
            go = functools.partial(drift, play, one.ally_id, space)
            options.append(places.leading_to(play.table, one.ally_id, space, go))
    return Offers(tuple(options))


async def drift(play: Play, ally: AllyId, space: SpaceId) -> None:
    """Have the keeper move an insane ally by one space. W-DECIDE-28, W-MOVED-2, W-MOVED-3."""
    play.emit(DealtWith(ally))
    await movement.put(play, ally, space)
