"""
The ruleset: the interface of the first edition to the kernel.

At each checkpoint the table alone decides what happens next, so that a room can be rebuilt there.
"""

import contextlib
from typing import Any

from content.games.first_edition.schema.pack import Content
from protocol.common.asks import Reason
from protocol.common.events import Player
from protocol.common.roster import Role, Roster
from protocol.common.table import GameTable, Seat
from protocol.common.text import Text
from protocol.games.first_edition.table import (
    MYTHOS_HAND,
    TRAUMA_HAND,
    FirstEditionTable,
    KeeperStep,
    Phase,
)
from protocol.games.first_edition.words import INVESTIGATOR, KEEPER, RULESET
from server.games.first_edition.rules import (
    allies,
    keeper_actions,
    monster_attacks,
    objective,
    rounds,
    setup,
    trade,
    trauma,
    turn,
)
from server.games.first_edition.rules.play import GameOver, Play
from server.kernel.game import Correction, Game, Procedure


class FirstEdition:
    """The rules of the first edition, called by the kernel."""

    name = RULESET

    def roster(self, content: Content) -> Roster:
        """
        Return one keeper, and one to four investigators. K-DECIDE-1 to 3, K-GOAL-1.

        Where a story is for two or more, a player alone leads two. W-PLAYER-1, W-PLAYER-2.
        """
        people = content.story.investigators or tuple(content.pack.characters)
        most = min(content.story.most_investigators, len(people))
        each = (0, content.story.fewest_investigators, *[1] * (most - 1))
        keeper = Role(KEEPER, fewest=1, most=1, characters=(), each=(0,) * (most + 1))
        others = Role(INVESTIGATOR, fewest=1, most=most, characters=people, each=each)
        return Roster(2, most + 1, (others, keeper), is_apart=True)

    def informed_roles(self, content: Content) -> tuple[str, ...] | None:
        """
        Return the keeper, unless the story hides something from the keeper too.

        K-SECRET-5, K-SECRET-6, W-SECRET-6.
        """
        return (KEEPER,) if content.story.is_open_to_keeper else ()

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

    def corrections(self, table: GameTable) -> tuple[Correction, ...]:  # noqa: ARG002 (as the kernel asks)
        """Return none: the server keeps all numbers. K-DECIDE-95."""
        return ()

    def unknown_piles(self, table: GameTable) -> tuple[str, ...]:
        """Return the decks: nobody knows their order. K-SECRET-12."""
        return tuple(pile for pile in table.piles if pile not in {MYTHOS_HAND, TRAUMA_HAND})

    def next_procedure(self, game: Game[Any, Any]) -> Procedure | None:
        """Return the next procedure, decided by the table alone; None if the game is over."""
        if game.table.phase is Phase.OVER:
            return None
        return _until_the_end(game)


async def _until_the_end(play: Play) -> None:
    """
    Run the next procedure, and check the objective; once the game ends, the rest is skipped.

    What moves, is taken or is killed may decide the game as much as any effect. K-DECIDE-93.
    """
    with contextlib.suppress(GameOver):
        await _next(play)
        objective.check(play)


async def _next(play: Play) -> None:
    table: FirstEditionTable = play.table
    if table.phase is Phase.SETUP:
        await setup.set_up(play)
    elif table.phase is Phase.INVESTIGATORS:
        if table.active is not None:
            await turn.take_step(play)
        elif table.to_act():
            await rounds.choose_turn(play)
        else:
            await rounds.begin_keeper_turn(play)
    else:
        assert table.step is not None
        await _KEEPER_STEPS[table.step](play)
    # Harm is asked about before anything else begins, unless the next step question does it.
    if not turn.is_trauma_moment(play):
        await trauma.settle(play)


_KEEPER_STEPS = {
    KeeperStep.TRADE: trade.step,
    KeeperStep.ALLIES: allies.step,
    KeeperStep.STUN: rounds.recover,
    KeeperStep.THREAT: rounds.gain_threat,
    KeeperStep.ACTIONS: keeper_actions.step,
    KeeperStep.ATTACKS: monster_attacks.step,
    KeeperStep.EVENT: rounds.event_step,
    KeeperStep.END: rounds.end_round,
}
"""The steps of the keeper's turn. K-KEEPER-1."""
