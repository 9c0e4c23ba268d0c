"""The base of the second edition's tellers: an event, with the game before and after it."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import attrs

from client.games.second_edition.speaker import SecondEditionSpeaker, in_game
from client.tellers import base
from client.tellers.base import Tellers, Told, Tone
from protocol.event import Event
from protocol.games.second_edition.table import Face, SecondEditionTable

DICE = {Face.SUCCESS: "[*]", Face.INVESTIGATION: "[?]", Face.BLANK: "[ ]"}
"""Dice in the journal, by face."""

TELLERS: Tellers = {}
"""The teller of each kind of event. Each module of this package registers its tellers on import."""


@attrs.frozen
class SecondEditionContext(base.EventContext):
    """An event with the game before and after it."""

    speaker: SecondEditionSpeaker

    @property
    def game(self) -> SecondEditionTable:
        game = self.step.after.game
        assert isinstance(game, SecondEditionTable)
        return game

    @property
    def game_before(self) -> SecondEditionTable:
        game = self.step.before.game
        assert isinstance(game, SecondEditionTable)
        return game

    def card(self, card: str) -> str:
        return self.speaker.name("card", card)

    def written_on(self, card: str) -> Iterator[Told]:
        """Yield the texts of a card that a player receives, as lines of the journal."""
        yield from ((Tone.CARD, text) for text in self.speaker.details("card", card))

    def monster(self, monster: str) -> str:
        """Return the name of a monster that was in the game before the event."""
        return self.speaker.monster(self.game_before.monsters[monster])

    def space(self, space: str) -> str:
        return self.speaker.space(self.game, space)


Teller = Callable[[Any, SecondEditionContext], Iterable[Told]]


def tells(kind: type[Event]) -> Callable[[Teller], Teller]:
    """Return a decorator that registers the teller of a kind of event."""

    def declare(teller: Teller) -> Teller:
        TELLERS[kind] = lambda event, at: teller(
            event, SecondEditionContext(at.step, in_game(at.speaker))
        )
        return teller

    return declare


def one_line(
    kind: type[Event],
    key: str,
    params: Callable[[Any, SecondEditionContext], tuple[str | int, ...]],
    tone: Tone = Tone.ACTION,
) -> None:
    """Register a teller that always writes one line of the catalog."""

    @tells(kind)
    def _(event: Any, at: SecondEditionContext) -> Iterator[Told]:
        yield tone, at.say(key, *params(event, at))
