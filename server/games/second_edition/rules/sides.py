"""Sides: the visible side of an Item, a Spell or a Condition, which may have two sides."""

from content.games.second_edition.schema.cards import ConditionBack, ConditionCard, Side
from content.games.second_edition.schema.pack import Pack
from protocol.games.second_edition.table import Condition, Possession


def side(pack: Pack, possession: Possession) -> Side:
    """
    Return the faceup side of a possession. Rules ITEM-4 and DECIDE-127.

    The back of a Spell that was not flipped is never read (SECRET-3).
    """
    if (item := pack.items.get(possession.card)) is not None:
        return item if possession.turned_to is None or item.back is None else item.back
    spell = pack.spells[possession.card]
    return next((back for back in spell.backs if back.id == possession.turned_to), spell)


def side_of_condition(pack: Pack, condition: Condition) -> ConditionCard | ConditionBack | None:
    """Return the open side of a Condition; None for Insane, whose open side has no powers."""
    card = pack.conditions.get(condition.card)
    if card is None or condition.turned_to is None:
        return card
    return next(back for back in card.backs if back.id == condition.turned_to)
