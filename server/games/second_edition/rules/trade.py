"""
Trade: investigators exchange possessions, put them down and pick them up.

Rules TRADE-1 to TRADE-7, DROP-1 to DROP-3, POSSESSION-3, CLUE-3, DECIDE-8, DECIDE-38, DECIDE-44,
DECIDE-45.
"""

import functools
from collections.abc import Iterator, Sequence

from content.games.second_edition.schema.scenario import Moment
from protocol.common.asks import RefusedChoice
from protocol.common.text import Text
from protocol.games.second_edition.events import (
    CluesGiven,
    PossessionDropped,
    PossessionGiven,
    PossessionPickedUp,
)
from protocol.games.second_edition.table import CardId, InvestigatorId, PossessionId, SpaceId
from server.games.second_edition.rules import actions, naming, possessions, powers, triggers
from server.games.second_edition.rules.play import Play
from server.kernel.asks import Option, Prompt
from server.rulekit.offers import RISK, Offers, PlayerAction, refusal

Taken = dict[PossessionId, InvestigatorId]
"""New owner of each possession that was picked up in this trade and is undisputed."""


def partners(play: Play, space: SpaceId | None) -> tuple[InvestigatorId, ...]:
    """Return the investigators in a space, who all take part in a trade. Rule TRADE-1."""
    people = play.table.investigators.values()
    return tuple(i.investigator_id for i in people if space is not None and i.space == space)


def menu(play: Play, investigator: InvestigatorId) -> Offers:
    """
    Offer the trade action, also to an investigator alone in the space (TRADE-7).

    It is refused if a card bars it, or if it would be pointless: the space has no possession, held
    or on the floor, and no Clue that a card lets its owner give (TRADE-6, CLUE-3).
    """
    space = play.table.investigators[investigator].space
    if space is None:
        return Offers()
    text = Text("choice/trade")
    if not _is_anything_here(play, space):
        return refusal(text, Text("refusal/nothing_to_trade"), "TRADE-6")
    if barred := actions.barred(play, investigator, "trade", text):
        return barred
    action = functools.partial(trade, play, investigator)
    points = tuple(naming.at_investigator(other) for other in partners(play, space))
    return Offers((Option(action, text, points, "use"),))


def _is_anything_here(play: Play, space: SpaceId) -> bool:
    """Return True if anything can be given, dropped or picked up in a space."""
    people = partners(play, space)
    gives = any(any(_clue_gifts(play, who, tuple(p for p in people if p != who))) for who in people)
    holds = any(play.table.investigators[who].possessions for who in people)
    return gives or holds or bool(play.table.lying.get(space))


async def trade(play: Play, investigator: InvestigatorId) -> None:
    """
    Perform a trade action. Rules TRADE-1 to TRADE-6.

    Every investigator in the space may give, drop and pick up, any number of times and in any
    order; the active investigator closes the trade (DECIDE-44). Only the active investigator evades
    (DECIDE-38).
    """
    if not await actions.begin(play, investigator, "trade"):
        return
    space = play.table.investigators[investigator].space
    assert space is not None
    active = play.seat_of(investigator)
    taken: Taken = {}
    # The action is lost if nothing changes hands, so the client asks again.
    is_lost = play.version > 2
    while _is_anything_here(play, space):
        options: dict[int, list[Option[PlayerAction | None]]] = {active: []}
        refused: dict[int, dict[Text, RefusedChoice]] = {}
        for person in partners(play, space):
            seat = play.seat_of(person)
            options.setdefault(seat, []).extend(_trade_options(play, person, space, taken))
            # Two investigators of one seat may be refused the same; it reads that once.
            of_seat = refused.setdefault(seat, {})
            of_seat.update((no.text, no) for no in _withheld(play, person, space))
        # Only the active investigator can close the trade.
        group = RISK if is_lost else "rest"
        options[active].append(Option(None, Text("choice/trade_close"), (), group, ends=True))
        prompts = {
            seat: Prompt(
                Text("ask/trade", (investigator,)),
                tuple(offers),
                tuple(refused.get(seat, {}).values()),
                default=(len(offers) - 1,),
            )
            for seat, offers in options.items()
            if offers
        }
        about = Text("about/trade", (investigator,))
        _, (action,) = await play.any_one(prompts, rule="TRADE-5", about=about)
        if action is None:
            return
        await action()
        is_lost = False


def _trade_options(
    play: Play, person: InvestigatorId, space: SpaceId, taken: Taken
) -> list[Option[PlayerAction | None]]:
    """
    Return the options of one investigator in a trade. Rules TRADE-2 to TRADE-4 and DECIDE-45.

    Gifts come first: they are the usual reason for a trade. `taken` says who has picked up which
    possession in this trade.
    """
    others = tuple(other for other in partners(play, space) if other != person)
    offers = [*_clue_gifts(play, person, others)]
    drops: list[Option[PlayerAction | None]] = []
    for held in play.table.investigators[person].possessions:
        pointed = naming.at_possession(held.possession_id)
        for other in others:
            text = Text("choice/give", (person, held.face, other))
            points = (pointed, naming.at_investigator(other))
            action = functools.partial(give, play, person, held.possession_id, other)
            offers.append(Option(action, text, points, "use"))
        drop_it = functools.partial(drop, play, person, held.possession_id)
        # Nobody drops a thing by leaning on a key.
        group = RISK if play.version > 2 else "use"
        drops.append(Option(drop_it, Text("choice/drop", (person, held.face)), (pointed,), group))
    for lying in play.table.lying.get(space, ()):
        pick = functools.partial(pick_up, play, person, lying.possession_id, space, taken)
        text = Text("choice/pick_up", (person, lying.face))
        offers.append(Option(pick, text, (naming.at_possession(lying.possession_id),), "use"))
    for possession, owner in taken.items():
        has = possessions.held(play, owner, possession)
        if has is not None and play.seat_of(owner) != play.seat_of(person):
            claim = functools.partial(dispute, play, person, possession, space, taken)
            text = Text("choice/claim_too", (person, has.face, owner))
            drops.append(Option(claim, text, (naming.at_possession(possession),), "use"))
    return [*offers, *drops]


def _clue_gifts(
    play: Play, person: InvestigatorId, others: tuple[InvestigatorId, ...]
) -> Iterator[Option[PlayerAction | None]]:
    """Yield the option of giving a Clue to each of the others, if a card allows it. Rule CLUE-3."""
    if play.table.investigators[person].clues and powers.trades_clues(play, person):
        for other in others:
            action = functools.partial(give_clue, play, person, other)
            text = Text("choice/give_clue_to", (person, other))
            yield Option(action, text, (naming.at_investigator(other),), "use")


async def give_clue(play: Play, giver: InvestigatorId, receiver: InvestigatorId) -> None:
    """Hand a Clue over. The caller checks that a card of the giver allows it. Rule CLUE-3."""
    play.emit(CluesGiven(giver, receiver, 1))


def _withheld(play: Play, person: InvestigatorId, space: SpaceId) -> Iterator[RefusedChoice]:
    """
    Yield refusals of gifts. Rules TRADE-1 and CLUE-3.

    An investigator who is alone in the space can give nothing; others can give no Clue without a
    card that allows it.
    """
    who, is_alone = play.table.investigators[person], len(partners(play, space)) == 1
    if is_alone and who.possessions:
        reason = Text("refusal/nobody_here")
        yield RefusedChoice(Text("choice/give_something"), reason, "TRADE-1")
    if not is_alone and who.clues and not powers.trades_clues(play, person):
        yield RefusedChoice(Text("choice/give_clue"), Text("refusal/clues_stay"), "CLUE-3")


async def give(
    play: Play, giver: InvestigatorId, possession: PossessionId, receiver: InvestigatorId
) -> None:
    """Hand a possession over; the receiver cannot refuse. Rules TRADE-2 and DECIDE-44."""
    play.emit(PossessionGiven(giver, receiver, possession))
    has = possessions.held(play, receiver, possession)
    assert has is not None
    await triggers.run(play, Moment.ITEM_GIVEN, receiver, about=(has.card,))
    await possessions.announce(play, receiver, has)


async def drop(play: Play, investigator: InvestigatorId, possession: PossessionId) -> None:
    """Put a possession down in the investigator's space. Rules TRADE-4 and DROP-1."""
    space = play.table.investigators[investigator].space
    assert space is not None
    play.emit(PossessionDropped(investigator, possession, space))


async def pick_up(
    play: Play,
    investigator: InvestigatorId,
    possession: PossessionId,
    space: SpaceId,
    taken: Taken,
) -> None:
    """
    Pick up a possession from the space. Rules TRADE-3, DROP-2 and DROP-3.

    `taken` records who took it, and others in the space can dispute it while the trade lasts
    (DECIDE-45). In games before version 3 the whole group decided at once which of the people in
    the space takes it.
    """
    lying = next(p for p in play.table.lying[space] if p.possession_id == possession)
    people = partners(play, space)
    if play.version > 2:
        taken[possession] = investigator
    elif len({play.seat_of(person) for person in people}) > 1:
        claimants = (investigator, *(p for p in people if p != investigator))
        voters = play.table.standing()
        investigator = await _agreed_owner(play, voters, claimants, lying.face)
    play.emit(PossessionPickedUp(investigator, possession, space))
    await possessions.announce(play, investigator, lying)


async def dispute(
    play: Play,
    claimant: InvestigatorId,
    possession: PossessionId,
    space: SpaceId,
    taken: Taken,
) -> None:
    """
    Decide which of two investigators gets a possession that both want. Rule DECIDE-45.

    The people in the space decide, once for each possession in a trade.
    """
    # No longer among the undisputed ones: a possession is disputed once in a trade.
    owner = taken.pop(possession)
    has = possessions.held(play, owner, possession)
    assert has is not None
    gets = await _agreed_owner(play, partners(play, space), (owner, claimant), has.face)
    if gets != owner:
        await give(play, owner, possession, gets)


async def _agreed_owner(
    play: Play,
    voters: Sequence[InvestigatorId],
    claimants: Sequence[InvestigatorId],
    card: CardId,
) -> InvestigatorId:
    return await play.agree(
        voters,
        [
            Option(who, Text("choice/takes", (who, card)), (naming.at_investigator(who),), "use")
            for who in claimants
        ],
        rule="DECIDE-45",
        about=Text("about/pick_up", (claimants[0], card)),
        prompt=Text("ask/pick_up", (card,)),
    )
