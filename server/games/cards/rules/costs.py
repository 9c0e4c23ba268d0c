"""Costs and limits: what using an ability takes, and how often it may be. Sections 1.8 and 2.15."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from content.games.cards.schema import costs as c
from content.games.cards.schema.cards import Ability, Does, Limit
from content.games.cards.schema.kinds import Deed
from content.games.cards.schema.modifiers import AdditionalCost, Thing
from content.games.cards.schema.targets import Filter
from protocol.common.asks import Point
from protocol.common.text import Text
from protocol.event import hidden
from protocol.games.cards.events import (
    BagChanged,
    Change,
    Tokens,
    TokenSealed,
    Told,
    Unsealed,
    Used,
    UsedUnseen,
)
from protocol.games.cards.table import Card, InvestigatorId, PieceId
from protocol.games.cards.words import WILD, Skill, Token, Zone
from protocol.values import evolve
from server.games.cards.rules import hands, harm, targets, turns, values, zones
from server.games.cards.rules.play import Play, Source, Use, seat
from server.kernel.asks import Option

Costs = Sequence[c.Cost]
Bill = Sequence[tuple[c.Cost, Source]]
"""Costs that are paid together, each with the ability that it is of."""
Need = tuple[int, Sequence[object]]
"""The number of things that a cost takes, and the things that it may take."""


def bill(costs: Costs, source: Source) -> Bill:
    """Return the costs of one ability."""
    return [(cost, source) for cost in costs]


def can_pay(play: Play, bill: Bill) -> bool:
    """
    Return whether costs can be paid in full, all of them together. C-COST-2.

    Nothing pays twice: two costs that exhaust a card need two ready cards.
    """
    return not bill or _is_covered(
        [need for cost, of in bill for need in _NEEDS[type(cost)](play, cost, of)]
    )


def _is_covered(needs: Sequence[Need], without: object = None) -> bool:
    if any(number > len(things) for number, things in needs):
        return False
    if len(needs) < 2 and without is None:
        # Nothing else takes any of its things.
        return True
    singles = [things for number, things in needs for _ in range(number)]
    taken: dict[object, int] = {}

    def find(at: int, seen: set[object]) -> bool:
        for thing in singles[at]:
            if thing not in seen and thing != without:
                seen.add(thing)
                if thing not in taken or find(taken[thing], seen):
                    taken[thing] = at
                    return True
        return False

    return all(find(at, set()) for at in range(len(singles)))


async def pay(play: Play, bill: Bill) -> bool:
    """
    Pay costs, all of them; return False without paying any if they cannot be paid. C-BABIL-9.

    The payer's choices come one after another; what was paid stays paid. X is chosen last, among
    the resources that are left (C-BPLAY-25).
    """
    if not can_pay(play, bill):
        return False
    ordered = sorted(bill, key=lambda one: isinstance(one[0], c.XCost))
    for at, (cost, source) in enumerate(ordered):
        if source.you not in play.table.order:
            return False
        if await _PAY[type(cost)](play, cost, source, ordered[at + 1 :]) is False:
            # The others did not give their clues.
            return False
    return True


def as_paid(play: Play, costs: Costs, source: Source) -> Iterator[Source]:
    """
    Yield the source as it could be once the costs of an ability are paid.

    With the largest X (C-BPLAY-25), and once for each icon that can be named (C-WILD-4).
    """
    if not costs:
        yield source
        return
    x = max([_most(play, one, source) for one in costs if isinstance(one, c.XCost)], default=0)
    found = [_icons_to_name(play, one, source) for one in costs if isinstance(one, c.IconCost)]
    for skill in {skill: None for named in found for _, _, skill in named} or (source.icon,):
        yield evolve(source, x=x, icon=skill)


def _most(play: Play, cost: c.XCost, source: Source) -> int:
    return min(cost.most, play.table.count(source.you, Token.RESOURCE))


def additional(
    play: Play, who: InvestigatorId, deeds: Sequence[Deed], at: PieceId = "", to: PieceId = ""
) -> list[tuple[c.Cost, Source]]:
    """
    Return the additional costs of what an investigator is about to do. C-ADD-1.

    Args:
        play: the game.
        who: the investigator.
        deeds: what it counts as.
        at: the location where it is done, or that is left, or the card that is used; their own
            location if left out.
        to: the location that is entered.
    """
    found: list[tuple[c.Cost, Source]] = []
    cards = play.table.cards
    for one, source in values.given(play, AdditionalCost):
        if one.deed not in deeds or source.you not in ("", who):
            continue
        payer = Source(source.code, source.piece, who, holder=source.holder)
        if all(
            of is None or (piece in cards and targets.fits(play, cards[piece], of, payer))
            for of, piece in ((one.where, at or play.table.here(who)), (one.to, to))
        ):
            found += bill(one.cost, payer)
    return found


def of_ability(play: Play, ability: Ability, source: Source) -> Bill:
    """Return all that using an ability costs, the additional costs included. C-ADD-1."""
    own = bill(ability.cost, source)
    if ability.does is Does.FORCED:
        return own
    return [*own, *additional(play, source.you, (Deed.ACTIVATE,), at=source.piece)]


async def pay_additional(
    play: Play,
    who: InvestigatorId,
    deed: Deed,
    source: Source,
    at: PieceId = "",
    to: PieceId = "",
) -> bool:
    """
    Pay the additional costs of what an effect is about to do, at that moment. C-ADD-2, C-ADD-3.

    All or none (C-DECIDE-8), unasked, since they must be paid if they can be (C-DECIDE-7), and not
    what is obligatory (C-ADD-6, C-ADD-7).

    Returns:
        Whether it is done; if not, what was done before stands (C-ADD-4, C-ADD-5).
    """
    if not source.is_chosen:
        return True
    return await pay_in_any_order(play, who, additional(play, who, (deed,), at, to), source)


async def pay_in_any_order(play: Play, who: InvestigatorId, costs: Bill, source: Source) -> bool:
    """Pay additional costs, all or none, in the order of the payer's choice. C-DECIDE-8."""
    left = list(costs)
    if not can_pay(play, left):
        return False
    while left:
        first = 0
        if len({by.code for _, by in left}) > 1:
            first = await play.choose(
                seat(play, who),
                [Option(at, Text("choice/pay", (by.code,))) for at, (_, by) in enumerate(left)],
                rule="C-ADD-4",
                about=source.about(),
                prompt=Text("ask/pay", (who,)),
            )
        if not await pay(play, [left.pop(first)]):
            return False
    return True


def is_within_limit(play: Play, use: Use, limit: Limit) -> bool:
    """Return whether an ability may be used once more. C-BABIL-16, C-BABIL-17."""
    name, table = limit_name(use, limit), play.table
    unseen = [one for one in table.hidden_uses if limit.per.value not in one.over]
    times = table.used.get(name, 0) + sum(name in one.what.value[2] for one in unseen)
    return times < limit.times


def limit_name(use: Use, limit: Limit) -> str:
    """
    Return the name under which uses of an ability are counted.

    A limit counts for each copy of a card, and anew for one that comes back (C-BABIL-16); a maximum
    counts all copies by title, for all players (C-BABIL-17). The period stands first.
    """
    return f"{limit.per.value}/{use.code if limit.is_max else use.key[0]}/{use.ability}"


def note(play: Play, use: Use, limit: Limit | None, *, is_forced: bool = False) -> None:
    """
    Tell that an ability is used, and count it for its limit.

    Of a hidden card only its holder is told which one, and what is counted. C-BKEY-7, C-SECRET-2.
    """
    counts = () if limit is None else (limit_name(use, limit),)
    if use.is_secret:
        play.emit(UsedUnseen(use.you, hidden((use.code, use.ability, counts))))
    else:
        play.emit(Used(use.you, use.piece, use.code, use.ability, counts, is_forced))


# What can be paid


def _payable(play: Play, of: Filter, source: Source) -> list[Card]:
    """Return the cards in play under the payer's control, or this card, that fit. C-COST-1."""
    return [
        card
        for card in play.table.in_play()
        if (card.controller == source.you or (of.this and card.piece == source.piece))
        and targets.fits(play, card, of, source)
    ]


def _able(play: Play, name: str, cards: Sequence[Card], rest: Bill) -> list[Card]:
    """Return the cards with which one cost can be paid so that the others can be paid too."""
    needs = [need for cost, of in rest for need in _NEEDS[type(cost)](play, cost, of)]
    return [card for card in cards if _is_covered(needs, without=(name, card.piece))]


def _tokens(play: Play, who: str, token: Token) -> list[object]:
    return [(token, who, at) for at in range(play.table.count(who, token))]


def _exhausts(play: Play, cost: c.ExhaustCost, source: Source) -> list[Need]:
    return [(1, [("exhaust", card.piece) for card in _ready(play, cost, source)])]


def _ready(play: Play, cost: c.ExhaustCost, source: Source) -> list[Card]:
    """Return the cards that can be exhausted as a cost: ready ones. C-BZONE-16."""
    return [card for card in _payable(play, cost.which, source) if not card.is_exhausted]


async def _exhaust(play: Play, cost: c.ExhaustCost, source: Source, rest: Bill) -> None:
    found = _able(play, "exhaust", _ready(play, cost, source), rest)
    await zones.turn(play, await targets.choose(play, found, source, 1, 1), is_exhausted=True)


def _uses(play: Play, cost: c.UsesCost, source: Source) -> list[Need]:
    """C-BPLAY-12."""
    card = play.table.cards.get(source.piece)
    has = 0 if card is None else card.count(cost.kind)
    number = values.number(play, cost.number, source)
    return [(number, [(source.piece, cost.kind, at) for at in range(has)])]


async def _use(play: Play, cost: c.UsesCost, source: Source, rest: Bill) -> None:
    del rest
    number = values.number(play, cost.number, source)
    play.emit(Tokens((Change(source.piece, cost.kind, -number),)))
    await zones.discard_if_empty(play, source.piece, cost.kind)


def _resources(play: Play, cost: c.ResourcesCost, source: Source) -> list[Need]:
    # C-RES-1: those on other cards do not count.
    number = values.number(play, cost.number, source)
    return [(number, _tokens(play, source.you, Token.RESOURCE))]


async def _spend(play: Play, cost: c.ResourcesCost, source: Source, rest: Bill) -> None:
    del rest
    spend(play, source.you, Token.RESOURCE, values.number(play, cost.number, source))


def spend(play: Play, who: str, token: Token, number: int) -> None:
    """Take tokens off an investigator card."""
    if number:
        card = play.table.investigators[who].card
        play.emit(Tokens((Change(card, token.value, -number),)))


def _clues(play: Play, cost: c.CluesCost, source: Source) -> list[Need]:
    return [(values.number(play, cost.number, source), _tokens(play, source.you, Token.CLUE))]


async def _spend_clues(play: Play, cost: c.CluesCost, source: Source, rest: Bill) -> None:
    del rest
    spend(play, source.you, Token.CLUE, values.number(play, cost.number, source))


def _group_clues(play: Play, cost: c.GroupCluesCost, source: Source) -> list[Need]:
    held = [one for who in play.table.order for one in _tokens(play, who, Token.CLUE)]
    return [(values.number(play, cost.number, source), held)]


async def _spend_group(play: Play, cost: c.GroupCluesCost, source: Source, rest: Bill) -> bool:
    del rest
    return await spend_together(play, values.number(play, cost.number, source), source)


async def spend_together(play: Play, number: int, source: Source) -> bool:
    """
    Have the investigators give clues together, each as many as wanted. C-BACTS-2, C-BACTS-5.

    "You" begins, then the others follow in player order, as long as clues are needed. Nobody has to
    give any: if too few come together, none is spent. Whoever began is not asked again for another
    investigator where all clues that are left are needed.

    Returns:
        Whether they were spent.
    """
    changes, left = [], number
    people = [source.you, *(who for who in play.table.order if who != source.you)]
    for at, who in enumerate(people):
        most = min(play.table.count(who, Token.CLUE), left)
        if not most:
            continue
        others = sum(play.table.count(one, Token.CLUE) for one in people[at + 1 :])
        given = most
        if seat(play, who) != seat(play, source.you) or most + others > left:
            given = await play.choose(
                seat(play, who),
                [Option(n, Text("choice/clues", (n,))) for n in range(most, -1, -1)],
                rule="C-BACTS-2",
                about=source.about(),
                prompt=Text("ask/clues", (who, left, source.public_name)),
            )
        left -= given
        if given:
            card = play.table.investigators[who].card
            changes.append(Change(card, Token.CLUE.value, -given))
    if left:
        play.emit(Told(Text("notice/too_few_clues", (source.public_name,))))
        return False
    play.emit(Tokens(tuple(changes)))
    return True


def _this(play: Play, source: Source) -> list[Card]:
    card = play.table.cards.get(source.piece)
    return [] if card is None else [card]


def _discards_this(play: Play, cost: c.DiscardThisCost, source: Source) -> list[Need]:
    del cost
    this = [card for card in _this(play, source) if zones.may_leave(play, card)]
    return [(1, [("discard", card.piece) for card in this])]


async def _discard_this(play: Play, cost: c.DiscardThisCost, source: Source, rest: Bill) -> None:
    del cost, rest
    await zones.discard(play, (source.piece,))


def _discards_hand(play: Play, cost: c.DiscardHandCost, source: Source) -> list[Need]:
    return [(cost.number, hands.discardable(play, source.you, cost.of))]


async def _discard_hand(play: Play, cost: c.DiscardHandCost, source: Source, rest: Bill) -> None:
    del rest
    await hands.discard(play, source.you, cost.number, source, of=cost.of)


def _discards(play: Play, cost: c.DiscardCost, source: Source) -> list[Need]:
    return [(1, [("discard", card.piece) for card in _loose(play, cost, source)])]


def _loose(play: Play, cost: c.DiscardCost, source: Source) -> list[Card]:
    """Return the cards that can be discarded as a cost; a Permanent one cannot. C-PERM-1."""
    return [card for card in _payable(play, cost.which, source) if zones.may_leave(play, card)]


async def _discard(play: Play, cost: c.DiscardCost, source: Source, rest: Bill) -> None:
    found = _able(play, "discard", _loose(play, cost, source), rest)
    await zones.discard(play, await targets.choose(play, found, source, 1, 1))


def _harms(play: Play, cost: c.HarmCost, source: Source) -> list[Need]:
    if cost.on_this:
        return [(1, [(cost, card.piece) for card in _this(play, source)])]
    kinds = ((Thing.DAMAGE, cost.damage), (Thing.HORROR, cost.horror))
    is_kept = any(number and values.cannot(play, do, source.you) for do, number in kinds)
    return [(int(is_kept), ())]


async def _harm(play: Play, cost: c.HarmCost, source: Source, rest: Bill) -> None:
    del rest
    if cost.on_this:
        await harm.place(play, [harm.Part(source.piece, cost.damage, cost.horror)], source.piece)
    else:
        await harm.deal(
            play, source.you, cost.damage, cost.horror, cause=source.piece, is_direct=True
        )


def _dooms(play: Play, cost: c.DoomCost, source: Source) -> list[Need]:
    return [(1, [(cost, card.piece) for card in _this(play, source)])]


async def _doom(play: Play, cost: c.DoomCost, source: Source, rest: Bill) -> None:
    del rest
    play.emit(Tokens((Change(source.piece, Token.DOOM.value, cost.number),)))


def _bags(play: Play, cost: c.BagCost, source: Source) -> list[Need]:
    """Return what the supply would pay; a kind that has run out pays none. C-BLESS-2, C-BLESS-4."""
    del source
    supply = play.table.supply
    return [
        (1, [("supply", token, at) for at in range(supply.get(token, len(cost.tokens)))])
        for token in cost.tokens
    ]


async def _bag(play: Play, cost: c.BagCost, source: Source, rest: Bill) -> None:
    del source, rest
    play.emit(BagChanged(added=tuple(sorted(cost.tokens))))


def _seals(play: Play, cost: c.SealCost, source: Source) -> list[Need]:
    """C-BBAG-15, C-BKEY-15."""
    del source
    return [(1, [("bag", cost.token, at) for at in range(play.table.bag.count(cost.token))])]


async def _seal(play: Play, cost: c.SealCost, source: Source, rest: Bill) -> None:
    """C-BBAG-9."""
    del rest
    play.emit(TokenSealed(source.piece, cost.token))


def _releases(play: Play, cost: c.ReleaseCost, source: Source) -> list[Need]:
    del cost
    sealed = [token for card in _this(play, source) for token in card.chaos]
    return [(1, [("sealed", at) for at in range(len(sealed))])]


async def _release(play: Play, cost: c.ReleaseCost, source: Source, rest: Bill) -> None:
    del cost, rest
    play.emit(Unsealed(source.piece, play.table.cards[source.piece].chaos[:1]))


def _acts(play: Play, cost: c.ActionsCost, source: Source) -> list[Need]:
    return [(0 if turns.can_spend(play, source.you, cost.number, "") else 1, ())]


async def _act(play: Play, cost: c.ActionsCost, source: Source, rest: Bill) -> None:
    del rest
    await turns.spend(play, source.you, cost.number, "", source)


def _nothing(play: Play, cost: c.XCost, source: Source) -> list[Need]:
    del play, cost, source
    return []


async def _x(play: Play, cost: c.XCost, source: Source, rest: Bill) -> None:
    # C-BPLAY-25.
    del rest
    source.x = await play.choose(
        seat(play, source.you),
        [Option(n, Text("choice/number", (n,))) for n in range(_most(play, cost, source), -1, -1)],
        rule="C-BPLAY-25",
        about=source.about(),
        prompt=Text("ask/x", (source.you,)),
    )
    spend(play, source.you, Token.RESOURCE, source.x)


def _icons_to_name(play: Play, cost: c.IconCost, source: Source) -> list[tuple[Card, bool, Skill]]:
    """
    Return what can be named: a committed card, whether its icon is wild, and a skill. C-WILD-4.

    A wild icon can stand for any skill (C-WILD-1), also one that the card was given (C-COMMIT-5). A
    committed card is "yours" if you committed it.
    """
    found = []
    for card in play.table.cards.values():
        if card.at.zone is not Zone.COMMITTED:
            continue
        if targets.fits(play, evolve(card, controller=card.at.of), cost.which, source):
            icons = getattr(play.content.faces[card.shown], "icons", ())
            has_wild = WILD in icons or values.wild_icons_given(play, card) > 0
            found += [(card, False, skill) for skill in Skill if skill.value in icons]
            found += [(card, True, skill) for skill in Skill if has_wild]
    return found


def _icons(play: Play, cost: c.IconCost, source: Source) -> list[Need]:
    return [(1, [(cost, skill) for _, _, skill in _icons_to_name(play, cost, source)])]


async def _name_icon(play: Play, cost: c.IconCost, source: Source, rest: Bill) -> None:
    """C-WILD-4: named at this moment."""
    del rest
    source.icon = await play.choose(
        seat(play, source.you),
        [
            Option(
                skill,
                Text(
                    "choice/wild_icon" if is_wild else "choice/icon",
                    (card.shown, f"skill/{skill.value}"),
                ),
                (Point("card", card.piece),),
            )
            for card, is_wild, skill in _icons_to_name(play, cost, source)
        ],
        rule="C-WILD-4",
        about=source.about(),
        prompt=Text("ask/icon", (source.you,)),
    )
    play.emit(Told(Text("notice/icon", (source.you, f"skill/{source.icon.value}"))))


_NEEDS: dict[type, Callable[[Play, Any, Source], list[Need]]] = {
    c.ExhaustCost: _exhausts,
    c.UsesCost: _uses,
    c.ResourcesCost: _resources,
    c.CluesCost: _clues,
    c.GroupCluesCost: _group_clues,
    c.DiscardThisCost: _discards_this,
    c.DiscardHandCost: _discards_hand,
    c.DiscardCost: _discards,
    c.HarmCost: _harms,
    c.DoomCost: _dooms,
    c.BagCost: _bags,
    c.SealCost: _seals,
    c.ReleaseCost: _releases,
    c.ActionsCost: _acts,
    c.IconCost: _icons,
    c.XCost: _nothing,
}
_PAY: dict[type, Callable[[Play, Any, Source, Bill], Any]] = {
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
    c.IconCost: _name_icon,
    c.XCost: _x,
}
