"""
The speaker: puts what lies on a table into words, with the client's own and the server's.

What it returns may hold anything a stranger typed; drawing makes it safe for a terminal.
"""

from collections.abc import Mapping

import attrs

from client.locale import Locale
from client.model.tables import WordStore
from protocol.common.table import GameTable, Proposal, Seat, Table
from protocol.common.text import Text, rule_subject
from protocol.games.second_edition.table import Monster, SecondEditionTable, Timer, Token

_DETAILS = ("ability", "effect", "text", "full", "story", "description", "about", "flavor")
"""Fields of a subject that say more than its name, in the order in which they are read."""
_KINDS = {
    "investigator": ("investigator",),
    "monster": ("monster",),
    "card": ("item", "spell", "damage", "horror", "condition", "insane"),
    "room": ("room",),
    "scenario": ("scenario",),
    "token": ("token",),
}
"""Under which kinds of subject the words of a piece may stand."""


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
        """Return the name of an investigator, a monster's kind, a card, a room."""
        return self.words.name(piece, *_KINDS.get(kind, (kind,)))

    def token(self, token: Token) -> str:
        """Return what kind of token it is. Rule TOKEN-6: a person may be anybody."""
        return self.say("token.anybody" if token.is_anonymous else f"token.{token.kind.value}")

    def details(self, kind: str, piece: str) -> tuple[str, ...]:
        """Return all that is written about a piece besides its name, by paragraph."""
        words = self.words.find(piece, *_KINDS.get(kind, (kind,)))
        first = [field for field in _DETAILS if field in words]
        others = sorted(set(words) - {*first, "name"})
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
            by: whose deed is told, to whom it may be their own.
        """
        who = table.room.seats.get(seat)
        if who is None:
            return self.say("place.number", seat + 1)
        if seat == by:
            return self.say("place.own")
        if who.name:
            return self.say("place.of", who.name)
        pieces = ", ".join(self.name("investigator", piece) for piece in who.characters)
        return self.say("place.empty_of", pieces) if pieces else self.say("place.empty")

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

    def monster(self, monster: Monster) -> str:
        """Return the name of one monster; its number where there are several of its kind."""
        name = self.name("monster", monster.kind)
        return f"{name} {monster.number}" if monster.number else name

    def moment(self, game: SecondEditionTable) -> list[str]:
        """Return the round, once there is one, the phase, and where the Mythos phase is."""
        counted = [self.say("status.round", game.round_number)] if game.round_number else []
        step = [self.say(f"step.{game.step.value}")] if game.step is not None else []
        return [*counted, self.say(f"phase.{game.phase.value}"), *step]

    def turn(self, game: SecondEditionTable) -> str:
        """Return whose turn it is and how many actions are left; empty between turns."""
        if game.active is None:
            return ""
        return self.say("status.turn", self.name("investigator", game.active), game.actions_left)

    def rest_point(self, game: GameTable) -> str:
        """Return when somebody could propose to go back to, by the game as it was then."""
        if not isinstance(game, SecondEditionTable):
            return ""
        return ", ".join(part for part in (*self.moment(game), self.turn(game)) if part)

    def proposal(self, table: Table, proposal: Proposal) -> str:
        """Return what somebody proposes, in one sentence."""
        seat = table.room.seats.get(proposal.by)
        by = seat.name if seat is not None and seat.name else self.say("consent.somebody")
        if proposal.kind == "give_seat":
            key = "consent.give_bot" if proposal.is_bot else "consent.give_person"
            return self.say(key, by, self.place(table, proposal.seat, proposal.by))
        if proposal.kind == "correct":
            named = self.monster_named(table, proposal.piece)
            return self.say("consent.damage", by, named, proposal.amount)
        game = table.rests.get(proposal.rest)
        when = "" if game is None else self.rest_point(game)
        return self.say("consent.back", by, when) if when else self.say("consent.back_so", by)

    def timer(self, timer: Timer, *, is_short: bool = False) -> str:
        """Return what a timer that everybody sees says, and how much of it is left."""
        key = "short" if is_short else timer.unit.value
        return self.say(f"timer.{key}", self.text(timer.text), timer.left)

    def monster_named(self, table: Table, monster_id: str) -> str:
        """Return the name of a monster by its id; that one has left, if it has."""
        game = table.game
        monster = game.monsters.get(monster_id) if isinstance(game, SecondEditionTable) else None
        return self.say("monster.gone") if monster is None else self.monster(monster)

    def space(self, game: SecondEditionTable, space: str) -> str:
        """Return the room that a space lies in; with the space's letter if it has several."""
        rooms: Mapping[str, str] = game.map.rooms
        room = rooms.get(space)
        if room is None:
            return self.say("space.unknown")
        name = self.name("room", room)
        spaces = game.map.spaces_of(room)
        if len(spaces) == 1:
            return name
        return self.say("space.part", name, spaces.index(space) + 1)
