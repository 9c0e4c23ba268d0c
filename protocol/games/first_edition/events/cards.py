"""Events of the decks, of items and spells, and of the cards in rooms."""

from protocol.common.events import Disclosure
from protocol.common.table import Handle
from protocol.event import event
from protocol.games.first_edition.events.base import (
    FirstEditionEvent,
    Game,
    taken_from,
    without,
)
from protocol.games.first_edition.table import (
    CardId,
    CharacterId,
    InvestigatorId,
    Item,
    PieceId,
    RoomId,
    Spell,
    WeaponFacts,
    combat_deck,
    spell_deck,
)
from protocol.games.first_edition.words import Keyword, MonsterClass
from protocol.values import evolve


@event("fe/discards_returned")
class DiscardsReturned(FirstEditionEvent):
    """The discard pile becomes the deck, which is shuffled next. K-SUPPLY-1."""

    deck: str

    def fold(self, table: Game) -> Game:
        """Empty the pile; spells, which lie there with their backs hidden, go under their deck."""
        if self.deck in table.discards:
            return evolve(table, discards=without(table.discards, self.deck))
        pile = f"{self.deck}/discards"
        whole = (*table.piles.get(self.deck, ()), *table.piles.get(pile, ()))
        return table.with_pile(pile, ()).with_pile(self.deck, whole)


@event("fe/combat_card_drawn")
class CombatCardDrawn(FirstEditionEvent):
    """A combat card was drawn and discarded, resolved or not. K-COMBAT-4, K-SECRET-13."""

    class_: MonsterClass
    handle: Handle
    card: CardId
    is_match: bool
    """True if the card fits and is resolved. K-COMBAT-6."""

    def claims(self) -> tuple[tuple[Handle, str], ...]:
        """Return the card with its handle."""
        return ((self.handle, self.card),)

    def fold(self, table: Game) -> Game:
        deck = combat_deck(self.class_)
        return table.drawn(deck, self.handle).with_discard(deck, self.card)


@event("fe/item_gained")
class ItemGained(FirstEditionEvent):
    """An investigator got an item. K-SETUP-8, K-DECIDE-35."""

    investigator: InvestigatorId
    card: CardId
    keywords: tuple[Keyword, ...]
    weapon: WeaponFacts | None

    def fold(self, table: Game) -> Game:
        item = Item(f"i{table.next_piece}", self.card, self.keywords, self.weapon)
        items = (*table.investigators[self.investigator].items, item)
        table = table.with_investigator(self.investigator, items=items)
        return evolve(table, next_piece=table.next_piece + 1)


@event("fe/item_dropped")
class ItemDropped(FirstEditionEvent):
    """An item was left face up in the room. K-ACT-5, K-DECIDE-39, K-DECIDE-40, W-DECIDE-29."""

    investigator: CharacterId
    piece: PieceId
    room: RoomId

    def fold(self, table: Game) -> Game:
        table, item = taken_from(table, self.investigator, self.piece)
        lying = {**table.lying, self.room: (*table.lying.get(self.room, ()), item)}
        return evolve(table, lying=lying)


@event("fe/item_taken")
class ItemTaken(FirstEditionEvent):
    """An item that lay in the room was taken. K-DECIDE-39."""

    investigator: InvestigatorId
    piece: PieceId
    room: RoomId

    def fold(self, table: Game) -> Game:
        item = next(one for one in table.lying[self.room] if one.piece == self.piece)
        left = tuple(one for one in table.lying[self.room] if one != item)
        table = evolve(table, lying={**table.lying, self.room: left})
        items = (*table.investigators[self.investigator].items, item)
        return table.with_investigator(self.investigator, items=items)


@event("fe/item_given")
class ItemGiven(FirstEditionEvent):
    """An item changed hands. K-KEEPER-2, W-DECIDE-31."""

    giver: CharacterId
    receiver: CharacterId
    piece: PieceId

    def fold(self, table: Game) -> Game:
        table, item = taken_from(table, self.giver, self.piece)
        items = (*table.character(self.receiver).items, item)
        return table.with_character(self.receiver, items=items)


@event("fe/item_used_up")
class ItemUsedUp(FirstEditionEvent):
    """An item left the game."""

    investigator: CharacterId
    piece: PieceId

    def fold(self, table: Game) -> Game:
        table, item = taken_from(table, self.investigator, self.piece)
        return evolve(table, spent_items=(*table.spent_items, item.card))


@event("fe/weapon_used")
class WeaponUsed(FirstEditionEvent):
    """A weapon has one attack less left."""

    investigator: CharacterId
    piece: PieceId

    def fold(self, table: Game) -> Game:
        items = tuple(
            evolve(item, weapon=evolve(item.weapon, uses=item.weapon.uses - 1))
            if item.piece == self.piece and item.weapon is not None
            else item
            for item in table.character(self.investigator).items
        )
        return table.with_character(self.investigator, items=items)


@event("fe/spell_gained")
class SpellGained(FirstEditionEvent):
    """An investigator got the top copy of a spell; nobody sees its back. K-SPELL-5, K-SECRET-10."""

    investigator: InvestigatorId
    spell: Spell

    def fold(self, table: Game) -> Game:
        table = table.drawn(spell_deck(self.spell.card), self.spell.handle)
        spells = (*table.investigators[self.investigator].spells, self.spell)
        return table.with_investigator(self.investigator, spells=spells)


@event("fe/spell_turned")
class SpellTurned(FirstEditionEvent):
    """A spell was cast, and its back is shown. K-SPELL-3."""

    investigator: InvestigatorId
    handle: Handle
    back: CardId

    def claims(self) -> tuple[tuple[Handle, str], ...]:
        """Return the back with its handle."""
        return ((self.handle, self.back),)

    def fold(self, table: Game) -> Game:
        return table


@event("fe/spell_discarded")
class SpellDiscarded(FirstEditionEvent):
    """A spell was discarded; of one that was not cast only the front is open. K-SECRET-23."""

    investigator: InvestigatorId
    handle: Handle

    def fold(self, table: Game) -> Game:
        has = table.investigators[self.investigator].spells
        gone = next(spell for spell in has if spell.handle == self.handle)
        left = tuple(spell for spell in has if spell != gone)
        table = table.with_investigator(self.investigator, spells=left)
        # The copy lies apart until the deck is empty, and then is shuffled with the others.
        return table.put(f"{spell_deck(gone.card)}/discards", self.handle)


@event("fe/card_turned_up")
class CardTurnedUp(FirstEditionEvent):
    """The top exploration card of a room was turned up. K-ACT-4, K-DECIDE-35."""

    investigator: InvestigatorId
    room: RoomId
    number: int
    opened: Disclosure
    card: CardId
    """The card, repeated as a public field, so that the server sends the words."""

    def fold(self, table: Game) -> Game:
        cards = tuple(
            evolve(one, shown=self.card) if one.number == self.number else one
            for one in table.laid[self.room]
        )
        return evolve(table, laid={**table.laid, self.room: cards})


@event("fe/card_cleared")
class CardCleared(FirstEditionEvent):
    """An exploration card that was turned up left its room. K-DECIDE-35."""

    room: RoomId
    number: int

    def fold(self, table: Game) -> Game:
        cards = tuple(one for one in table.laid[self.room] if one.number != self.number)
        return evolve(table, laid={**table.laid, self.room: cards})


@event("fe/clue_found")
class ClueFound(FirstEditionEvent):
    """The team found a clue. K-GOAL-2, K-DECIDE-38."""

    investigator: InvestigatorId
    clue: CardId

    def fold(self, table: Game) -> Game:
        return evolve(
            table, clues=(*table.clues, self.clue), clues_left=max(0, table.clues_left - 1)
        )
