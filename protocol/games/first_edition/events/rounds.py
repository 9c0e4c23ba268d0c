"""Events of rounds, turns and the keeper's turn."""

from protocol.common.text import Text
from protocol.event import Sealed, event, secret
from protocol.games.first_edition.events.base import FirstEditionEvent, Game
from protocol.games.first_edition.table import (
    TURN_STARTED,
    CharacterId,
    InvestigatorId,
    KeeperStep,
    MonsterId,
    Phase,
)
from protocol.values import evolve


@event("fe/told")
class Told(FirstEditionEvent):
    """A text was shown to all."""

    text: Text

    def fold(self, table: Game) -> Game:
        return table


@event("fe/told_keeper")
class ToldKeeper(FirstEditionEvent):
    """A text was shown to the keeper alone. K-SECRET-16."""

    role: str
    text: Sealed[Text] = secret(to="role")

    def fold(self, table: Game) -> Game:
        return table


@event("fe/round_began")
class RoundBegan(FirstEditionEvent):
    """A round began. K-ROUND-1."""

    round_number: int

    def fold(self, table: Game) -> Game:
        investigators = {
            key: evolve(who, used=(), has_acted=False) for key, who in table.investigators.items()
        }
        return evolve(
            table,
            phase=Phase.INVESTIGATORS,
            step=None,
            round_number=self.round_number,
            waiting=tuple(evolve(one, has_acted=False) for one in table.waiting),
            trapped=(),
            investigators=investigators,
            moments=(),
        )


@event("fe/turn_began")
class TurnBegan(FirstEditionEvent):
    """An investigator began a turn. K-ROUND-2, K-TURN-1."""

    investigator: InvestigatorId
    steps: int
    """Movement steps of the turn."""

    def fold(self, table: Game) -> Game:
        table = table.with_investigator(self.investigator, hid_this_turn=False)
        table = table.with_moment(self.investigator, TURN_STARTED)
        return evolve(
            table,
            active=self.investigator,
            steps_left=self.steps,
            is_slowed=table.investigators[self.investigator].stun > 0,
            has_action=True,
            action_types=(),
            actions_taken=(),
            trapped=(),
            is_committed=False,
            is_struck=False,
            evaded=(),
        )


@event("fe/turn_withdrawn")
class TurnWithdrawn(FirstEditionEvent):
    """A turn that had not really begun was given back. K-DECIDE-12."""

    investigator: InvestigatorId

    def fold(self, table: Game) -> Game:
        return evolve(table, active=None, steps_left=0, has_action=False)


@event("fe/step_spent")
class StepSpent(FirstEditionEvent):
    """A movement step of the turn was spent. K-TURN-1."""

    investigator: InvestigatorId

    def fold(self, table: Game) -> Game:
        return evolve(table, steps_left=max(0, table.steps_left - 1), is_committed=True)


@event("fe/steps_limited")
class StepsLimited(FirstEditionEvent):
    """The movement of the turn dropped, as the investigator is stunned. K-DECIDE-88."""

    investigator: InvestigatorId
    left: int

    def fold(self, table: Game) -> Game:
        return evolve(table, steps_left=self.left)


@event("fe/step_gained")
class StepGained(FirstEditionEvent):
    """The Run action gave one more step. K-DECIDE-34."""

    investigator: InvestigatorId

    def fold(self, table: Game) -> Game:
        return evolve(table, steps_left=table.steps_left + 1)


@event("fe/evaded")
class Evaded(FirstEditionEvent):
    """A character takes an evade test against a monster. K-EVADE-4, W-MOVED-1."""

    investigator: CharacterId
    monster: MonsterId

    def fold(self, table: Game) -> Game:
        if table.active != self.investigator:
            # Moved by somebody else: it is no evade test of this turn.
            return table
        return evolve(table, evaded=(*table.evaded, self.monster))


@event("fe/action_taken")
class ActionTaken(FirstEditionEvent):
    """The action of the turn was taken. K-ACT-1."""

    investigator: InvestigatorId
    action: str
    """`attack`, `run`, `explore`, `drop`, `card`, `deed` or `feature`. K-ACT-2."""

    def fold(self, table: Game) -> Game:
        return evolve(
            table,
            has_action=False,
            action_types=(),
            actions_taken=(*table.actions_taken, self.action),
            is_committed=True,
        )


@event("fe/action_gained")
class ActionGained(FirstEditionEvent):
    """An effect allows one more action in this turn. W-SPELL-2."""

    investigator: InvestigatorId
    types: tuple[str, ...]
    """Types that the action can have; any if empty."""

    def fold(self, table: Game) -> Game:
        return evolve(table, has_action=True, action_types=self.types)


@event("fe/ability_used")
class AbilityUsed(FirstEditionEvent):
    """An ability that can be used once in a turn or a round was used."""

    investigator: InvestigatorId
    use: str
    """How long it counts, and the ability: `turn:ID` or `round:ID`."""

    def fold(self, table: Game) -> Game:
        used = (*table.investigators[self.investigator].used, self.use)
        return table.with_investigator(self.investigator, used=used)


@event("fe/turn_ended")
class TurnEnded(FirstEditionEvent):
    """The turn of a seat is over. K-DECIDE-13, K-NEW-7."""

    seat: int

    def fold(self, table: Game) -> Game:
        # Here and not where a turn begins: one that was withdrawn and began anew is the same turn.
        investigators = {
            key: evolve(who, used=tuple(one for one in who.used if not one.startswith("turn:")))
            if who.seat == self.seat
            else who
            for key, who in table.investigators.items()
        }
        if table.active in investigators:
            investigators[table.active] = evolve(investigators[table.active], has_acted=True)
        return evolve(
            table,
            active=None,
            steps_left=0,
            has_action=False,
            investigators=investigators,
        )


@event("fe/keeper_step_began")
class KeeperStepBegan(FirstEditionEvent):
    """A step of the keeper's turn began. K-KEEPER-1."""

    step: KeeperStep

    def fold(self, table: Game) -> Game:
        actions = table.actions
        if self.step is KeeperStep.ACTIONS:
            actions = tuple(evolve(action, uses=0) for action in actions)
        # Deeds that can be done once in the game stay.
        done = tuple(one for one in table.done if one.startswith("game:"))
        return evolve(
            table,
            phase=Phase.KEEPER,
            step=self.step,
            actions=actions,
            insanities=(),
            done=done,
            trapped=() if self.step is KeeperStep.TRADE else table.trapped,
            # Cards that were laid ready count until the keeper's next turn. K-DECIDE-107.
            ready=None if self.step is KeeperStep.TRADE else table.ready,
        )


@event("fe/dealt_with")
class DealtWith(FirstEditionEvent):
    """
    Something is done that cannot be done again in this step of the keeper, or in this game.

    It is a monster that attacked, `time` for the token of the round, or `game:ID` for an ability or
    a deed that can be used once.
    """

    what: str

    def fold(self, table: Game) -> Game:
        return evolve(table, done=(*table.done, self.what))
