"""
Cards that belong to one story: delusions, trails, manias and finds. W-DECIDE-50.

All are of one kind here: a card lies face down in a room, or before an investigator or an ally,
until its moment or an effect turns it up. What it means is in the story.
"""

from content.games.first_edition.schema.cards import Trigger
from content.games.first_edition.schema.story import Knowers, StoryCard, StoryCards
from protocol.common.chance import Stream
from protocol.event import hidden
from protocol.games.first_edition.events import StoryCardDealt, StoryCardGone, StoryCardShown
from protocol.games.first_edition.table import CharacterId, MonsterId, RoomId, story_deck
from protocol.games.first_edition.table import StoryCard as DealtCard
from protocol.games.first_edition.words import StoryDeck
from server.games.first_edition.rules import effects, places, trauma
from server.games.first_edition.rules.play import Play, Source, keeper

OF_ROOMS = frozenset([Trigger.ROOM_ENTERED, Trigger.EXPLORED])
"""Moments of an investigator that turn up the cards of the room, too. W-STORY-2."""


def lay_out(play: Play) -> None:
    """Shuffle the decks of the story, and deal to rooms. W-STORY-1 to W-STORY-3, W-SECRET-10."""
    for deck in play.content.story.decks:
        cards = [card.id for card in deck.cards for _ in range(card.copies)]
        play.shuffle(story_deck(deck.deck), cards, Stream.SETUP)
        for room in deck.rooms:
            deal(play, deck.deck, room)


def deal(play: Play, kind: StoryDeck, owner: str) -> None:
    """
    Deal the top card of a deck to a room or a character; none if the deck is empty.

    The story says who knows it: nobody, the keeper, or the keeper and the investigator who gets it
    (W-SECRET-10, W-SECRET-11).
    """
    pile = play.table.piles.get(story_deck(kind), ())
    if not pile:
        return
    known_to, knowers = _deck(play, kind).known_to, set[int]()
    if known_to is not Knowers.NOBODY:
        knowers = {keeper(play)}
    if known_to is Knowers.OWNER and owner in play.table.investigators:
        knowers.add(play.seat_of(owner))
    card = hidden(play.table.card_of(pile[0]))
    play.emit(StoryCardDealt(kind, owner, pile[0], tuple(sorted(knowers)), card))


def deal_to_ally(play: Play, ally: CharacterId) -> None:
    """Deal an ally that came to the board its cards. W-STORY-1."""
    for deck in play.content.story.decks:
        if deck.each_ally:
            deal(play, deck.deck, ally)


async def triggered(play: Play, who: CharacterId, trigger: Trigger) -> None:
    """Turn up the cards of a character, and of its room, that wait for this. W-DECIDE-50."""
    owners = {who}
    if trigger in OF_ROOMS and who in play.table.investigators:
        owners.add(play.table.room_of(play.table.investigators[who].space))
    for card in tuple(play.table.story_cards.values()):
        waits = card.shown is None and card.owner in owners
        if waits and _card(play, play.table.card_of(card.handle)).trigger is trigger:
            await turn_up(play, card.number, who)


async def turn_up(play: Play, number: int, actor: CharacterId | None) -> None:
    """
    Turn a card up for all and resolve it; it stays, or leaves the game. W-DECIDE-50.

    Args:
        play: the game.
        number: number of the card; nothing happens if it left the game or lies face up.
        actor: the character whom its effect concerns.
    """
    await trauma.settle(play)
    lying = play.table.story_cards.get(number)
    if lying is None or lying.shown is not None:
        return
    card = _card(play, play.table.card_of(lying.handle))
    play.emit(StoryCardShown(number, lying.handle, card.id))
    await effects.resolve(play, card.effect, Source(card.id, actor))
    if not card.keep and number in play.table.story_cards:
        play.emit(StoryCardGone(number))


def leave(play: Play, owner: str) -> None:
    """Take the cards of a character that is gone out of the game, unread. W-DECIDE-29."""
    for card in tuple(play.table.story_cards.values()):
        if card.owner == owner:
            play.emit(StoryCardGone(card.number))


def face_down(play: Play, kind: StoryDeck) -> tuple[DealtCard, ...]:
    """Return the cards of a kind that lie face down, in the order in which they came."""
    cards = play.table.story_cards.values()
    return tuple(card for card in cards if card.kind is kind and card.shown is None)


def rooms_to_explore(play: Play, monsters: tuple[MonsterId, ...]) -> tuple[RoomId, ...]:
    """Return the rooms in which one of these monsters is, and a find lies. W-DECIDE-49."""
    there = [play.table.room_of(play.table.monsters[one].space) for one in monsters]
    finds = {card.owner for card in face_down(play, StoryDeck.FIND)}
    return tuple(room for room in dict.fromkeys(there) if room in finds)


async def keeper_explores(play: Play, monsters: tuple[MonsterId, ...], source: Source) -> None:
    """Have the keeper turn up all finds of a room of his choice. W-STORY-7, W-DECIDE-49."""
    room = await places.choose_room(play, rooms_to_explore(play, monsters), source)
    for card in face_down(play, StoryDeck.FIND):
        if card.owner == room:
            await turn_up(play, card.number, None)


def in_force(play: Play, owner: CharacterId) -> tuple[StoryCard, ...]:
    """
    Return the cards whose constant effects a character feels: those that lie face up.

    A card that lies face down changes nothing: the value of a test would tell what it is.
    """
    return tuple(
        _card(play, one.shown)
        for one in play.table.story_cards.values()
        if one.owner == owner and one.shown is not None
    )


def _deck(play: Play, kind: StoryDeck) -> StoryCards:
    return next(deck for deck in play.content.story.decks if deck.deck is kind)


def _card(play: Play, card: str) -> StoryCard:
    cards = (one for deck in play.content.story.decks for one in deck.cards)
    return next(one for one in cards if one.id == card)
