"""
Words for everything on a table, both the client's own and the server's.

The results may contain anything that a player typed. Drawing code makes the results safe for a
terminal.
"""

from collections.abc import Iterable

import attrs

from client.locale import Locale
from client.locale.word_store import WordStore
from protocol.common.asks import Choice
from protocol.common.table import Seat, Table
from protocol.common.templates import Nickname
from protocol.common.text import MARK, Text, rule_subject

_DETAILS = (
    "facts",
    "traits",
    "ability",
    "effect",
    "text",
    "full",
    "story",
    "description",
    "about",
    "flavor",
)
"""The fields of a subject that follow its name, in reading order."""


def is_away_from(seat: Seat) -> bool:
    return bool(seat.name) and not seat.is_present and not seat.is_bot


@attrs.frozen
class Speaker:
    """The words for one viewer, both the client's and the server's."""

    locale: Locale
    words: WordStore

    def say(self, key: str, *params: str | int) -> str:
        return self.locale.say(key, *params)

    def text(self, text: Text | str | int) -> str:
        return self.words.say(text)

    def choice(self, choice: Choice) -> str:
        """Return the words of a choice, with the warning that its game gives to its group."""
        said, key = self.text(choice.text), f"choice.{choice.group}"
        return self.say(key, said) if self.locale.has(key) else said

    def name(self, kind: str, piece: str) -> str:
        return self.words.name(piece, kind)

    def names(self, kind: str, pieces: Iterable[str]) -> str:
        """Return the names of several pieces, for a sentence about all of them."""
        return self.locale.in_a_row([self.name(kind, piece) for piece in pieces])

    def short_name(self, kind: str, piece: str) -> str:
        """Return the short name of a piece, for narrow columns; may be empty."""
        return self.words.find(piece, kind).get("short", "")

    def details(self, kind: str, piece: str) -> tuple[str, ...]:
        """
        Return the paragraphs about a piece that follow its name.

        A field with a dot, such as `ability.0`, is a part or a variant of another one.
        """
        words = self.words.find(piece, kind)
        first = [field for field in _DETAILS if field in words]
        left = set(words) - {*first, "name", "short", MARK}
        others = sorted(field for field in left if "." not in field)
        return tuple(words[field] for field in (*first, *others))

    def reading(self, kind: str, piece: str) -> tuple[str, ...]:
        """Return the paragraphs about a piece, and last the product that it belongs to, if any."""
        product = self.words.find(piece, kind).get(MARK, "")
        mark = (self.say("box.of_product", product),) if product else ()
        return (*self.details(kind, piece), *mark)

    def rule(self, rule: str) -> tuple[str, str]:
        """Return the name and the meaning of a rule; both are empty if the words are missing."""
        words = self.words.find(rule_subject(rule))
        return words.get("name", ""), words.get("text", "")

    def rule_named(self, rule: str) -> str:
        """Return the name and the id of a rule; the id alone if the words are missing."""
        name, _ = self.rule(rule)
        return self.say("rule.named", name, rule) if name else rule

    def seat(self, table: Table, seat: int) -> str:
        """Return the name of the player in a seat; other words for an empty or unknown seat."""
        who = table.room.seats.get(seat)
        if who is None:
            return self.say("seat.number", seat + 1)
        return Nickname(who.name) if who.name else self.say("seat.empty")

    def place(self, table: Table, seat: int, by: int | None = None) -> str:
        """
        Return words for a seat that may be given away: its owner, its characters or its number.

        If the seat `by`, which gives the seat away, is the same, return words for "their own seat".
        """
        who = table.room.seats.get(seat)
        if who is None:
            return self.say("place.number", seat + 1)
        if seat == by:
            return self.say("place.own")
        if who.name:
            return self.say("place.of", Nickname(who.name))
        names = self.names("character", who.characters)
        return self.say("place.empty_of", names) if names else self.say("place.empty")

    def seats(self, table: Table, seats: tuple[int, ...]) -> str:
        """Return the names of the players in several seats, in one line."""
        return Nickname(", ".join(self.seat(table, seat) for seat in seats))

    def awaited(self, table: Table) -> str:
        """Return the names of the players who have to answer, and mark those who are away."""
        ask = table.room.ask
        return self.here_or_away(table, ask.waiting_for) if ask else ""

    def here_or_away(self, table: Table, seats: tuple[int, ...]) -> str:
        """Return the names of the players in several seats, and mark those who are away."""
        return Nickname(", ".join(self._here_or_away(table, seat) for seat in seats))

    def _here_or_away(self, table: Table, seat: int) -> str:
        name, who = self.seat(table, seat), table.room.seats.get(seat)
        if who is None or not is_away_from(who):
            return name
        return f"{name} ({self.say('waiting_room.away')})"
