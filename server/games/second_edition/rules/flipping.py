"""
Flipping: two-sided Items, Spells and Conditions, turned over by effects.

Rules TWOSIDED-1 to TWOSIDED-3, ITEM-4, SPELL-2, SPELL-3, SECRET-3, SECRET-5, DECIDE-126 and
DECIDE-127. Only this module reads the back of a Spell or of such a Condition, at the moment when
all players may read it.
"""

from content.games.second_edition.schema.cards import ConditionBack, SpellBack
from protocol.games.second_edition.events import ConditionFlipped, PossessionFlipped
from protocol.games.second_edition.table import CardId, Possession
from server.games.second_edition.rules import conditions, possessions, sides
from server.games.second_edition.rules.effects import resolve
from server.games.second_edition.rules.play import Play, Source


async def flip(play: Play, source: Source) -> None:
    """
    Flip the card whose text is being resolved, if the actor still has it.

    An investigator who flips a Spell resolves its back at once (SPELL-3).
    """
    if source.condition is not None:
        await flip_condition(play, source, source.condition)
        return
    has = possessions.held(play, source.actor, source.possession or "")
    if has is None:
        return
    turned_to = _other_side(play, has)
    play.emit(PossessionFlipped(source.actor, has.possession_id, has.handle, turned_to))
    turned = possessions.held(play, source.actor, has.possession_id)
    assert turned is not None
    side = sides.side(play.content.pack, turned)
    if isinstance(side, SpellBack):
        await resolve(play, side.effect, source)


async def flip_condition(play: Play, source: Source, condition: CardId) -> None:
    """
    Flip a two-sided Condition that the actor has; resolve its back if it now lies back up.

    A one-sided Condition stays unchanged. So does every Condition of a game that began before
    Conditions had backs.
    """
    has = conditions.held(play, source.actor, condition)
    if has is None or has.back is not None or not has.handle:
        return
    turned_to = play.table.card_of(has.handle) if has.turned_to is None else None
    play.emit(ConditionFlipped(source.actor, condition, has.handle, turned_to))
    turned = conditions.held(play, source.actor, condition)
    assert turned is not None
    side = sides.side_of_condition(play.content.pack, turned)
    if isinstance(side, ConditionBack):
        own = Source(source.actor, condition=condition, is_inner=source.is_inner)
        await resolve(play, side.effect, own)


def _other_side(play: Play, possession: Possession) -> CardId | None:
    """Return the new faceup side: the back, or None for the front. Rule TWOSIDED-3."""
    if possession.turned_to is not None:
        return None
    if possession.handle:
        return play.table.card_of(possession.handle)
    return play.table.backs[possession.card]
