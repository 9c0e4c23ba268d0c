"""The scene of the second edition: a table with its viewer, and falling dice."""

import attrs

from client.games.second_edition.speaker import SecondEditionSpeaker, in_game
from client.settings.preferences import Charset
from client.widgets import scene
from protocol.common.asks import Point
from protocol.common.table import Table
from protocol.games.second_edition.table import Face, SecondEditionTable

CARDS = ("item", "spell", "condition", "damage", "horror")
"""Prefixes of the ids of cards that have a text."""


@attrs.frozen(eq=False)
class SecondEditionScene(scene.Scene):
    """A table of this game with its viewer."""

    # Fields of the base class in its order, declared again because `speaker` has another type.
    table: Table
    seat: int | None
    speaker: SecondEditionSpeaker = attrs.field(converter=in_game)
    charset: Charset = Charset.BOXES
    lit: frozenset[Point] = frozenset()
    faces: tuple[Face, ...] = ()
    """Faces that the dice of the test show now, fallen or falling; empty if the dice show the faces
    on the log."""
    falling: frozenset[int] = frozenset()
    """Positions of the falling dice."""

    @property
    def game(self) -> SecondEditionTable | None:
        """The game on the table; None before it begins, and at the table of another game."""
        game = self.table.game
        return game if isinstance(game, SecondEditionTable) else None

    @property
    def in_question(self) -> list[str]:
        """The ids of the cards that the open question names, such as a card without an owner."""
        # The text that a question is about names its cards as parameters.
        ask = self.table.room.ask
        named = [name for name in ask.about.params if isinstance(name, str)] if ask else []
        return [name for name in named if name.partition("/")[0] in CARDS]


def scene_of(
    base: scene.Scene, faces: tuple[Face, ...] = (), falling: frozenset[int] = frozenset()
) -> SecondEditionScene:
    """Return `base` as a scene of this game with the given dice.

    If `base` is such a scene already, return it unchanged and ignore the dice.
    """
    if isinstance(base, SecondEditionScene):
        return base
    return SecondEditionScene(
        table=base.table,
        seat=base.seat,
        speaker=base.speaker,
        charset=base.charset,
        lit=base.lit,
        faces=faces,
        falling=falling,
    )
