"""The base of the card game's tellers: an event, with the game before and after it."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import attrs

from client.games.cards.speaker import CardsSpeaker, in_game
from client.tellers import base
from client.tellers.base import Tellers, Told, Tone
from protocol.common.text import Text
from protocol.event import Event, Sealed
from protocol.games.cards.table import CardId, CardsTable, InvestigatorId, PieceId, StepId

TELLERS: Tellers = {}
"""The teller of each kind of event. Each module of this package registers its tellers on import."""


@attrs.frozen
class CardsContext(base.EventContext):
    """An event with the game before and after it."""

    speaker: CardsSpeaker

    @property
    def game(self) -> CardsTable:
        game = self.step.after.game
        assert isinstance(game, CardsTable)
        return game

    @property
    def before(self) -> CardsTable:
        game = self.step.before.game
        assert isinstance(game, CardsTable)
        return game

    def card(self, code: CardId) -> str:
        return self.speaker.card(code)

    def source(self, code: CardId) -> str:
        """Return the name of the card of an effect; of a hidden one, a word for that."""
        return self.card(code) if code else self.speaker.say("card.hidden")

    def card_of(self, step: StepId, holder: InvestigatorId, unseen: Sealed[StepId]) -> str:
        """Return the name of the card of an effect; only its holder knows a hidden one."""
        told = unseen.value if holder and unseen.is_open else step
        return self.source(told[0])

    def piece(self, piece: PieceId) -> str:
        """Return the name of an open card, which the event may have taken away."""
        known = self.before if piece in self.before.cards else self.game
        return self.speaker.piece(known, piece)

    def pieces(self, pieces: Iterable[PieceId]) -> str:
        return ", ".join(self.piece(piece) for piece in pieces)

    def printed(self, code: CardId, tone: Tone = Tone.ACTION) -> Iterator[Told]:
        """Yield what is printed on a card; as `Tone.CARD` it is a page that waits to be read."""
        yield from ((tone, text) for text in self.speaker.printed(code))

    def story(self, text: Text) -> Iterator[Told]:
        """Yield a text of the story, if its words have one."""
        if text.field in self.speaker.words.find(text.subject):
            yield Tone.STORY, self.speaker.text(text)


Teller = Callable[[Any, CardsContext], Iterable[Told]]


def tells(kind: type[Event]) -> Callable[[Teller], Teller]:
    """Return a decorator that registers the teller of a kind of event."""

    def declare(teller: Teller) -> Teller:
        def tell(event: Event, at: base.EventContext) -> Iterable[Told]:
            speaker = in_game(at.speaker, at.step.after.game)
            return teller(event, CardsContext(at.step, speaker))

        TELLERS[kind] = tell
        return teller

    return declare


def one_line(
    kind: type[Event],
    key: str,
    params: Callable[[Any, CardsContext], tuple[str | int, ...]],
    tone: Tone = Tone.ACTION,
) -> None:
    """Register a teller that always writes one line of the catalog."""

    @tells(kind)
    def _(event: Any, at: CardsContext) -> Iterator[Told]:
        yield tone, at.say(key, *params(event, at))
