"""
Hunt: what the keeper makes of the table.

The objective decides the scheme. Where the investigators chose it in secret, the keeper goes by
what betrays it, and until then by the scheme of somebody who does not know.
"""

import random
from collections.abc import Mapping, Sequence

import attrs

from client.games.first_edition.bot.advice import NO_SCHEME
from client.games.first_edition.bot.advice.forms import Advice, Fact, Scheme, Seen
from client.games.first_edition.bot.board import PIT, Board, weakness
from client.games.first_edition.bot.seen import OpenTable
from client.games.first_edition.outdoors import is_in_water
from protocol.common.asks import Question
from protocol.games.first_edition.events import PuzzleAttemptBegan
from protocol.games.first_edition.table import (
    Ally,
    CardId,
    Character,
    FirstEditionTable,
    Investigator,
    Monster,
    MonsterId,
    RoomId,
    SpaceId,
)
from protocol.games.first_edition.words import KEEPER, FeatureKind, StoryDeck

SCHEMED = 70.0
"""Points from which an action belongs to the scheme, so that threat is saved for it."""
ALLY = -3.0
"""How many steps more an ally is worth than an investigator, if advice says nothing."""
SPARED = -50.0
"""Points at or below which an ally is spared."""

MOST_DAMAGE = 2
"""Damage that a pit is expected to deal at most."""


def scheme_of(advice: Advice, table: OpenTable) -> Scheme:
    """Return the scheme for the objective that is known or suspected, or for none. W-STORY-5."""
    chosen = table.game.objective
    if chosen is not None and chosen.is_open:
        return advice.schemes.get(chosen.value, NO_SCHEME)
    if table.game.revealed is not None:
        return advice.schemes.get(table.game.revealed, NO_SCHEME)
    suspected = next((one for one in advice.suspicions if table.hold(one.when)), None)
    if suspected is None:
        return advice.blind
    return advice.schemes.get(suspected.objective, NO_SCHEME)


@attrs.define
class Mind:
    """The keeper's view of the table."""

    game: FirstEditionTable
    scheme: Scheme
    board: Board
    question: Question
    table: OpenTable
    rng: random.Random
    _finders: Mapping[RoomId, MonsterId] | None = attrs.field(default=None, init=False)

    def is_saving(self) -> bool:
        """Return whether threat alone is lacking for an action that the scheme wants."""
        return any(
            refused.reason.subject == "refusal/threat"
            and refused.text.params
            and self.schemed(str(refused.text.params[0])) >= SCHEMED
            for refused in self.question.refused
        )

    def schemed(self, action: CardId) -> float:
        """Return the points that the scheme gives a keeper action now; 0 for usual ones."""
        act = self.scheme.acts.get(action)
        if act is None:
            return 0.0
        is_enough = act.enough is not None and self.table.holds(act.enough)
        return 8.0 if is_enough or not self.table.hold(act.when) else act.worth

    def is_ritual_done(self) -> bool:
        """Return whether the keeper's last attempt was at a puzzle that is solved now."""
        tried = [
            one.event.puzzle
            for one in self.table.view.records
            if isinstance(one.event, PuzzleAttemptBegan) and one.event.investigator == KEEPER
        ]
        return bool(tried) and tried[-1] in self.game.solved

    # Where monsters go

    def target(self, monster: Monster, space: SpaceId) -> float:
        """Return how far a monster in a space is from where it is wanted, less its worth there."""
        return self.aim(monster, space)[0]

    def aim(self, monster: Monster, space: SpaceId) -> tuple[float, int]:
        """Return `target`, and the steps from a space to there; 99 if there is no way."""
        wanted = self.scheme.leads.get(monster.kind)
        aims: list[tuple[SpaceId | RoomId, float]] = []
        if isinstance(wanted, FeatureKind):
            aims += [(one.at, 0.0) for one in self.game.features.values() if one.kind is wanted]
        elif wanted is not None:
            aims.append((wanted, 0.0))
        else:
            aims += [
                (one.space, self.prey(one))
                for one in self.game.characters()
                if one.hidden_in is None and not self.is_spared(one)
            ]
            aims += [
                (room, self.scheme.finds)
                for room, finder in self.finders().items()
                if finder == monster.monster_id
            ]
        away = [(self.board.monster_steps(monster, space, at), worth) for at, worth in aims]
        return min(((steps - worth, steps) for steps, worth in away), default=(99.0, 99))

    def finders(self) -> Mapping[RoomId, MonsterId]:
        """Return the monster that is nearest to each room with a find. W-DECIDE-49."""
        if self._finders is None:
            finds = {
                card.owner
                for card in self.game.story_cards.values()
                if card.kind is StoryDeck.FIND and card.shown is None
            }
            away = {
                room: [
                    (self.board.monster_steps(one, one.space, room), one.monster_id)
                    for one in self.game.monsters.values()
                ]
                for room in finds
            }
            self._finders = {room: min(some)[1] for room, some in away.items() if some}
        return self._finders

    def toll(self, monster: Monster, space: SpaceId, *, is_last: bool) -> float:
        """
        Return the steps that a step costs a monster besides: into a pit, or to stay in water.

        Passing through water is free. W-PIT-2, W-WATER-7, W-FLY-4, W-FLY-5.
        """
        if monster.is_flying:
            return 0.0
        if self.game.features_at(space, FeatureKind.PIT):
            back = monster.back.value if monster.back.is_open else None
            is_frail = back is not None and back.health - monster.damage <= MOST_DAMAGE
            return 99.0 if is_frail else PIT
        return 99.0 if is_last and is_in_water(self.game, space) else 0.0

    # Whom they hunt

    def prey(self, who: Investigator | Ally) -> float:
        """Return the additional steps for a victim: more for a weak one, or one near the clue."""
        nears = isinstance(who, Investigator) and self.nears_clue(who)
        return weakness(who) + (1.0 if nears else 0.0) + self.wanted(who)

    def wanted(self, who: Investigator | Ally) -> float:
        """Return how many steps more a victim is worth by the scheme."""
        prey = self.scheme.prey
        worth = prey.get(self.game.room_of(who.space), 0.0)
        worth += sum(prey.get(item.card, 0.0) for item in who.items)
        if isinstance(who, Ally):
            worth += prey.get(who.ally_id, ALLY)
            is_heard = self.table.holds(Seen(Fact.TALKED, who.ally_id))
            worth += 0.0 if is_heard else self.scheme.unheard
        return worth

    def is_spared(self, who: Character) -> bool:
        """Return whether the scheme wants an ally alive."""
        return isinstance(who, Ally) and self.scheme.prey.get(who.ally_id, 0.0) <= SPARED

    def nears_clue(self, who: Investigator) -> bool:
        """Return whether somebody is in or beside the room of the last clue that lies."""
        rooms = [
            room
            for room, cards in self.game.laid.items()
            if any(c.card.is_open and c.card.value.startswith("clue/") for c in cards)
        ]
        away = [self.board.steps_to_room(who.space, room) for room in rooms]
        return any(steps is not None and steps <= 1 for steps in away)

    def misery(self, who: Investigator | Ally, at: SpaceId) -> float:
        """
        Return how bad a space is for somebody whom the keeper moves there.

        Monsters, pits and water hurt. Investigators are led away from cards, and allies away from
        those who would talk with them.
        """
        harm = 2.0 * len(self.game.monsters_at(at))
        if at != who.space:
            harm += 2.0 if self.game.features_at(at, FeatureKind.PIT) else 0.0
            harm += 2.0 if is_in_water(self.game, at) else 0.0
        if isinstance(who, Ally):
            if self.is_spared(who):
                return -harm
            people = [self.board.steps(at, one.space) for one in self.game.in_seat_order()]
            near = [self.board.monster_steps(m, m.space, at) for m in self.game.monsters.values()]
            return harm + 0.5 * _least(people) - 0.5 * min(near, default=0)
        rooms = [room for room, cards in self.game.laid.items() if cards]
        return harm + _least([self.board.steps_to_room(at, room) for room in rooms])


def _least(away: Sequence[int | None]) -> int:
    return min((steps for steps in away if steps is not None), default=0)
