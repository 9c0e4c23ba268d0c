"""Bench: a single game of the second edition, whose dice, draws and answers a test supplies."""

from collections.abc import Sequence
from typing import Any

from protocol.common.events import Player
from protocol.common.text import Text
from protocol.event import Event
from protocol.games.second_edition.events import Told
from protocol.games.second_edition.table import INVESTIGATOR, Face, SecondEditionTable
from server.kernel.asks import Ask
from tests.games.second_edition.rules import wording
from tests.kit import bench
from tests.kit.bench import TIME_OVER, Answer, Unanswered, describe

__all__ = ["FACES", "TIME_OVER", "Answer", "Bench", "Unanswered", "describe"]

FACES = {Face.SUCCESS: 0, Face.INVESTIGATION: 3, Face.BLANK: 6}
"""A face of the eight-sided die for each result (DICE-1: 0-2 success, 3-4 investigation)."""


class Bench(bench.Bench):
    """Game on the bench."""

    def __init__(
        self,
        content: Any = None,
        *,
        pieces: Sequence[tuple[int, str]] = ((0, "investigator/ada"),),
        game_table: SecondEditionTable | None = None,
    ) -> None:
        seats: dict[int, tuple[str, ...]] = {}
        for seat, piece in pieces:
            seats[seat] = (*seats.get(seat, ()), piece)
        players = tuple(Player(seat, INVESTIGATOR, owned) for seat, owned in sorted(seats.items()))
        super().__init__(content, players, game_table or SecondEditionTable())

    def give_dice(self, faces: str) -> None:
        """
        Supply the next dice, in order.

        S is a success, I an investigation and B a blank; spaces are ignored.
        """
        by_letter = {face.name[0]: value for face, value in FACES.items()}
        self.give_faces(*[by_letter[letter] for letter in faces if letter != " "])

    @property
    def game_table(self) -> SecondEditionTable:
        assert isinstance(self.table.game, SecondEditionTable)
        return self.table.game

    def check_event(self, happened: object) -> None:
        wording.check_event(happened)

    def check_ask(self, ask: Ask[Any]) -> None:
        wording.check_ask(ask, self.game_table)

    def happened(self, kind: type[Event]) -> list[Any]:
        """Return the events of one kind in order; texts about stakes are left to `stakes`."""
        return [event for event in super().happened(kind) if not _is_about_stakes(event)]

    def stakes(self) -> list[Text]:
        """Return the stakes told before dice were rolled, in order."""
        return [e.text for e in self.log if isinstance(e, Told) and _is_about_stakes(e)]


def _is_about_stakes(event: Event) -> bool:
    return isinstance(event, Told) and event.text.subject.startswith("stakes/")
