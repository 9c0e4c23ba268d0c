"""What a bot sees on the table: ways, clues, enemies, and how the act stands."""

from collections import deque
from collections.abc import Callable

import attrs

from client.model.tables import TableView
from protocol.games.cards.table import (
    Card,
    CardsTable,
    Investigator,
    InvestigatorId,
    PieceId,
    Place,
)
from protocol.games.cards.words import Token, Zone


@attrs.frozen
class Sight:
    """The table as the bot of one seat knows it."""

    table: CardsTable
    seat: int

    @classmethod
    def of(cls, view: TableView) -> "Sight | None":
        """Return what a viewer sees; None before the game, and for a spectator."""
        game = view.table.game
        if not isinstance(game, CardsTable) or view.seat is None:
            return None
        return cls(game, view.seat)

    @property
    def mine(self) -> tuple[Investigator, ...]:
        """The investigators of the seat that are in the scenario."""
        people = self.table.investigators
        return tuple(people[who] for who in self.table.order if people[who].seat == self.seat)

    @property
    def me(self) -> Investigator | None:
        """The investigator who acts, or the first of the seat."""
        return next(
            (one for one in self.mine if one.id == self.table.active), next(iter(self.mine), None)
        )

    def enemies_at(self, place: PieceId) -> tuple[Card, ...]:
        """Return the enemies at a location, engaged or not."""
        table = self.table
        return tuple(
            card
            for card in table.cards.values()
            if (card.at.zone is Zone.AT and card.at.of == place and _is_enemy(card))
            or (
                card.at.zone is Zone.THREAT
                and card.engaged
                and table.investigators[card.at.of].location == place
            )
        )

    def engaged_with(self, who: InvestigatorId) -> tuple[Card, ...]:
        """Return the enemies engaged with an investigator."""
        return tuple(card for card in self.table.cards.values() if who in card.engaged)

    def swarm_of(self, card: Card) -> tuple[Card, ...]:
        """Return the swarm cards of an enemy."""
        place = Place(Zone.SWARM, card.piece)
        return tuple(one for one in self.table.cards.values() if one.at == place)

    def clues_at(self, place: PieceId) -> int:
        """Return the clues on a location."""
        card = self.table.cards.get(place)
        return 0 if card is None else card.count(Token.CLUE)

    def steps_to(self, start: PieceId, is_goal: Callable[[Card], bool]) -> dict[PieceId, int]:
        """Return, for each way out of a location, the steps from there to the nearest goal."""
        found = {}
        for way in self.table.links.get(start, ()):
            steps = self._distance(way, is_goal, without=start)
            if steps is not None:
                found[way] = steps
        return found

    def _distance(
        self, start: PieceId, is_goal: Callable[[Card], bool], without: PieceId
    ) -> int | None:
        seen, waiting = {start, without}, deque([(start, 0)])
        while waiting:
            at, steps = waiting.popleft()
            card = self.table.cards.get(at)
            if card is not None and is_goal(card):
                return steps
            for way in self.table.links.get(at, ()):
                if way not in seen:
                    seen.add(way)
                    waiting.append((way, steps + 1))
        return None


def _is_enemy(card: Card) -> bool:
    # What lies at a location and is no attachment is an enemy, or a story card that stands there.
    return card.at.zone is Zone.AT


def is_worth_visiting(card: Card) -> bool:
    """Return whether a location has clues, or has not been seen."""
    return card.at.zone is Zone.MAP and (not card.face or card.count(Token.CLUE) > 0)
