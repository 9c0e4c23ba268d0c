"""Enemies: engagement, prey, attacks, hunting, spawning, swarms. Sections 1.20 and 2.12."""

from collections.abc import Collection, Sequence

from content.games.cards.schema.cards import EnemyCard
from content.games.cards.schema.kinds import Keyword, Stat
from content.games.cards.schema.modifiers import Thing
from content.games.cards.schema.occurrences import Happening
from content.games.cards.schema.targets import Prey
from protocol.common.asks import Point
from protocol.common.text import Text
from protocol.games.cards.events import Attacked, Engagement, Exhausted, Moved
from protocol.games.cards.table import Card, CardId, InvestigatorId, PieceId, Place
from protocol.games.cards.words import Zone
from protocol.memo import memo
from protocol.values import evolve
from server.games.cards.rules import face_down, harm, locations, targets, timing, values, zones
from server.games.cards.rules.play import (
    Occurrence,
    Play,
    Source,
    face_of,
    lead,
    location_of,
    seat,
    shown_by,
)
from server.kernel.asks import Option


def all_enemies(play: Play) -> list[Card]:
    """Return the enemies in play, swarm cards included."""
    return list(_enemies(play.table.in_play(), play.content.enemies))


@memo()
def _enemies(in_play: Sequence[Card], of_enemies: frozenset[CardId]) -> Sequence[Card]:
    """A swarm card is a copy of its host. C-SWARM-1, C-SWARM-5, C-BKEY-17."""
    return [
        card
        for card in in_play
        if card.shown in of_enemies or (not card.shown and card.at.zone is Zone.SWARM)
    ]


def can_enter(play: Play, enemy: Card, place: PieceId) -> bool:
    """Return whether an enemy can enter a location. C-BLOC-11, C-BLOC-14, C-BENEMY-21."""
    at = play.table.cards.get(place)
    if at is None or values.cannot(play, Thing.ENTER, card=enemy, place=at) is not None:
        return False
    return at.at.zone is not Zone.SPACE or _enters_spaces(play, enemy)


def _enters_spaces(play: Play, enemy: Card) -> bool:
    """Return whether an enemy passes through the empty spaces of a grid. C-GRID-1."""
    face = face_of(play, enemy)
    return isinstance(face, EnemyCard) and face.in_spaces and not values.is_blank(play, enemy)


def swarm_of(play: Play, piece: PieceId) -> tuple[PieceId, ...]:
    """
    Return all enemies of the swarm that an enemy belongs to, the host first. C-SWARM-3, C-SWARM-4.

    An enemy without swarm cards stands alone.
    """
    card = play.table.cards.get(piece)
    if card is None:
        return ()
    host = card.at.of if card.at.zone is Zone.SWARM else piece
    return (host, *(one.piece for one in play.table.lying(Zone.SWARM, host)))


def named(play: Play, card: Card) -> CardId | Text:
    """
    Return the name of an enemy in a choice; a swarm card is told from its host. C-BKEY-17.

    Where others of its name are engaged with somebody else, it is said with whom it is.
    """
    host = play.table.cards[swarm_of(play, card.piece)[0]]
    name: CardId | Text = host.shown
    others = [one for one in all_enemies(play) if one.shown == host.shown]
    if host.engaged and any(one.engaged != host.engaged for one in others):
        name = Text("about/engaged", (name, host.engaged[0]))
    return Text("about/swarm", (name,)) if card.at.zone is Zone.SWARM else name


def tire(play: Play, pieces: Sequence[PieceId]) -> None:
    """Exhaust enemies; a swarm is exhausted together. C-BKEY-21."""
    there = play.table.cards
    tired = [
        one for piece in pieces for one in swarm_of(play, piece) if not there[one].is_exhausted
    ]
    if tired:
        play.emit(Exhausted(tuple(dict.fromkeys(tired)), is_exhausted=True))


# Engagement


async def engage(play: Play, engaging: Sequence[tuple[PieceId, InvestigatorId]]) -> None:
    """
    Have enemies and investigators engage each other, which is one thing. C-ENG-1, C-ENG-2.

    All of them at once (C-DECIDE-54), with one window for whatever answers it (C-DECIDE-46). A
    swarm engages as one (C-SWARM-4), and each of its cards is an enemy of its own, so that what
    answers the engagement answers each (C-SWARM-5, C-DECIDE-15).
    An enemy that is not at the location of the investigator any more does not engage.
    """
    group = []
    for piece, who in engaging:
        for one in swarm_of(play, piece):
            card = play.table.cards[one]
            at = location_of(play, card)
            code = shown_by(play, card)
            group.append(Occurrence(Happening.ENGAGES, who=who, card=one, code=code, at=at))

    async def come(live: list[Occurrence]) -> None:
        for one in live:
            card = play.table.cards.get(one.card)
            if card is None or card.at.zone is Zone.SWARM or one.who not in play.table.order:
                continue
            if location_of(play, card) == play.table.investigators[one.who].location:
                _lay(play, card, (one.who,))

    await timing.happen(play, group, come)


def _lay(play: Play, card: Card, people: tuple[InvestigatorId, ...]) -> None:
    """
    Say with whom an enemy is engaged, and lay it there. C-BENEMY-4.

    A Massive one lies in no threat area. C-BENEMY-13.
    """
    at = Place(Zone.AT, location_of(play, card))
    if people and not values.has_keyword(play, card, Keyword.MASSIVE):
        at = Place(Zone.THREAT, people[0])
    play.emit(Engagement(card.piece, people, at))


def set_free(play: Play, piece: PieceId) -> None:
    """Leave an enemy unengaged where it is. C-BACT-18."""
    _lay(play, play.table.cards[piece], ())


async def disengage(play: Play, pieces: Sequence[PieceId]) -> None:
    """End the engagement of enemies, all at once; they stay where they are. C-BENEMY-25."""
    hosts = dict.fromkeys(swarm_of(play, piece)[0] for piece in pieces if piece in play.table.cards)
    group = []
    for host in hosts:
        card = play.table.cards[host]
        for who in card.engaged:
            at, code = location_of(play, card), card.shown
            group.append(Occurrence(Happening.DISENGAGES, who=who, card=host, code=code, at=at))

    async def part(live: list[Occurrence]) -> None:
        for one in live:
            if one.card in play.table.cards and one.who in play.table.cards[one.card].engaged:
                set_free(play, one.card)

    await timing.happen(play, group, part)


async def engage_all(play: Play, pieces: Sequence[PieceId] | None = None) -> None:
    """
    Have ready, unengaged enemies engage an investigator at their location. C-BENEMY-2, C-BENEMY-6.

    Not an Aloof one (C-BENEMY-8), nor a Massive one, which counts as engaged with all
    (C-BENEMY-13). C-BENEMY-5.

    Args:
        play: the game.
        pieces: the enemies that come into question; all if left out.
    """
    engaging = []
    for card in all_enemies(play):
        if pieces is not None and card.piece not in pieces:
            continue
        if card.at.zone is not Zone.AT or card.is_exhausted:
            continue
        if any(values.has_keyword(play, card, one) for one in (Keyword.ALOOF, Keyword.MASSIVE)):
            continue
        # Enemies of an "as if" location do not come into the threat area. C-ASIF-5.
        people = play.table.investigators
        here = [who for who in play.table.order if people[who].location == card.at.of]
        preyed = await prey_among(play, card, here)
        if preyed:
            engaging.append((card.piece, preyed))
    await engage(play, engaging)


async def prey_among(play: Play, card: Card, people: Sequence[InvestigatorId]) -> InvestigatorId:
    """
    Return whom an enemy takes among investigators; empty for nobody. C-BENEMY-3, C-BENEMY-10.

    The lead decides what is still tied. "Prey - only" takes nobody else (C-BENEMY-17).
    """
    found = fit_prey(play, card, people)
    if len(found) < 2:
        return found[0] if found else ""
    return await targets.choose_person(
        play, found, lead(play), Source(card.shown, card.piece, lead(play)), "ask/prey"
    )


def fit_prey(
    play: Play, card: Card, people: Sequence[InvestigatorId]
) -> tuple[InvestigatorId, ...]:
    """Return those whom an enemy prefers among investigators."""
    prey = prey_of(play, card)
    if prey is None:
        return tuple(people)
    if prey.only:
        return tuple(who for who in people if who in hunted(play, card))
    if prey.is_bearer:
        return tuple(who for who in people if who == card.owner) or tuple(people)
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

    The damage comes even if the enemy has left play meanwhile. C-NEST-10. Attacks of
    opportunity are attacks, too (C-BAOO-7); none exhausts the enemy by itself (C-BENEMY-16).
    """
    card = play.table.cards.get(piece)
    if card is None or not may_attack(play, card, who):
        return
    one = Occurrence(Happening.ATTACKS, who=who, card=piece, code=shown_by(play, card))
    one.at = location_of(play, card)
    one.amount, one.horror = _harm_of(play, card)
    play.emit(Attacked(piece, one.code, who, is_opportunity))
    before = (one.amount, one.horror)

    async def strike(_: list[Occurrence]) -> None:
        now = play.table.cards.get(piece)
        harms = before if now is None else _harm_of(play, now)
        # What its values are now, less what abilities took off.
        damage, horror = (
            value - was + left
            for value, was, left in zip(harms, before, (one.amount, one.horror), strict=True)
        )
        await harm.deal(play, who, damage, horror, cause=piece, is_attack=True)

    await timing.happen(play, [one], strike)


def _harm_of(play: Play, card: Card) -> tuple[int, int]:
    """Return the damage and the horror of an enemy's attack. C-BENEMY-1."""
    stats = (values.stat(play, card, Stat.DAMAGE), values.stat(play, card, Stat.HORROR))
    return stats[0] or 0, stats[1] or 0


def may_attack(play: Play, card: Card, who: InvestigatorId) -> bool:
    """
    Return whether an enemy can attack an investigator.

    Under "Prey - only" it attacks those named, and whoever has engaged it. C-BENEMY-27.
    """
    host = play.table.cards[swarm_of(play, card.piece)[0]]
    return (
        who in play.table.order
        and values.cannot(play, Thing.ATTACK, who, card) is None
        and (who in hunted(play, host) or who in host.engaged)
    )


def attackers_of(play: Play, who: InvestigatorId, done: Collection[PieceId] = ()) -> list[Card]:
    """
    Return the ready enemies engaged with an investigator that can attack.

    C-BENPH-2, C-BENEMY-5, C-BENEMY-15.
    """
    return [
        card
        for card in all_enemies(play)
        if card.piece not in done
        and not card.is_exhausted
        and who in targets.engaged_with(play, card)
        and may_attack(play, card, who)
    ]


async def _attacker(
    play: Play, who: InvestigatorId, done: Collection[PieceId], rule: str
) -> PieceId:
    """Return the next enemy to attack, which the attacked decides; empty if none is left."""
    left = attackers_of(play, who, done)
    if all(_is_alike(play, card, left[0]) for card in left):
        return left[0].piece if left else ""
    options = [
        Option(
            card.piece,
            Text("choice/attacker", (named(play, card),)),
            (Point("card", card.piece),),
        )
        for card in left
    ]
    return await play.choose(
        seat(play, who),
        options,
        rule=rule,
        about=Text("about/attacks", (who,)),
        prompt=Text("ask/attacker", (who,)),
    )


def _is_alike(play: Play, one: Card, other: Card) -> bool:
    """Return whether nothing tells two cards apart: neither how they lie nor what is on them."""
    table = play.table
    pieces = {one.piece, other.piece}
    if len(pieces) == 1:
        return True
    is_marked = (
        any(card.at.of in pieces for card in table.cards.values())
        or any(not pieces.isdisjoint(effect.on) for effect in table.lasting)
        or any(not pieces.isdisjoint(effect.on) for effect in table.delayed)
    )
    return not is_marked and evolve(one, piece=other.piece, handle=other.handle) == other


async def opportunity(play: Play, who: InvestigatorId) -> None:
    """
    Have each ready enemy engaged with an investigator attack in passing. C-BAOO-1, C-BAOO-4.

    Once each (C-BAOO-3), in the order that the attacked decides (C-BAOO-5).
    """
    done: list[PieceId] = []
    while piece := await _attacker(play, who, done, "C-BAOO-5"):
        done.append(piece)
        await attack(play, piece, who, is_opportunity=True)


async def attack_in_phase(play: Play, who: InvestigatorId, attacked: set[PieceId]) -> None:
    """
    Have the enemies engaged with an investigator attack in the enemy phase. C-BENPH-2, C-BENPH-3.

    Who attacks is looked at again after each attack (C-BENPH-7). An enemy is exhausted after its
    attack (C-BENPH-4), also a cancelled one (C-BENEMY-23): a swarm together after the last of its
    attacks (C-BKEY-19, C-BKEY-21), a Massive enemy by `tire_massive`.

    Args:
        play: the game.
        who: the investigator.
        attacked: enemies that have attacked in this step; these are added. Each attacks once, a
            Massive one once for each investigator (C-BENPH-6).
    """
    done = {piece for piece in attacked if not _is_massive(play, piece)}
    while piece := await _attacker(play, who, done, "C-BENPH-3"):
        done.add(piece)
        attacked.add(piece)
        await attack(play, piece, who)
        swarm = swarm_of(play, piece)
        is_over = all(card.piece not in swarm for card in attackers_of(play, who, done))
        if is_over and not _is_massive(play, piece):
            tire(play, swarm)


def _is_massive(play: Play, piece: PieceId) -> bool:
    card = play.table.cards.get(piece)
    return card is not None and values.has_keyword(play, card, Keyword.MASSIVE)


def tire_massive(play: Play, attacked: Collection[PieceId]) -> None:
    """Exhaust the Massive enemies that attacked, after the last of their attacks. C-BENEMY-34."""
    tire(play, [piece for piece in sorted(attacked) if _is_massive(play, piece)])


async def evade(play: Play, piece: PieceId, who: InvestigatorId) -> None:
    """Exhaust an enemy and break its engagement. C-BACT-11, C-AUTO-12, C-BACT-18."""
    card = play.table.cards.get(piece)
    if card is None:
        return
    one = Occurrence(Happening.EVADED, by=who, card=piece, code=shown_by(play, card))

    async def slip(_: list[Occurrence]) -> None:
        if piece in play.table.cards:
            tire(play, (piece,))
            await disengage(play, (piece,))

    await timing.happen(play, [one], slip)


# Hunting and moving


async def hunt(play: Play) -> None:
    """
    Have each ready, unengaged Hunter move, in the order of the lead. C-BENEMY-9, C-BENEMY-20.

    It moves one location along a shortest path; the lead chooses among several (C-BENEMY-30).
    """
    done: set[PieceId] = set()
    while movers := [
        card for card in all_enemies(play) if card.piece not in done and next_steps(play, card)
    ]:
        piece = movers[0].piece
        if len(movers) > 1:
            piece = await play.choose(
                seat(play, lead(play)),
                [targets.card_option(play, card) for card in movers],
                rule="C-BENEMY-20",
                about=Text("about/hunters"),
                prompt=Text("ask/hunters", (lead(play),)),
            )
        done.add(piece)
        card = play.table.cards[piece]
        ways = [play.table.cards[one] for one in next_steps(play, card)]
        source = Source(card.shown, piece, lead(play))
        (to,) = await targets.choose(play, ways, source, 1, 1, prompt="ask/way")
        await move(play, piece, to)


def next_steps(play: Play, card: Card) -> tuple[PieceId, ...]:
    """
    Return the locations to which a Hunter can move next; none if it does not move. C-BENEMY-31.

    It moves toward the nearest of those whom it hunts (C-BENEMY-33), by its prey among equally near
    ones (C-BENEMY-10).
    """
    if card.at.zone is not Zone.AT or card.is_exhausted or targets.engaged_with(play, card):
        return ()
    if not values.has_keyword(play, card, Keyword.HUNTER):
        return ()
    if values.cannot(play, Thing.MOVE, card=card) is not None:
        return ()
    away = locations.distances(play, card.at.of, card)
    people = [who for who in hunted(play, card) if play.table.here(who) in away]
    least = min((away[play.table.here(who)] for who in people), default=0)
    near = [who for who in people if away[play.table.here(who)] == least]
    goals = {play.table.here(who) for who in fit_prey(play, card, near)}
    return locations.first_steps(play, card.at.of, goals, card)


async def move(play: Play, piece: PieceId, to: PieceId) -> None:
    """
    Move an enemy to a location; it reveals nothing there. C-BLOC-5.

    One that was engaged elsewhere is engaged no more (C-BENEMY-32). The enemies of a swarm move as
    one (C-SWARM-3).
    """
    if piece not in play.table.cards:
        return
    host = swarm_of(play, piece)[0]
    card = play.table.cards[host]
    if location_of(play, card) == to or not can_enter(play, card, to):
        return
    if values.cannot(play, Thing.MOVE, card=card) is not None:
        return
    one = Occurrence(Happening.ENEMY_MOVES, card=host, at=to, code=card.shown)

    async def go(_: list[Occurrence]) -> None:
        if host in play.table.cards and to in play.table.cards:
            play.emit(Engagement(host, (), Place(Zone.AT, to)))

    await timing.happen(play, [one], go)
    await engage_all(play, (host,))


# Spawning


async def spawn(
    play: Play, piece: PieceId, drawer: InvestigatorId, *, at: PieceId = "", with_: str = ""
) -> None:
    """
    Have an enemy enter play. C-SPAWN-1 to C-SPAWN-6, C-BENEMY-18, C-BENEMY-19.

    One that has no legal place is discarded (C-BENEMY-18, C-BLOC-14).

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
    source = Source(face.id, piece, drawer or lead(play))
    if at or with_:
        places = [at or play.table.here(with_)]
    elif face.spawns_in_space:
        places = [space.piece for space in play.table.lying(Zone.SPACE)]
    elif face.spawn is not None:
        places = [
            place.piece
            for place in play.table.lying(Zone.MAP)
            if targets.fits(play, place, face.spawn, source)
            and locations.is_in_set(play, place, source.you)
        ]
    else:
        places = [play.table.here(drawer or lead(play))]
        if Keyword.ALOOF not in face.keywords:
            with_ = drawer
    legal = [play.table.cards[place] for place in places if can_enter(play, card, place)]
    if not legal:
        await zones.discard(play, (piece,))
        return
    (where,) = await targets.choose(play, legal, source, 1, 1, prompt="ask/spawn")
    one = Occurrence(Happening.ENTERS_PLAY, who=drawer, card=piece, code=face.id)

    async def come(_: list[Occurrence]) -> None:
        play.emit(Moved((piece,), Place(Zone.AT, where)))
        lay_swarm(play, piece, drawer)
        if with_ and Keyword.MASSIVE not in face.keywords:
            await engage(play, [(piece, with_)])

    await timing.happen(play, [one], come)
    await engage_all(play, (piece,))


def lay_swarm(play: Play, host: PieceId, drawer: InvestigatorId) -> None:
    """
    Lay the swarm cards of an enemy beneath it, unseen. C-BKEY-16, C-BKEY-22, C-DECIDE-14.

    They come from the deck of who drew it, otherwise of the lead; as many as there are. Several
    numbers of Swarming add up (C-BABIL-39).
    """
    who, number = drawer or lead(play), values.stat(play, play.table.cards[host], Stat.SWARMING)
    if number:
        face_down.lay(play, who, number, Place(Zone.SWARM, host))
