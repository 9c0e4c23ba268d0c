"""Harm: damage and horror, dealt, assigned, placed; what is defeated by it. Section 2.9."""

from collections.abc import Mapping, Sequence

import attrs

from content.games.cards.schema.kinds import Stat
from content.games.cards.schema.modifiers import Thing
from content.games.cards.schema.occurrences import Happening
from protocol.common.asks import Point
from protocol.common.text import Text
from protocol.games.cards.events import Change, Tokens
from protocol.games.cards.table import InvestigatorId, PieceId, Place
from protocol.games.cards.words import Fate, Token, Trauma, Zone
from server.games.cards.rules import elimination, timing, values, zones
from server.games.cards.rules.play import (
    Occurrence,
    Play,
    face_of,
    location_of,
    seat,
)
from server.kernel.asks import Option


@attrs.define
class Part:
    """Harm that is assigned to one card."""

    piece: PieceId
    damage: int = 0
    horror: int = 0
    of: InvestigatorId = ""
    """Investigator to whom it was dealt; empty for nobody."""


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
    """Deal damage and horror to one investigator. C-BDMG-1."""
    await deal_all(
        *(play, (who,), damage, horror),
        cause=cause,
        by=by,
        is_direct=is_direct,
        is_attack=is_attack,
    )


async def deal_all(
    play: Play,
    people: Sequence[InvestigatorId],
    damage: int,
    horror: int,
    *,
    cause: PieceId = "",
    by: InvestigatorId = "",
    is_direct: bool = False,
    is_attack: bool = False,
) -> None:
    """
    Deal damage and horror to investigators, who assign it; then it is placed. C-BDMG-1.

    All of one source is assigned, in player order, before any of it is placed (C-BDMG-14,
    C-BABIL-28). Direct harm cannot be assigned to assets (C-BDMG-5).
    """
    tags = frozenset(["attack"] if is_attack else [])
    group = []
    for who in people:
        taken = 0 if values.cannot(play, Thing.DAMAGE, who) is not None else damage
        felt = 0 if values.cannot(play, Thing.HORROR, who) is not None else horror
        if who in play.table.order and (taken > 0 or felt > 0):
            group.append(
                Occurrence(
                    *(Happening.DAMAGE_DEALT, who),
                    by=by,
                    cause=cause,
                    amount=taken,
                    horror=felt,
                    tags=tags,
                )
            )

    async def assign(live: list[Occurrence]) -> None:
        parts = []
        for one in live:
            if one.who in play.table.order:
                parts += await _assign(play, one, is_direct=is_direct)
        placed = await place(play, parts, cause, by=by, tags=tags)
        # What answers it afterwards sees what was placed on them and their assets. C-YOU-7, 8.
        for one in live:
            mine = [lying for lying in placed if lying.who == one.who]
            one.amount = sum(lying.amount for lying in mine)
            one.horror = sum(lying.horror for lying in mine)

    await timing.happen(play, group, assign)


async def _assign(play: Play, dealt: Occurrence, *, is_direct: bool) -> list[Part]:
    """
    Have an investigator assign harm to assets and themselves. C-BDMG-2 to C-BDMG-4, C-BDMG-22.

    An asset takes no more than defeats it (C-BDMG-3); what is left is the investigator's. A card to
    which the harm was turned takes what it can. That of an attack of opportunity too (C-AOO-9).
    """
    who = dealt.who
    own = Part(play.table.investigators[who].card, of=who)
    parts: dict[PieceId, Part] = {own.piece: own}
    holders = [
        card.piece
        for card in play.table.lying(Zone.PLAY, who)
        if card.piece != own.piece and not is_direct
    ]
    for kind, token, stat, left in (
        ("damage", Token.DAMAGE, Stat.HEALTH, dealt.amount),
        ("horror", Token.HORROR, Stat.SANITY, dealt.horror),
    ):
        taken = [dealt.redirect] * min(left, _room(play, dealt.redirect, stat, token))
        taken += await _share(
            play,
            who,
            kind,
            {piece: _room(play, piece, stat, token) for piece in holders},
            _room(play, own.piece, stat, token),
            left - len(taken),
        )
        for piece in taken:
            part = parts.setdefault(piece, Part(piece, of=who))
            setattr(part, kind, getattr(part, kind) + 1)
        setattr(own, kind, left - len(taken))
    return [part for part in parts.values() if part.damage or part.horror]


def _room(play: Play, piece: PieceId, stat: Stat, token: Token) -> int:
    """Return how much a card can take until it is defeated. C-BDMG-3, C-BDMG-15, C-BDMG-22."""
    card = play.table.cards.get(piece)
    worth = None if card is None else values.stat(play, card, stat)
    return 0 if card is None or worth is None else max(0, worth - card.count(token))


async def _share(
    play: Play, who: InvestigatorId, kind: str, rooms: Mapping[PieceId, int], own: int, left: int
) -> tuple[PieceId, ...]:
    """
    Ask once who of the assets takes how much of one kind: one option for each point.

    A single point goes to one of the assets or to the investigator, who is an option then; what
    the investigator takes is left out of the result. Several points for which one asset has room
    are shared in one choice.
    """
    able = [piece for piece, room in rooms.items() if room > 0]
    if len(able) == 1 and left > 1:
        return await _split(play, who, kind, (able[0], rooms[able[0]]), own, left)
    options = [
        Option(
            piece,
            Text(
                f"choice/more_{kind}" if number else f"choice/{kind}",
                (play.table.cards[piece].shown, room),
            ),
            (Point("card", piece),),
        )
        for piece, room in rooms.items()
        for number in range(min(room, left))
    ]
    if not options:
        return ()
    mine = play.table.investigators[who].card
    is_single = left == 1
    if is_single:
        words = Text(f"choice/own_{kind}", (who, own))
        options.append(Option(mine, words, (Point("card", mine),)))
    taken = await play.choose_some(
        seat(play, who),
        options,
        rule="C-BDMG-2",
        about=Text("about/harm", (who,)),
        prompt=Text(f"ask/one_{kind}" if is_single else f"ask/{kind}", (who, left, own)),
        at_least=1 if is_single else 0,
        at_most=min(left, len(options)),
        default=(len(options) - 1,) if is_single else (),
    )
    return tuple(piece for piece in taken if piece != mine)


async def _split(
    play: Play, who: InvestigatorId, kind: str, asset: tuple[PieceId, int], own: int, left: int
) -> tuple[PieceId, ...]:
    """Ask how many of several points the one asset with room takes; the rest is for "you"."""
    piece, room = asset
    code = play.table.cards[piece].shown
    most = min(room, left)
    options = [
        Option(
            number, _split_words(kind, code, number, who, left - number), (Point("card", piece),)
        )
        for number in range(most, 0, -1)
    ]
    mine = Point("card", play.table.investigators[who].card)
    options.append(Option(0, Text(f"choice/own_all_{kind}", (who, left)), (mine,)))
    (number,) = await play.choose_some(
        seat(play, who),
        options,
        rule="C-BDMG-2",
        about=Text("about/harm", (who,)),
        prompt=Text(f"ask/shared_{kind}", (who, left, own, code, room)),
        at_least=1,
        at_most=1,
        default=(len(options) - 1,),
    )
    return (piece,) * number


def _split_words(kind: str, code: str, number: int, who: InvestigatorId, rest: int) -> Text:
    if rest:
        return Text(f"choice/shared_{kind}", (code, number, who, rest))
    return Text(f"choice/all_{kind}", (code, number))


async def place(
    play: Play,
    parts: Sequence[Part],
    cause: PieceId,
    *,
    by: InvestigatorId = "",
    tags: frozenset[str] = frozenset(),
) -> list[Occurrence]:
    """
    Place assigned harm, all at once, then see who is defeated. C-BDMG-1, C-BDMG-18, C-BDMG-21.

    Between assigning and placing it can be prevented. Until then no damage is there (C-NEST-9). A
    card without health takes no damage, one without sanity no horror (C-BDMG-15, C-BDMG-22).

    Returns:
        What was placed on each card.
    """
    group: list[Occurrence] = []
    there: list[Occurrence] = []
    for part in parts:
        card = play.table.cards.get(part.piece)
        if card is None:
            continue
        damage = part.damage if values.stat(play, card, Stat.HEALTH) is not None else 0
        horror = part.horror if values.stat(play, card, Stat.SANITY) is not None else 0
        if damage or horror:
            one = Occurrence(Happening.HARM_ASSIGNED, card.controller or part.of, by, part.piece)
            one.cause, one.amount, one.horror, one.tags = cause, damage, horror, tags
            group.append(one)

    async def put(live: list[Occurrence]) -> None:
        there.extend(one for one in live if one.card in play.table.cards)
        await _put(play, there, tags)

    await timing.happen(play, group, put)
    return there


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
        by = {one.card: one.by for one in live}
        await defeat_fallen(play, [*by], by)

    await timing.happen(play, placed, lay)


async def defeat_fallen(
    play: Play, pieces: Sequence[PieceId], by: dict[PieceId, InvestigatorId]
) -> None:
    """
    Defeat those whose harm has reached their health or sanity, in one group. C-BDMG-6 to 10.

    C-BDMG-16: with one window of each kind. Each is defeated by whoever dealt the last damage
    (C-BDMG-19). A host is not defeated while it has swarm cards, and is looked at again when the
    last has gone (C-BKEY-18, C-DECIDE-14). The window after a defeat comes before any outer
    sequence goes on (C-NEST-11).
    """
    fallen = [piece for piece in pieces if _has_fallen(play, piece)]
    if not fallen:
        return
    hosts = {
        play.table.cards[piece].at.of
        for piece in fallen
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
        for piece in fallen
    ]

    async def fall(live: list[Occurrence]) -> None:
        down = [one.card for one in live]
        people = [who for who in play.table.order if play.table.investigators[who].card in down]
        own = [play.table.investigators[who].card for who in people]
        await _lay_down(play, [piece for piece in down if piece not in own])
        traumas = {who: await _trauma_of(play, who) for who in people}
        await elimination.eliminate(play, traumas, Fate.DEFEATED)

    await timing.happen(play, group, fall)
    if hosts:
        await defeat_fallen(play, sorted(hosts), by)


def _has_fallen(play: Play, piece: PieceId) -> bool:
    card = play.table.cards.get(piece)
    if card is None or not card.is_in_play:
        return False
    if play.table.lying(Zone.SWARM, piece):
        return False
    for stat, token in ((Stat.HEALTH, Token.DAMAGE), (Stat.SANITY, Token.HORROR)):
        worth = values.stat(play, card, stat)
        if worth is not None and card.count(token) >= worth and card.count(token):
            return True
    return False


async def _lay_down(play: Play, pieces: Sequence[PieceId]) -> None:
    """
    Take defeated cards out of play. C-BDMG-11, C-BDMG-12.

    A card with Victory or Vengeance goes to the victory display (C-BKEY-28), any other to its
    discard pile.
    """
    victorious = []
    for piece in pieces:
        card = play.table.cards.get(piece)
        face = None if card is None else face_of(play, card)
        if card is None or card.at.zone is Zone.SWARM or face is None:
            continue
        if zones.is_displayed(face):
            victorious.append(piece)
    if victorious:
        await zones.leave(play, victorious, Place(Zone.VICTORY))
    await zones.leave(play, [piece for piece in pieces if piece not in victorious], None)


async def _trauma_of(play: Play, who: InvestigatorId) -> Trauma:
    """Return the trauma of a defeat; one by both kinds chooses. C-BDMG-7 to C-BDMG-9."""
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
    if len(reached) == 1:
        return reached[0]
    return await play.choose(
        seat(play, who),
        [Option(one, Text(f"choice/trauma-{one.value}")) for one in reached],
        rule="C-BDMG-9",
        about=Text("about/defeat", (who,)),
        prompt=Text("ask/trauma", (who,)),
    )


async def heal(
    play: Play, pieces: Sequence[PieceId], damage: int, horror: int, *, cause: PieceId = ""
) -> int:
    """
    Take damage and horror off cards, never more than there is; return how much. C-BDMG-13.

    What answers healing answers all of it once (C-HEAL-4).
    """
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
