"""The scene of the first edition: a table with its viewer."""

from collections.abc import Iterator

import attrs

from client.games.first_edition.speaker import FirstEditionSpeaker, in_game
from client.settings.preferences import Charset
from client.widgets import scene
from protocol.common.asks import Point
from protocol.common.table import Table
from protocol.games.first_edition.table import FirstEditionTable
from protocol.games.first_edition.words import KEEPER

CARDS = (
    *("item/", "spell/", "combat/", "trauma/", "mythos/", "lock/", "obstacle/", "clue/"),
    *("event/", "objective/", "action/"),
    *("tale/", "delusion/", "trail/", "mania/", "find/"),
)
"""Prefixes of the ids of cards that have a text."""


@attrs.frozen(eq=False)
class FirstEditionScene(scene.Scene):
    """A table of this game with its viewer."""

    # Fields of the base class in its order, declared again because `speaker` has another type.
    table: Table
    seat: int | None
    speaker: FirstEditionSpeaker = attrs.field(converter=in_game)
    charset: Charset = Charset.BOXES
    lit: frozenset[Point] = frozenset()

    @property
    def game(self) -> FirstEditionTable | None:
        """The game on the table; None before it begins, and at the table of another game."""
        game = self.table.game
        return game if isinstance(game, FirstEditionTable) else None

    @property
    def is_keeper(self) -> bool:
        """Whether the viewer plays the keeper."""
        seat = self.table.room.seats.get(self.seat) if self.seat is not None else None
        return seat is not None and seat.role == KEEPER

    @property
    def in_question(self) -> list[str]:
        """The ids of the cards that the open question names."""
        ask = self.table.room.ask
        named = [name for name in ask.about.params if isinstance(name, str)] if ask else []
        return [name for name in named if name.startswith(CARDS)]

    def rules_in_question(self) -> list[tuple[str, str]]:
        """
        Return the cards that the open question names, each with its rules.

        What follows on a card is read aloud when it comes, as is the whole text of an event.
        """
        cards = (card for card in self.in_question if not card.startswith("event/"))
        rules = ((card, "".join(self.speaker.details("card", card)[:1])) for card in cards)
        return [(card, text) for card, text in rules if text]

    def known_hand(self, pile: str) -> Iterator[tuple[str, str]]:
        """Yield handle and card of each card in a hand that the viewer knows."""
        game = self.game
        for handle in game.hand(pile) if game is not None else ():
            card = game.known_card(handle) if game is not None else None
            if card is not None:
                yield handle, card


def scene_of(base: scene.Scene) -> FirstEditionScene:
    """Return `base` as a scene of this game."""
    if isinstance(base, FirstEditionScene):
        return base
    return FirstEditionScene(
        table=base.table,
        seat=base.seat,
        speaker=base.speaker,
        charset=base.charset,
        lit=base.lit,
    )
