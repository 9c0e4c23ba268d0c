"""The speaker of the card game: words for cards, places, tokens, and what is printed on a card."""

from collections.abc import Iterator

import attrs

from client.locale import speaker
from protocol.common.table import GameTable, Table
from protocol.games.cards.table import ENCOUNTER, Card, CardId, CardsTable, PieceId, Place
from protocol.games.cards.words import SPECIAL, Token, Zone, token_name

PRINTED = ("facts", "traits", "text", "flavour", "corrected")
"""The fields of a card's words that follow its name, in the order of reading."""


@attrs.frozen
class CardsSpeaker(speaker.Speaker):
    """Words for one viewer of this game."""

    investigators: int = 0
    """Investigators who began the game, for what a card says "per investigator"; 0 before it."""

    def card(self, code: CardId) -> str:
        """Return the name of a card; of one that lies face down, a word for that."""
        return self.name("card", code) if code else self.say("card.face_down")

    def piece(self, game: CardsTable, piece: PieceId) -> str:
        """Return the name of an open card by its piece; a swarm card has that of its host."""
        card = game.cards.get(piece)
        if card is None:
            return self.say("card.gone")
        if card.at.zone is Zone.SWARM and card.at.of in game.cards:
            return self.say("card.swarm", self.piece(game, card.at.of))
        if card.handle and (known := game.known_card(card.handle)) is not None:
            # Only its controller is shown it. C-LOOK-1.
            return self.say("card.face_down.known", self.card(known))
        return self.card(card.shown)

    def printed(self, code: CardId) -> tuple[str, ...]:
        """Return what is printed on a card below its name."""
        return tuple(text for field in PRINTED if (text := self._field(code, field)))

    def _field(self, code: CardId, field: str) -> str:
        """Return a field of a card's words, with amounts "per investigator" worked out."""
        words = self.words.find(code, "card")
        return words.get(f"{field}.{self.investigators}", words.get(field, ""))

    def fact(self, code: CardId) -> str:
        """Return the line of values of a card, such as cost and icons; may be empty."""
        return self._field(code, "facts")

    def symbol(self, code: CardId, token: str) -> str:
        """Return what a card says that a chaos token does; empty if it says nothing of it."""
        return self._field(code, f"token.{token}").replace("\n", " ")

    def goal(self, code: CardId) -> str:
        """Return how many clues or how much doom advance an act or agenda; empty if none do."""
        return self._field(code, "goal")

    def short(self, code: CardId) -> str:
        """Return cost and icons of a card, for lists; may be empty."""
        return self._field(code, "short")

    def rules(self, code: CardId) -> str:
        """Return the rules text of a card in one line; may be empty."""
        return self._field(code, "text").replace("\n", " ")

    def carded(self, code: CardId) -> str:
        """Return the name of a card with its line of values."""
        fact = self.fact(code)
        return self.say("card.with_facts", self.card(code), fact) if fact else self.card(code)

    def in_hand(self, code: CardId) -> str:
        """Return the name of a card with its cost and icons."""
        short = self.short(code)
        return self.say("card.with_facts", self.card(code), short) if short else self.card(code)

    def lies(self, game: CardsTable, place: Place) -> str:
        """Return where a card lies, in words that end a sentence."""
        key, of = f"place.{place.zone.value}", place.of
        match place.zone:
            case Zone.PLAY | Zone.THREAT | Zone.DRAWN | Zone.RESOLVING | Zone.COMMITTED:
                return self.say(key, self.name("character", of))
            case Zone.DISCARD if of != ENCOUNTER:
                return self.say(f"place.{place.zone.value}.own", self.name("character", of))
            case Zone.AT | Zone.ON | Zone.SWARM | Zone.BENEATH if of:
                return self.say(key, self.piece(game, of))
            case _:
                return self.say(key)

    def token(self, kind: str, number: int) -> str:
        """Return a number of tokens of a kind, such as `2 clues`."""
        if kind in _KINDS:
            return self.say(f"token.{kind}", number)
        field = f"unit.{kind}.one" if number == 1 else f"unit.{kind}"
        known = (self.words.lookup(subject) or {} for subject in self.words.subjects())
        name = next((words[field] for words in known if field in words), kind)
        return self.say("token.other", number, name)

    def chaos(self, token: str) -> str:
        """Return the name of a chaos token."""
        key = f"chaos.{token}"
        return self.say(key) if self.locale.has(key) else token_name(token)

    def chaos_row(self, tokens: tuple[str, ...]) -> str:
        """Return the names of chaos tokens, the numbers first and the best one first."""
        numbers = sorted((one for one in tokens if one not in SPECIAL), key=int)[::-1]
        others = [one for one in tokens if one in SPECIAL]
        return ", ".join(self.chaos(one) for one in (*numbers, *others))

    def level(self, level: str) -> str:
        """Return the name of a level of difficulty."""
        return self.name("", f"level/{level}")

    def tokens_on(self, card: Card) -> Iterator[str]:
        """Yield what lies on a card, and whether it is exhausted."""
        for kind, number in card.tokens.items():
            yield self.token(kind, number)
        if card.chaos:
            yield self.say("card.sealed", self.chaos_row(card.chaos))
        if card.is_exhausted:
            yield self.say("card.exhausted")


_KINDS = frozenset(one.value for one in Token)


def piece_named(table: Table, base: speaker.Speaker, piece: str) -> str:
    """Return the name of an open card by its piece; of anything else by its words."""
    game = table.game
    if not isinstance(game, CardsTable):
        return base.name("", piece)
    own = in_game(base, game)
    if piece in game.cards:
        return own.piece(game, piece)
    known = game.known_card(piece) if piece in game.hidden_cards else None
    return base.name("", piece) if known is None else own.card(known)


def spaces_named(table: Table, base: speaker.Speaker) -> dict[str, str]:
    """Return the name of each location in play, by its piece."""
    game, own = table.game, in_game(base, table.game)
    if not isinstance(game, CardsTable):
        return {}
    return {card.piece: own.card(card.shown) for card in game.lying(Zone.MAP)}


def in_game(base: speaker.Speaker, game: GameTable | None) -> CardsSpeaker:
    """Return this game's speaker with the words of `base`."""
    investigators = len(game.investigators) if isinstance(game, CardsTable) else 0
    return CardsSpeaker(base.locale, base.words, investigators)
