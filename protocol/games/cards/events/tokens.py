"""Events of tokens on cards, and of the chaos bag. Sections 2.8 and 2.9."""

from collections.abc import Mapping
from typing import Any

from protocol.event import event
from protocol.games.cards.events.base import CardsEvent
from protocol.games.cards.table import CardsTable, PieceId, Shown
from protocol.games.cards.words import BLESS, CURSE
from protocol.values import evolve, frozen


@frozen
class Change:
    """Tokens that were put on a card, or taken off it if the number is negative."""

    piece: PieceId
    kind: str
    amount: int


@event("cards/tokens")
class Tokens(CardsEvent):
    """Tokens were put on cards and taken off, all at once. C-BABIL-28, C-BDMG-1."""

    changes: tuple[Change, ...]

    def fold(self, table: CardsTable) -> CardsTable:
        """Change the numbers; no kind stands with zero."""
        cards = dict(table.cards)
        for change in self.changes:
            card = cards[change.piece]
            tokens = {**card.tokens, change.kind: card.count(change.kind) + change.amount}
            left = {kind: number for kind, number in sorted(tokens.items()) if number}
            cards[change.piece] = evolve(card, tokens=left)
        return evolve(table, cards=cards)


@event("cards/bag_changed")
class BagChanged(CardsEvent):
    """Chaos tokens went into the bag, or out of the game. C-BBAG-4, C-BLESS-3."""

    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()

    def fold(self, table: CardsTable) -> CardsTable:
        """Change the bag, and the supply of those kinds that have one."""
        bag, supply = [*table.bag, *self.added], dict(table.supply)
        for token in self.removed:
            bag.remove(token)
        for token, sign in [*((t, -1) for t in self.added), *((t, 1) for t in self.removed)]:
            if token in supply:
                supply[token] += sign
        return evolve(table, bag=tuple(sorted(bag)), supply=supply)


@event("cards/sealed")
class TokenSealed(CardsEvent):
    """A chaos token lies on a card, from the bag or from those that are revealed. C-BBAG-9."""

    piece: PieceId
    token: str
    at: int = -1
    """Position among the revealed tokens; -1 if it comes from the bag. C-BBAG-15."""
    beside: bool = False

    def fold(self, table: CardsTable) -> CardsTable:
        """Put it on the card."""
        card = table.cards[self.piece]
        table = table.with_card(self.piece, chaos=(*card.chaos, self.token))
        if self.at < 0:
            return evolve(table, bag=less(table.bag, (self.token,)))
        return marked(table, self.at, beside=self.beside, is_sealed=True)


@event("cards/unsealed")
class Unsealed(CardsEvent):
    """Chaos tokens that were sealed on a card are released into the bag."""

    piece: PieceId
    tokens: tuple[str, ...]

    def fold(self, table: CardsTable) -> CardsTable:
        """Take them off the card."""
        left = less(table.cards[self.piece].chaos, self.tokens)
        table = table.with_card(self.piece, chaos=left)
        return evolve(table, bag=tuple(sorted((*table.bag, *self.tokens))))


def less(tokens: tuple[str, ...], gone: tuple[str, ...]) -> tuple[str, ...]:
    """Return tokens without some of them. ValueError: one is not there."""
    left = [*tokens]
    for token in gone:
        left.remove(token)
    return tuple(left)


def shown_of(table: CardsTable, *, beside: bool) -> tuple[Shown, ...]:
    """Return the revealed tokens: those of an effect, or those of the test."""
    return table.revealed if beside or table.test is None else table.test.shown


def with_shown(table: CardsTable, shown: tuple[Shown, ...], *, beside: bool) -> CardsTable:
    """Return the table with other revealed tokens."""
    if beside or table.test is None:
        return evolve(table, revealed=shown)
    return evolve(table, test=evolve(table.test, shown=shown))


def marked(table: CardsTable, at: int, *, beside: bool, **changes: Any) -> CardsTable:
    """Return the table with one revealed token changed."""
    shown = shown_of(table, beside=beside)
    changed = (*shown[:at], evolve(shown[at], **changes), *shown[at + 1 :])
    return with_shown(table, changed, beside=beside)


def lying(shown: tuple[Shown, ...]) -> tuple[str, ...]:
    """Return the revealed tokens that have not gone elsewhere yet."""
    return tuple(one.token for one in shown if not one.is_cancelled and not one.is_sealed)


def after_test(token: str) -> bool:
    """Return whether a revealed token goes back to the bag, and not to the supply. C-BBAG-7."""
    return token not in (BLESS, CURSE)


def returned(
    bag: tuple[str, ...], supply: Mapping[str, int], tokens: tuple[str, ...]
) -> tuple[tuple[str, ...], dict[str, int]]:
    """Return bag and supply after the tokens of a test went where they belong. C-BBAG-7."""
    back = tuple(token for token in tokens if after_test(token))
    gone = {kind: number + tokens.count(kind) for kind, number in supply.items()}
    return tuple(sorted((*bag, *back))), gone
