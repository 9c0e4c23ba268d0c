"""
Tellers: each puts one kind of event into words.

A teller receives one event and the table around it, and yields lines, if any. A teller cannot
reveal anything that was not sent to this viewer: a sealed value has no words.

The tellers of events that all games share are in `client.journal.room`; each game has its own
tellers.
"""

import bisect
import enum
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import attrs

from client.locale.speaker import Speaker
from client.model.tables import TableStep
from protocol.common.table import Table
from protocol.event import Event


class Tone(enum.Enum):
    """The kind of a line, which decides its style."""

    ROUND = "round"
    STEP = "step"
    """The beginning of a phase, a step or a turn."""
    STORY = "story"
    ACTION = "deed"
    """An action of a person or thing."""
    GAIN = "gain"
    """Something that a person gains; read with the story that gives it."""
    CARD = "card"
    """The text of a card that a player has just received."""
    DICE = "dice"
    PRIVATE = "private"
    """A text for this viewer alone."""
    CHAT = "chat"
    ROOM = "room"
    """A line about seats and people."""
    HINDSIGHT = "hindsight"
    """Something that nobody knew before the game was over."""


@attrs.frozen
class JournalLine:
    """One paragraph of the journal."""

    sequence: int
    time: int
    """Milliseconds since 1970."""
    round_number: int
    tone: Tone
    text: str


def lines_since(lines: Sequence[JournalLine], sequence: int) -> Sequence[JournalLine]:
    """Return the journal lines from the event with the number `sequence` on."""
    return lines[bisect.bisect_left(lines, sequence, key=lambda line: line.sequence) :]


@attrs.frozen
class EventContext:
    """An event with the table before and after it, and the words for it."""

    step: TableStep
    speaker: Speaker

    @property
    def table(self) -> Table:
        return self.step.after

    def who(self, character: str) -> str:
        """Return the name of a character by its id."""
        return self.speaker.name("character", character)

    def seat(self, seat: int) -> str:
        return self.speaker.seat(self.table, seat)

    def say(self, key: str, *params: str | int) -> str:
        return self.speaker.say(f"journal.{key}", *params)


Told = tuple[Tone, str]
Teller = Callable[[Any, EventContext], Iterable[Told]]
Tellers = dict[type[Event], Teller]


def filling(tellers: Tellers) -> Callable[[type[Event]], Callable[[Teller], Teller]]:
    """Return a decorator that registers the teller of a kind of event."""

    def tells(kind: type[Event]) -> Callable[[Teller], Teller]:
        def declare(teller: Teller) -> Teller:
            tellers[kind] = teller
            return teller

        return declare

    return tells
