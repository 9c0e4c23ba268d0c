"""The base of the second edition's tellers: an event with this game before and after it."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import attrs

from client.games.second_edition.speaker import SecondEditionSpeaker, in_game
from client.tellers import base
from client.tellers.base import Tellers, Told, Tone
from protocol.event import Event
from protocol.games.second_edition.table import Face, SecondEditionTable

DICE = {Face.SUCCESS: "[*]", Face.INVESTIGATION: "[?]", Face.BLANK: "[ ]"}
"""How dice are shown."""

TELLERS: Tellers = {}
"""What tells each kind of event; the modules of this package fill it."""


@attrs.frozen
class SecondEditionContext(base.EventContext):
    """An event's surroundings, with the game before and after it."""

    speaker: SecondEditionSpeaker

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

    def card(self, card: str) -> str:
        """Return a card's name."""
        return self.speaker.name("card", card)

    def written_on(self, card: str) -> Iterator[Told]:
        """Yield what stands on a card besides its name, for whoever sees it arrive."""
        yield from ((Tone.CARD, text) for text in self.speaker.details("card", card))

    def monster(self, monster: str) -> str:
        """Return the name of a monster that was there before the event."""
        return self.speaker.monster(self.game_before.monsters[monster])

    def space(self, space: str) -> str:
        """Return the room of a space."""
        return self.speaker.space(self.game, space)


Teller = Callable[[Any, SecondEditionContext], Iterable[Told]]


def tells(kind: type[Event]) -> Callable[[Teller], Teller]:
    """Declare what tells a kind of event."""

    def declare(teller: Teller) -> Teller:
        TELLERS[kind] = lambda happened, at: teller(
            happened, SecondEditionContext(at.step, in_game(at.speaker))
        )
        return teller

    return declare


def one_line(
    kind: type[Event],
    key: str,
    params: Callable[[Any, SecondEditionContext], tuple[str | int, ...]],
) -> None:
    """Declare a kind of event that is one line of the catalog, always."""

    @tells(kind)
    def _(happened: Any, at: SecondEditionContext) -> Iterator[Told]:
        yield Tone.ACTION, at.say(key, *params(happened, at))
