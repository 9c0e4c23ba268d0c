"""Harm: damage and horror, dealt, assigned, placed; what is defeated by it. Section 2.9."""

from collections.abc import Sequence

import attrs

from content.games.cards.schema.kinds import CardType, Stat
from content.games.cards.schema.modifiers import Thing
from content.games.cards.schema.occurrences import Happening
from protocol.common.asks import Point
from protocol.common.text import Text
from protocol.games.cards.events import Change, Tokens
from protocol.games.cards.table import Card, InvestigatorId, PieceId, Place
from protocol.games.cards.words import Fate, Token, Trauma, Zone
from server.games.cards.rules import elimination, timing, values, zones
from server.games.cards.rules.play import (
    Occurrence,
    Play,
    face_of,
    location_of,
    seat,
    type_of_card,
)
from server.kernel.asks import Option


@attrs.define
class Part:
    """Harm that is assigned to one card."""

    piece: PieceId
    damage: int = 0
    horror: int = 0


async def deal(
    play: Play,
    who: InvestigatorId,
    damage: int,
    horror: int,
    *,
    cause: PieceId = "",
    by: InvestigatorId = "",
    is_direct: bool = False,
    is_attack: bool = False,
) -> None:
    """
    Deal damage and horror to an investigator, who assigns it; then it is placed. C-BDMG-1.

    All of one source is assigned before any of it is placed (C-BDMG-14). Direct harm cannot be
    assigned to assets (C-BDMG-5).
    """
    if who not in play.table.order:
        return
    damage = 0 if values.cannot(play, Thing.DAMAGE, who) is not None else damage
    horror = 0 if values.cannot(play, Thing.HORROR, who) is not None else horror
    if damage <= 0 and horror <= 0:
        return
    one = Occurrence(
        Happening.DAMAGE_DEALT, who=who, by=by, cause=cause, amount=damage, horror=horror
    )
    one.tags = frozenset(["attack"] if is_attack else [])

    async def assign(live: list[Occurrence]) -> None:
        dealt = live[0]
        parts = await _assign(
            play, who, dealt.amount, dealt.horror, dealt.redirect, is_direct=is_direct
        )
        await place(play, parts, cause, by=by, who=who, is_attack=is_attack)

    await timing.happen(play, [one], assign)


async def _assign(
    play: Play,
    who: InvestigatorId,
    damage: int,
    horror: int,
    redirect: PieceId,
    *,
    is_direct: bool,
) -> list[Part]:
    """
    Have an investigator assign harm to assets and themselves. C-BDMG-2 to C-BDMG-4, C-BDMG-15.

    An asset takes no more than defeats it (C-BDMG-3); what is left is the investigator's.
    """
    own = Part(play.table.investigators[who].card)
    parts: dict[PieceId, Part] = {own.piece: own}
    holders: list[PieceId] = []
    if redirect:
        holders = [redirect]
    elif not is_direct:
        holders = [
            card.piece
            for card in play.table.lying(Zone.PLAY, who)
            if card.piece != own.piece and type_of_card(play, card) is not CardType.INVESTIGATOR
        ]
    for kind, token, stat in (
        ("damage", Token.DAMAGE, Stat.HEALTH),
        ("horror", Token.HORROR, Stat.SANITY),
    ):
        left = damage if kind == "damage" else horror
        for piece in holders:
            card = play.table.cards.get(piece)
            room = 0 if card is None else _room(play, card, stat, token)
            most = min(room, left)
            if not most:
                continue
            given = most if redirect else await _share(play, who, piece, kind, most, left)
            part = parts.setdefault(piece, Part(piece))
            setattr(part, kind, given)
            left -= given
        setattr(own, kind, left)
    return [part for part in parts.values() if part.damage or part.horror]


def _room(play: Play, card: Card, stat: Stat, token: Token) -> int:
    worth = values.stat(play, card, stat)
    return 0 if worth is None else max(0, worth - card.count(token))


async def _share(
    play: Play, who: InvestigatorId, piece: PieceId, kind: str, most: int, left: int
) -> int:
    name = play.table.cards[piece].shown
    return await play.choose(
        seat(play, who),
        [
            Option(n, Text(f"choice/{kind}", (n, name)), (Point("card", piece),))
            for n in range(most, -1, -1)
        ],
        rule="C-BDMG-2",
        about=Text("about/harm", (who,)),
        prompt=Text(f"ask/{kind}", (who, left, name)),
    )


async def place(
    play: Play,
    parts: Sequence[Part],
    cause: PieceId,
    *,
    by: InvestigatorId = "",
    who: InvestigatorId = "",
    is_attack: bool = False,
) -> None:
    """
    Place assigned harm, all at once, then see who is defeated. C-BDMG-1, C-BDMG-18, C-BDMG-21.

    Between assigning and placing it can be prevented. Until then no damage is there (C-NEST-9).
    """
    tags = frozenset(["attack"] if is_attack else [])
    group = []
    for part in parts:
        card = play.table.cards.get(part.piece)
        if card is None:
            continue
        one = Occurrence(
            Happening.HARM_ASSIGNED,
            who=card.controller or who,
            by=by,
            card=part.piece,
            cause=cause,
            amount=part.damage,
            horror=part.horror,
            tags=tags,
        )
        group.append(one)

    async def put(live: list[Occurrence]) -> None:
        there = [one for one in live if one.card in play.table.cards]
        await _put(play, there, tags)

    await timing.happen(play, group, put)


async def _put(play: Play, group: Sequence[Occurrence], tags: frozenset[str]) -> None:
    placed = []
    for one in group:
        for token, amount in ((Token.DAMAGE, one.amount), (Token.HORROR, one.horror)):
            if amount > 0:
                placed.append(
                    Occurrence(
                        Happening.HARM_PLACED,
                        who=one.who,
                        by=one.by,
                        card=one.card,
                        cause=one.cause,
                        amount=amount,
                        token=token.value,
                        tags=tags,
                    )
                )
    if not placed:
        return

    async def lay(live: list[Occurrence]) -> None:
        changes = [
            Change(one.card, one.token, one.amount)
            for one in live
            if one.card in play.table.cards and one.amount > 0
        ]
        if changes:
            play.emit(Tokens(tuple(changes)))

    await timing.happen(play, placed, lay)
    by = {one.card: one for one in placed}
    await defeat_fallen(play, [*by], {piece: one.by for piece, one in by.items()})


async def defeat_fallen(
    play: Play, pieces: Sequence[PieceId], by: dict[PieceId, InvestigatorId]
) -> None:
    """
    Defeat those whose harm has reached their health or sanity, in one group. C-BDMG-6 to 10.

    C-BDMG-16: with one window of each kind. A host is not defeated while it has swarm cards, and is
    looked at again when the last has gone (C-BKEY-18, C-DECIDE-14).
    """
    fallen = [piece for piece in pieces if _has_fallen(play, piece)]
    if not fallen:
        return
    people = [who for who in play.table.order if play.table.investigators[who].card in fallen]
    own = {play.table.investigators[who].card for who in people}
    cards = [piece for piece in fallen if piece not in own]
    hosts = {
        play.table.cards[piece].at.of
        for piece in cards
        if play.table.cards[piece].at.zone is Zone.SWARM
    }
    group = [
        Occurrence(
            Happening.DEFEATED,
            who=play.table.cards[piece].controller,
            by=by.get(piece, ""),
            card=piece,
            code=play.table.cards[piece].shown,
            at=location_of(play, play.table.cards[piece]),
        )
        for piece in cards
    ]

    async def fall(live: list[Occurrence]) -> None:
        await _lay_down(play, [one.card for one in live])

    await timing.happen(play, group, fall)
    for who in people:
        if who in play.table.order and _has_fallen(play, play.table.investigators[who].card):
            await _defeat_investigator(play, who)
    if hosts:
        await defeat_fallen(play, sorted(hosts), by)


def _has_fallen(play: Play, piece: PieceId) -> bool:
    card = play.table.cards.get(piece)
    if card is None or not card.is_in_play:
        return False
    if any(one.at == Place(Zone.SWARM, piece) for one in play.table.cards.values()):
        return False
    for stat, token in ((Stat.HEALTH, Token.DAMAGE), (Stat.SANITY, Token.HORROR)):
        worth = values.stat(play, card, stat)
        if worth is not None and card.count(token) >= worth and card.count(token):
            return True
    return False


async def _lay_down(play: Play, pieces: Sequence[PieceId]) -> None:
    """
    Take defeated cards out of play. C-BDMG-11, C-BDMG-12.

    A card with a victory value goes to the victory display, any other to its discard pile.
    """
    victorious = []
    for piece in pieces:
        card = play.table.cards.get(piece)
        face = None if card is None else face_of(play, card)
        if card is None or card.at.zone is Zone.SWARM or face is None:
            continue
        if face.victory is not None or getattr(face, "vengeance", None) is not None:
            victorious.append(piece)
    if victorious:
        await zones.leave(play, victorious, Place(Zone.VICTORY))
    await zones.leave(play, [piece for piece in pieces if piece not in victorious], None)


async def _defeat_investigator(play: Play, who: InvestigatorId) -> None:
    """Defeat an investigator by damage or horror, with a trauma. C-BDMG-7 to C-BDMG-9."""
    card = play.table.card_of_investigator(who)
    kinds = [
        (Trauma.PHYSICAL, Token.DAMAGE, Stat.HEALTH),
        (Trauma.MENTAL, Token.HORROR, Stat.SANITY),
    ]
    reached = [
        trauma
        for trauma, token, stat in kinds
        if card.count(token) >= (values.stat(play, card, stat) or 0)
    ]
    trauma = reached[0]
    if len(reached) > 1:
        trauma = await play.choose(
            seat(play, who),
            [Option(one, Text(f"choice/trauma-{one.value}")) for one in reached],
            rule="C-BDMG-9",
            about=Text("about/defeat", (who,)),
            prompt=Text("ask/trauma", (who,)),
        )
    await elimination.eliminate(play, who, Fate.DEFEATED, trauma)


async def heal(
    play: Play, pieces: Sequence[PieceId], damage: int, horror: int, *, cause: PieceId = ""
) -> int:
    """Take damage and horror off cards, never more than there is; return how much. C-BDMG-13."""
    group = []
    for piece in pieces:
        card = play.table.cards.get(piece)
        if card is None or values.cannot(play, Thing.HEAL, card.controller, card) is not None:
            continue
        for token, most in ((Token.DAMAGE, damage), (Token.HORROR, horror)):
            amount = min(most, card.count(token))
            if amount > 0:
                group.append(
                    Occurrence(
                        Happening.HEALED,
                        who=card.controller,
                        card=piece,
                        cause=cause,
                        amount=amount,
                        token=token.value,
                    )
                )
    healed = 0

    async def take(live: list[Occurrence]) -> None:
        nonlocal healed
        changes = tuple(
            Change(one.card, one.token, -one.amount) for one in live if one.card in play.table.cards
        )
        healed = sum(-change.amount for change in changes)
        if changes:
            play.emit(Tokens(changes))

    await timing.happen(play, group, take)
    return healed
