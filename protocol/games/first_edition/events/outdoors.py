"""Events of allies, and of the cards that belong to one story."""

from collections.abc import Mapping

from protocol.common.events import Disclosure
from protocol.common.table import Handle
from protocol.event import Sealed, event, secret
from protocol.games.first_edition.events.base import FirstEditionEvent, Game, without
from protocol.games.first_edition.table import (
    Ally,
    AllyId,
    CardId,
    InvestigatorId,
    SpaceId,
    StoryCard,
    ToldTale,
    story_deck,
)
from protocol.games.first_edition.words import AttackKind, Attribute, StoryDeck, TaleKind
from protocol.values import evolve


@event("fe/tale_laid")
class TaleLaid(FirstEditionEvent):
    """A story card was put under those of an ally. W-DECIDE-32, W-SECRET-9."""

    role: str
    """The keeper, where the story lets him know it; empty otherwise."""
    ally: AllyId
    card: Sealed[CardId] = secret(to="role")

    def fold(self, table: Game) -> Game:
        cards = (*table.tales.get(self.ally, ()), self.card)
        return evolve(table, tales={**table.tales, self.ally: cards})


@event("fe/ally_placed")
class AllyPlaced(FirstEditionEvent):
    """An ally came to the board; its card lies open. W-ALLY-1, W-ALLY-3, W-SECRET-7."""

    ally: AllyId
    health: int
    sanity: int
    attributes: Mapping[Attribute, int]
    weapon: AttackKind
    steps: int
    space: SpaceId

    def fold(self, table: Game) -> Game:
        ally = Ally(
            self.ally,
            self.health,
            self.sanity,
            self.attributes,
            self.weapon,
            self.steps,
            self.space,
        )
        tales = {**table.tales, self.ally: table.tales.get(self.ally, ())}
        return evolve(table, allies={**table.allies, self.ally: ally}, tales=tales)


@event("fe/tale_told")
class TaleTold(FirstEditionEvent):
    """The next story card of an ally was turned up for all. W-ALLY-7, W-DECIDE-32."""

    ally: AllyId
    opened: Disclosure
    card: CardId
    """The card, repeated as a public field, so that the server sends the words."""
    kind: TaleKind
    holder: InvestigatorId | None
    """The investigator who heard it and keeps it; None if it is discarded."""

    def fold(self, table: Game) -> Game:
        told = ToldTale(self.card, self.kind, self.holder)
        return evolve(
            table,
            tales={**table.tales, self.ally: table.tales[self.ally][1:]},
            heard={**table.heard, self.ally: (*table.heard.get(self.ally, ()), told)},
            told=(*table.told, self.card),
        )


@event("fe/ally_gone")
class AllyGone(FirstEditionEvent):
    """
    An ally was killed or left; its story cards leave the game unread. W-DECIDE-29.

    What it had was dropped before.
    """

    ally: AllyId
    is_killed: bool

    def fold(self, table: Game) -> Game:
        allies = without(table.allies, self.ally)
        return evolve(table, allies=allies, tales={**table.tales, self.ally: ()})


@event("fe/story_card_dealt")
class StoryCardDealt(FirstEditionEvent):
    """The top card of a deck of the story went to a room or a character. W-DECIDE-50."""

    kind: StoryDeck
    owner: str
    """Id of the room, the investigator or the ally."""
    handle: Handle
    knowers: tuple[int, ...]
    """Seats that know the card, ascending. W-SECRET-10, W-SECRET-11."""
    card: Sealed[CardId] = secret(to="knowers")

    def fold(self, table: Game) -> Game:
        number = table.next_story_card
        card = StoryCard(number, self.kind, self.owner, self.handle, self.card)
        return evolve(
            table.drawn(story_deck(self.kind), self.handle),
            story_cards={**table.story_cards, number: card},
            next_story_card=number + 1,
        )


@event("fe/story_card_shown")
class StoryCardShown(FirstEditionEvent):
    """A card of the story was turned up for all. W-DECIDE-50."""

    number: int
    handle: Handle
    card: CardId

    def claims(self) -> tuple[tuple[Handle, str], ...]:
        """Return the card with its handle."""
        return ((self.handle, self.card),)

    def fold(self, table: Game) -> Game:
        shown = evolve(table.story_cards[self.number], shown=self.card)
        cards = {**table.story_cards, self.number: shown}
        return evolve(table, story_cards=cards, told=(*table.told, self.card))


@event("fe/story_card_gone")
class StoryCardGone(FirstEditionEvent):
    """A card of the story left the game. W-DECIDE-50."""

    number: int

    def fold(self, table: Game) -> Game:
        return evolve(table, story_cards=without(table.story_cards, self.number))
