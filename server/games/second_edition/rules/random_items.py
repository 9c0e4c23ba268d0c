"""
Random Items: those that can be drawn now, and those that were drawn as fresh Items before.

An Item is fresh while all its copies are in the deck and it was never drawn as a fresh one. Rules
DECIDE-125 and DECIDE-131. `possessions` draws an Item and hands it out.
"""

from content.games.second_edition.schema.effects import GainRandomItem
from protocol.games.second_edition.table import CardId
from server.games.second_edition.rules import memory
from server.games.second_edition.rules.play import Play


def left(play: Play, deck: str, trait: str | None, *, fresh: bool) -> dict[CardId, int]:
    """
    Return the Items of a deck that can be drawn, with the number of copies left.

    If `fresh`, only fresh Items are returned.
    """
    items = play.content.pack.items
    return {
        card: copies
        for card, copies in play.table.supply.items()
        if card in items and items[card].deck == deck
        if trait is None or trait in items[card].traits
        if not fresh
        or (copies == items[card].copies and memory.number(play, _name(play, card)) is None)
    }


def is_short(play: Play, step: GainRandomItem, people: int) -> bool:
    """Return True if Items are left, but too few for all who would gain one at random."""
    copies = left(play, step.deck, step.trait, fresh=step.fresh).values()
    # A fresh Item is gained once: after that its other copies no longer count as fresh.
    count = sum(left > 0 for left in copies) if step.fresh else sum(copies)
    return 0 < count < people


def note(play: Play, item: CardId) -> None:
    """Record that an Item was drawn as a fresh one, so that it is no longer fresh."""
    memory.remember(play, _name(play, item), 1)


def _name(play: Play, item: CardId) -> str:
    """Return the name under which memory records that an Item was drawn as a fresh one."""
    return f"i{list(play.content.pack.items).index(item) + 1}"
