"""Events of the keeper: threat, cards in hand, mythos, actions, events, the objective, the end."""

from protocol.common.events import Disclosure
from protocol.common.table import Handle
from protocol.event import Sealed, event, secret
from protocol.games.first_edition.events.base import FirstEditionEvent, Game
from protocol.games.first_edition.table import (
    MYTHOS_DECK,
    MYTHOS_HAND,
    CardId,
    Ending,
    FaceDown,
    InvestigatorId,
    KeeperAction,
    Phase,
)
from protocol.values import evolve


@event("fe/threat_changed")
class ThreatChanged(FirstEditionEvent):
    """The keeper gained or spent threat. K-KEEPER-5, K-KEEPER-8."""

    by: int

    def fold(self, table: Game) -> Game:
        return evolve(table, threat=max(0, table.threat + self.by))


@event("fe/counter_changed")
class CounterChanged(FirstEditionEvent):
    """A counter of the story or a number of tokens changed. K-DECIDE-105."""

    counter: str
    amount: int
    """The new amount."""

    def fold(self, table: Game) -> Game:
        line = evolve(table.counters[self.counter], amount=self.amount)
        return evolve(table, counters={**table.counters, self.counter: line})


@event("fe/keeper_drew")
class KeeperDrew(FirstEditionEvent):
    """The keeper drew the top card of a deck into a hand, which is shuffled next. K-TRAUMA-5."""

    deck: str
    hand: str
    handle: Handle

    def fold(self, table: Game) -> Game:
        return table.drawn(self.deck, self.handle).put(self.hand, self.handle)


@event("fe/hand_card_discarded")
class HandCardDiscarded(FirstEditionEvent):
    """A card of the keeper's hand was discarded face up by a rule. K-TRAUMA-16, K-TRAUMA-17."""

    deck: str
    hand: str
    handle: Handle
    card: CardId

    def claims(self) -> tuple[tuple[Handle, str], ...]:
        """Return the card with its handle."""
        return ((self.handle, self.card),)

    def fold(self, table: Game) -> Game:
        return table.drawn(self.hand, self.handle).with_discard(self.deck, self.card)


@event("fe/mythos_played")
class MythosPlayed(FirstEditionEvent):
    """The keeper played a mythos card in an investigator's turn. K-MYTHOS-2, K-MYTHOS-3."""

    investigator: InvestigatorId
    handle: Handle
    card: CardId

    def claims(self) -> tuple[tuple[Handle, str], ...]:
        """Return the card with its handle."""
        return ((self.handle, self.card),)

    def fold(self, table: Game) -> Game:
        table = table.drawn(MYTHOS_HAND, self.handle).with_discard(MYTHOS_DECK, self.card)
        return evolve(table, is_struck=True, is_committed=True)


@event("fe/mythos_laid_down")
class MythosLaidDown(FirstEditionEvent):
    """The keeper played a mythos card face down. K-MYTHOS-4, K-INFO-7, K-SECRET-3."""

    investigator: InvestigatorId
    handle: Handle
    knowers: tuple[int, ...]
    """The seats of the keeper and of the investigator, ascending."""
    card: Sealed[CardId] = secret(to="knowers")

    def fold(self, table: Game) -> Game:
        table = table.drawn(MYTHOS_HAND, self.handle)
        down = (*table.investigators[self.investigator].face_down, FaceDown(self.card))
        table = table.with_investigator(self.investigator, face_down=down)
        return evolve(table, is_struck=True, is_committed=True)


@event("fe/face_down_turned")
class FaceDownTurned(FirstEditionEvent):
    """A mythos card that lay face down was turned up and discarded. K-DECIDE-70."""

    investigator: InvestigatorId
    opened: Disclosure
    card: CardId
    """The card, repeated as a public field, so that the server sends the words."""

    def fold(self, table: Game) -> Game:
        ref = (self.opened.sequence, self.opened.slot)
        has = table.investigators[self.investigator].face_down
        left = tuple(one for one in has if one.card.ref != ref)
        table = table.with_investigator(self.investigator, face_down=left)
        # A card that struck cannot be walked away from. K-DECIDE-12.
        is_committed = table.is_committed or table.active == self.investigator
        return evolve(table.with_discard(MYTHOS_DECK, self.card), is_committed=is_committed)


@event("fe/laid_ready")
class LaidReady(FirstEditionEvent):
    """The keeper laid cards ready, perhaps none. K-DECIDE-107, K-SECRET-24."""

    role: str
    plans: Sealed[tuple[tuple[str, str, str], ...]] = secret(to="role")
    """Investigator, card or nothing, and moment; as many as there are investigators."""

    def fold(self, table: Game) -> Game:
        return evolve(table, ready=self.plans)


@event("fe/moments_passed")
class MomentsPassed(FirstEditionEvent):
    """The moments that came to an investigator are past, card or none. K-DECIDE-107."""

    investigator: InvestigatorId

    def fold(self, table: Game) -> Game:
        left = tuple(one for one in table.moments if one[0] != self.investigator)
        return evolve(table, moments=left)


@event("fe/action_shown")
class ActionShown(FirstEditionEvent):
    """A hidden keeper action is used for the first time, and lies open then. W-KACTION-1."""

    opened: Disclosure
    action: KeeperAction

    def fold(self, table: Game) -> Game:
        ref = (self.opened.sequence, self.opened.slot)
        left = tuple(one for one in table.hidden_actions if one.ref != ref)
        return evolve(table, hidden_actions=left, actions=(*table.actions, self.action))


@event("fe/keeper_acted")
class KeeperActed(FirstEditionEvent):
    """The keeper used a keeper action; what it costs is paid. K-KEEPER-7, K-KEEPER-8."""

    action: CardId

    def fold(self, table: Game) -> Game:
        line = next(one for one in table.actions if one.card == self.action)
        counters = dict(table.counters)
        for name, cost in line.tokens:
            counters[name] = evolve(counters[name], amount=counters[name].amount - cost)
        actions = tuple(
            evolve(one, uses=one.uses + 1) if one.card == self.action else one
            for one in table.actions
        )
        return evolve(table, threat=table.threat - line.threat, counters=counters, actions=actions)


@event("fe/spares_no_more")
class SparesNoMore(FirstEditionEvent):
    """The keeper will spare nobody at failed evade tests. K-DECIDE-31."""

    def fold(self, table: Game) -> Game:
        return evolve(table, may_spare=False)


@event("fe/time_added")
class TimeAdded(FirstEditionEvent):
    """A time token was put on the event deck. K-EVENT-1."""

    def fold(self, table: Game) -> Game:
        return evolve(table, time=table.time + 1)


@event("fe/event_resolved")
class EventResolved(FirstEditionEvent):
    """The next event was turned up and discarded; the time tokens leave. K-EVENT-2, K-DECIDE-65."""

    opened: Disclosure
    card: CardId
    """The event, repeated as a public field, so that the server sends the words."""

    def fold(self, table: Game) -> Game:
        return evolve(table, events=table.events[1:], time=0, resolved=(*table.resolved, self.card))


@event("fe/objective_revealed")
class ObjectiveRevealed(FirstEditionEvent):
    """The objective of the keeper was revealed. K-GOAL-3."""

    opened: Disclosure
    objective: CardId
    """The objective, repeated as a public field, so that the server sends the words."""

    def fold(self, table: Game) -> Game:
        return evolve(table, revealed=self.objective)


@event("fe/game_ended")
class GameEnded(FirstEditionEvent):
    """The game is over. K-DECIDE-93."""

    ending: Ending

    def fold(self, table: Game) -> Game:
        return evolve(table, ending=self.ending, phase=Phase.OVER, step=None, active=None)
