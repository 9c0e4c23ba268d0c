"""Events of rounds: phases, steps, turns, and the actions spent in turns."""

from protocol.event import event
from protocol.games.second_edition.events.base import Game, SecondEditionEvent, hushed
from protocol.games.second_edition.table import InvestigatorId, MythosStep, Phase
from protocol.values import evolve


@event("se/phase_began")
class PhaseBegan(SecondEditionEvent):
    """A phase began. An Investigator phase also begins a round. Rules ROUND-1 and ROUND-2."""

    phase: Phase
    round_number: int

    def fold(self, table: Game) -> Game:
        """Change the phase; a new round resets the counts per round (DECIDE-29)."""
        table = hushed(table)
        people = dict(table.investigators)
        if self.phase is Phase.INVESTIGATOR:
            people = {
                key: evolve(
                    who, has_taken_turn=False, move_actions=0, performed=(), quenches=0, used=()
                )
                for key, who in people.items()
            }
        return evolve(
            table,
            phase=self.phase,
            round_number=self.round_number,
            step=None,
            active=None,
            actions_left=0,
            done=(),
            investigators=people,
        )


@event("se/mythos_step_began")
class MythosStepBegan(SecondEditionEvent):
    """A step of the Mythos phase began. Rule MYTHOS-1."""

    step: MythosStep

    def fold(self, table: Game) -> Game:
        table = hushed(table)
        return evolve(table, step=self.step, done=())


@event("se/dealt_with")
class DealtWith(SecondEditionEvent):
    """One event, activation or check of the current Mythos step is over."""

    item: str

    def fold(self, table: Game) -> Game:
        table = hushed(table)
        return evolve(table, done=(*table.done, self.item))


@event("se/turn_began")
class TurnBegan(SecondEditionEvent):
    """An investigator's turn began. Rules TURN-1 and TURN-2."""

    investigator: InvestigatorId
    actions: int

    def fold(self, table: Game) -> Game:
        return evolve(table, active=self.investigator, actions_left=self.actions)


@event("se/turn_ended")
class TurnEnded(SecondEditionEvent):
    """The active investigator's turn is over. Rule TURN-4."""

    investigator: InvestigatorId

    def fold(self, table: Game) -> Game:
        """Make nobody active; unspent actions are lost."""
        table = hushed(table)
        table = evolve(table, active=None, actions_left=0)
        return table.with_investigator(self.investigator, has_taken_turn=True)


@event("se/action_spent")
class ActionSpent(SecondEditionEvent):
    """One action of the turn was spent. Rule ACTION-1."""

    investigator: InvestigatorId
    action: str
    """
    Name of the action: `move`, `explore`, `search`, `interact`, `trade`, `attack`, `push`, `steal`,
    `set_fire`, `component`.
    """

    def fold(self, table: Game) -> Game:
        """Remove one action; a move action is counted for the round (DECIDE-27)."""
        table = hushed(table)
        table = evolve(table, actions_left=table.actions_left - 1)
        who = table.investigators[self.investigator]
        return table.with_investigator(
            self.investigator,
            move_actions=who.move_actions + (self.action == "move"),
            performed=(*who.performed, self.action),
        )


@event("se/actions_lost")
class ActionsLost(SecondEditionEvent):
    """An effect took actions of this turn away. They were not performed."""

    investigator: InvestigatorId
    count: int

    def fold(self, table: Game) -> Game:
        return evolve(table, actions_left=table.actions_left - self.count)


@event("se/actions_gained")
class ActionsGained(SecondEditionEvent):
    """An effect gave the active investigator further actions this turn. Rule TURN-2."""

    investigator: InvestigatorId
    count: int

    def fold(self, table: Game) -> Game:
        return evolve(table, actions_left=table.actions_left + self.count)


@event("se/action_forfeited")
class ActionForfeited(SecondEditionEvent):
    """An action was forfeited after it was spent. Rules FORFEIT-1 and FORFEIT-2."""

    investigator: InvestigatorId
    action: str

    def fold(self, table: Game) -> Game:
        """Remove the latest action of this name: it was not performed."""
        performed = table.investigators[self.investigator].performed
        if self.action not in performed:
            return table
        last = len(performed) - 1 - performed[::-1].index(self.action)
        left = performed[:last] + performed[last + 1 :]
        return table.with_investigator(self.investigator, performed=left)


@event("se/power_used")
class PowerUsed(SecondEditionEvent):
    """An ability or a card that can be used once a round was used (DECIDE-29)."""

    investigator: InvestigatorId
    source: str
    """Id of the investigator for the ability on their card, else id of the card. Since version 3 of
    logs a possession has its own id, so it stays used when it is handed on; its back has
    `possession/back`."""

    def fold(self, table: Game) -> Game:
        used = (*table.investigators[self.investigator].used, self.source)
        return table.with_investigator(self.investigator, used=used)
