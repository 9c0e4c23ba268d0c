"""
The keeper: the points of each choice for a sensible keeper.

The keeper knows the objective and all cards that are laid, which were sent to this seat alone.
"""

import random
from collections.abc import Callable, Mapping, Sequence

from client.bots.weighing import END_OF_TURN
from client.games.first_edition.bot import pool
from client.games.first_edition.bot.advice import CARDS, advice_on
from client.games.first_edition.bot.advice.forms import Moment, Power
from client.games.first_edition.bot.board import Board, weakness
from client.games.first_edition.bot.hunt import SCHEMED, Mind, scheme_of
from client.games.first_edition.bot.seen import OpenTable
from client.games.first_edition.outdoors import is_in_water
from client.model.tables import TableView
from protocol.common.asks import Choice, Question
from protocol.common.text import Text
from protocol.games.first_edition.table import (
    MYTHOS_HAND,
    TRAUMA_HAND,
    Ally,
    FirstEditionTable,
    Investigator,
    Monster,
    SpaceId,
)
from protocol.games.first_edition.words import Attribute, FeatureKind, TestKind

STRIKES = 0.6
"""Chance to play a card of the keeper at one step; a turn has several."""
AT_ONCE = frozenset(["trauma", "use"])
"""Groups of choices that wait for nothing: what they change is there now alone."""

SURPRISE, WORTHWHILE = 12.0, 30.0
"""Points that the first use of a hidden action adds, if it is worth so much without them."""
VARIETY = 24.0
"""Points by chance, outdoors: who always does the same is soon found out."""
BETTER, PATIENCE = 5.0, 2
"""Points by which an action is worth waiting for, and the number of turns that the keeper waits."""


def worths(
    view: TableView, game: FirstEditionTable, question: Question, rng: random.Random
) -> Sequence[float]:
    """Return the points of each choice."""
    advice, table = advice_on(view.table.room.scenario), OpenTable(view, game)
    if question.prompt.subject in pool.PROMPTS:
        return pool.worths(view, game, advice, question, rng)
    mind = Mind(game, scheme_of(advice, table), Board(game), question, table, rng)
    found = [worth(mind, choice) for choice in question.choices]
    is_full = len(game.hand(MYTHOS_HAND)) > len(game.investigators)
    if view.may_interrupt and not is_full:
        # A card that comes at any time is harder to play around.
        least = END_OF_TURN if rng.random() < STRIKES else 1000.0
        return [
            points if choice.group in AT_ONCE or points >= least else 0.0
            for points, choice in zip(found, question.choices, strict=True)
        ]
    return found


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
    """Return the points of a keeper action; 0 while threat is saved for a better one."""
    card = str(choice.text.params[0]) if choice.text.params else ""
    if card in mind.scheme.acts:
        return mind.schemed(card)
    usual = _usual(mind, card)
    if usual < SCHEMED and (mind.is_saving() or _delays(mind, choice, usual)):
        return 0.0
    return usual


def _delays(mind: Mind, choice: Choice, usual: float) -> bool:
    """
    Return whether an action would put off a better one that alone lacks threat, and can be soon.

    Only where actions are hidden: their price is high, and nobody sees what is saved for.
    """
    if not mind.game.hidden_actions:
        return False
    income, threat = len(mind.game.investigators), mind.game.threat
    cost = _cost(choice.text)
    for refused in mind.question.refused:
        if refused.reason.subject != "refusal/threat" or not income:
            continue
        card, dear = str(refused.text.params[0]), _cost(refused.text)
        soon, later = (-(-(dear - left) // income) for left in (threat, threat - cost))
        better = mind.schemed(card) if card in mind.scheme.acts else _usual(mind, card)
        if better > usual + BETTER and soon <= PATIENCE and soon < later:
            return True
    return False


def _cost(text: Text) -> int:
    """Return the threat that a keeper action costs, by its words."""
    cost = text.params[1] if len(text.params) > 1 else 0
    return cost if isinstance(cost, int) else 0


def _usual(mind: Mind, card: str) -> float:
    """Return the points of a keeper action of which the scheme says nothing."""
    found = _by_power(mind, card)
    if mind.game.outdoor and found >= WORTHWHILE:
        found += VARIETY * (mind.rng.random() - 0.5)
    is_hidden = any(one.is_open and one.value.card == card for one in mind.game.hidden_actions)
    # Nobody is prepared for what nobody has seen.
    return found + SURPRISE if is_hidden and found >= WORTHWHILE else found


def _by_power(mind: Mind, card: str) -> float:
    """Return the points of a keeper action for its main effect on this table."""
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
            is_rich = game.outdoor or game.threat > len(near) + 2
            return 48.0 if is_new and is_rich else 25.0
        case Power.HARMS:
            return 40.0
        case Power.EXPLORES:
            near = {game.room_of(one.space) for one in game.monsters.values()}
            return 2.0 if near.isdisjoint(mind.finders()) else 72.0
        case Power.RITUAL:
            return 2.0 if mind.is_ritual_done() else 74.0
        case Power.CURSES:
            return 44.0 if any(not one.curses for one in game.investigators.values()) else 20.0
        case Power.DIGS:
            pits = sum(one.kind is FeatureKind.PIT for one in game.features.values())
            return 42.0 if pits <= len(game.investigators) else 12.0
        case Power.LEADS_PEOPLE:
            return 38.0
        case Power.LEADS_ALLIES | Power.HURTS_ALLIES:
            hunted = [mind.wanted(one) for one in game.allies.values() if not mind.is_spared(one)]
            return 40.0 + 5.0 * max(hunted) if hunted else 2.0
        case _:
            return 30.0


def _walk(mind: Mind, monster: Monster) -> float:
    """Return the points of moving a monster: most if it gets where it is wanted."""
    left, steps = mind.aim(monster, monster.space)
    # Stories indoors are balanced with a keeper who leaves the weak a step.
    is_there = steps == 0 if mind.game.outdoor else left <= 0.5
    if monster.stun or is_there or steps >= 20:
        return 2.0
    if monster.kind in mind.scheme.leads:
        return 88.0
    return 65.0 if (steps if mind.game.outdoor else left) <= 2 else 45.0


def _lead(mind: Mind, choice: Choice) -> float:
    """Return the points of a step of a monster, or of an investigator whom the keeper leads."""
    pieces = {point.kind: point.piece for point in choice.points}
    monster = mind.game.monsters.get(pieces.get("monster", ""))
    space = pieces.get("space", "")
    if monster is None:
        return _lead_astray(mind, choice, space)
    gained = mind.target(monster, monster.space) - mind.target(monster, space)
    gained -= mind.toll(monster, space, is_last=_steps_left(mind.question) <= 1)
    if gained <= 0:
        return 1.0
    return 30.0 + 10 * gained - mind.target(monster, space)


def _steps_left(question: Question) -> int:
    """Return the steps left to the figure that is led."""
    left = question.prompt.params[1:2] if question.prompt.subject == "ask/lead" else ()
    return next((one for one in left if isinstance(one, int)), 1)


def _lead_astray(mind: Mind, choice: Choice, space: SpaceId) -> float:
    """Return the points of a step on which the keeper takes an investigator or an ally."""
    name = choice.text.params[0] if choice.text.params else ""
    if not space:
        return 15.0
    if isinstance(name, str) and mind.game.is_here(name):
        who = mind.game.character(name)
        return END_OF_TURN + 15.0 * (mind.misery(who, space) - mind.misery(who, who.space))
    monster = _monster_named(mind, name)
    # It must leave the water.
    return 15.0 if monster is None else 40.0 - mind.target(monster, space) - _pit(mind, space)


def _monster_named(mind: Mind, name: object) -> Monster | None:
    """Return the monster that a question names by its kind, and its number if there are several."""
    kind, number = (*name.params, None)[:2] if isinstance(name, Text) else (name, None)
    fitting = (one for one in mind.game.monsters.values() if one.kind == kind)
    return next((one for one in fitting if number in {None, one.number}), None)


def _pit(mind: Mind, space: SpaceId) -> float:
    """Return the points that a pit costs whatever comes into its space."""
    return 10.0 if mind.game.features_at(space, FeatureKind.PIT) else 0.0


def _attack(mind: Mind, choice: Choice) -> float:
    pieces = {point.kind: point.piece for point in choice.points}
    name = pieces.get("investigator", "")
    who = mind.game.character(name) if mind.game.is_here(name) else None
    special = 10.0 if choice.text.subject == "choice/special_attack" else 0.0
    if isinstance(who, Ally):
        special += 5.0 * mind.wanted(who)
        if mind.is_spared(who):
            return 1.0
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
    name = choice.points[0].piece if choice.points else ""
    if not mind.game.is_here(name):
        return 20.0
    who = mind.game.character(name)
    if isinstance(who, Ally):
        return 1.0 if mind.is_spared(who) else 20.0 + 5.0 * mind.wanted(who) + 20.0 * weakness(who)
    # A second curse waits behind the first.
    curses = who.curses if _power(mind) is Power.CURSES else 0
    return 20.0 + 20.0 * weakness(who) - 8.0 * curses


def _power(mind: Mind) -> Power | None:
    """Return what the keeper action does that a question is about."""
    card = mind.question.prompt.params[:1]
    return CARDS.actions.get(str(card[0])) if card else None


def _space(mind: Mind, choice: Choice) -> float:
    """Return the points of a space or a room for something bad: near those who can be hurt."""
    at = choice.points[0].piece if choice.points else ""
    people = mind.game.in_seat_order()
    if at not in mind.game.map.rooms:
        return _nearness([mind.board.steps_to_room(one.space, at) for one in people])
    figure = str((*mind.question.prompt.params, "", "")[1])
    if mind.game.is_here(figure):
        return 40.0 + 8.0 * mind.misery(mind.game.character(figure), at)
    near = _nearness([mind.board.steps(at, one.space) for one in people])
    if figure == f"feature/{FeatureKind.PIT.value}":
        # A second pit would not be placed (W-PIT-14), and one below feet harms nobody (W-PIT-12).
        stood_on = any(one.space == at for one in mind.game.characters())
        return near - 3.0 * _pit(mind, at) - (6.0 if stood_on else 0.0)
    flies = any(one.is_flying for one in mind.game.monsters.values() if one.kind == figure)
    return near if flies or not is_in_water(mind.game, at) else near - 40.0


def _nearness(away: Sequence[int | None]) -> float:
    return 40.0 - 4.0 * min((steps for steps in away if steps is not None), default=9)


def _take_figure(mind: Mind, choice: Choice) -> float:
    """Return the points of putting a monster elsewhere: one that is far from its aim."""
    monster = mind.game.monsters[choice.points[0].piece]
    return 5.0 + 2.0 * mind.aim(monster, monster.space)[1]


_STAKES: Mapping[TestKind, float] = {
    TestKind.FIRE: 0.7,
    TestKind.HORROR: 0.8,
    TestKind.EVADE: 0.9,
}
"""How much a passed test matters to the keeper; 1 for any other."""


def _spoil(mind: Mind, choice: Choice) -> float:
    """
    Return the points of having a roll made again: where it passed, matters, and may well fail.

    A skill point can still be spent before the roll that a curse brings. W-CURSE-8.
    """
    test = mind.game.test
    if test is None or test.roll is None or test.roll > test.value:
        return 0.0
    who, value = mind.game.investigators.get(test.investigator), test.value
    by_curse = choice.text.subject == "choice/use_curse"
    has_point = who is not None and who.skill_points > 0 and not test.has_point
    if who is not None and by_curse and has_point and test.attribute is not Attribute.LUCK:
        value += who.attributes[Attribute.LUCK] // 2
    gain = (10 - value) / 10 * _STAKES.get(test.kind, 1.0)
    # The more tokens there are, the sooner one is spent.
    left = who.curses if who is not None and by_curse else mind.game.keeper_skill_points
    return 100.0 * gain if gain >= 0.45 - 0.1 * left else 0.0


def _fail_ally(mind: Mind, _choice: Choice) -> float:
    """Return the points of a curse that makes an ally fail: more than a bad chance. W-DECIDE-24."""
    test = mind.game.test
    who = None if test is None else mind.game.allies.get(test.investigator)
    if test is None or who is None or mind.is_spared(who):
        return 1.0
    return 8.0 * test.value * _STAKES.get(test.kind, 1.0) - 20.0


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
    "choice/take_figure": _take_figure,
    "choice/use_curse": _spoil,
    "choice/force_roll": _spoil,
    "choice/ally_fails": _fail_ally,
}
_FLAT: Mapping[str, float] = {
    "choice/assault": 12.0,
    "choice/end_actions": END_OF_TURN,
    "choice/trauma": 60.0,
    "choice/both_traumas": 80.0,
    "choice/spare": -10.0,
    "choice/spare_never": -10.0,
    # The investigator who rows chooses the destination.
    "choice/row_alone": 5.0,
    "choice/no_figure": END_OF_TURN,
    "choice/lay_none": END_OF_TURN,
}
