"""Bench: a single game of the first edition, whose dice, draws and answers a test supplies."""

from typing import Any

from content.games.first_edition.schema.pack import Content
from protocol.common.events import Player
from protocol.games.first_edition.table import (
    FirstEditionTable,
    Investigator,
    Monster,
    Waiting,
)
from protocol.games.first_edition.words import INVESTIGATOR, KEEPER
from tests.kit import bench

KIM = 0
"""Seat of the keeper."""


class Bench(bench.Bench):
    """Game on the bench: the keeper has seat 0, investigators follow in order."""

    def __init__(
        self, content: Content, people: tuple[str, ...], *, are_led_by_one: bool = False
    ) -> None:
        led = (people,) if are_led_by_one else tuple((who,) for who in people)
        players = (
            Player(KIM, KEEPER, ()),
            *(Player(seat, INVESTIGATOR, some) for seat, some in enumerate(led, 1)),
        )
        super().__init__(content, players, FirstEditionTable())

    def give_rolls(self, *rolls: int) -> None:
        """Supply the next rolls of the ten-sided die, from 1 to 10."""
        self.give_faces(*[roll - 1 for roll in rolls])

    @property
    def acted(self) -> tuple[int, ...]:
        """The seats that have had a turn in this round, once for each."""
        table = self.game_table
        had: list[Investigator | Waiting] = [*table.investigators.values(), *table.waiting]
        return tuple(sorted(one.seat for one in had if one.has_acted))

    @property
    def game_table(self) -> FirstEditionTable:
        assert isinstance(self.table.game, FirstEditionTable)
        return self.table.game

    def who(self, investigator: str) -> Investigator:
        """Return an investigator on the board."""
        return self.game_table.investigators[investigator]

    def monster(self, kind: str = "") -> Monster:
        """Return the only monster on the board, or the only one of a kind."""
        (found,) = [m for m in self.game_table.monsters.values() if kind in {"", m.kind}]
        return found

    def hand(self, pile: str) -> dict[str, str]:
        """Return the handles of a hand of the keeper, by card."""
        return {self.game_table.card_of(handle): handle for handle in self.game_table.hand(pile)}

    def set(self, who: str, **fields: Any) -> None:
        """Change fields of an investigator without the rules."""
        self.table = self.with_game(self.game_table.with_investigator(who, **fields))

    def set_monster(self, monster: str, **fields: Any) -> None:
        """Change fields of a monster without the rules."""
        self.table = self.with_game(self.game_table.with_monster(monster, **fields))

    def with_game(self, game: FirstEditionTable) -> Any:
        """Return the table of the room with this table of the game."""
        return type(self.table)(self.table.room, game, self.table.checkpoints)
