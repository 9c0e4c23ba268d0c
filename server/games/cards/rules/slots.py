"""Slots: room for an asset. C-SLOT-1, C-SLOT-2, C-BPLAY-8 to C-BPLAY-10, C-BPLAY-21."""

from collections.abc import Iterator, Sequence

from content.games.cards.schema.cards import PlayerCard, StoryCard
from content.games.cards.schema.kinds import Slot
from content.games.cards.schema.modifiers import SlotModifier
from protocol.common.text import Text
from protocol.games.cards.events import Moved
from protocol.games.cards.table import Card, PieceId
from protocol.games.cards.words import Zone
from server.games.cards.rules import targets, values, zones
from server.games.cards.rules.play import Play, face_of, seat


async def make_room(play: Play, piece: PieceId, who: str) -> None:
    """
    Have an investigator discard other assets, so that one that comes fits its slots. C-SLOT-1.

    They leave as the new one takes the slot: no window opens in between (C-SLOT-2). Slots that the
    new asset brings count before it is looked at what must go (C-BPLAY-21).
    """
    need = _slots(play, play.table.cards[piece])
    if not need:
        return
    room = values.slots(play, who)
    for ability in play.content.faces[play.table.cards[piece].shown].abilities:
        for one in ability.gives:
            if isinstance(one, SlotModifier):
                room[one.slot] += one.number
    await _discard_beyond(play, who, piece, need, room)


async def fit(play: Play, who: str) -> None:
    """Have an investigator discard assets until the rest fit, after a slot was lost. C-BPLAY-10."""
    if who in play.table.order:
        await _discard_beyond(play, who, "", (), values.slots(play, who))


async def _discard_beyond(
    play: Play, who: str, coming: PieceId, need: Sequence[Slot], room: dict[Slot, int]
) -> None:
    while (over := next(_over(play, who, coming, need, room), None)) is not None:
        held = [
            card
            for card in play.table.lying(Zone.PLAY, who)
            if over in _slots(play, card) and card.piece != coming
        ]
        if not held:
            return
        piece = held[0].piece
        if len(held) > 1:
            piece = await play.choose(
                seat(play, who),
                [targets.card_option(card) for card in held],
                rule="C-SLOT-1",
                about=Text("about/slots", (f"slot/{over.value}",)),
                prompt=Text("ask/slots", (who, f"slot/{over.value}")),
            )
        play.emit(Moved((piece,), zones.discard_place(play, play.table.cards[piece])))


def _over(
    play: Play, who: str, coming: PieceId, need: Sequence[Slot], room: dict[Slot, int]
) -> Iterator[Slot]:
    """Yield the slots of which the assets, with the one that comes, take too many."""
    taken = [
        slot
        for card in play.table.lying(Zone.PLAY, who)
        if card.piece != coming
        for slot in _slots(play, card)
    ]
    for slot, number in room.items():
        if taken.count(slot) + list(need).count(slot) > number:
            yield slot


def _slots(play: Play, card: Card) -> tuple[Slot, ...]:
    face = face_of(play, card)
    return face.slots if isinstance(face, PlayerCard | StoryCard) else ()
