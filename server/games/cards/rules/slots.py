"""Slots: room for an asset. C-SLOT-1, C-SLOT-2, C-BPLAY-8 to C-BPLAY-10, C-BPLAY-21."""

from collections import Counter
from collections.abc import Collection

from content.games.cards.schema.cards import PlayerCard, StoryCard
from content.games.cards.schema.kinds import Slot
from content.games.cards.schema.modifiers import SlotModifier
from protocol.common.text import Text
from protocol.games.cards.events import Told
from protocol.games.cards.table import Card, InvestigatorId, PieceId
from protocol.games.cards.words import Zone
from server.games.cards.rules import targets, values, zones
from server.games.cards.rules.play import Play, face_of, seat


async def giving_way(
    play: Play, who: InvestigatorId, coming: Card | None = None
) -> tuple[PieceId, ...]:
    """
    Have an investigator choose the assets that must go so that the others fit. C-SLOT-1.

    Slots that an asset which comes brings count before it is looked at what must go (C-BPLAY-21);
    nobody is asked where all that could go must.
    """
    going: list[PieceId] = []
    while (over := _over(play, who, coming, going)) is not None:
        slot, excess = over
        held = [
            card
            for card in _assets(play, who, coming, going)
            if slot in _slots(play, card) and zones.may_leave(play, card)
        ]
        if not held:
            break
        if sum(_slots(play, card).count(slot) for card in held) <= excess:
            going += [card.piece for card in held]
            for card in held:
                play.emit(Told(Text("notice/slots", (card.shown, f"slot/{slot.value}"))))
            continue
        chosen = await play.choose(
            seat(play, who),
            [targets.card_option(play, card) for card in held],
            rule="C-SLOT-1",
            about=Text("about/slots", (f"slot/{slot.value}",)),
            prompt=Text("ask/slots", (who, f"slot/{slot.value}")),
        )
        going.append(chosen)
    return tuple(going)


def is_full(play: Play, who: InvestigatorId, face: PlayerCard) -> bool:
    """Return whether an asset would send others away. C-SLOT-1."""
    taken = Counter(slot for card in _assets(play, who, None, ()) for slot in _slots(play, card))
    room = values.slots(play, who)
    return any(taken[slot] + n > room[slot] for slot, n in Counter(face.slots).items())


def held_by(play: Play, who: InvestigatorId, face: PlayerCard) -> list[Card]:
    """Return the assets of which some must go so that another one fits. C-SLOT-1."""
    assets = _assets(play, who, None, ())
    taken = Counter(slot for card in assets for slot in _slots(play, card))
    room = values.slots(play, who)
    over = {slot for slot, n in Counter(face.slots).items() if taken[slot] + n > room[slot]}
    return [
        card
        for card in assets
        if not over.isdisjoint(_slots(play, card)) and zones.may_leave(play, card)
    ]


async def fit(play: Play, who: InvestigatorId) -> None:
    """Have an investigator discard assets until the rest fit, after a slot was lost. C-BPLAY-10."""
    if who in play.table.order:
        await zones.discard(play, await giving_way(play, who))


def _over(
    play: Play, who: InvestigatorId, coming: Card | None, going: Collection[PieceId]
) -> tuple[Slot, int] | None:
    """Return the first slot of which the assets take too many, and how many too many."""
    assets = [*_assets(play, who, coming, going), *(() if coming is None else (coming,))]
    taken = [slot for card in assets for slot in _slots(play, card)]
    if not taken:
        return None
    room = values.slots(play, who, going)
    if coming is not None:
        for ability in play.content.faces[coming.shown].abilities:
            for one in ability.gives:
                if isinstance(one, SlotModifier):
                    room[one.slot] += one.number
    over = ((slot, taken.count(slot) - number) for slot, number in room.items())
    return next((one for one in over if one[1] > 0), None)


def _assets(
    play: Play, who: InvestigatorId, coming: Card | None, going: Collection[PieceId]
) -> list[Card]:
    """Return the cards in a play area that stay, the one that comes apart."""
    return [
        card
        for card in play.table.lying(Zone.PLAY, who)
        if card.piece not in going and (coming is None or card.piece != coming.piece)
    ]


def _slots(play: Play, card: Card) -> tuple[Slot, ...]:
    face = face_of(play, card)
    return face.slots if isinstance(face, PlayerCard | StoryCard) else ()
