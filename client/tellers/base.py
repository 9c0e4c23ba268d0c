"""What tellers are made of: the tone of a line, the moment it is about, and how one is declared."""

import enum
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import attrs

from client.locale.speaker import Speaker
from client.model.tables import Step
from protocol.common.table import Table
from protocol.event import Event
from protocol.games.second_edition.table import Face, SecondEditionTable

DICE = {Face.SUCCESS: "[*]", Face.INVESTIGATION: "[?]", Face.BLANK: "[ ]"}
"""How dice are shown."""


class Tone(enum.Enum):
    """How a line is meant."""

    ROUND = "round"
    """A new round begins."""
    STEP = "step"
    """A phase, a step or a turn begins."""
    STORY = "story"
    DEED = "deed"
    """Somebody or something did something."""
    DICE = "dice"
    PRIVATE = "private"
    """For this viewer alone."""
    CHAT = "chat"
    ROOM = "room"
    """About seats and people."""


@attrs.frozen
class Moment:
    """An event's surroundings: the table before and after it, and who puts it into words."""

    step: Step
    speaker: Speaker

    @property
    def table(self) -> Table:
        """The table after the event."""
        return self.step.after

    @property
    def game(self) -> SecondEditionTable:
        """The game after the event."""
        game = self.step.after.game
        assert isinstance(game, SecondEditionTable)
        return game

    @property
    def game_before(self) -> SecondEditionTable:
        """The game before the event."""
        game = self.step.before.game
        assert isinstance(game, SecondEditionTable)
        return game

    def who(self, investigator: str) -> str:
        """Return an investigator's name."""
        return self.speaker.name("investigator", investigator)

    def seat(self, seat: int) -> str:
        """Return who sits in a seat now."""
        return self.speaker.seat(self.table, seat)

    def card(self, card: str) -> str:
        """Return a card's name."""
        return self.speaker.name("card", card)

    def monster(self, monster: str) -> str:
        """Return the name of a monster that was there before the event."""
        return self.speaker.monster(self.game_before.monsters[monster])

    def space(self, space: str) -> str:
        """Return the room of a space."""
        return self.speaker.space(self.game, space)

    def say(self, key: str, *params: str | int) -> str:
        """Return the journal's words of a key."""
        return self.speaker.say(f"journal.{key}", *params)


Told = tuple[Tone, str]
Teller = Callable[[Any, Moment], Iterable[Told]]

TELLERS: dict[type[Event], Teller] = {}
"""What tells each kind of event; the modules of this package fill it."""


def tells(kind: type[Event]) -> Callable[[Teller], Teller]:
    """Declare what tells a kind of event."""

    def declare(teller: Teller) -> Teller:
        TELLERS[kind] = teller
        return teller

    return declare


def one_line(
    kind: type[Event], key: str, params: Callable[[Any, Moment], tuple[str | int, ...]]
) -> None:
    """Declare a kind of event that is one line of the catalog, always."""

    def teller(happened: Any, at: Moment) -> Iterator[Told]:
        yield Tone.DEED, at.say(key, *params(happened, at))

    TELLERS[kind] = teller
