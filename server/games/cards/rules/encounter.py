"""Encounter draws: Peril, Revelation, where the card goes, Surge. Section 2.4."""

from content.games.cards.schema.cards import AnyCard, Does
from content.games.cards.schema.kinds import CardType, Keyword
from content.games.cards.schema.occurrences import Happening
from content.games.cards.schema.pack import type_of
from protocol.common.table import Handle
from protocol.games.cards.events import Drew, Gathered, Opened
from protocol.games.cards.table import ENCOUNTER, InvestigatorId, PieceId, Place
from protocol.games.cards.words import Zone
from server.games.cards.rules import answers, effects, enemies, hands, timing, zones
from server.games.cards.rules.play import Occurrence, Play, Source, face_of


async def draw(play: Play, who: InvestigatorId) -> None:
    """
    Have an investigator draw and resolve an encounter card, and one more for each Surge.

    C-BENC-1 to C-BENC-6, C-BENC-14. Surge is carried out last, and also if the Revelation was
    cancelled (C-BENC-11).
    """
    while who in play.table.order:
        handle = _top(play)
        if handle is None:
            return
        code = play.table.card_of(handle)
        face = play.content.faces[code]
        assert isinstance(face, AnyCard)
        if Keyword.HIDDEN in face.keywords:
            # C-BKEY-25: the others see that a card was drawn, and no more.
            play.emit(Drew(who, ENCOUNTER, (handle,)))
            hands.hide(play, who)
        else:
            play.emit(Opened(ENCOUNTER, handle, code, Place(Zone.RESOLVING, who), ""))
            await _resolve(play, who, f"c{play.table.next_piece - 1}")
        if Keyword.SURGE not in face.keywords:
            return


def _top(play: Play) -> Handle | None:
    """Return the top card of the encounter deck, made anew if it is empty. C-BENC-7, C-BENC-12."""
    if not play.table.piles.get(ENCOUNTER):
        pile = play.table.lying(Zone.DISCARD, ENCOUNTER)
        if not pile:
            return None
        play.emit(Gathered(tuple(card.piece for card in pile), ENCOUNTER))
        play.shuffle(ENCOUNTER, [card.code for card in pile])
    return play.table.piles[ENCOUNTER][0]


async def resolve_drawn_weakness(play: Play, who: InvestigatorId, piece: PieceId) -> None:
    """
    Resolve a weakness that was drawn: at once, by the steps of its type. C-BWEAK-1, C-BENC-13.

    One of a player type is put where its Revelation says, or else into play (C-BWEAK-4).
    """
    await _resolve(play, who, piece)


async def _resolve(play: Play, who: InvestigatorId, piece: PieceId) -> None:
    """Resolve a card that was drawn and lies open. C-BENC-1 to C-BENC-5."""
    card = play.table.cards[piece]
    face = face_of(play, card)
    assert isinstance(face, AnyCard)
    peril = f"{answers.PERIL}{who}"
    is_peril = Keyword.PERIL in face.keywords
    if is_peril:
        # C-BKEY-3; the chat of the table closes too, C-DECIDE-30.
        play.under_way.add(peril)
        play.set_chat(is_open=False)
    try:
        one = Occurrence(Happening.ENCOUNTER_DRAWN, who=who, card=piece, code=face.id)
        one.tags = frozenset(["weakness"] if card.owner else ["encounter"])
        await timing.pass_by(play, one)
        if piece in play.table.cards:
            await reveal(play, who, piece)
        await _settle(play, who, piece)
    finally:
        play.under_way.discard(peril)
    if is_peril:
        play.set_chat(is_open=True)


async def reveal(play: Play, who: InvestigatorId, piece: PieceId) -> None:
    """Resolve the Revelation abilities of a card; they can be cancelled. C-BENC-2, C-BENC-8."""
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
    """Put a resolved card where it goes, unless its Revelation has done so. C-BENC-3 to 5."""
    card = play.table.cards.get(piece)
    if card is None or card.at.zone not in (Zone.RESOLVING, Zone.DRAWN):
        return
    kind = type_of(play.content.faces[card.shown])
    if kind is CardType.ENEMY:
        await enemies.spawn(play, piece, who)
    elif kind in (CardType.ASSET, CardType.STORY):
        await zones.enter(play, piece, who)
    else:
        await zones.leave(play, (piece,), None)
