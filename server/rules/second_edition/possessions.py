"""
Possessions: Items gained, lost and dropped.

Rules POSSESSION-1 to POSSESSION-3, ITEM-1, ITEM-2, RANDOM-3, DISCARD-1, DECIDE-125 and
DECIDE-131. Handing over is `trade`'s.
"""

from protocol.second_edition.events import (
    LyingDiscarded,
    PossessionDiscarded,
    PossessionDropped,
    PossessionGained,
)
from protocol.second_edition.table import CardId, InvestigatorId, Possession, PossessionId
from server.rules.second_edition.play import Play


def full_supply(play: Play) -> dict[CardId, int]:
    """Return the faceup decks as they lie at the start: Items, then open Conditions. SETUP-4."""
    pack = play.content.pack
    return {
        **{item.id: item.copies for item in pack.items.values()},
        **{condition.id: condition.copies for condition in pack.conditions.values()},
    }


def gain(play: Play, investigator: InvestigatorId, card: CardId) -> PossessionId | None:
    """Take an Item from its deck, faceup; None where no copy is left. ITEM-2, DECIDE-125."""
    if play.table.supply.get(card, 0) < 1:
        return None
    possession = Possession(f"p{play.table.next_possession}", card)
    play.emit(PossessionGained(investigator, possession))
    return possession.possession_id


def gain_random(
    play: Play, investigator: InvestigatorId, deck: str, trait: str | None = None
) -> PossessionId | None:
    """Take a random Item of a deck: every card left is equally likely. DECIDE-131."""
    items = play.content.pack.items
    left = [
        card
        for card, copies in play.table.supply.items()
        if card in items and items[card].deck == deck
        if trait is None or trait in items[card].traits
        for _ in range(copies)
    ]
    if not left:
        return None
    return gain(play, investigator, play.pick(f"{deck} item", left))


def discard(play: Play, investigator: InvestigatorId, possession: PossessionId) -> None:
    """Put a possession back into its deck, if the investigator has it. Rule DISCARD-1."""
    if any(has.possession_id == possession for has in _all(play, investigator)):
        play.emit(PossessionDiscarded(investigator, possession))


def discard_lying(play: Play) -> None:
    """Put everything that lies about back into its deck. Rules DISCARD-1 and DECIDE-147."""
    for space, lying in play.table.lying.items():
        for possession in lying:
            play.emit(LyingDiscarded(space, possession.possession_id))


def lose(play: Play, card: CardId) -> None:
    """Have whoever has this Item discard it. Rule DISCARD-1."""
    for investigator in play.table.investigators:
        for has in _all(play, investigator):
            if has.card == card:
                play.emit(PossessionDiscarded(investigator, has.possession_id))


def drop(play: Play, investigator: InvestigatorId, possession: PossessionId) -> None:
    """Put a possession down in the investigator's space. Rule DROP-1."""
    space = play.table.investigators[investigator].space
    # Without a figure on the board there is no space to put it down in (CLEAR-4, DECIDE-148).
    if space is not None:
        play.emit(PossessionDropped(investigator, possession, space))


def drop_random(play: Play, investigator: InvestigatorId) -> None:
    """Drop a random Item: every one the investigator has is equally likely. Rule RANDOM-3."""
    items = [has.possession_id for has in _all(play, investigator)]
    if items and play.table.investigators[investigator].space is not None:
        drop(play, investigator, play.pick("dropped item", items))


def drop_all(play: Play, investigator: InvestigatorId) -> None:
    """Put everything down. Rule ELIMINATED-1."""
    for has in _all(play, investigator):
        drop(play, investigator, has.possession_id)


def _all(play: Play, investigator: InvestigatorId) -> tuple[Possession, ...]:
    return play.table.investigators[investigator].possessions
