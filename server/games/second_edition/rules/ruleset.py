"""
The ruleset: what the kernel knows of the second edition.

At each checkpoint the table alone says what comes next (`next_action`), so that a room can be
rebuilt there. One procedure is one action, one event, one activation, one check.
"""

import contextlib
import functools
from collections.abc import Generator
from typing import Any

from content.games.second_edition.schema.pack import Content
from protocol.common.events import Player
from protocol.common.roster import Role, Roster
from protocol.common.table import GameTable, Seat
from protocol.common.text import Text
from protocol.games.second_edition.table import (
    INVESTIGATOR,
    RULESET,
    MythosStep,
    Phase,
    SecondEditionTable,
)
from protocol.values import frozen
from server.games.second_edition.rules import (
    activation,
    horror,
    memory,
    monsters,
    mythos,
    rounds,
    setup,
    turn,
)
from server.games.second_edition.rules.play import GameOver, Play
from server.kernel.asks import Ask
from server.kernel.game import Correction, Game, Procedure
from server.rulekit.offers import PlayerAction

MAX_SEATS = 5
"""Rule SETUP-1."""
_UNKNOWN = ("deck/", "facedown/")
"""How the piles are called whose cards nobody has looked at."""


class SecondEdition:
    """The rules of the second edition, as the kernel drives them."""

    name = RULESET

    def roster(self, content: Content) -> Roster:
        """
        Return the scenario's seats, of 1 to 5, and whom they can play. Rules SETUP-1, DECIDE-17.

        Who plays alone plays two investigators. Rules SETUP-8, SETUP-9, DECIDE-16.
        """
        fewest = content.scenario.minimum_players
        allowed = content.scenario.investigators
        investigators = tuple(
            who for who in content.pack.investigators if not allowed or who in allowed
        )
        most = min(content.scenario.maximum_players, MAX_SEATS, len(investigators))
        each = tuple(2 if count == 1 else 1 for count in range(1, most + 1))
        return Roster(fewest, most, (Role(INVESTIGATOR, fewest, most, investigators, each),))

    def start_fault(self, content: Content, players: tuple[Player, ...]) -> str | None:  # noqa: ARG002 (as the kernel asks)
        """Return nothing: the roster says all."""
        return None

    def prepared_fault(self, content: Content, seat: Seat, prepared: bytes | None) -> Text | None:  # noqa: ARG002 (as declared)
        """Refuse whatever is prepared: in this game nobody brings anything."""
        return None if prepared is None else Text("refusal/nothing_to_prepare")

    def corrections(self, table: GameTable) -> tuple[Correction, ...]:
        """Return the damage of each monster. Rules APP-8 and DECIDE-49."""
        return monsters.corrections(table) if isinstance(table, SecondEditionTable) else ()

    def unknown_piles(self, table: GameTable) -> tuple[str, ...]:
        """
        Return the decks and the facedown cards: nobody has looked at any card in them.

        Cards drawn after the checkpoint are in their deck again, and those turned up are facedown
        again; mixing hides their places. Nothing on the table depends on their order.

        All other piles stay. The answers to guesses on the table depend on the solution of a code
        (`puzzle/NAME/n`). The order of a picture (`puzzle/NAME`) is open. Piles that a counter was
        dealt from (`deal/…`, in logs of version 1) are drawn from only if the same counter is dealt
        again, and what the story told of it must stay true. Later versions remember such numbers
        without a pile.
        """
        return tuple(pile for pile in table.piles if pile.startswith(_UNKNOWN))

    def next_procedure(self, game: Game[Any, Any]) -> Procedure | None:
        """Return what comes next, from the table alone; None when the game is over."""
        action = next_action(game)
        return None if action is None else _carry_out(game, action)


async def _carry_out(play: Play, action: PlayerAction) -> None:
    """Carry out a procedure; once the game ends, nothing more is resolved."""
    with contextlib.suppress(GameOver):
        await _Remembering(play, action)
        memory.write_down(play)


@frozen
class _Remembering:
    """
    An awaited action; what the scenario remembers is written down before each question in it.

    It is not before a question with which a procedure begins: there nothing has happened yet, and a
    correction that all agree to may still come first.
    """

    play: Play
    action: PlayerAction

    def __await__(self) -> Generator[Ask[Any] | None, Any, None]:
        """Hand the questions and pauses of the action on, one by one, and the answers back."""
        before: object = self.play.table
        doing = self.action()
        picks: Any = None
        try:
            while True:
                try:
                    ask = doing.send(picks)
                except StopIteration:
                    return
                if ask is None:
                    picks = yield None
                    continue
                if self.play.table is not before:
                    memory.write_down(self.play)
                # None is no table: from the second question on the memory is always written.
                before = None
                picks = yield ask
        finally:
            doing.close()


def next_action(play: Play) -> PlayerAction | None:
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


def _in_investigator_phase(play: Play) -> PlayerAction:
    """
    Return what comes next in an Investigator phase.

    Rules ROUND-3, ROUND-4, TURN-1, TURN-4 and TURN-5, and DECIDE-69 for a turn whose owner is gone.
    """
    table: SecondEditionTable = play.table
    if table.active is not None:
        if table.investigators[table.active].is_eliminated:
            return functools.partial(turn.end_turn, play, table.active)
        return functools.partial(turn.take_action, play)
    if turn.waiting(play):
        return functools.partial(turn.choose_turn, play)
    return functools.partial(rounds.end_investigator_phase, play)


def _in_mythos_phase(play: Play) -> PlayerAction:
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
