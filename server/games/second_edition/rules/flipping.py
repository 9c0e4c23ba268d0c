"""
Flipping: two-sided Items and Spells, turned over by what they say.

Rules TWOSIDED-1 to TWOSIDED-3, ITEM-4, SPELL-2, SPELL-3, SECRET-3, DECIDE-126 and DECIDE-127. Only
this module looks up the back of a Spell, at the moment when all may read it.
"""

from content.games.second_edition.schema.cards import SpellBack
from protocol.games.second_edition.events import PossessionFlipped
from protocol.games.second_edition.table import CardId, Possession
from server.games.second_edition.rules import possessions, sides
from server.games.second_edition.rules.effects import resolve
from server.games.second_edition.rules.play import Play, Source


async def flip(play: Play, source: Source) -> None:
    """
    Flip the possession whose text is being resolved, if the actor still has it.

    The back of a Spell is resolved at once by whoever flipped it (SPELL-3).
    """
    has = possessions.held(play, source.actor, source.possession or "")
    if has is None:
        return
    turned_to = _other_side(play, has)
    play.emit(PossessionFlipped(source.actor, has.possession_id, has.handle, turned_to))
    turned = possessions.held(play, source.actor, has.possession_id)
    assert turned is not None
    side = sides.side(play, turned)
    if isinstance(side, SpellBack):
        await resolve(play, side.effect, source)


def _other_side(play: Play, possession: Possession) -> CardId | None:
    """Return the back where the front lies up, None where the back does. Rule TWOSIDED-3."""
    if possession.turned_to is not None:
        return None
    if possession.handle:
        return play.table.card_of(possession.handle)
    return play.table.backs[possession.card]
