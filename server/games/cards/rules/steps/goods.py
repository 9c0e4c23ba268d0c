"""Steps about what investigators have: resources, cards, clues, harm, actions."""

from content.games.cards.schema import steps as s
from content.games.cards.schema.modifiers import Thing
from content.games.cards.schema.occurrences import Happening
from content.games.cards.schema.targets import Choose
from protocol.games.cards.events import Change, Tokens, TraumaSuffered
from protocol.games.cards.table import Card, InvestigatorId, PieceId
from protocol.games.cards.words import Fate, Token
from server.games.cards.rules import (
    elimination,
    hands,
    harm,
    locations,
    targets,
    timing,
    turns,
    values,
    weaknesses,
)
from server.games.cards.rules.effects import Run, changes, resolves
from server.games.cards.rules.play import Healing, Occurrence, Play, Source, face_of

ON_ANY = frozenset(token.value for token in Token)
"""Kinds of token that can lie on any card; others are uses. C-BZONE-17."""


@resolves(s.Resources)
async def _resources(run: Run, step: s.Resources) -> None:
    """C-BACT-2, C-RES-1: gained all at once, lost as far as there are."""
    play = run.game
    by = values.number(play, step.number, run.source)
    people = await run.people(step.who)
    if by < 0:
        lost = []
        for who in people:
            number = min(-by, play.table.count(who, Token.RESOURCE))
            if number:
                card = play.table.investigators[who].card
                lost.append(Change(card, Token.RESOURCE.value, -number))
        if lost:
            play.emit(Tokens(tuple(lost)))
        run.source.is_done = sum(-one.amount for one in lost) == -by * len(people)
        return
    group = [
        Occurrence(Happening.RESOURCES_GAINED, who=who, amount=by)
        for who in people
        if values.cannot(play, Thing.GAIN_RESOURCES, who) is None
    ]

    async def gain(live: list[Occurrence]) -> None:
        changes_ = tuple(
            Change(play.table.investigators[one.who].card, Token.RESOURCE.value, one.amount)
            for one in live
            if one.who in play.table.order and one.amount
        )
        if changes_:
            play.emit(Tokens(changes_))

    await timing.happen(play, group, gain)


@changes(s.Resources)
def _can_resources(play: Play, step: s.Resources, source: Source) -> bool:
    by = values.number(play, step.number, source)
    people = targets.people_now(play, step.who, source)
    if by < 0:
        return any(play.table.count(who, Token.RESOURCE) for who in people)
    return by > 0 and any(values.cannot(play, Thing.GAIN_RESOURCES, who) is None for who in people)


@resolves(s.Draw)
async def _draw(run: Run, step: s.Draw) -> None:
    """C-DRAW-1, C-LOOK-2, C-BACT-1."""
    people, number = await run.people(step.who), run.number(step.number)
    if step.on is None:
        await hands.draw(run.game, people, number)
        return
    hosts = await targets.cards(run.game, step.on, run.source)
    for who in people:
        for host in hosts:
            await hands.draw_from(run.game, who, host, number, run.source)


@changes(s.Draw)
def _can_draw(play: Play, step: s.Draw, source: Source) -> bool:
    table = play.table
    if step.on is not None:
        people = targets.people_now(play, step.who, source)
        hosts = targets.meant(play, step.on, source)
        return any(hands.drawable_from(play, who, host) for who in people for host in hosts)
    return any(
        table.piles.get(f"deck/{who}") or table.stacks.get(f"discard/{who}")
        for who in targets.people_now(play, step.who, source)
        if values.cannot(play, Thing.DRAW, who) is None
    )


@resolves(s.DiscardHand)
async def _discard_hand(run: Run, step: s.DiscardHand) -> None:
    """C-HID-2, C-WEAK-2: those who choose, choose in player order. C-BABIL-23."""
    number, short = run.number(step.number), []

    async def discard(who: InvestigatorId) -> None:
        if step.all:
            await hands.discard_all(run.game, who, step.of)
            return
        count = await hands.discard(
            run.game, who, number, run.source, of=step.of, at_random=step.at_random
        )
        if count < number:
            short.append(who)

    people = await run.people(step.who)
    await timing.at_once(run.game, [discard(who) for who in people])
    run.source.is_done = not short


@changes(s.DiscardHand)
def _can_discard_hand(play: Play, step: s.DiscardHand, source: Source) -> bool:
    found = hands.mandatory if step.all or step.at_random else hands.discardable
    return any(found(play, who, step.of) for who in targets.people_now(play, step.who, source))


@resolves(s.BasicWeakness)
async def _weakness(run: Run, step: s.BasicWeakness) -> None:
    """C-POOL-1, C-POOL-3."""
    given = [weaknesses.give(run.game, who) for who in await run.people(step.who)]
    run.source.is_done = all(given)


@resolves(s.SwapWeakness)
async def _swap(run: Run, step: s.SwapWeakness) -> None:
    """C-POOL-5, C-POOL-6."""
    people = await run.people(step.who)
    swapped = [weaknesses.swap(run.game, one, step.out, step.by) for one in people]
    run.source.is_done = all(swapped)


@resolves(s.Heal)
async def _heal(run: Run, step: s.Heal) -> None:
    """
    C-HEAL-1, C-HEAL-2, C-BDMG-13.

    An additional amount belongs to what is healed before it. C-HEAL-3, C-HEAL-4.
    """
    play, source = run.game, run.source
    damage, horror = run.number(step.damage), run.number(step.horror)
    if step.in_addition and source.healing:
        source.healing[-1].damage += damage
        source.healing[-1].horror += horror
        return
    may_be_more = _may_be_more(play, source)

    def is_hurt(card: Card) -> bool:
        if may_be_more:
            return bool(card.count(Token.DAMAGE) or card.count(Token.HORROR))
        return bool((damage and card.count(Token.DAMAGE)) or (horror and card.count(Token.HORROR)))

    # Nobody chooses what cannot be healed.
    able = is_hurt if isinstance(step.card, Choose) else None
    pieces = await run.cards(step.card, able, "ask/heal")
    if may_be_more:
        source.healing.append(Healing(pieces, damage, horror, source.piece))
        return
    healed = await harm.heal(play, pieces, damage, horror, cause=source.piece)
    source.is_done = healed == (damage + horror) * max(1, len(pieces))


def _may_be_more(play: Play, source: Source) -> bool:
    """Return whether a card says of an additional amount that it heals. C-HEAL-3."""
    steps = play.content.steps.get(source.code, ())
    return any(isinstance(step, s.Heal) and step.in_addition for step in steps)


@changes(s.Heal)
def _can_heal(play: Play, step: s.Heal, source: Source) -> bool:
    cards = [play.table.cards[piece] for piece in targets.meant(play, step.card, source)]
    return any(
        (card.count(Token.DAMAGE) and values.number(play, step.damage, source))
        or (card.count(Token.HORROR) and values.number(play, step.horror, source))
        for card in cards
    )


@resolves(s.Harm)
async def _harm(run: Run, step: s.Harm) -> None:
    """C-BABIL-28: for several investigators at once, after all have assigned."""
    # Counted first: whom it concerns are chosen now, and no objects of what was chosen before.
    damage, horror = run.number(step.damage), run.number(step.horror)
    people = await run.people(step.who)
    await harm.deal_all(
        *(run.game, people, damage, horror),
        cause=run.source.piece,
        by=run.source.you,
        is_direct=step.is_direct,
    )


@changes(s.Harm)
def _can_harm(play: Play, step: s.Harm, source: Source) -> bool:
    people = targets.people_now(play, step.who, source)
    return any(
        (
            values.number(play, step.damage, source) > 0
            and values.cannot(play, Thing.DAMAGE, who) is None
        )
        or (
            values.number(play, step.horror, source) > 0
            and values.cannot(play, Thing.HORROR, who) is None
        )
        for who in people
    )


@resolves(s.Damage)
async def _damage(run: Run, step: s.Damage) -> None:
    """C-BDMG-10, C-BDMG-16: all at once."""
    pieces = await run.cards(step.card)
    damage, horror = run.number(step.number), run.number(step.horror)
    parts = [harm.Part(piece, damage, horror) for piece in pieces]
    await harm.place(run.game, parts, run.source.piece, by=run.source.you)


Target = s.Damage | s.Exhaust | s.Ready | s.EvadeNow | s.Engage | s.Put | s.TakeControl


@changes(s.Damage, s.Exhaust, s.Ready, s.EvadeNow, s.Engage, s.Put, s.TakeControl)
def _can_target(play: Play, step: Target, source: Source) -> bool:
    """C-BABIL-22: there is something to do it to."""
    cards = [play.table.cards[piece] for piece in targets.meant(play, step.card, source)]
    if isinstance(step, s.Damage):
        harm_ = (step.number, step.horror)
        return bool(cards) and any(values.number(play, one, source) > 0 for one in harm_)
    if isinstance(step, s.Exhaust | s.EvadeNow):
        return any(not card.is_exhausted or card.engaged for card in cards)
    if isinstance(step, s.Ready):
        return any(card.is_exhausted for card in cards)
    if isinstance(step, s.Put) and values.number(play, step.number, source) < 0:
        return any(card.count(step.token) for card in cards)
    return bool(cards)


@resolves(s.Discover)
async def _discover(run: Run, step: s.Discover) -> None:
    """C-BLOC-6."""
    places = await run.cards(step.at)
    number, found = run.number(step.number), 0
    for who in targets.people_now(run.game, step.who, run.source):
        for place in places:
            found += await locations.discover(run.game, who, place, number, cause=run.source.piece)
    run.source.is_done = found >= number


@changes(s.Discover)
def _can_discover(play: Play, step: s.Discover, source: Source) -> bool:
    cards = [play.table.cards[piece] for piece in targets.meant(play, step.at, source)]
    return any(card.count(Token.CLUE) for card in cards)


@resolves(s.Put)
async def _put(run: Run, step: s.Put) -> None:
    """
    Put tokens on cards, or take off as many as there are.

    C-BPLAY-19: a card with Uses holds no uses of another kind.
    """
    play = run.game
    by = values.number(play, step.number, run.source)
    changes_ = []
    for piece in await run.cards(step.card):
        number = max(by, -play.table.cards[piece].count(step.token))
        if number and (step.token in ON_ANY or _uses_of(play, piece) in ("", step.token)):
            changes_.append(Change(piece, step.token, number))
    if changes_:
        play.emit(Tokens(tuple(changes_)))
    if step.token in (Token.DAMAGE.value, Token.HORROR.value):
        await harm.defeat_fallen(play, [one.piece for one in changes_], {})


def _uses_of(play: Play, piece: PieceId) -> str:
    uses = getattr(face_of(play, play.table.cards[piece]), "uses", None)
    return uses.kind if uses is not None else ""


@resolves(s.TakeClues)
async def _take_clues(run: Run, step: s.TakeClues) -> None:
    """Have investigators lose clues."""
    play, number = run.game, run.number(step.number)
    changes_ = []
    for who in await run.people(step.who):
        lost = min(number, play.table.count(who, Token.CLUE))
        if lost:
            clue = Token.CLUE.value
            changes_.append(Change(play.table.investigators[who].card, clue, -lost))
            if not step.to_pool:
                changes_.append(Change(play.table.investigators[who].location, clue, lost))
    if changes_:
        play.emit(Tokens(tuple(changes_)))


@changes(s.TakeClues)
def _can_take_clues(play: Play, step: s.TakeClues, source: Source) -> bool:
    people = targets.people_now(play, step.who, source)
    return any(play.table.count(who, Token.CLUE) for who in people)


@resolves(s.Actions)
async def _actions(run: Run, step: s.Actions) -> None:
    """C-XACT-4."""
    by = values.number(run.game, step.number, run.source)
    for who in await run.people(step.who):
        if by < 0:
            await turns.lose(run.game, who, -by, run.source)
        elif by:
            turns.gain(run.game, who, by)


@resolves(s.GiveTrauma)
async def _trauma(run: Run, step: s.GiveTrauma) -> None:
    """C-BCAMP-16."""
    number = run.number(step.number)
    for who in await run.people(step.who):
        run.game.emit(TraumaSuffered(who, step.kind, number))


@resolves(s.Defeat)
async def _defeat(run: Run, step: s.Defeat) -> None:
    """C-BDMG-17: without a trauma."""
    people = await run.people(step.who)
    await elimination.eliminate(run.game, dict.fromkeys(people), Fate.DEFEATED)


@resolves(s.Resign)
async def _resign(run: Run, step: s.Resign) -> None:
    """C-BACT-13."""
    people = await run.people(step.who)
    await elimination.eliminate(run.game, dict.fromkeys(people), Fate.RESIGNED)
