"""Zones: cards that enter play, leave it, are discarded or removed. Sections 2.1 and 1.15."""

from collections.abc import Callable, Sequence

from content.games.cards.schema.cards import AnyCard, LimitedZone, PlayerCard, StoryCard
from content.games.cards.schema.kinds import Keyword
from content.games.cards.schema.modifiers import Thing
from content.games.cards.schema.occurrences import Happening
from content.games.cards.schema.pack import AnyFace, title_of
from protocol.games.cards.events import Change, Exhausted, Gathered, Moved, Opened, TakenUp, Tokens
from protocol.games.cards.table import (
    ENCOUNTER,
    FACE_DOWN,
    Card,
    CardId,
    InvestigatorId,
    PieceId,
    Place,
    deck_of,
    further,
    hand_of,
)
from protocol.games.cards.words import IN_PLAY, Zone
from protocol.values import evolve
from server.games.cards.rules import face_down, slots, timing, values
from server.games.cards.rules.play import (
    Occurrence,
    Play,
    Source,
    face_of,
    is_players,
    location_of,
    seat,
)

HAND, DECK = "hand", "deck"
"""Places for cards besides the open ones: their owners' hands and decks. C-BZONE-20."""
RETURN_FROM = frozenset(Zone) - {Zone.REMOVED, Zone.SWARM, Zone.CAPTIVE}
"""Zones whose cards can be found and identified, and so returned. C-RETURN-1, C-DECIDE-35."""
SHUFFLED_INTO_NOTHING = 2
"""Cards that together form a deck where there was none. C-DECIDE-16."""


# Leaving


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


def is_displayed(face: AnyFace | None) -> bool:
    """Return whether a card goes to the victory display: by Victory or Vengeance. C-BKEY-28."""
    return face is not None and any(
        getattr(face, value, None) is not None for value in ("victory", "vengeance")
    )


def discard_pile(play: Play, code: CardId) -> str:
    """Return the discard pile of an encounter card: that of its deck. C-BSPEC-5."""
    face = play.content.faces[code]
    of = face.set_ if isinstance(face, AnyCard) else None
    for deck in play.content.scenario.decks:
        if deck.own_discard and of in deck.sets:
            return further(deck.id)
    return ENCOUNTER


def may_leave(play: Play, card: Card) -> bool:
    """Return whether a card can leave where it lies: a Permanent one in play cannot. C-PERM-1."""
    return not card.is_in_play or not (
        values.has_keyword(play, card, Keyword.PERMANENT)
        or values.cannot(play, Thing.LEAVE_PLAY, card=card) is not None
    )


async def discard(
    play: Play, pieces: Sequence[PieceId], also: Callable[[], None] | None = None
) -> None:
    """
    Discard open cards, all at once. C-BABIL-36.

    Args:
        play: the game.
        pieces: the cards.
        also: what takes place at the same moment, such as another card's taking their slots.
    """
    group = [
        Occurrence(
            Happening.DISCARDED,
            who=play.table.cards[piece].controller,
            card=piece,
            at=location_of(play, play.table.cards[piece]),
        )
        for piece in pieces
        if piece in play.table.cards and may_leave(play, play.table.cards[piece])
    ]

    async def away(live: list[Occurrence]) -> None:
        await leave(play, [one.card for one in live], None, also)

    await timing.happen(play, group, away)


async def leave(
    play: Play,
    pieces: Sequence[PieceId],
    to: Place | str | None,
    also: Callable[[], None] | None = None,
) -> bool:
    """
    Have open cards leave for one place, or each for its discard pile. C-BZONE-10, C-BZONE-11.

    What is attached to a card that leaves play, or lies beneath it, is discarded; swarm cards go
    under their owners' decks (C-BKEY-20). What gave a slot may force others out after it
    (C-BPLAY-10).

    Args:
        play: the game.
        pieces: the cards; those that cannot leave play stay.
        to: an open place, `HAND` or `DECK` of the owner, or None for the discard pile.
        also: what takes place at the same moment.

    Returns:
        Whether all of them went.
    """
    table = play.table
    there = [
        piece for piece in pieces if piece in table.cards and may_leave(play, table.cards[piece])
    ]
    in_play = [piece for piece in there if table.cards[piece].at.zone in IN_PLAY]
    group = [Occurrence(Happening.LEAVES_PLAY, card=piece) for piece in in_play]

    async def go(live: list[Occurrence]) -> None:
        going = [one.card for one in live] + [piece for piece in there if piece not in in_play]
        move_out(play, going, to)
        if also is not None:
            also()
        for who in play.table.order if group else ():
            await slots.fit(play, who)

    if group:
        await timing.happen(play, group, go)
    elif there:
        await go([])
    return len(there) == len(pieces) and not any(one.is_off for one in group)


def move_out(play: Play, pieces: Sequence[PieceId], to: Place | str | None) -> None:
    """Move open cards, with what follows from it, and without any window."""
    swarm = tuple(
        card.piece
        for card in play.table.in_zone(Zone.SWARM)
        if card.piece in pieces or card.at.of in pieces
    )
    if swarm:
        play.emit(TakenUp(swarm))
    by_place: dict[Place | str, list[PieceId]] = {}
    for piece in pieces:
        if (card := play.table.cards.get(piece)) is not None:
            by_place.setdefault(_where(play, card, to), []).append(piece)
    for card in play.table.cards.values():
        lies_with_one = card.at.zone in face_down.LIES_WITH and card.at.of in pieces
        if lies_with_one and card.piece not in pieces:
            if card.handle:
                turn_up(play, card)
            else:
                by_place.setdefault(discard_place(play, card), []).append(card.piece)
    for where, those in by_place.items():
        if isinstance(where, Place):
            play.emit(Moved(tuple(those), where))
        else:
            _into_pile(play, those, where)


def turn_up(play: Play, card: Card) -> None:
    """
    Discard a card that lies face down, as it is open then. C-BZONE-11, C-SECRET-15, C-SECRET-16.

    One whose owner was eliminated leaves the game unseen, as the deck did.
    """
    if card.owner not in ("", *play.table.order):
        play.emit(TakenUp((card.piece,)))
        return
    code = play.table.card_of(card.handle)
    to = discard_place(play, evolve(card, code=code))
    play.emit(Opened(FACE_DOWN, card.handle, code, to, card.owner))


def _where(play: Play, card: Card, to: Place | str | None) -> Place | str:
    """Return where a card goes: to a pile of its owner, whoever has it. C-BZONE-3, C-BZONE-20."""
    if to is None or _is_full(play, card, to):
        return discard_place(play, card)
    if isinstance(to, Place):
        return to
    if not card.owner:
        return ENCOUNTER
    if card.owner not in play.table.order:
        return Place(Zone.REMOVED)
    return hand_of(card.owner) if to == HAND else deck_of(card.owner)


def _is_full(play: Play, card: Card, to: Place | str) -> bool:
    """Return whether a limit keeps a card out of the victory display. C-LIM-2, C-DECIDE-27."""
    if to != Place(Zone.VICTORY):
        return False
    face = face_of(play, card)
    there = play.table.lying(Zone.VICTORY)
    return face is not None and _is_reached(play, face, LimitedZone.VICTORY, card.owner, there)


def _into_pile(play: Play, pieces: Sequence[PieceId], pile: str) -> None:
    """Put open cards into a hand or deck, where nobody can tell them apart. C-SECRET-1."""
    codes = [play.table.card_of(handle) for handle in play.table.piles.get(pile, ())]
    codes += [play.table.cards[piece].code for piece in pieces]
    owner = play.table.cards[pieces[0]].owner
    knowers = (seat(play, owner),) if owner and pile == hand_of(owner) else ()
    play.emit(Gathered(tuple(pieces), pile))
    play.shuffle(pile, codes, knowers=knowers)


async def return_to_hand(play: Play, pieces: Sequence[PieceId], source: Source) -> bool:
    """
    Return cards to their owners' hands, from wherever they are found. C-RETURN-1, C-RETURN-2.

    Also of other players' play areas and discard piles (C-DECIDE-35). Not one that lies face down
    (C-RETURN-4), was removed (C-ZONE-2), or is out of reach of players' cards in a captives' pile
    (C-PILE-2). One that was shuffled away has no piece (C-RETURN-3).

    Returns:
        Whether all of them went.
    """
    found = [
        piece
        for piece in pieces
        if (card := play.table.cards.get(piece)) is not None
        and card.code
        and card.owner in play.table.order
        and (card.at.zone in RETURN_FROM or _rescues(play, card, source))
    ]
    return await leave(play, found, HAND) and len(found) == len(pieces)


def _rescues(play: Play, card: Card, source: Source) -> bool:
    return card.at.zone is Zone.CAPTIVE and not is_players(play, source.code)


async def shuffle_in(play: Play, pieces: Sequence[PieceId]) -> bool:
    """
    Shuffle open cards into their owners' decks, or the encounter deck; return whether they went.

    A single card cannot be shuffled into an empty deck; it stays where it is. C-EMPTY-1 to
    C-EMPTY-3, C-DECIDE-16.
    """
    by_pile: dict[str, list[PieceId]] = {}
    for piece in pieces:
        card = play.table.cards.get(piece)
        if card is not None and card.code and card.at.zone is not Zone.REMOVED:
            pile = deck_of(card.owner) if card.owner else ENCOUNTER
            by_pile.setdefault(pile, []).append(piece)
    going = [
        piece
        for pile, those in by_pile.items()
        if len(play.table.piles.get(pile, ())) + len(those) >= SHUFFLED_INTO_NOTHING
        for piece in those
    ]
    return bool(going) and await leave(play, going, DECK) and len(going) == len(pieces)


async def discard_if_empty(play: Play, piece: PieceId, kind: str) -> None:
    """Discard an asset whose last use was spent, if it says so. C-BPLAY-26."""
    card = play.table.cards.get(piece)
    face = None if card is None else face_of(play, card)
    if card is None or not isinstance(face, PlayerCard | StoryCard) or face.uses is None:
        return
    if face.uses.is_discarded and face.uses.kind == kind and not card.count(kind):
        await discard(play, (piece,))


# Entering


def kept_out(play: Play, code: str, who: InvestigatorId) -> tuple[str, str] | None:
    """
    Return why a card cannot enter play under an investigator: rule and word; None if it can.

    A copy of a unique card must not be in play under anybody (C-BZONE-15), nor be a captive
    (C-PILE-4); a limit holds for each investigator, or for the group (C-LIM-3 to C-LIM-5).
    """
    face = play.content.faces[code]
    if isinstance(face, AnyCard) and face.unique and _copies(play, face, _all_in_play(play)):
        return "C-BZONE-15", "unique"
    if _is_reached(play, face, LimitedZone.PLAY, who, list(play.table.in_play())):
        return "C-LIM-4", "limit"
    return None


def _all_in_play(play: Play) -> list[Card]:
    return [*play.table.in_play(), *play.table.lying(Zone.CAPTIVE)]


def _copies(play: Play, face: AnyFace, cards: Sequence[Card]) -> list[Card]:
    """Return the copies of a card among others: those of its title. C-BZONE-22."""
    title = title_of(face)
    faces = play.content.faces
    return [card for card in cards if card.shown and title_of(faces[card.shown]) == title]


def _is_reached(
    play: Play, face: AnyFace, zone: LimitedZone, who: InvestigatorId, there: Sequence[Card]
) -> bool:
    """Return whether a limit on copies is reached. C-LIM-1."""
    limits = face.limits if isinstance(face, AnyCard) else ()
    for limit in limits:
        if limit.zone is zone:
            copies = _copies(play, face, there)
            if not limit.group:
                by = "controller" if zone is LimitedZone.PLAY else "owner"
                copies = [card for card in copies if getattr(card, by) == who]
            return len(copies) >= limit.most
    return False


def may_control(face: AnyFace | None, who: InvestigatorId) -> bool:
    """Return whether an investigator can control a card: no other's signature. C-SIG-5."""
    return not who or getattr(face, "signature_of", None) in (None, who)


async def enter(play: Play, piece: PieceId, who: InvestigatorId, at: Place | None = None) -> bool:
    """
    Put an open card into play under an investigator, or at another place. C-BPLAY-2, C-BPLAY-15.

    Uniqueness, slots and every "cannot" hold as for a card that is played (C-BPLAY-23); what
    answers the playing of a card does not answer this (C-BPLAY-22). It takes its slots at the same
    moment as others give way (C-SLOT-2). Uses are put on it as it enters (C-BPLAY-11). C-BZONE-4.

    Returns:
        Whether it is in play now.
    """
    card = play.table.cards[piece]
    place = at or Place(Zone.PLAY, who)
    controller = who if place.zone in (Zone.PLAY, Zone.ON) else ""
    if kept_out(play, card.shown, who) is not None or not may_control(
        face_of(play, card), controller
    ):
        return False
    one = Occurrence(Happening.ENTERS_PLAY, who=who, card=piece, code=card.code)

    async def come(_: list[Occurrence]) -> None:
        def lay() -> None:
            play.emit(Moved((piece,), place, controller))
            lay_uses(play, piece, who)

        if piece in play.table.cards:
            await _beside(play, piece, who, lay, takes_slots=place.zone is Zone.PLAY)

    await timing.happen(play, [one], come)
    entered = play.table.cards.get(piece)
    return entered is not None and entered.is_in_play


async def _beside(
    play: Play,
    piece: PieceId,
    who: InvestigatorId,
    lay: Callable[[], None],
    *,
    takes_slots: bool = True,
) -> None:
    """Lay an asset down as those that must give way are discarded, in one step. C-SLOT-2."""
    going = await slots.giving_way(play, who, play.table.cards[piece]) if takes_slots else ()
    laid = []

    def both() -> None:
        laid.append(piece)
        lay()

    await discard(play, going, both)
    if not laid:
        lay()


def lay_uses(play: Play, piece: PieceId, who: InvestigatorId) -> None:
    """Put the uses on a card that has just entered play. C-BPLAY-11."""
    face = face_of(play, play.table.cards[piece])
    if isinstance(face, PlayerCard | StoryCard) and face.uses is not None:
        number = values.number(play, face.uses.number, Source(face.id, piece, who))
        if number:
            play.emit(Tokens((Change(piece, face.uses.kind, number),)))


async def take_control(play: Play, piece: PieceId, who: InvestigatorId) -> bool:
    """
    Have an investigator take control of a card; return whether that was done.

    A card that is not in play enters it so (C-CTRL-1). What is attached goes along (C-ATT-3);
    nobody controls the signature card of another (C-SIG-5, C-SIG-6).
    """
    card = play.table.cards.get(piece)
    if card is None or not may_control(face_of(play, card), who):
        return False
    if not card.is_in_play:
        return await enter(play, piece, who)
    await _beside(play, piece, who, lambda: change_control(play, piece, who))
    return True


def change_control(play: Play, piece: PieceId, who: InvestigatorId) -> None:
    """Move a card in play to another investigator, with what is attached to it. C-ATT-3."""
    play.emit(Moved((piece,), Place(Zone.PLAY, who), who))
    for card in list(play.table.cards.values()):
        if card.at == Place(Zone.ON, piece) and card.owner and not card.handle:
            play.emit(Moved((card.piece,), card.at, who))
    face_down.hand_over(play, piece)


# In play


async def turn(play: Play, pieces: Sequence[PieceId], *, is_exhausted: bool) -> None:
    """Exhaust or ready cards, all at once; a swarm turns with its host. C-BKEY-21."""
    turned = [
        piece
        for piece in pieces
        if play.table.cards[piece].is_exhausted is not is_exhausted
        and (is_exhausted or values.cannot(play, Thing.READY, card=play.table.cards[piece]) is None)
    ]
    kind = Happening.EXHAUSTED if is_exhausted else Happening.READIED
    group = [Occurrence(kind, card=piece) for piece in turned]

    async def done(live: list[Occurrence]) -> None:
        there = tuple(one.card for one in live if one.card in play.table.cards)
        play.emit(Exhausted(there, is_exhausted=is_exhausted))

    await timing.happen(play, group, done)
