"""
The ruleset: what the kernel knows of the second edition.

At each rest point the table alone says what comes next (`next_deed`), so that a room can be
rebuilt there. One procedure is one action, one event, one activation, one check.
"""

import contextlib
import functools
from typing import Any

from content.schema.pack import Content
from protocol.common.table import GameTable
from protocol.second_edition.table import RULESET, MythosStep, Phase, SecondEditionTable
from server.kernel.game import Game, Procedure
from server.rules.second_edition import (
    activation,
    horror,
    monsters,
    mythos,
    rounds,
    setup,
    turn,
)
from server.rules.second_edition.menu import Deed
from server.rules.second_edition.play import GameOver, Play

MAX_SEATS = 5
"""Rule SETUP-1."""


class SecondEdition:
    """The rules of the second edition, as the kernel drives them."""

    name = RULESET

    def seat_limits(self, content: Content) -> tuple[int, int]:
        """Return the fewest and the most seats: the scenario's, of 1 to 5. Rule SETUP-1."""
        scenario = content.scenario
        return scenario.minimum_players, min(scenario.maximum_players, MAX_SEATS)

    def pieces_each(self, seat_count: int) -> int:
        """Return how many investigators each seat plays. Rules SETUP-8, SETUP-9, DECIDE-16."""
        return 2 if seat_count == 1 else 1

    def pieces(self, content: Content) -> tuple[str, ...]:
        """Return the investigators that can be chosen, each once. Rule DECIDE-17."""
        return tuple(content.pack.investigators)

    def can_correct(self, table: GameTable, piece: str, amount: int) -> bool:
        """Return whether people may agree that a monster has so much damage. DECIDE-49."""
        return isinstance(table, SecondEditionTable) and monsters.can_correct(table, piece, amount)

    def correct(self, game: Game[Any, Any], piece: str, amount: int) -> None:
        """Set a monster's damage by everybody's consent. Rule APP-8 and DECIDE-49."""
        monsters.correct(game, piece, amount)

    def unknown_piles(self, table: GameTable) -> tuple[str, ...]:
        """Return all piles but those in which a code's solution lies: answers rest on it."""
        return tuple(pile for pile in table.piles if not pile.startswith("puzzle/"))

    def next_procedure(self, game: Game[Any, Any]) -> Procedure | None:
        """Return what comes next, from the table alone; None when the game is over."""
        deed = next_deed(game)
        return None if deed is None else _quietly(deed)


async def _quietly(deed: Deed) -> None:
    """Do it; if the game ends on the way, nothing more is resolved."""
    with contextlib.suppress(GameOver):
        await deed()


def next_deed(play: Play) -> Deed | None:
    """Return what the rules do next."""
    fallen = monsters.fallen(play.table)
    if fallen is not None and play.table.phase is not Phase.OVER:
        return functools.partial(monsters.discard, play, fallen, is_defeated=True)
    match play.table.phase:
        case Phase.SETUP:
            return functools.partial(setup.set_up, play)
        case Phase.INVESTIGATOR:
            return _in_investigator_phase(play)
        case Phase.MYTHOS:
            return _in_mythos_phase(play)
        case Phase.OVER:
            return None


def _in_investigator_phase(play: Play) -> Deed:
    """Rules ROUND-3, ROUND-4 and TURN-1, and DECIDE-69 for a turn whose owner is gone."""
    table: SecondEditionTable = play.table
    if table.active is not None:
        if table.investigators[table.active].is_eliminated:
            return functools.partial(turn.end_turn, play, table.active)
        return functools.partial(turn.take_action, play)
    if turn.waiting(play):
        return functools.partial(turn.choose_turn, play)
    return functools.partial(rounds.end_investigator_phase, play)


def _in_mythos_phase(play: Play) -> Deed:
    """Rules MYTHOS-1, EVENT-4 and ACTIVATE-10."""
    match play.table.step:
        case None:
            return functools.partial(mythos.begin, play)
        case MythosStep.EVENT:
            again = mythos.events_left(play)
            return functools.partial(mythos.draw_event if again else mythos.finish_events, play)
        case MythosStep.MONSTER:
            waiting = activation.waiting(play.table)
            if waiting:
                return functools.partial(activation.activate, play, waiting[0])
            return functools.partial(mythos.finish_monsters, play)
        case MythosStep.HORROR:
            if horror.waiting(play.table):
                return functools.partial(horror.check, play)
            return functools.partial(mythos.finish_horror, play)
