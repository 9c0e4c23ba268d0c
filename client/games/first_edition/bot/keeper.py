"""
The keeper: the points of each choice for a sensible keeper.

The keeper knows the objective and all cards that are laid, which were sent to this seat alone.
"""

import random
from collections.abc import Callable, Mapping, Sequence

import attrs

from client.bots.weighing import END_OF_TURN
from client.games.first_edition.bot.advice import CARDS, NO_SCHEME, advice_on
from client.games.first_edition.bot.advice.forms import Moment, Power, Scheme
from client.games.first_edition.bot.board import Board, weakness
from client.games.first_edition.bot.seen import OpenTable
from client.model.tables import TableView
from protocol.common.asks import Choice, Question
from protocol.games.first_edition.table import (
    MYTHOS_HAND,
    TRAUMA_HAND,
    CardId,
    FirstEditionTable,
    Investigator,
    Monster,
    SpaceId,
)
from protocol.games.first_edition.words import FeatureKind

STRIKES = 0.6
"""Chance to play a card of the keeper at one step; a turn has several."""

SCHEMED = 70.0
"""Points from which an action belongs to the scheme, so that threat is saved for it."""


def worths(
    view: TableView, game: FirstEditionTable, question: Question, rng: random.Random
) -> Sequence[float]:
    """Return the points of each choice."""
    sealed = game.objective
    goal = sealed.value if sealed is not None and sealed.is_open else ""
    scheme = advice_on(view.table.room.scenario).schemes.get(goal, NO_SCHEME)
    mind = Mind(game, scheme, Board(game), question, OpenTable(view, game))
    found = [worth(mind, choice) for choice in question.choices]
    is_full = len(game.hand(MYTHOS_HAND)) > len(game.investigators)
    if view.may_interrupt and not is_full:
        # A card that comes at any time is harder to play around; trauma waits for nothing.
        least = END_OF_TURN if rng.random() < STRIKES else 1000.0
        return [
            points if choice.group == "trauma" or points >= least else 0.0
            for points, choice in zip(found, question.choices, strict=True)
        ]
    return found


@attrs.define
class Mind:
    """What the keeper makes of the table."""

    game: FirstEditionTable
    scheme: Scheme
    board: Board
    question: Question
    table: OpenTable

    def is_saving(self) -> bool:
        """Return whether threat alone is lacking for an action that the scheme wants."""
        return any(
            refused.reason.subject == "refusal/threat"
            and refused.text.params
            and self.schemed(str(refused.text.params[0])) >= SCHEMED
            for refused in self.question.refused
        )

    def target(self, monster: Monster, space: SpaceId) -> float:
        """Return how far a monster in a space is from where it is wanted."""
        wanted = self.scheme.leads.get(monster.kind)
        if isinstance(wanted, FeatureKind):
            marks = (one.at for one in self.game.features.values() if one.kind is wanted)
            return float(
                min((self.board.monster_steps(monster, space, at) for at in marks), default=99)
            )
        if wanted is not None:
            return float(self.board.monster_steps(monster, space, wanted))
        away = [
            self.board.monster_steps(monster, space, one.space) - self.prey(one)
            for one in self.game.investigators.values()
            if one.hidden_in is None
        ]
        return min(away, default=99.0)

    def schemed(self, action: CardId) -> float:
        """Return the points that the scheme gives a keeper action now; 0 for usual ones."""
        act = self.scheme.acts.get(action)
        if act is None:
            return 0.0
        is_enough = act.enough is not None and self.table.holds(act.enough)
        return 8.0 if is_enough or not self.table.hold(act.when) else act.worth

    def prey(self, who: Investigator) -> float:
        """Return how many steps more a victim is worth: the weak, and whoever nears the clue."""
        prey = self.scheme.prey
        schemed = prey.get(self.game.room_of(who.space), 0.0)
        schemed += sum(prey.get(item.card, 0.0) for item in who.items)
        return weakness(who) + (1.0 if self.nears_clue(who) else 0.0) + schemed

    def nears_clue(self, who: Investigator) -> bool:
        """Return whether somebody is in or beside the room of the last clue that lies."""
        rooms = [
            room
            for room, cards in self.game.laid.items()
            if any(c.card.is_open and c.card.value.startswith("clue/") for c in cards)
        ]
        away = [self.board.steps_to_room(who.space, room) for room in rooms]
        return any(steps is not None and steps <= 1 for steps in away)


Judge = Callable[[Mind, Choice], float]


def worth(mind: Mind, choice: Choice) -> float:
    """Return the points of one choice."""
    subject = choice.text.subject
    if (judge := _JUDGES.get(subject)) is not None:
        return judge(mind, choice)
    if subject in _FLAT:
        return _FLAT[subject]
    if subject in mind.scheme.answers:
        return mind.table.worth(mind.scheme.answers[subject])
    return END_OF_TURN if choice.ends else 20.0


def _action(mind: Mind, choice: Choice) -> float:
    """Return the points of a keeper action."""
    card = str(choice.text.params[0]) if choice.text.params else ""
    if card in mind.scheme.acts:
        return mind.schemed(card)
    usual = _usual_action(mind, card)
    return usual if usual >= SCHEMED or not mind.is_saving() else 0.0


def _usual_action(mind: Mind, card: str) -> float:
    """Return the points of a keeper action of which the scheme says nothing."""
    game = mind.game
    match CARDS.actions.get(card):
        case Power.MOVES:
            return max((_walk(mind, one) for one in game.monsters.values()), default=2.0)
        case Power.DRAWS_MYTHOS:
            return 50.0 if len(game.hand(MYTHOS_HAND)) <= len(game.investigators) else 12.0
        case Power.DRAWS_TRAUMA:
            return 46.0 if not game.hand(TRAUMA_HAND) else 9.0
        case Power.BRINGS_MONSTER:
            return 55.0 if len(game.monsters) <= len(game.investigators) else 14.0
        case Power.HEALS_MONSTERS:
            return 40.0 if any(one.damage > 1 for one in game.monsters.values()) else 9.0
        case Power.DARKENS:
            near = {game.room_of(one.space) for one in game.investigators.values()}
            is_new = not any(game.is_dark(room) for room in near)
            return 48.0 if is_new and game.threat > len(near) + 2 else 25.0
        case Power.HARMS:
            return 40.0
        case _:
            return 30.0


def _walk(mind: Mind, monster: Monster) -> float:
    """Return the points of moving a monster: most if it gets where it is wanted."""
    steps = mind.target(monster, monster.space)
    if monster.stun or not 0.5 < steps < 20:
        # Whoever stands beside a victim already needs no step.
        return 2.0
    if monster.kind in mind.scheme.leads:
        return 88.0
    return 65.0 if steps <= 2 else 45.0


def _lead(mind: Mind, choice: Choice) -> float:
    """Return the points of a step of a monster, or of an investigator whom the keeper leads."""
    pieces = {point.kind: point.piece for point in choice.points}
    monster = mind.game.monsters.get(pieces.get("monster", ""))
    space = pieces.get("space", "")
    if monster is None:
        return _lead_astray(mind, choice, space)
    gained = mind.target(monster, monster.space) - mind.target(monster, space)
    if gained <= 0:
        return 1.0
    return 30.0 + 10 * gained - mind.target(monster, space)


def _lead_astray(mind: Mind, choice: Choice, space: SpaceId) -> float:
    """Return the points of a step that takes an investigator away from cards, or to monsters."""
    name = str(choice.text.params[0]) if choice.text.params else ""
    who = mind.game.investigators.get(name)
    if who is None or not space:
        return 15.0

    def bad(at: SpaceId) -> float:
        away = [
            mind.board.steps_to_room(at, room) for room, cards in mind.game.laid.items() if cards
        ]
        far = min((steps for steps in away if steps is not None), default=0)
        return 3.0 * far + 6.0 * len(mind.game.monsters_at(at))

    return END_OF_TURN + 5.0 * (bad(space) - bad(who.space))


def _attack(mind: Mind, choice: Choice) -> float:
    pieces = {point.kind: point.piece for point in choice.points}
    who = mind.game.investigators.get(pieces.get("investigator", ""))
    special = 10.0 if choice.text.subject == "choice/special_attack" else 0.0
    return 40.0 + special + (0.0 if who is None else 20 * weakness(who))


def _mythos(mind: Mind, choice: Choice) -> float:
    """Return the points of a mythos card on the active investigator."""
    pieces = {point.kind: point.piece for point in choice.points}
    who = mind.game.investigators.get(pieces.get("investigator", ""))
    card = str(choice.text.params[0]) if choice.text.params else ""
    if card in mind.scheme.mythos:
        return mind.scheme.mythos[card]
    strike = CARDS.mythos.get(card)
    if strike is None or who is None:
        return 35.0
    if not _is_moment(mind, who, strike.moment):
        return strike.otherwise
    return strike.worth + 10.0 * weakness(who)


def _is_moment(mind: Mind, who: Investigator, moment: Moment) -> bool:
    """Return whether this is the moment for a mythos card on somebody."""
    room = mind.game.room_of(who.space)
    match moment:
        case Moment.ALONE:
            found = len(mind.game.in_room(room)) == 1
        case Moment.BESIDE_MONSTER:
            found = bool(mind.game.monsters_at(who.space))
        case Moment.MONSTER_NEAR:
            found = any(
                mind.board.monster_steps(one, one.space, who.space) <= 3
                for one in mind.game.monsters.values()
            )
        case Moment.BEFORE_EXPLORING:
            found = bool(mind.game.laid.get(room)) and mind.game.has_action
        case Moment.WEAK_BODY:
            found = 2 * who.damage >= who.health
        case Moment.WEAK_MIND:
            found = 2 * who.horror >= who.sanity
        case _:
            found = True
    return found


def _whom(mind: Mind, choice: Choice) -> float:
    who = mind.game.investigators.get(choice.points[0].piece) if choice.points else None
    return 20.0 if who is None else 20.0 + 20.0 * weakness(who)


def _space(mind: Mind, choice: Choice) -> float:
    """Return the points of a space or a room for something bad: near those who can be hurt."""
    at = choice.points[0].piece if choice.points else ""
    if at in mind.game.map.rooms:
        away = [mind.board.steps(at, one.space) for one in mind.game.investigators.values()]
    else:
        away = [mind.board.steps_to_room(one.space, at) for one in mind.game.investigators.values()]
    return 40.0 - 4.0 * min((steps for steps in away if steps is not None), default=9)


def _curse(mind: Mind, _choice: Choice) -> float:
    """Return the points of a curse token on a roll: it is for rolls that pass."""
    test = mind.game.test
    is_passed = test is not None and test.roll is not None and test.roll <= test.value
    return 40.0 if is_passed else 0.0


_JUDGES: Mapping[str, Judge] = {
    "choice/keeper_action": _action,
    "choice/take_action": _action,
    "choice/lead_to": _lead,
    "choice/monster_attack": _attack,
    "choice/special_attack": _attack,
    "choice/mythos": _mythos,
    "choice/whom": _whom,
    "choice/space": _space,
    "choice/room": _space,
    "choice/use_curse": _curse,
}
_FLAT: Mapping[str, float] = {
    "choice/assault": 12.0,
    "choice/end_actions": END_OF_TURN,
    "choice/trauma": 60.0,
    "choice/both_traumas": 80.0,
    "choice/spare": -10.0,
    "choice/spare_never": -10.0,
    "choice/force_roll": 40.0,
    "choice/no_figure": END_OF_TURN,
    "choice/lay_none": END_OF_TURN,
}
