"""Costs and limits: what using an ability takes, and how often it may be. Sections 1.8 and 2.15."""

from collections.abc import Callable, Sequence
from typing import Any

from content.games.cards.schema import costs as c
from content.games.cards.schema.cards import Limit
from content.games.cards.schema.targets import Filter
from protocol.common.text import Text
from protocol.games.cards.events import (
    BagChanged,
    Change,
    Exhausted,
    Tokens,
    TokenSealed,
    Told,
    Unsealed,
)
from protocol.games.cards.table import Card
from protocol.games.cards.words import IN_PLAY, Token, Until
from server.games.cards.rules import hands, harm, targets, turns, values, zones
from server.games.cards.rules.play import Play, Source, seat
from server.kernel.asks import Option

Costs = Sequence[c.Cost]


def can_pay(play: Play, costs: Costs, source: Source) -> bool:
    """Return whether costs can be paid in full. C-COST-2."""
    return all(_CAN[type(cost)](play, cost, source) for cost in costs)


async def pay(play: Play, costs: Costs, source: Source) -> bool:
    """
    Pay costs, all of them; return False without paying any if they cannot be paid. C-BABIL-9.

    The payer's choices come one after another; what was paid stays paid.
    """
    if not can_pay(play, costs, source):
        return False
    for cost in costs:
        if await _PAY[type(cost)](play, cost, source) is False:
            # The others did not give their clues.
            return False
    return True


def is_within_limit(play: Play, use: Any, limit: Limit) -> bool:
    """Return whether an ability may be used once more. C-BABIL-16, C-BABIL-17."""
    return play.table.used.get(limit_name(use, limit), 0) < limit.times


def limit_name(use: Any, limit: Limit) -> str:
    """
    Return the name under which uses of an ability are counted.

    A limit counts for each copy of a card, and anew for one that comes back (C-BABIL-16); a maximum
    counts all copies by title, for all players (C-BABIL-17). The period stands first.
    """
    period = Until.ROUND if limit.per is Until.GAME else limit.per
    prefix = limit.per.value if limit.per is Until.GAME else period.value
    of = use.code if limit.is_max else use.piece or use.handle
    return f"{prefix}/{of}/{use.ability}"


# What can be paid


def _payable(play: Play, of: Filter, source: Source) -> list[Card]:
    """Return the cards in play under the payer's control that fit. C-COST-1."""
    return [
        card
        for card in play.table.cards.values()
        if card.at.zone in IN_PLAY
        and (card.piece == source.piece or card.controller == source.you)
        and targets.fits(play, card, of, source)
    ]


def _can_exhaust(play: Play, cost: c.ExhaustCost, source: Source) -> bool:
    # C-BZONE-16.
    return any(not card.is_exhausted for card in _payable(play, cost.which, source))


async def _exhaust(play: Play, cost: c.ExhaustCost, source: Source) -> None:
    ready = [card for card in _payable(play, cost.which, source) if not card.is_exhausted]
    pieces = await targets.choose(play, ready, source, 1, 1)
    play.emit(Exhausted(pieces, is_exhausted=True))


def _can_use(play: Play, cost: c.UsesCost, source: Source) -> bool:
    card = play.table.cards.get(source.piece)
    return card is not None and card.count(cost.kind) >= values.number(play, cost.number, source)


async def _use(play: Play, cost: c.UsesCost, source: Source) -> None:
    number = values.number(play, cost.number, source)
    play.emit(Tokens((Change(source.piece, cost.kind, -number),)))
    await zones.discard_if_empty(play, source.piece, cost.kind)


def _can_spend(play: Play, cost: c.ResourcesCost, source: Source) -> bool:
    has = play.table.count(source.you, Token.RESOURCE)
    return has >= values.number(play, cost.number, source)


async def _spend(play: Play, cost: c.ResourcesCost, source: Source) -> None:
    spend(play, source.you, Token.RESOURCE, values.number(play, cost.number, source))


def spend(play: Play, who: str, token: Token, number: int) -> None:
    """Take tokens off an investigator card."""
    if number:
        card = play.table.investigators[who].card
        play.emit(Tokens((Change(card, token.value, -number),)))


def _can_spend_clues(play: Play, cost: c.CluesCost, source: Source) -> bool:
    return play.table.count(source.you, Token.CLUE) >= values.number(play, cost.number, source)


async def _spend_clues(play: Play, cost: c.CluesCost, source: Source) -> None:
    spend(play, source.you, Token.CLUE, values.number(play, cost.number, source))


def _can_spend_group(play: Play, cost: c.GroupCluesCost, source: Source) -> bool:
    has = sum(play.table.count(who, Token.CLUE) for who in play.table.order)
    return has >= values.number(play, cost.number, source)


async def _spend_group(play: Play, cost: c.GroupCluesCost, source: Source) -> bool:
    return await spend_together(play, values.number(play, cost.number, source), source)


async def spend_together(play: Play, number: int, source: Source) -> bool:
    """
    Have the investigators give clues together, each as many as wanted. C-BACTS-2, C-BACTS-5.

    "You" begins, then the others follow in player order, as long as clues are needed. Nobody has to
    give any: if too few come together, none is spent.

    Returns:
        Whether they were spent.
    """
    changes, left = [], number
    people = [who for who in play.table.order if who != source.you]
    for who in (source.you, *people):
        most = min(play.table.count(who, Token.CLUE), left)
        if not most:
            continue
        others = sum(play.table.count(one, Token.CLUE) for one in people)
        given = most
        if who != source.you or most + others > left:
            given = await play.choose(
                seat(play, who),
                [Option(n, Text("choice/clues", (n,))) for n in range(most, -1, -1)],
                rule="C-BACTS-2",
                about=source.about(),
                prompt=Text("ask/clues", (who, left)),
            )
        left -= given
        if given:
            card = play.table.investigators[who].card
            changes.append(Change(card, Token.CLUE.value, -given))
    if left:
        play.emit(Told(Text("notice/too_few_clues", (source.code,))))
        return False
    play.emit(Tokens(tuple(changes)))
    return True


def _can_discard_this(play: Play, cost: c.DiscardThisCost, source: Source) -> bool:
    del cost
    return source.piece in play.table.cards


async def _discard_this(play: Play, cost: c.DiscardThisCost, source: Source) -> None:
    del cost
    await zones.discard(play, (source.piece,))


def _can_discard_hand(play: Play, cost: c.DiscardHandCost, source: Source) -> bool:
    return len(hands.discardable(play, source.you, cost.of)) >= cost.number


async def _discard_hand(play: Play, cost: c.DiscardHandCost, source: Source) -> None:
    await hands.discard(play, source.you, cost.number, source, of=cost.of)


def _can_discard(play: Play, cost: c.DiscardCost, source: Source) -> bool:
    return bool(_payable(play, cost.which, source))


async def _discard(play: Play, cost: c.DiscardCost, source: Source) -> None:
    pieces = await targets.choose(play, _payable(play, cost.which, source), source, 1, 1)
    await zones.discard(play, pieces)


def _can_harm(play: Play, cost: c.HarmCost, source: Source) -> bool:
    return not cost.on_this or source.piece in play.table.cards


async def _harm(play: Play, cost: c.HarmCost, source: Source) -> None:
    if cost.on_this:
        await harm.place(play, [harm.Part(source.piece, cost.damage, cost.horror)], source.piece)
    else:
        await harm.deal(
            play, source.you, cost.damage, cost.horror, cause=source.piece, is_direct=True
        )


def _can_doom(play: Play, cost: c.DoomCost, source: Source) -> bool:
    del cost
    return source.piece in play.table.cards


async def _doom(play: Play, cost: c.DoomCost, source: Source) -> None:
    play.emit(Tokens((Change(source.piece, Token.DOOM.value, cost.number),)))


def _can_bag(play: Play, cost: c.BagCost, source: Source) -> bool:
    # C-BLESS-4.
    del source
    supply = play.table.supply
    return all(cost.tokens.count(t) <= supply.get(t, len(cost.tokens)) for t in cost.tokens)


async def _bag(play: Play, cost: c.BagCost, source: Source) -> None:
    del source
    play.emit(BagChanged(added=tuple(sorted(cost.tokens))))


def _can_seal(play: Play, cost: c.SealCost, source: Source) -> bool:
    # C-BBAG-15.
    del source
    return cost.token in play.table.bag


async def _seal(play: Play, cost: c.SealCost, source: Source) -> None:
    play.emit(TokenSealed(source.piece, cost.token))


def _can_release(play: Play, cost: c.ReleaseCost, source: Source) -> bool:
    del cost
    card = play.table.cards.get(source.piece)
    return card is not None and bool(card.chaos)


async def _release(play: Play, cost: c.ReleaseCost, source: Source) -> None:
    del cost
    play.emit(Unsealed(source.piece, play.table.cards[source.piece].chaos[:1]))


def _can_act(play: Play, cost: c.ActionsCost, source: Source) -> bool:
    return turns.can_spend(play, source.you, cost.number, "")


async def _act(play: Play, cost: c.ActionsCost, source: Source) -> None:
    await turns.spend(play, source.you, cost.number, "", source)


def _can_x(play: Play, cost: c.XCost, source: Source) -> bool:
    del cost, source
    del play
    return True


async def _x(play: Play, cost: c.XCost, source: Source) -> None:
    # C-BPLAY-25.
    most = min(cost.most, play.table.count(source.you, Token.RESOURCE))
    source.x = await play.choose(
        seat(play, source.you),
        [Option(n, Text("choice/number", (n,))) for n in range(most, -1, -1)],
        rule="C-BPLAY-25",
        about=source.about(),
        prompt=Text("ask/x", (source.you,)),
    )
    spend(play, source.you, Token.RESOURCE, source.x)


_CAN: dict[type, Callable[[Play, Any, Source], bool]] = {
    c.ExhaustCost: _can_exhaust,
    c.UsesCost: _can_use,
    c.ResourcesCost: _can_spend,
    c.CluesCost: _can_spend_clues,
    c.GroupCluesCost: _can_spend_group,
    c.DiscardThisCost: _can_discard_this,
    c.DiscardHandCost: _can_discard_hand,
    c.DiscardCost: _can_discard,
    c.HarmCost: _can_harm,
    c.DoomCost: _can_doom,
    c.BagCost: _can_bag,
    c.SealCost: _can_seal,
    c.ReleaseCost: _can_release,
    c.ActionsCost: _can_act,
    c.XCost: _can_x,
}
_PAY: dict[type, Callable[[Play, Any, Source], Any]] = {
    c.ExhaustCost: _exhaust,
    c.UsesCost: _use,
    c.ResourcesCost: _spend,
    c.CluesCost: _spend_clues,
    c.GroupCluesCost: _spend_group,
    c.DiscardThisCost: _discard_this,
    c.DiscardHandCost: _discard_hand,
    c.DiscardCost: _discard,
    c.HarmCost: _harm,
    c.DoomCost: _doom,
    c.BagCost: _bag,
    c.SealCost: _seal,
    c.ReleaseCost: _release,
    c.ActionsCost: _act,
    c.XCost: _x,
}
