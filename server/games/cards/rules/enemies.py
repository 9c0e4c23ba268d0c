"""Enemies: engagement, prey, attacks, hunting, spawning, swarms. Sections 1.20 and 2.12."""

from collections.abc import Sequence

from content.games.cards.schema.cards import EnemyCard
from content.games.cards.schema.kinds import CardType, Keyword, Stat
from content.games.cards.schema.modifiers import Cannot, Thing
from content.games.cards.schema.occurrences import Happening
from content.games.cards.schema.targets import Prey
from protocol.common.asks import Point
from protocol.common.text import Text
from protocol.games.cards.events import Attacked, Engagement, Exhausted, LaidFaceDown, Moved
from protocol.games.cards.table import Card, InvestigatorId, PieceId, Place, deck_of
from protocol.games.cards.words import Zone
from server.games.cards.rules import harm, locations, targets, timing, values, zones
from server.games.cards.rules.play import (
    Occurrence,
    Play,
    Source,
    face_of,
    lead,
    location_of,
    seat,
    type_of_card,
)
from server.kernel.asks import Option


def all_enemies(play: Play) -> list[Card]:
    """Return the enemies in play, swarm cards included. C-SWARM-1, C-SWARM-5."""
    return [card for card in play.table.in_play() if type_of_card(play, card) is CardType.ENEMY]


def can_enter(play: Play, enemy: Card, place: PieceId) -> bool:
    """Return whether an enemy can enter a location. C-BLOC-11, C-BLOC-14, C-BENEMY-21."""
    card = play.table.cards.get(place)
    if card is None:
        return False
    for one, source in values.given(play, Cannot):
        # Written as: these cards cannot enter the location that has the ability, or any.
        if (
            one.do is Thing.ENTER
            and one.card is not None
            and values.applies(play, enemy, one.card, source)
        ):
            at = play.table.cards.get(source.piece)
            where = "" if at is None else location_of(play, at)
            if where in ("", place):
                return False
    return True


# Engagement


async def engage(play: Play, piece: PieceId, people: Sequence[InvestigatorId]) -> None:
    """
    Have an enemy and investigators engage each other, which is one thing. C-ENG-1, C-ENG-2.

    A swarm engages as one (C-SWARM-4), and each of its cards is an enemy of its own (C-SWARM-5).
    """
    await engage_group(play, [(piece, tuple(people))])


async def engage_group(
    play: Play, engaging: Sequence[tuple[PieceId, tuple[InvestigatorId, ...]]]
) -> None:
    """Have enemies engage investigators, as one group. C-DECIDE-54."""
    group = []
    for piece, people in engaging:
        card = play.table.cards.get(piece)
        if card is None:
            continue
        swarm = [c.piece for c in play.table.cards.values() if c.at == Place(Zone.SWARM, piece)]
        for who in people:
            for one in (piece, *swarm):
                occurrence = Occurrence(Happening.ENGAGES, who=who, card=one, code=card.shown)
                occurrence.at = location_of(play, card)
                group.append(occurrence)
    hosts = dict(engaging)

    async def come(live: list[Occurrence]) -> None:
        for piece in dict.fromkeys(one.card for one in live if one.card in hosts):
            people = tuple(one.who for one in live if one.card == piece)
            card = play.table.cards.get(piece)
            people = tuple(who for who in people if who in play.table.order)
            if card is not None and people:
                at = play.table.investigators[people[0]].location
                play.emit(Engagement(piece, people, at))

    await timing.happen(play, group, come)


async def disengage(play: Play, pieces: Sequence[PieceId]) -> None:
    """End the engagement of enemies, which stay where they are. C-BACT-18, C-BENEMY-25."""
    for piece in pieces:
        card = play.table.cards.get(piece)
        if card is not None and card.at.zone in (Zone.THREAT, Zone.AT) and card.engaged:
            play.emit(Engagement(piece, (), location_of(play, card)))


async def engage_all(play: Play) -> None:
    """
    Have each ready, unengaged enemy engage an investigator at its location. C-BENEMY-2.

    Not an Aloof one (C-BENEMY-8), nor a Massive one, which counts as engaged with all
    (C-BENEMY-13).
    """
    engaging = []
    for card in all_enemies(play):
        if card.at.zone is not Zone.AT or card.is_exhausted or card.engaged:
            continue
        if values.has_keyword(play, card, Keyword.ALOOF) or values.has_keyword(
            play, card, Keyword.MASSIVE
        ):
            continue
        here = [who for who in play.table.order if play.table.here(who) == card.at.of]
        preyed = await prey_among(play, card, here)
        if preyed:
            engaging.append((card.piece, (preyed,)))
    await engage_group(play, engaging)


async def prey_among(play: Play, card: Card, people: Sequence[InvestigatorId]) -> InvestigatorId:
    """
    Return whom an enemy takes among investigators; empty for nobody. C-BENEMY-3, C-BENEMY-10.

    The lead decides what is still tied. "Prey - only" takes nobody else (C-BENEMY-17).
    """
    found = fit_prey(play, card, people)
    if len(found) < 2:
        return found[0] if found else ""
    return await targets.choose_person(
        play, found, lead(play), Source(card.shown, card.piece, lead(play))
    )


def fit_prey(
    play: Play, card: Card, people: Sequence[InvestigatorId]
) -> tuple[InvestigatorId, ...]:
    """Return those whom an enemy prefers among investigators."""
    prey = prey_of(play, card)
    if prey is None or not people:
        return tuple(people)
    if prey.is_bearer:
        named = tuple(who for who in people if who == card.owner)
        return named if named or prey.only else tuple(people)
    if prey.only:
        return tuple(who for who in people if who in hunted(play, card))
    assert prey.stat is not None
    return targets.extremes(play, people, prey.stat, least=prey.is_lowest)


def prey_of(play: Play, card: Card) -> Prey | None:
    """Return the prey instruction of an enemy."""
    face = face_of(play, card)
    return face.prey if isinstance(face, EnemyCard) and not values.is_blank(play, card) else None


def hunted(play: Play, card: Card) -> tuple[InvestigatorId, ...]:
    """Return whom an enemy hunts at all: under "Prey - only" those named. C-BENEMY-26."""
    prey = prey_of(play, card)
    order = play.table.order
    if prey is None or not prey.only:
        return order
    if prey.is_bearer:
        return tuple(who for who in order if who == card.owner)
    assert prey.stat is not None
    return targets.extremes(play, order, prey.stat, least=prey.is_lowest)


# Attacks


async def attack(
    play: Play, piece: PieceId, who: InvestigatorId, *, is_opportunity: bool = False
) -> None:
    """
    Have an enemy attack an investigator: damage and horror at the same time. C-BENEMY-7.

    The damage comes even if the enemy has left play meanwhile. C-NEST-10.
    """
    card = play.table.cards.get(piece)
    if card is None or who not in play.table.order:
        return
    if values.cannot(play, Thing.ATTACK, card=card) is not None:
        return
    one = Occurrence(Happening.ATTACKS, who=who, card=piece, code=_code(play, card))
    one.at = location_of(play, card)
    one.amount = values.stat(play, card, Stat.DAMAGE) or 0
    one.horror = values.stat(play, card, Stat.HORROR) or 0
    play.emit(Attacked(piece, one.code, who, is_opportunity))

    async def strike(live: list[Occurrence]) -> None:
        there = play.table.cards.get(piece)
        hit = live[0]
        if there is not None:
            hit.amount = values.stat(play, there, Stat.DAMAGE) or 0
            hit.horror = values.stat(play, there, Stat.HORROR) or 0
        await harm.deal(play, who, hit.amount, hit.horror, cause=piece, is_attack=True)

    await timing.happen(play, [one], strike)


def _code(play: Play, card: Card) -> str:
    host = play.table.cards.get(card.at.of) if card.at.zone is Zone.SWARM else None
    return card.shown if host is None else host.shown


def attackers_of(play: Play, who: InvestigatorId) -> list[Card]:
    """Return the ready enemies that count as engaged with an investigator. C-BENPH-2."""
    return [
        card
        for card in all_enemies(play)
        if not card.is_exhausted
        and who in targets.engaged_with(play, card)
        and may_attack(play, card, who)
    ]


def may_attack(play: Play, card: Card, who: InvestigatorId) -> bool:
    """Return whether "Prey - only" lets an enemy attack somebody. C-BENEMY-27."""
    prey = prey_of(play, card)
    return prey is None or not prey.only or who in hunted(play, card) or who in card.engaged


async def opportunity(play: Play, who: InvestigatorId) -> None:
    """Have the ready enemies engaged with an investigator attack it in passing. C-BAOO-1."""
    await _attacks(play, who, is_opportunity=True)


async def _attacks(play: Play, who: InvestigatorId, *, is_opportunity: bool) -> list[PieceId]:
    """
    Have the enemies that can attack an investigator, each once, in the order the attacked decides.

    Who attacks is looked at again after each attack. C-BAOO-5, C-BENPH-3, C-BENPH-7.
    """
    done: list[PieceId] = []
    while who in play.table.order:
        left = [card for card in attackers_of(play, who) if card.piece not in done]
        if not left:
            break
        piece = left[0].piece
        if len(left) > 1:
            piece = await play.choose(
                seat(play, who),
                [
                    Option(
                        card.piece,
                        Text("choice/attacker", (_code(play, card),)),
                        (Point("card", card.piece),),
                    )
                    for card in left
                ],
                rule="C-BENPH-3",
                about=Text("about/attacks", (who,)),
                prompt=Text("ask/attacker", (who,)),
            )
        done.append(piece)
        await attack(play, piece, who, is_opportunity=is_opportunity)
        if not is_opportunity:
            card = play.table.cards.get(piece)
            # A swarm card attacks by itself and exhausts with its host. C-BKEY-19, C-BKEY-21.
            if (
                card is not None
                and not values.has_keyword(play, card, Keyword.MASSIVE)
                and card.at.zone is not Zone.SWARM
                and not _swarm_waits(play, piece, done)
            ):
                play.emit(Exhausted((piece,), is_exhausted=True))
    return done


def _swarm_waits(play: Play, host: PieceId, done: Sequence[PieceId]) -> bool:
    return any(
        card.at == Place(Zone.SWARM, host) and card.piece not in done
        for card in play.table.cards.values()
    )


async def attack_in_phase(play: Play, who: InvestigatorId) -> None:
    """
    Have the enemies engaged with an investigator attack in the enemy phase. C-BENPH-2, C-BENPH-4.

    Each is exhausted after its attack, also a cancelled one (C-BENEMY-23).
    """
    done = await _attacks(play, who, is_opportunity=False)
    hosts = {
        play.table.cards[piece].at.of
        for piece in done
        if piece in play.table.cards and play.table.cards[piece].at.zone is Zone.SWARM
    }
    tired = tuple(
        piece
        for piece in sorted(hosts)
        if piece in play.table.cards and not play.table.cards[piece].is_exhausted
    )
    if tired:
        play.emit(Exhausted(tired, is_exhausted=True))


def tire_massive(play: Play) -> None:
    """Exhaust the Massive enemies that attacked, after the last of their attacks. C-BENEMY-34."""
    tired = tuple(
        card.piece
        for card in all_enemies(play)
        if not card.is_exhausted
        and values.has_keyword(play, card, Keyword.MASSIVE)
        and targets.engaged_with(play, card)
    )
    if tired:
        play.emit(Exhausted(tired, is_exhausted=True))


async def evade(play: Play, piece: PieceId, who: InvestigatorId) -> None:
    """Exhaust an enemy and break its engagement. C-BACT-11, C-AUTO-12, C-BACT-18."""
    card = play.table.cards.get(piece)
    if card is None:
        return
    host = card.at.of if card.at.zone is Zone.SWARM else piece
    one = Occurrence(Happening.EVADED, by=who, card=piece, code=_code(play, card))

    async def slip(_: list[Occurrence]) -> None:
        if host in play.table.cards:
            if not play.table.cards[host].is_exhausted:
                play.emit(Exhausted((host,), is_exhausted=True))
            await disengage(play, (host,))

    await timing.happen(play, [one], slip)


# Hunting and moving


async def hunt(play: Play) -> None:
    """
    Have each ready, unengaged Hunter move, in the order of the lead. C-BENEMY-9, C-BENEMY-20.

    It moves one location along a shortest path toward the nearest of those whom it hunts
    (C-BENEMY-33); without such a path it stays (C-BENEMY-31), as does one that is there already
    (C-BENEMY-29).
    """
    done: set[PieceId] = set()
    while True:
        movers = [
            card
            for card in all_enemies(play)
            if card.piece not in done and card.at.zone is Zone.AT and next_steps(play, card)
        ]
        if not movers:
            return
        piece = movers[0].piece
        if len(movers) > 1:
            piece = await play.choose(
                seat(play, lead(play)),
                [
                    Option(
                        card.piece,
                        Text("choice/card", (card.shown,)),
                        (Point("card", card.piece),),
                    )
                    for card in movers
                ],
                rule="C-BENEMY-20",
                about=Text("about/hunters"),
                prompt=Text("ask/hunters", (lead(play),)),
            )
        done.add(piece)
        card = play.table.cards[piece]
        steps = next_steps(play, card)
        to = steps[0]
        if len(steps) > 1:
            # C-BENEMY-30; whom it prefers among equally near ones is in `next_steps`.
            (to,) = await targets.choose(
                play,
                [play.table.cards[one] for one in steps],
                Source(card.shown, piece, lead(play)),
                1,
                1,
            )
        await move(play, piece, to)


def next_steps(play: Play, card: Card) -> tuple[PieceId, ...]:
    """Return the locations to which a Hunter can move next; empty if it does not move."""
    if card.is_exhausted or card.engaged or not values.has_keyword(play, card, Keyword.HUNTER):
        return ()
    start = card.at.of
    away = locations.distances(play, start, card)
    people = [who for who in hunted(play, card) if play.table.here(who) in away]
    if not people:
        return ()
    least = min(away[play.table.here(who)] for who in people)
    if not least:
        return ()
    near = [who for who in people if away[play.table.here(who)] == least]
    goals = {play.table.here(who) for who in fit_prey(play, card, near) or near}
    return tuple(
        way
        for way in locations.ways(play, start)
        if can_enter(play, card, way)
        and any(locations.distances(play, way, card).get(goal, 99) == least - 1 for goal in goals)
    )


async def move(play: Play, piece: PieceId, to: PieceId) -> None:
    """
    Move an enemy to a location; it reveals nothing there. C-BLOC-5.

    One that was engaged elsewhere is engaged no more (C-BENEMY-32). The enemies of a swarm move as
    one (C-SWARM-3).
    """
    card = play.table.cards.get(piece)
    if card is None or not can_enter(play, card, to):
        return
    if values.cannot(play, Thing.MOVE, card=card) is not None:
        return
    one = Occurrence(Happening.ENEMY_MOVES, card=piece, at=to, code=card.shown)

    async def go(_: list[Occurrence]) -> None:
        if piece in play.table.cards and to in play.table.cards:
            if play.table.cards[piece].engaged:
                play.emit(Engagement(piece, (), to))
            play.emit(Moved((piece,), Place(Zone.AT, to)))

    await timing.happen(play, [one], go)
    await engage_all(play)


# Spawning


async def spawn(
    play: Play, piece: PieceId, drawer: InvestigatorId, *, at: PieceId = "", with_: str = ""
) -> None:
    """
    Have an enemy enter play. C-SPAWN-1 to C-SPAWN-6, C-BENEMY-18, C-BENEMY-19.

    Args:
        play: the game.
        piece: the enemy, in the open and not in play.
        drawer: who drew it; empty if nobody did, and the lead chooses (C-BENEMY-28).
        at: the location where an effect has it spawn. C-SPAWN-1.
        with_: the investigator with whom an effect has it spawn engaged.
    """
    card = play.table.cards[piece]
    face = face_of(play, card)
    assert isinstance(face, EnemyCard)
    chooser = drawer or lead(play)
    aloof = Keyword.ALOOF in face.keywords
    who = with_
    if not at and not with_:
        if face.spawn is not None:
            source = Source(face.id, piece, chooser)
            places = [
                place
                for place in play.table.lying(Zone.MAP)
                if targets.fits(play, place, face.spawn, source)
                and can_enter(play, card, place.piece)
            ]
            if not places:
                await zones.discard(play, (piece,))
                return
            chosen = await targets.choose(play, places, source, 1, 1)
            at = chosen[0]
        elif drawer and not aloof:
            who = drawer
        else:
            at = play.table.here(chooser)
    one = Occurrence(Happening.ENTERS_PLAY, who=drawer, card=piece, code=face.id)
    where = at or play.table.here(who)

    async def come(_: list[Occurrence]) -> None:
        play.emit(Moved((piece,), Place(Zone.AT, where)))
        lay_swarm(play, piece, drawer)

    if not await timing.happen(play, [one], come) or piece not in play.table.cards:
        return
    if who and Keyword.MASSIVE not in face.keywords:
        await engage(play, piece, (who,))
    await engage_all(play)


def lay_swarm(play: Play, host: PieceId, drawer: InvestigatorId) -> None:
    """
    Lay the swarm cards of an enemy beneath it, unseen. C-BKEY-16, C-BKEY-22, C-DECIDE-14.

    They come from the deck of who drew it, otherwise of the lead; as many as there are.
    """
    face = face_of(play, play.table.cards[host])
    if not isinstance(face, EnemyCard) or face.swarming is None:
        return
    who = drawer or lead(play)
    number = values.number(play, face.swarming, Source(face.id, host, who))
    handles = play.table.piles.get(deck_of(who), ())[:number]
    if handles:
        play.emit(LaidFaceDown(who, handles, Place(Zone.SWARM, host)))
