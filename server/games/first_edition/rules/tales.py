"""
Story cards of allies: laid with the ally, told one after another. Sections 13 and 20.3.

They come with their ally, so that nothing tells of one that may come later. Nobody knows them
before they are told, or the keeper alone, where the story says so (W-SECRET-9).
"""

from content.games.first_edition.schema.story import StoryAlly, Tale
from protocol.event import hidden
from protocol.games.first_edition.events import (
    AllyGone,
    AllyPlaced,
    ItemDropped,
    TaleLaid,
    TaleTold,
)
from protocol.games.first_edition.table import AllyId, InvestigatorId, SpaceId
from protocol.games.first_edition.words import KEEPER
from server.games.first_edition.rules import effects, story_decks
from server.games.first_edition.rules.play import Play, Source


def lay_out(play: Play) -> None:
    """Put the allies of the start on the board. W-ALLY-1 to W-ALLY-3."""
    for one in play.content.story.allies:
        if one.at is not None:
            place(play, one.ally, one.at)


def place(play: Play, ally: AllyId, space: SpaceId) -> None:
    """
    Put an ally on the board, with its story cards in their order. W-DECIDE-32, W-SECRET-7.

    An ally comes once: one that was killed or has left does not come back (W-DECIDE-29).
    """
    if ally in play.table.tales:
        return
    of_story, card = _of_story(play, ally), play.content.pack.allies[ally]
    role = KEEPER if of_story.open_to_keeper else ""
    for tale in of_story.tales:
        play.emit(TaleLaid(role, ally, hidden(tale.id)))
    play.emit(
        AllyPlaced(ally, card.health, card.sanity, card.attributes, card.weapon, card.steps, space)
    )
    story_decks.deal_to_ally(play, ally)


def leave(play: Play, ally: AllyId, *, is_killed: bool) -> None:
    """Remove an ally; its items are left in its room. W-DECIDE-29."""
    gone = play.table.allies[ally]
    for item in gone.items:
        play.emit(ItemDropped(ally, item.piece, play.table.room_of(gone.space)))
    story_decks.leave(play, ally)
    play.emit(AllyGone(ally, is_killed))


def can_talk(play: Play, ally: AllyId) -> bool:
    """Return whether an ally is there, sane, and has something to say. W-DECIDE-28, W-DECIDE-32."""
    here = play.table.allies.get(ally)
    return here is not None and not here.is_insane and bool(play.table.tales[ally])


async def tell(play: Play, ally: AllyId, who: InvestigatorId | None) -> None:
    """
    Turn up the next story card of an ally for all, and resolve it. W-ALLY-7, W-DECIDE-32.

    Args:
        play: the game.
        ally: the ally; nothing happens if it has nothing to say.
        who: the investigator who hears it, whom the card concerns, and who keeps it if it is kept.
    """
    if not can_talk(play, ally):
        return
    sealed = play.table.tales[ally][0]
    tale = _tale(play, ally, sealed.value)
    holder = who if tale.keep and who in play.table.investigators else None
    play.emit(TaleTold(ally, play.disclose(sealed), tale.id, tale.kind, holder))
    await effects.resolve(play, tale.effect, Source(tale.id, who, by_actor=True))


def _of_story(play: Play, ally: AllyId) -> StoryAlly:
    return next(one for one in play.content.story.allies if one.ally == ally)


def _tale(play: Play, ally: AllyId, tale: str) -> Tale:
    return next(one for one in _of_story(play, ally).tales if one.id == tale)
