"""Encounter draws: Peril, Revelation, where the card goes, Surge. Explorations. Section 2.4."""

from content.games.cards.schema.cards import AnyCard, Does, LocationCard
from content.games.cards.schema.kinds import CardType, Keyword
from content.games.cards.schema.occurrences import Happening
from content.games.cards.schema.pack import type_of
from content.games.cards.schema.targets import Filter
from protocol.common.table import Handle
from protocol.games.cards.events import Gathered, Laid, Opened
from protocol.games.cards.table import ENCOUNTER, CardId, InvestigatorId, PieceId, Place
from protocol.games.cards.words import Zone
from server.games.cards.rules import (
    answers,
    effects,
    enemies,
    hands,
    locations,
    targets,
    timing,
    values,
    zones,
)
from server.games.cards.rules.play import Occurrence, Play, Source, face_of, is_in

CANCELLED = "cancelled"
"""Tag of an encounter draw whose Revelation was cancelled. C-BENC-8."""


async def draw(play: Play, who: InvestigatorId, deck: str = ENCOUNTER) -> None:
    """
    Have an investigator draw and resolve an encounter card, and one more for each Surge.

    C-BENC-1 to C-BENC-6, C-BENC-14. Surge (C-BKEY-1) is carried out last, and also if the
    Revelation was cancelled (C-BENC-11). C-BENC-12.
    """
    surges = True
    while surges and is_in(play, who):
        remake(play, deck)
        pile = play.table.piles.get(deck)
        if not pile:
            # C-BENC-12: deck and discard pile are both empty.
            return
        if play.table.card_of(pile[0]) in play.content.hidden:
            surges = _draw_hidden(play, who, deck, pile[0])
        else:
            piece = _open_top(play, who, deck)
            remake(play, deck)
            surges, who = await _resolve(play, who, piece)


def _draw_hidden(play: Play, who: InvestigatorId, deck: str, handle: Handle) -> bool:
    """
    Put a hidden card into the hand; return whether it has Surge. C-BKEY-5, C-BKEY-25.

    The others see that a card was drawn, and no more (C-SECRET-8): it has Peril, so nothing of
    theirs could answer the draw (C-DECIDE-62).
    """
    face = play.content.faces[play.table.card_of(handle)]
    hands.into_hand(play, who, deck, (handle,))
    hands.hide(play, who)
    remake(play, deck)
    return isinstance(face, AnyCard) and Keyword.SURGE in face.keywords


def _open_top(play: Play, who: InvestigatorId, deck: str) -> PieceId:
    """Turn up the top card of a deck, for an investigator to resolve; return its piece."""
    handle = play.table.piles[deck][0]
    code = play.table.card_of(handle)
    play.emit(Opened(deck, handle, code, Place(Zone.RESOLVING, who), ""))
    return f"c{play.table.next_piece - 1}"


def remake(play: Play, deck: str) -> None:
    """Make an empty encounter deck anew of its discard pile. C-BENC-7, C-BSPEC-5."""
    pile = play.table.lying(Zone.DISCARD, deck)
    if pile and not play.table.piles.get(deck):
        play.emit(Gathered(tuple(card.piece for card in pile), deck))
        play.shuffle(deck, [card.code for card in pile])


async def resolve_drawn_weakness(play: Play, who: InvestigatorId, piece: PieceId) -> None:
    """
    Resolve a weakness that was drawn: at once, by the steps of its type. C-BWEAK-1, C-BENC-13.

    One of a player type is put where its Revelation says, or else into play (C-BWEAK-4).
    """
    await _resolve(play, who, piece)


async def _resolve(play: Play, who: InvestigatorId, piece: PieceId) -> tuple[bool, InvestigatorId]:
    """
    Resolve a card that was drawn and lies open. C-BENC-1 to C-BENC-5, C-ENCW-4, C-ENCW-5.

    A cancelled Revelation leaves it drawn (C-BENC-8).

    What answers the draw comes before its effects (C-REACT-6). Peril keeps others out, and closes
    the chat of the table, as long as it lasts (C-DECIDE-30).

    Returns:
        Whether it has Surge, and who has resolved it.
    """
    face = face_of(play, play.table.cards[piece])
    assert isinstance(face, AnyCard)
    peril = f"{answers.PERIL}{who}"
    begins = Keyword.PERIL in face.keywords and peril not in play.under_way
    is_alone = not any(mark.startswith(answers.PERIL) for mark in play.under_way)
    if begins:
        # C-BKEY-3; the chat of the table closes too, C-DECIDE-30.
        play.under_way.add(peril)
        if is_alone:
            play.set_chat(is_open=False)
    try:
        one = Occurrence(Happening.ENCOUNTER_DRAWN, who=who, card=piece, code=face.id)
        if not play.table.cards[piece].owner:
            # A weakness is no encounter card until it is resolved. C-ENCW-4, C-ENCW-5.
            await timing.pass_by(play, one)
        who = one.who
        if piece in play.table.cards and CANCELLED not in one.tags:
            await reveal(play, who, piece)
        card = play.table.cards.get(piece)
        surges = Keyword.SURGE in face.keywords
        if card is not None:
            surges = values.has_keyword(play, card, Keyword.SURGE)
        await _settle(play, who, piece)
    finally:
        if begins:
            play.under_way.discard(peril)
    if begins and is_alone:
        play.set_chat(is_open=True)
    return surges, who


async def reveal(play: Play, who: InvestigatorId, piece: PieceId) -> None:
    """
    Resolve the Revelations of a card; they can be cancelled. C-BENC-2, C-BENC-8, C-ENCW-3.

    "You" is who drew the card (C-YOU-1).
    """
    code = play.table.cards[piece].shown
    face = play.content.faces[code]
    found = [ability for ability in face.abilities if ability.does is Does.REVELATION]
    if not found:
        return
    one = Occurrence(Happening.REVELATION, who=who, card=piece, code=code)

    async def resolve(_: list[Occurrence]) -> None:
        source = Source(code, piece, who, occurrence=one)
        with play.within(source.about()):
            for ability in found:
                await effects.resolve(play, ability.effect, source)

    await timing.happen(play, [one], resolve)


async def _settle(play: Play, who: InvestigatorId, piece: PieceId) -> None:
    """
    Put a resolved card where it goes, unless its Revelation has done so.

    C-BENC-3 to 5, C-BENC-9, C-BENC-10.
    """
    card = play.table.cards.get(piece)
    if card is None or card.at.zone not in (Zone.RESOLVING, Zone.DRAWN):
        return
    kind = type_of(play.content.faces[card.shown])
    # Nothing comes to one who was eliminated meanwhile. C-BELIM-10.
    if kind is CardType.ENEMY and is_in(play, who):
        await enemies.spawn(play, piece, who)
    elif kind in (CardType.ASSET, CardType.STORY) and is_in(play, who):
        await zones.enter(play, piece, who)
    else:
        await zones.leave(play, (piece,), None)


async def turn_up(play: Play, code: CardId, who: InvestigatorId) -> None:
    """
    Bring in the encounter card on the other face of an act or agenda. C-FLIP-4.

    It is resolved as if drawn, and it is not drawn, so that no draw is answered (C-FLIP-5).
    """
    play.emit(Laid(code, Place(Zone.RESOLVING, who)))
    piece = f"c{play.table.next_piece - 1}"
    await reveal(play, who, piece)
    await _settle(play, who, piece)


async def explore(play: Play, who: InvestigatorId, deck: str, of: Filter) -> None:
    """
    Draw from an exploration deck until a location fits, or a treachery comes. C-BSPEC-1.

    A location that fits enters play, and the investigator moves there. A treachery is resolved, and
    the exploration has failed (C-BSPEC-2). If neither comes it was neither (C-EXPL-1). The other
    locations are shuffled back (C-EXPL-2).
    """
    drawn: list[PieceId] = []
    found = ""
    while not found and play.table.piles.get(deck):
        piece = _open_top(play, who, deck)
        code = play.table.cards[piece].code
        if not isinstance(play.content.faces[code], LocationCard) or _fits(play, who, code, of):
            found = piece
        else:
            drawn.append(piece)
    if found:
        card = play.table.cards[found]
        result = Happening.EXPLORATION_FAILED
        if isinstance(play.content.faces[card.code], LocationCard):
            result = Happening.EXPLORED
            place = locations.lay(play, card.code, found)
            locations.draw_links(play)
            source = Source(card.code, found, who)
            await locations.move(play, (who,), place, source)
        else:
            await _resolve(play, who, found)
        if is_in(play, who):
            await timing.pass_by(play, Occurrence(result, who=who))
    _shuffle_back(play, drawn, deck)


def _fits(play: Play, who: InvestigatorId, code: CardId, of: Filter) -> bool:
    """Return whether a drawn location is as wanted, and connected to where an explorer is."""
    card = play.content.pack.locations[code]
    here = play.table.cards[play.table.here(who)]
    return card.symbol in locations.connects(play, here) and targets.fits_in_hand(play, code, of)


def _shuffle_back(play: Play, pieces: list[PieceId], deck: str) -> None:
    """Shuffle cards that were drawn in an exploration back into its deck. C-EXPL-2."""
    if pieces:
        codes = [play.table.card_of(handle) for handle in play.table.piles.get(deck, ())]
        codes += [play.table.cards[piece].code for piece in pieces]
        play.emit(Gathered(tuple(pieces), deck))
        play.shuffle(deck, codes)
