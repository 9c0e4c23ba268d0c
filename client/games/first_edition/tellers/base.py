"""The base of the first edition's tellers: an event, with the game before and after it."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import attrs

from client.games.first_edition.speaker import FirstEditionSpeaker, in_game
from client.tellers import base
from client.tellers.base import Tellers, Told, Tone
from protocol.event import Event
from protocol.games.first_edition.table import FirstEditionTable

TELLERS: Tellers = {}
"""The teller of each kind of event. Each module of this package registers its tellers on import."""


@attrs.frozen
class FirstEditionContext(base.EventContext):
    """An event with the game before and after it."""

    speaker: FirstEditionSpeaker

    @property
    def game(self) -> FirstEditionTable:
        game = self.step.after.game
        assert isinstance(game, FirstEditionTable)
        return game

    @property
    def game_before(self) -> FirstEditionTable:
        game = self.step.before.game
        assert isinstance(game, FirstEditionTable)
        return game

    def card(self, card: str) -> str:
        return self.speaker.card(card)

    def who(self, character: str) -> str:
        """Return the name of an investigator, of an ally, or of the keeper. W-STORY-8."""
        return self.speaker.character(character)

    def written_on(self, card: str, tone: Tone = Tone.CARD) -> Iterator[Told]:
        """
        Yield the texts of a card as lines of the journal.

        In the tone of cards they open a box for everybody, which suits what the keeper does to
        them, not each item and combat card: nobody would see a window behind so many boxes.
        """
        yield from ((tone, text) for text in self.speaker.details("card", card))

    def text_of(self, room: str) -> Iterator[Told]:
        """Yield what a story tells when an investigator first comes into a room, if anything."""
        text = self.speaker.words.find(room, "room").get("text")
        if text is not None:
            yield Tone.STORY, text

    def monster(self, monster: str) -> str:
        """Return the name of a monster that was on the board before the event."""
        before = self.game_before
        return self.speaker.monster(before, before.monsters[monster])

    def figure(self, figure: str) -> str:
        """Return the name of a character or of a monster that was on the board before."""
        is_monster = figure in self.game_before.monsters
        return self.monster(figure) if is_monster else self.who(figure)

    def owner(self, owner: str) -> str:
        """Return the name of a room or of a character that has a card of the story."""
        is_room = owner in self.game.map.rooms.values()
        return self.speaker.room(owner) if is_room else self.who(owner)

    def space(self, space: str) -> str:
        return self.speaker.space(self.game, space)

    def place(self, place: str) -> str:
        return self.speaker.at(self.game, place)


Teller = Callable[[Any, FirstEditionContext], Iterable[Told]]


def tells(kind: type[Event]) -> Callable[[Teller], Teller]:
    """Return a decorator that registers the teller of a kind of event."""

    def declare(teller: Teller) -> Teller:
        TELLERS[kind] = lambda event, at: teller(
            event, FirstEditionContext(at.step, in_game(at.speaker))
        )
        return teller

    return declare


def one_line(
    kind: type[Event],
    key: str,
    params: Callable[[Any, FirstEditionContext], tuple[str | int, ...]],
    tone: Tone = Tone.ACTION,
) -> None:
    """Register a teller that always writes one line of the catalog."""

    @tells(kind)
    def _(event: Any, at: FirstEditionContext) -> Iterator[Told]:
        yield tone, at.say(key, *params(event, at))
