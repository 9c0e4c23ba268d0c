"""Locations: ways, distance, moves, revealing, clues. Sections 1.19 and 2.10."""

import math
from collections import deque
from collections.abc import Collection, Mapping, Sequence

from content.games.cards.schema.cards import LocationCard, LocationFace
from content.games.cards.schema.kinds import Deed, Keyword
from content.games.cards.schema.modifiers import Connects, Thing
from content.games.cards.schema.occurrences import Happening
from protocol.event import hidden
from protocol.games.cards.events import (
    Change,
    Engagement,
    Linked,
    LocationLaid,
    LocationMoved,
    Moved,
    Revealed,
    TakenUp,
    Tokens,
    Walked,
)
from protocol.games.cards.table import Card, CardId, InvestigatorId, PieceId, Place, Position
from protocol.games.cards.words import Token, Zone
from protocol.memo import memo
from server.games.cards.rules import costs, enemies, targets, timing, values
from server.games.cards.rules.play import Occurrence, Play, Source, face_of, location_of

PLACES = frozenset([Zone.MAP, Zone.SPACE])
"""Zones of the cards that are places: locations, and the empty spaces of a grid."""


def ways(play: Play, place: PieceId) -> tuple[PieceId, ...]:
    """
    Return the locations that a location is connected to, counted anew. C-BLOC-4, C-BLOC-12.

    A connection may work in one direction only. Two locations of one title are different ones
    (C-BLOC-10). On a grid, what lies side by side connects, empty spaces too (C-BSPEC-4, C-GRID-1).
    Sets of locations that are separate have no connections with each other (C-BSPEC-6).
    """
    found = values.found_on(play)
    if ("ways", place) not in found:
        found["ways", place] = _ways(play, place)
    known: tuple[PieceId, ...] = found["ways", place]
    return known


def _ways(play: Play, place: PieceId) -> tuple[PieceId, ...]:
    here = play.table.cards.get(place)
    if here is None:
        return ()
    there = [
        card
        for card in _places(play.table.cards)
        if card.piece != place and not _are_apart(play, card, here)
    ]
    symbols = connects(play, here)
    found = [
        card.piece
        for card in there
        if _are_beside(here, card) or (card.at.zone is Zone.MAP and _symbol(play, card) in symbols)
    ]
    for one, source in values.given(play, Connects):
        for card in there:
            if card.piece in found:
                continue
            if (
                targets.fits(play, here, one.source, source)
                and targets.fits(play, card, one.to, source)
            ) or (
                one.both
                and targets.fits(play, card, one.source, source)
                and targets.fits(play, here, one.to, source)
            ):
                found.append(card.piece)
    return tuple(found)


@memo()
def _places(cards: Mapping[PieceId, Card]) -> tuple[Card, ...]:
    return tuple(card for card in cards.values() if card.at.zone in PLACES)


def _are_beside(one: Card, other: Card) -> bool:
    """Return whether two places lie side by side on a grid. C-BSPEC-4."""
    if one.position is None or other.position is None:
        return False
    return one.position.is_beside(other.position)


def _are_apart(play: Play, one: Card, other: Card) -> bool:
    """Return whether two locations are of sets that are separate. C-BSPEC-6."""
    return play.content.scenario.separate and one.before != other.before


def is_in_set(play: Play, place: Card, who: InvestigatorId) -> bool:
    """Return whether a location is in the set that an investigator has. C-BSPEC-6."""
    return not play.content.scenario.separate or place.before == who


def _symbol(play: Play, card: Card) -> str:
    face = face_of(play, card)
    if isinstance(face, LocationFace) and face.symbol:
        return face.symbol
    return play.content.pack.locations[card.code].symbol


def connects(play: Play, card: Card) -> tuple[str, ...]:
    """Return the symbols to which ways lead from a location; an empty space has none. C-BLOC-4."""
    if card.at.zone is Zone.SPACE:
        return ()
    face = face_of(play, card)
    assert isinstance(face, LocationFace | LocationCard)
    return face.connects or play.content.pack.locations[card.code].connects


def draw_links(play: Play) -> None:
    """Show all the connections between the locations, if any has changed."""
    places = play.table.lying(Zone.MAP)
    seen = {card.piece for card in places}
    links = {
        card.piece: tuple(way for way in ways(play, card.piece) if way in seen) for card in places
    }
    if links != play.table.links:
        play.emit(Linked(links))


def distances(play: Play, start: PieceId, enemy: Card | None = None) -> dict[PieceId, int]:
    """
    Return how many connections lead from a location to each that can be reached. C-BLOC-7.

    Args:
        play: the game.
        start: the location to begin at.
        enemy: the enemy that moves, whose path leads only where it can enter. C-BENEMY-21.
    """
    found, waiting = {start: 0}, deque([start])
    while waiting:
        at = waiting.popleft()
        for way in ways(play, at):
            if way not in found and (enemy is None or enemies.can_enter(play, enemy, way)):
                found[way] = found[at] + 1
                waiting.append(way)
    return found


def nearest(play: Play, start: PieceId, cards: Sequence[Card]) -> list[Card]:
    """
    Return the nearest of some cards, first of those with a path. C-NEAR-1 to C-NEAR-3.

    Those of another set of locations do not come into question (C-BSPEC-6).
    """
    away = distances(play, start)
    places, here = play.table.cards, play.table.cards[start]
    cards = [
        card
        for card in cards
        if (at := places.get(location_of(play, card))) is None or not _are_apart(play, at, here)
    ]
    by = [(away.get(location_of(play, card), math.inf), card) for card in cards]
    least = min((steps for steps, _ in by), default=0)
    return [card for steps, card in by if steps == least]


def first_steps(
    play: Play, start: PieceId, goals: Collection[PieceId], enemy: Card
) -> tuple[PieceId, ...]:
    """
    Return where the shortest paths of an enemy to the nearest of some locations begin. C-BENEMY-33.

    None without a path that it can follow (C-NEAR-4, C-BENEMY-31), or if it is there (C-BENEMY-29).
    """
    away = distances(play, start, enemy)
    least = min((away[goal] for goal in goals if goal in away), default=0)
    if not least:
        return ()
    nearest_goals = [goal for goal in goals if away.get(goal) == least]
    return tuple(
        way
        for way in ways(play, start)
        if away.get(way) == 1
        and any(distances(play, way, enemy).get(goal) == least - 1 for goal in nearest_goals)
    )


def can_move(play: Play, who: InvestigatorId, to: PieceId) -> bool:
    """Return whether an investigator may be moved to another location. C-BLOC-11, C-BABIL-2."""
    start = play.table.investigators[who].location
    place, left = play.table.cards.get(to), play.table.cards[start]
    return (
        place is not None
        and place.at.zone is Zone.MAP
        and to != start
        and values.cannot(play, Thing.MOVE, who, place=left) is None
        and values.cannot(play, Thing.ENTER, who, place=place) is None
    )


async def move(play: Play, people: Sequence[InvestigatorId], to: PieceId, source: Source) -> bool:
    """
    Move investigators to a location, all at once. C-BACT-14, C-DECIDE-54.

    Additional costs are paid once the leaving is imminent (C-ADD-3); who does not pay them stays
    (C-ADD-4). Whoever leaves no place enters none.

    Returns:
        Whether anybody has moved.
    """
    leaving = [
        Occurrence(Happening.LEAVES, who=who, at=play.table.investigators[who].location)
        for who in people
        if can_move(play, who, to)
    ]
    left: list[InvestigatorId] = []

    async def pay(imminent: list[Occurrence]) -> None:
        for one in imminent:
            if not await costs.pay_additional(play, one.who, Deed.MOVE, source, one.at, to):
                one.is_off = True

    async def leave(live: list[Occurrence]) -> None:
        left.extend(one.who for one in live)

    await timing.happen(play, leaving, leave, imminent=pay)
    return await arrive(play, left, to)


async def arrive(play: Play, people: Sequence[InvestigatorId], to: PieceId) -> bool:
    """
    Have investigators arrive at a location whatever says that they cannot. C-NOLOC-2.

    They arrive with the enemies engaged with them (C-BACT-15); the location is revealed; abilities
    answer the entering, those "before enemies engage" first (C-BACT-21); then the ready, unengaged
    enemies there engage. C-DECIDE-54.

    Returns:
        Whether anybody has arrived.
    """
    entering = [Occurrence(Happening.ENTERS, who=who, at=to) for who in people]
    arrived: list[InvestigatorId] = []

    async def enter(live: list[Occurrence]) -> None:
        if to in play.table.cards:
            arrived.extend(one.who for one in live if one.who in play.table.order)
            _walk(play, arrived, to)
            await reveal(play, (to,))
            draw_links(play)

    await timing.happen(play, entering, enter)
    here = [c.piece for c in enemies.all_enemies(play) if location_of(play, c) == to]
    await enemies.engage_all(play, here)
    return bool(arrived)


def _walk(play: Play, people: Sequence[InvestigatorId], to: PieceId) -> None:
    """
    Put investigators at a location, and the enemies in their threat areas with them. C-BACT-15.

    A Massive enemy follows nobody. C-BENEMY-14.
    """
    for who in people:
        for card in play.table.lying(Zone.THREAT, who):
            if values.has_keyword(play, card, Keyword.MASSIVE):
                at = Place(Zone.AT, play.table.investigators[who].location)
                play.emit(Engagement(card.piece, card.engaged, at))
    play.emit(Walked(tuple(people), to))


def lay(
    play: Play,
    code: CardId,
    piece: PieceId = "",
    *,
    looks: CardId = "",
    before: InvestigatorId = "",
    position: Position | None = None,
) -> PieceId:
    """
    Put a location into play, unrevealed; return its piece. C-BLOC-1.

    Which of its versions it is, setup has chosen in secret. C-SECRET-12.

    Args:
        play: the game.
        code: the location.
        piece: the open card that it is; empty for none.
        looks: the location whose unrevealed face it shows, if that is not its own. C-SECRET-12.
        before: investigator before whom it lies.
        position: its position on a grid.
    """
    plan = play.table.plan
    face = None if plan is None else plan.value.get(code)
    face = face or play.content.pack.locations[code].face.id
    play.emit(LocationLaid(looks or code, hidden(face), piece, before, position))
    return f"c{play.table.next_piece - 1}"


def at_position(play: Play, position: Position, before: InvestigatorId = "") -> Card | None:
    """Return the location or the empty space at a position; None if nothing lies there."""
    return next(
        (
            card
            for card in play.table.cards.values()
            if card.position == position and card.before == before
        ),
        None,
    )


def put(play: Play, code: CardId, position: Position, before: InvestigatorId) -> bool:
    """
    Put a location at a position of the grid, or move it there. C-GRID-2, C-BSPEC-4.

    An empty space there is taken up: its card goes under its deck unseen, and enemies in it are at
    the location then. Where a location lies no other one goes.

    Returns:
        Whether it is there now.
    """
    there = at_position(play, position, before)
    if there is not None and there.at.zone is Zone.MAP:
        return there.code == code
    inside = [] if there is None else play.table.lying(Zone.AT, there.piece)
    if there is not None:
        play.emit(TakenUp((there.piece,)))
    places = play.table.cards.values()
    moved = [c for c in places if c.at.zone is Zone.MAP and (c.code, c.before) == (code, before)]
    if moved:
        piece = moved[0].piece
        play.emit(LocationMoved(piece, position))
    else:
        aside = [card.piece for card in play.table.lying(Zone.ASIDE) if card.code == code]
        piece = lay(play, code, *aside[:1], before=before, position=position)
    for card in inside:
        play.emit(Moved((card.piece,), Place(Zone.AT, piece), card.controller))
    draw_links(play)
    return True


async def reveal(play: Play, places: Sequence[PieceId]) -> None:
    """
    Reveal locations, all at once, and place their clues. C-BLOC-2, C-BLOC-3.

    What lies on an unrevealed location stays there, and its clues are added. C-LOC-5, C-LOC-6.
    """
    cards = play.table.cards
    unseen = [piece for piece in places if piece in cards and not cards[piece].face]
    group = [Occurrence(Happening.LOCATION_REVEALED, card=piece) for piece in unseen]

    async def turn(live: list[Occurrence]) -> None:
        live = [one for one in live if one.card in play.table.cards]
        for one in live:
            sealed = play.table.cards[one.card].hidden
            assert sealed is not None
            play.emit(Revealed(one.card, sealed.value, play.disclose(sealed)))
        changes = []
        for one in live:
            face = face_of(play, play.table.cards[one.card])
            assert isinstance(face, LocationFace)
            clues = values.number(play, face.clues, Source(face.id, one.card, ""))
            if clues:
                changes.append(Change(one.card, Token.CLUE.value, clues))
        if changes:
            play.emit(Tokens(tuple(changes)))
        draw_links(play)

    await timing.happen(play, group, turn)


async def discover(
    play: Play, who: InvestigatorId, at: PieceId, number: int, *, cause: PieceId = ""
) -> int:
    """
    Have an investigator discover clues of a location; return how many. C-BLOC-6, C-LOC-3.

    Only tokens on the location itself are there (C-LOC-4).
    """
    place = play.table.cards.get(at)
    if place is None or who not in play.table.order or number <= 0:
        return 0
    if values.cannot(play, Thing.DISCOVER, who, place) is not None:
        return 0
    found = min(number, place.count(Token.CLUE))
    if not found:
        return 0
    one = Occurrence(Happening.CLUE_DISCOVERED, who=who, at=at, cause=cause, amount=found)
    taken = 0

    async def take(live: list[Occurrence]) -> None:
        nonlocal taken
        if at in play.table.cards and who in play.table.order:
            taken = min(live[0].amount, play.table.cards[at].count(Token.CLUE))
            own = play.table.investigators[who].card
            clue = Token.CLUE.value
            play.emit(Tokens((Change(at, clue, -taken), Change(own, clue, taken))))

    await timing.happen(play, [one], take)
    return taken
