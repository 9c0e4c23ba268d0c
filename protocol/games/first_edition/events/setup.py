"""Events of setup: the board, the keeper's answers, what lies where, and who joins."""

from collections.abc import Mapping

from protocol.boards.links import Link
from protocol.boards.maps import CornerTile
from protocol.event import Sealed, event, secret
from protocol.games.first_edition.events.base import FirstEditionEvent, Game, without_waiting
from protocol.games.first_edition.table import (
    CardId,
    CounterLine,
    Investigator,
    InvestigatorId,
    KeeperAction,
    LaidCard,
    Lock,
    Phase,
    RoomId,
    SpaceId,
)
from protocol.games.first_edition.words import Attribute, Variant
from protocol.values import evolve


@event("fe/variants_agreed")
class VariantsAgreed(FirstEditionEvent):
    """All seats agreed to these variants, perhaps to none. K-SETUP-11, K-DECIDE-106."""

    variants: tuple[Variant, ...]

    def fold(self, table: Game) -> Game:
        return evolve(table, variants=self.variants)


@event("fe/board_laid")
class BoardLaid(FirstEditionEvent):
    """The board of the story. K-MAP-1, K-DECIDE-19."""

    tiles: tuple[CornerTile, ...]
    links: tuple[Link, ...]
    start: SpaceId
    corpses: int
    """Corpse markers in the supply. K-SUPPLY-2."""

    def fold(self, table: Game) -> Game:
        return evolve(
            table,
            tiles=self.tiles,
            links=self.links,
            start=self.start,
            corpses_left=self.corpses,
        )


@event("fe/land_laid")
class LandLaid(FirstEditionEvent):
    """What the board of an outdoor story has besides. W-OUT-4, W-WATER-1."""

    outdoor: tuple[RoomId, ...]
    submerged: tuple[SpaceId, ...]

    def fold(self, table: Game) -> Game:
        return evolve(table, outdoor=self.outdoor, submerged=self.submerged)


@event("fe/action_laid")
class ActionLaid(FirstEditionEvent):
    """The keeper has a keeper action that others do not know yet. W-KACTION-1, W-SECRET-3."""

    role: str
    action: Sealed[KeeperAction] = secret(to="role")
    """With its cost. W-DECIDE-43."""

    def fold(self, table: Game) -> Game:
        return evolve(table, hidden_actions=(*table.hidden_actions, self.action))


@event("fe/keeper_equipped")
class KeeperEquipped(FirstEditionEvent):
    """What lies open on the keeper's side at the start. K-DECIDE-6, K-DECIDE-62, K-DECIDE-105."""

    threat: int
    skill_points: int
    """Skill points of the monsters. K-VAR-2."""
    actions: tuple[KeeperAction, ...]
    counters: Mapping[str, CounterLine]
    clues: int
    """Number of clues in the story."""

    def fold(self, table: Game) -> Game:
        return evolve(
            table,
            threat=self.threat,
            keeper_skill_points=self.skill_points,
            actions=self.actions,
            counters=self.counters,
            clues_left=self.clues,
        )


@event("fe/answers_given")
class AnswersGiven(FirstEditionEvent):
    """The keeper answered the questions of the story. K-SETUP-2, K-SECRET-5."""

    role: str
    answers: Sealed[Mapping[str, str]] = secret(to="role")

    def fold(self, table: Game) -> Game:
        return evolve(table, answers=self.answers)


@event("fe/vote_counted")
class VoteCounted(FirstEditionEvent):
    """The investigators chose in secret; nobody else learns what. W-DECIDE-47, W-SECRET-6."""

    role: str
    answers: Sealed[Mapping[str, str]] = secret(to="role")
    """The option chosen, by question."""

    def fold(self, table: Game) -> Game:
        return evolve(table, vote=self.answers)


@event("fe/objective_set")
class ObjectiveSet(FirstEditionEvent):
    """The objective follows from the answers. K-SETUP-3, K-SECRET-6."""

    role: str
    """The keeper; the investigators where they chose it in secret. W-DECIDE-47."""
    objective: Sealed[CardId] = secret(to="role")

    def fold(self, table: Game) -> Game:
        return evolve(table, objective=self.objective)


@event("fe/card_laid")
class CardLaid(FirstEditionEvent):
    """An exploration card was put under the cards of a room. K-DECIDE-5, K-SECRET-7."""

    role: str
    room: RoomId
    card: Sealed[CardId] = secret(to="role")

    def fold(self, table: Game) -> Game:
        cards = (*table.laid.get(self.room, ()), LaidCard(table.next_laid, self.card))
        laid = {**table.laid, self.room: cards}
        return evolve(table, laid=laid, next_laid=table.next_laid + 1)


@event("fe/lock_laid")
class LockLaid(FirstEditionEvent):
    """A lock was put on a room. K-DECIDE-36, K-SECRET-8."""

    role: str
    room: RoomId
    card: Sealed[CardId] = secret(to="role")

    def fold(self, table: Game) -> Game:
        return evolve(table, locks={**table.locks, self.room: Lock(self.card)})


@event("fe/event_laid")
class EventLaid(FirstEditionEvent):
    """An event card was put under the event deck. K-SECRET-19."""

    role: str
    """The keeper; empty if the keeper does not know the card either. K-DECIDE-65."""
    card: Sealed[CardId] = secret(to="role")

    def fold(self, table: Game) -> Game:
        return evolve(table, events=(*table.events, self.card))


@event("fe/event_faced")
class EventFaced(FirstEditionEvent):
    """The number on the next event card, which everybody sees; 0 if none is left. K-EVENT-2."""

    time: int

    def fold(self, table: Game) -> Game:
        return evolve(table, event_time=self.time)


@event("fe/investigator_joined")
class InvestigatorJoined(FirstEditionEvent):
    """An investigator with two traits came to the starting space. K-SETUP-5 to K-SETUP-10."""

    investigator: InvestigatorId
    seat: int
    health: int
    sanity: int
    skill_points: int
    traits: tuple[CardId, ...]
    attributes: Mapping[Attribute, int]

    def fold(self, table: Game) -> Game:
        who = Investigator(
            self.investigator,
            self.seat,
            self.health,
            self.sanity,
            self.skill_points,
            self.traits,
            self.attributes,
            table.start,
        )
        if table.phase is not Phase.SETUP:
            # To arrive is the turn. K-NEW-1.
            who, table = evolve(who, has_acted=True), without_waiting(table, self.seat)
        return evolve(
            table,
            investigators={**table.investigators, self.investigator: who},
            used_investigators=(*table.used_investigators, self.investigator),
        )
