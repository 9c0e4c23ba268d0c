"""Zones: cards that enter play, leave it, are discarded or removed. Sections 2.1 and 1.15."""

from collections.abc import Sequence

from content.games.cards.schema.cards import AnyCard, PlayerCard, StoryCard
from content.games.cards.schema.modifiers import Thing
from content.games.cards.schema.occurrences import Happening
from protocol.games.cards.events import Change, Gathered, Moved, TakenUp, Tokens
from protocol.games.cards.table import ENCOUNTER, Card, CardId, PieceId, Place, deck_of, further
from protocol.games.cards.words import IN_PLAY, Zone
from server.games.cards.rules import slots, timing, values
from server.games.cards.rules.play import Occurrence, Play, Source, face_of, location_of


def discard_place(play: Play, card: Card) -> Place:
    """
    Return where a card goes when it is discarded. C-BZONE-12, C-BZONE-13, C-BZONE-19.

    A card whose owner was eliminated is removed from the game. C-BELIM-13.
    """
    if not card.owner:
        return Place(Zone.DISCARD, discard_pile(play, card.code))
    if card.owner not in play.table.order:
        return Place(Zone.REMOVED)
    return Place(Zone.DISCARD, card.owner)


def discard_pile(play: Play, code: CardId) -> str:
    """Return the discard pile of an encounter card: that of its deck. C-BSPEC-5."""
    face = play.content.faces[code]
    of = face.set_ if isinstance(face, AnyCard) else None
    for deck in play.content.scenario.decks:
        if deck.own_discard and of in deck.sets:
            return further(deck.id)
    return ENCOUNTER


async def discard(play: Play, pieces: Sequence[PieceId]) -> None:
    """Discard open cards, all at once. C-BABIL-36."""
    there = [piece for piece in pieces if piece in play.table.cards]
    group = [
        Occurrence(
            Happening.DISCARDED,
            who=play.table.cards[piece].controller,
            card=piece,
            at=location_of(play, play.table.cards[piece]),
        )
        for piece in there
    ]

    async def away(live: list[Occurrence]) -> None:
        await leave(play, [one.card for one in live], None)

    await timing.happen(play, group, away)


async def leave(play: Play, pieces: Sequence[PieceId], to: Place | None) -> None:
    """
    Have open cards leave for one place, or each for its discard pile. C-BZONE-10, C-BZONE-11.

    What is attached to a card that leaves play is discarded; swarm cards go under their owners'
    decks (C-BKEY-20). A Permanent card, and what "cannot leave play", stays (C-PERM-1).
    """
    table = play.table
    there = [
        piece
        for piece in pieces
        if piece in table.cards
        and not (
            table.cards[piece].is_in_play
            and values.cannot(play, Thing.LEAVE_PLAY, card=table.cards[piece]) is not None
        )
    ]
    in_play = [piece for piece in there if table.cards[piece].at.zone in IN_PLAY]
    group = [Occurrence(Happening.LEAVES_PLAY, card=piece) for piece in in_play]

    async def go(live: list[Occurrence]) -> None:
        going = [one.card for one in live] + [piece for piece in there if piece not in in_play]
        _move_out(play, going, to)

    if group:
        await timing.happen(play, group, go)
    elif there:
        _move_out(play, there, to)


def _move_out(play: Play, pieces: Sequence[PieceId], to: Place | None) -> None:
    table = play.table
    going = [piece for piece in pieces if piece in table.cards]
    swarm = tuple(
        card.piece
        for card in table.cards.values()
        if card.at.zone is Zone.SWARM and (card.piece in going or card.at.of in going)
    )
    if swarm:
        play.emit(TakenUp(swarm))
    attached = [
        card.piece
        for card in play.table.cards.values()
        if card.at.zone is Zone.ON and card.at.of in going and card.piece not in going
    ]
    by_place: dict[Place, list[PieceId]] = {}
    for piece in going:
        if piece in play.table.cards:
            where = to or discard_place(play, play.table.cards[piece])
            by_place.setdefault(where, []).append(piece)
    for piece in attached:
        where = discard_place(play, play.table.cards[piece])
        by_place.setdefault(where, []).append(piece)
    for where, those in by_place.items():
        play.emit(Moved(tuple(those), where))


async def discard_if_empty(play: Play, piece: PieceId, kind: str) -> None:
    """Discard an asset whose last use was spent, if it says so. C-BPLAY-26."""
    card = play.table.cards.get(piece)
    face = None if card is None else face_of(play, card)
    if card is None or not isinstance(face, PlayerCard | StoryCard) or face.uses is None:
        return
    if face.uses.is_discarded and face.uses.kind == kind and not card.count(kind):
        await discard(play, (piece,))


def is_unique_in_play(play: Play, code: str) -> bool:
    """Return whether a copy of a unique card is in play already. C-BZONE-15."""
    face = play.content.faces[code]
    if not isinstance(face, AnyCard) or not face.unique:
        return False
    return any(card.shown == code for card in play.table.in_play())


async def enter(play: Play, piece: PieceId, who: str, at: Place | None = None) -> bool:
    """
    Put an open card into play under an investigator, or at another place. C-BPLAY-2, C-BPLAY-15.

    Uniqueness, slots and every "cannot" hold as for a card that is played (C-BPLAY-23). Uses are
    put on it as it enters (C-BPLAY-11).

    Returns:
        Whether it is in play now.
    """
    card = play.table.cards[piece]
    if is_unique_in_play(play, card.shown):
        return False
    occurrence = Occurrence(Happening.ENTERS_PLAY, who=who, card=piece, code=card.code)

    async def come(_: list[Occurrence]) -> None:
        await slots.make_room(play, piece, who)
        play.emit(Moved((piece,), at or Place(Zone.PLAY, who), who))
        lay_uses(play, piece, who)

    return await timing.happen(play, [occurrence], come)


def lay_uses(play: Play, piece: PieceId, who: str) -> None:
    """Put the uses on a card that has just entered play. C-BPLAY-11."""
    face = face_of(play, play.table.cards[piece])
    if isinstance(face, PlayerCard | StoryCard) and face.uses is not None:
        number = values.number(play, face.uses.number, Source(face.id, piece, who))
        if number:
            play.emit(Tokens((Change(piece, face.uses.kind, number),)))


def shuffle_in(play: Play, pieces: Sequence[PieceId]) -> bool:
    """
    Shuffle open cards into their owners' decks, or the encounter deck; return whether they went.

    A single card cannot be shuffled into an empty deck; it stays where it is. C-EMPTY-1 to
    C-EMPTY-3, C-DECIDE-16.
    """
    by_pile: dict[str, list[PieceId]] = {}
    for piece in pieces:
        card = play.table.cards.get(piece)
        if card is not None:
            pile = deck_of(card.owner) if card.owner else ENCOUNTER
            by_pile.setdefault(pile, []).append(piece)
    went = False
    for pile, those in by_pile.items():
        lying = play.table.piles.get(pile, ())
        if len(lying) + len(those) < SHUFFLED_INTO_NOTHING:
            continue
        codes = [*(play.table.card_of(handle) for handle in lying)]
        codes += [play.table.cards[piece].code for piece in those]
        play.emit(Gathered(tuple(those), pile))
        play.shuffle(pile, codes)
        went = True
    return went


SHUFFLED_INTO_NOTHING = 2
"""Cards that together form a deck where there was none. C-DECIDE-16."""
