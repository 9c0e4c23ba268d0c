"""
The speaker: puts what lies on a table into words, with the client's own and the server's.

What it returns may hold anything a stranger typed; drawing makes it safe for a terminal.
"""

import attrs

from client.locale import Locale
from client.locale.word_store import WordStore
from protocol.common.table import Seat, Table
from protocol.common.text import Text, rule_subject

_DETAILS = ("ability", "effect", "text", "full", "story", "description", "about", "flavor")
"""Fields of a subject that say more than its name, in the order in which they are read."""


def is_away_from(seat: Seat) -> bool:
    """Return whether whoever a seat belongs to is not there."""
    return bool(seat.name) and not seat.is_present and not seat.is_bot


@attrs.frozen
class Speaker:
    """Words for one viewer."""

    locale: Locale
    words: WordStore

    def say(self, key: str, *params: str | int) -> str:
        """Return the client's own words of a key."""
        return self.locale.say(key, *params)

    def text(self, text: Text | str | int) -> str:
        """Return the server's words of a text."""
        return self.words.say(text)

    def name(self, kind: str, piece: str) -> str:
        """Return the name of a piece of some kind, by its id."""
        return self.words.name(piece, kind)

    def short_name(self, kind: str, piece: str) -> str:
        """Return the short name of a piece, for where its name has no room; empty for none."""
        return self.words.find(piece, kind).get("short", "")

    def details(self, kind: str, piece: str) -> tuple[str, ...]:
        """Return all that is written about a piece besides its name, by paragraph."""
        words = self.words.find(piece, kind)
        first = [field for field in _DETAILS if field in words]
        others = sorted(set(words) - {*first, "name", "short"})
        return tuple(words[field] for field in (*first, *others))

    def rule(self, rule: str) -> tuple[str, str]:
        """Return what a rule is called and what it means; both empty where no words of it came."""
        words = self.words.find(rule_subject(rule))
        return words.get("name", ""), words.get("text", "")

    def rule_named(self, rule: str) -> str:
        """Return a rule by its name and id; by its id alone where no words of it came."""
        name, _ = self.rule(rule)
        return self.say("rule.named", name, rule) if name else rule

    def seat(self, table: Table, seat: int) -> str:
        """Return who sits in a seat."""
        who = table.room.seats.get(seat)
        if who is None:
            return self.say("seat.number", seat + 1)
        return who.name or self.say("seat.empty")

    def place(self, table: Table, seat: int, by: int | None = None) -> str:
        """
        Return a seat itself, as what is given away or taken.

        Args:
            table: where it stands.
            seat: its number.
            by: whose action is told, to whom it may be their own.
        """
        who = table.room.seats.get(seat)
        if who is None:
            return self.say("place.number", seat + 1)
        if seat == by:
            return self.say("place.own")
        if who.name:
            return self.say("place.of", who.name)
        names = ", ".join(self.name("character", character) for character in who.characters)
        return self.say("place.empty_of", names) if names else self.say("place.empty")

    def seats(self, table: Table, seats: tuple[int, ...]) -> str:
        """Return who sits in several seats, in one line."""
        return ", ".join(self.seat(table, seat) for seat in seats)

    def awaited(self, table: Table) -> str:
        """Return whom the table waits for, and which of them are away; empty for nobody."""
        ask = table.room.ask
        return ", ".join(self._here_or_away(table, seat) for seat in ask.waiting_for) if ask else ""

    def _here_or_away(self, table: Table, seat: int) -> str:
        name, who = self.seat(table, seat), table.room.seats.get(seat)
        if who is None or not is_away_from(who):
            return name
        return f"{name} ({self.say('waiting_room.away')})"
