"""
The ruleset: the interface of the second edition to the kernel.

At each checkpoint the table alone decides what happens next (`next_action`), so that a room can be
rebuilt there. One procedure is one action, one event, one activation or one check.
"""

import contextlib
import functools
from collections.abc import Generator
from typing import Any

from content.games.second_edition.schema.pack import Content
from protocol.common.asks import Reason
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
"""Maximum number of players. Rule SETUP-1."""
_UNKNOWN = ("deck/", "facedown/")
"""Prefixes of the piles that are reshuffled when the game goes back to a checkpoint."""


class SecondEdition:
    """The rules of the second edition, called by the kernel."""

    name = RULESET

    def roster(self, content: Content) -> Roster:
        """
        Return the scenario's seats, 1 to 5, and its investigators. Rules SETUP-1, DECIDE-17.

        A single player plays two investigators. Rules SETUP-8, SETUP-9, DECIDE-16.
        """
        fewest = content.scenario.minimum_players
        allowed = content.scenario.investigators
        investigators = tuple(
            who for who in content.pack.investigators if not allowed or who in allowed
        )
        most = min(content.scenario.maximum_players, MAX_SEATS, len(investigators))
        each = tuple(2 if count == 1 else 1 for count in range(1, most + 1))
        return Roster(fewest, most, (Role(INVESTIGATOR, fewest, most, investigators, each),))

    def informed_roles(self, content: Content) -> tuple[str, ...] | None:
        """Return None: there is one side, and its players may play a setup that they know."""
        del content
        return None

    def start_fault(self, content: Content, players: tuple[Player, ...]) -> str | None:  # noqa: ARG002 (as the kernel asks)
        """Return None: the roster alone decides whether a game can start."""
        return None

    def prepared_fault(
        self,
        content: Content,  # noqa: ARG002 (as the kernel asks)
        seat: Seat,  # noqa: ARG002 (as the kernel asks)
        prepared: bytes | None,
    ) -> tuple[Reason, ...]:
        """Refuse any preparation: in this game players bring nothing of their own."""
        return () if prepared is None else (Reason(Text("refusal/nothing_to_prepare")),)

    def corrections(self, table: GameTable) -> tuple[Correction, ...]:
        """
        Return the damage of each monster, which players may agree to correct.

        APP-8 and DECIDE-49.
        """
        return monsters.corrections(table) if isinstance(table, SecondEditionTable) else ()

    def unknown_piles(self, table: GameTable) -> tuple[str, ...]:
        """
        Return the decks and the facedown cards: piles whose order the table does not depend on.

        Going back shuffles these piles. Cards drawn after the checkpoint return to their deck, and
        cards turned up after it are facedown again.

        All other piles keep their order. Answers to guesses on the table depend on the solution of
        a code (`puzzle/NAME/n`). The order of a picture (`puzzle/NAME`) is public. Piles from which
        a counter was dealt (`deal/…`, in logs of version 1) are used again only if the same counter
        is dealt again, and the numbers that the story has shown must stay true. Later versions
        store such numbers without a pile.
        """
        return tuple(pile for pile in table.piles if pile.startswith(_UNKNOWN))

    def next_procedure(self, game: Game[Any, Any]) -> Procedure | None:
        """Return the next procedure, decided by the table alone; None if the game is over."""
        action = next_action(game)
        return None if action is None else _carry_out(game, action)


async def _carry_out(play: Play, action: PlayerAction) -> None:
    """Run a procedure; once the game ends, the rest of the procedure is skipped."""
    with contextlib.suppress(GameOver):
        await _Remembering(play, action)
        memory.write_down(play)


@frozen
class _Remembering:
    """
    An awaited action that records the scenario's memory before each of its questions.

    Nothing is recorded before a question that comes before any event of the procedure: the players
    may still agree on a correction first.
    """

    play: Play
    action: PlayerAction

    def __await__(self) -> Generator[Ask[Any] | None, Any, None]:
        """Forward the action's questions and pauses, and send it the answers."""
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
            # A dropped procedure runs its own `finally` now, not when it is collected as garbage.
            doing.close()


def next_action(play: Play) -> PlayerAction | None:
    """Return the next action that the rules call for; None once the game is over."""
    # A correction may have left a monster without health; its defeat comes before anything else.
    fallen = monsters.without_health(play.table)
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
    Return the next action in an Investigator phase.

    Rules ROUND-3, ROUND-4, TURN-1, TURN-4 and TURN-5, and DECIDE-69 for the turn of an investigator
    who was eliminated.
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
    """Return the next action in a Mythos phase. Rules MYTHOS-1, EVENT-4 and ACTIVATE-10."""
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
