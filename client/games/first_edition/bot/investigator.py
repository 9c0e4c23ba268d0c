"""Investigators: the points of each choice for a sensible investigator."""

import random
from collections.abc import Mapping, Sequence

from client.bots.weighing import END_OF_TURN, MEMORY
from client.games.first_edition.bot import outdoors
from client.games.first_edition.bot.advice import CARDS, NO_GOALS
from client.games.first_edition.bot.advice.forms import Use
from client.games.first_edition.bot.board import weakness
from client.games.first_edition.bot.outdoors import Judge, go
from client.games.first_edition.bot.plan import HARM, IN_WATER, Mind
from client.model.tables import TableView
from protocol.common.asks import Choice, Question
from protocol.common.text import Text
from protocol.games.first_edition.events import ItemGiven
from protocol.games.first_edition.table import (
    Ally,
    FirstEditionTable,
    Investigator,
    Item,
    SpaceId,
)
from protocol.games.first_edition.words import Attribute

EVADES = 15.0
"""Points that a way must gain for an evade test that fails for sure."""
WORTH_AN_ACTION = 25.0
"""Least points of an action that is taken before the way to somewhere else."""


def worths(
    view: TableView, game: FirstEditionTable, question: Question, rng: random.Random
) -> Sequence[float]:
    """Return the points of each choice."""
    mind = Mind(view, game, question, rng, _asked(view, game, question))
    found = [worth(mind, choice) for choice in question.choices]
    # The balance of the base stories is fitted to bots that act where they happen to be.
    return _acts_first(mind, found) if game.outdoor else found


def _acts_first(mind: Mind, found: Sequence[float]) -> Sequence[float]:
    """
    Return the points of all choices, with an action before the way to where none is needed.

    An investigator who goes to a place or waits there would otherwise leave the turn's action
    unused.
    """
    choices = mind.question.choices
    both = list(zip(found, choices, strict=True))
    best = max((points for points, one in both if one.text.subject in _ACTIONS), default=0.0)
    if best >= WORTH_AN_ACTION:
        is_best = mind.work_in_reach() + WORTH_AN_ACTION <= best
        most = best - WORTH_AN_ACTION if is_best else max(found)
        return [min(points, most) if _is_way(one) else points for points, one in both]
    errand = mind.errand() if any(map(_is_way, choices)) else None
    if errand is None or errand[1] < WORTH_AN_ACTION:
        return found
    at, worth = errand
    now = 99 if mind.me is None else mind.board.steps(mind.me.space, at) or 99
    return [
        max(points, worth * (0.4 + 0.6 * mind.evades()))
        if one.text.subject == "choice/move" and _steps_to(mind, one, at) < now
        else points
        for points, one in both
    ]


def _is_way(choice: Choice) -> bool:
    return choice.text.subject in _WAYS


def _steps_to(mind: Mind, choice: Choice, at: SpaceId) -> int:
    """Return the steps that are left from where a choice leads."""
    steps = mind.board.steps(choice.points[0].piece, at)
    return 99 if steps is None else steps


def _asked(view: TableView, game: FirstEditionTable, question: Question) -> Investigator | None:
    """Return whom a question is about, of those whom the seat leads; None if it leads nobody."""
    mine = [one for one in game.in_seat_order() if one.seat == view.seat]
    named = [one for one in mine if one.investigator_id in question.prompt.params]
    active = [one for one in mine if one.investigator_id == game.active]
    return next(iter((*named, *active, *mine)), None)


def worth(mind: Mind, choice: Choice) -> float:
    """Return the points of one choice."""
    subject = choice.text.subject
    if (judge := _JUDGES.get(subject)) is not None:
        return judge(mind, choice)
    if subject in _FLAT:
        return _FLAT[subject]
    if subject in mind.goals.answers:
        return mind.table.worth(mind.goals.answers[subject])
    return END_OF_TURN if choice.ends else 20.0


def _move(mind: Mind, choice: Choice) -> float:
    me = mind.me
    if me is None or not choice.points:
        return 5.0
    space, here = choice.points[0].piece, mind.stay(me.space)
    # With a step left, the investigator can leave the water again.
    goes_on = mind.game.steps_left > 1 and not mind.board.is_pit(space)
    there = mind.pull(space) if goes_on else mind.stay(space)
    loss = EVADES * (1.0 - mind.evades()) if mind.game.outdoor else 0.0
    if there <= here + loss:
        return 1.0 + there / 100
    # An investigator in the room of the task stays there.
    return go(here, there) * (0.4 + 0.6 * mind.evades())


def _drag(mind: Mind, choice: Choice) -> float:
    me = mind.me
    if me is None or not choice.points or not mind.hauls():
        return -5.0
    ends = mind.corpse_ends()
    ways, onward = mind.board.ways(me.space), mind.board.ways(choice.points[0].piece)
    now = min((ways[at] for at in ends if at in ways), default=99)
    then = min((onward[at] for at in ends if at in onward), default=99)
    return 500.0 if then < now else -5.0


def _explore(mind: Mind, _choice: Choice) -> float:
    me = mind.me
    if me is None:
        return 50.0
    room = mind.game.room_of(me.space)
    value = mind.room_worth(me, room)
    if value <= 0:
        return 2.0
    if mind.board.is_deep(me.space) and not mind.game.steps_left:
        value -= IN_WATER
    return (value + 25.0) * (0.4 + 0.6 * mind.evades())


def _run(mind: Mind, _choice: Choice) -> float:
    """Return the points of running: for somebody who has no step left, and somewhere to go."""
    me = mind.me
    if me is None or mind.game.steps_left:
        return 1.0
    here, ways = mind.stay(me.space), mind.board.ways(me.space, rowing=mind.rowing(me))
    best = max((mind.stay(at) for at, n in ways.items() if n == 1), default=0.0)
    return max(35.0, best / 2) * (0.4 + 0.6 * mind.evades()) if best > here else 2.0


def _fight(mind: Mind, choice: Choice) -> float:
    me = mind.ally or mind.me
    monster = mind.game.monsters.get(choice.points[0].piece) if choice.points else None
    if me is None or monster is None:
        return 20.0
    if mind.ally is not None and me.health_left <= HARM:
        # Nobody follows an ally that is killed.
        return 5.0
    weapon = None
    if choice.text.subject == "choice/attack_with" and len(choice.text.params) > 1:
        card = choice.text.params[1]
        weapon = next((one.weapon for one in me.items if one.card == card and one.weapon), None)
    wanted = mind.goals.kills.get(monster.kind, 0.0)
    if wanted < 0:
        return wanted
    worth = 26.0 + wanted
    if weapon is not None:
        skill = _skill(me, weapon.kind.value)
        worth += 12.0 + 5.0 * weapon.damage + skill
        # A shot is kept for what counts, or for what is near.
        worth -= 6.0 if weapon.uses == 1 else 0.0
    elif choice.text.subject == "choice/cast_at":
        worth += 16.0
    else:
        worth += me.attributes.get(Attribute.STRENGTH, 4) / 2
    worth += 3.0 * monster.damage
    if monster.space == me.space and mind.evades() < 0.5:
        worth += 15.0
    room = mind.game.room_of(monster.space)
    beside = [one for one in mind.game.allies.values() if mind.game.room_of(one.space) == room]
    worth += max(map(mind.protect_worth, beside), default=0.0)
    return worth * (1.15 - min(0.8, weakness(me) / 2))


def _skill(me: Investigator | Ally, kind: str) -> int:
    attribute = Attribute.MARKSMANSHIP if kind == "ranged" else Attribute.STRENGTH
    return me.attributes.get(attribute, 4)


def _use_card(mind: Mind, choice: Choice) -> float:
    """Return the points of a printed action from the advice about its card."""
    card = str(choice.text.params[0]) if choice.text.params else ""
    me = mind.me
    if me is None:
        return 20.0
    # What is free does not wait for the action of the turn.
    bonus = 40.0 if choice.group == "free" else 0.0
    if card in CARDS.healing:
        damage, horror = CARDS.healing[card]
        near = [one for one in mind.game.characters() if one.space == me.space]
        healed = [min(damage, one.damage) * (0.5 + one.damage / one.health) for one in near]
        healed += [min(horror, one.horror) * (0.5 + one.horror / one.sanity) for one in near]
        best = max(healed)
        hurt = [one for one in mind.game.allies.values() if one in near and one.damage]
        urgent = max(map(mind.protect_worth, hurt), default=0.0) if damage else 0.0
        return bonus + 28.0 * best + urgent if best >= 1 else 1.0
    match CARDS.uses.get(card):
        case Use.AGAINST_MONSTERS as use:
            is_near = bool(mind.game.monsters_in(mind.game.room_of(me.space)))
            return float(use.value) if is_near else 1.0
        case Use.AGAINST_CURSES as use:
            here = mind.game.characters_in(mind.game.room_of(me.space))
            cursed = any(one.curses for one in here)
            return bonus + float(use.value) if cursed and me.sanity_left > 2 else 1.0
        case Use.SIDELINE as use:
            return float(use.value) if me.sanity_left > 3 else 1.0
        case Use.AT_ONCE as use:
            return bonus + float(use.value)
    return bonus + 5.0


def _deed(mind: Mind, choice: Choice) -> float:
    """Return the points of a deed of the story: those of its task, while that is due."""
    card = str(choice.text.params[0]) if choice.text.params else ""
    task = mind.goals.deeds.get(card)
    if task is None:
        value = 30.0 if mind.goals == NO_GOALS else 5.0
    else:
        held = [] if mind.me is None else [item.card for item in mind.me.items]
        # A deed for which one of several items is enough is not done with another one.
        is_there = not task.allies or mind.is_here(mind.task_room(task))
        can_do = mind.is_due(card) and is_there and (not task.brings or task.brings in held)
        value = task.worth if can_do else 1.0
    return value * (0.4 + 0.6 * mind.evades())


def _burn(mind: Mind, _choice: Choice) -> float:
    return 200.0 if mind.goals.burns else -5.0


def _spend(mind: Mind, choice: Choice) -> float:
    """Return the points of a skill point: when it lifts a bad chance over half."""
    test = mind.game.test
    value = choice.text.params[0] if choice.text.params else None
    if test is None or not isinstance(value, int):
        return 5.0
    gain = min(10, value) - max(0, min(10, test.value))
    is_late = mind.game.clues_left <= 1 or len(mind.game.resolved) >= 2
    is_rich = mind.me is not None and mind.me.skill_points >= 3
    if test.is_spoilt and gain >= 2:
        # The keeper has a roll made again that passed.
        return 60.0
    if gain >= 3 and (test.value <= 5 or is_late or is_rich):
        return 60.0
    return 5.0


def _block(mind: Mind, choice: Choice) -> float:
    """Return the points of a barricade before a door, by the room behind the door."""
    behind = choice.text.params[0] if choice.text.params else ""
    room = behind.params[0] if isinstance(behind, Text) else behind
    value = mind.goals.blocks.get(str(room), 1.0)
    return value * (0.4 + 0.6 * mind.evades())


def _hide(mind: Mind, _choice: Choice) -> float:
    me = mind.me
    if me is None:
        return 1.0
    is_hunted = any(
        (steps := mind.board.steps(me.space, one.space)) is not None and steps <= 3
        for one in mind.game.monsters.values()
    )
    return 45.0 if weakness(me) > 0.9 and me.health_left <= 3 and is_hunted else 1.0


def _whom(mind: Mind, choice: Choice) -> float:
    name = choice.points[0].piece if choice.points else ""
    if not mind.game.is_here(name):
        return 10.0
    who, asked = mind.game.character(name), mind.question.prompt.params
    lifts = any(CARDS.uses.get(str(card)) is Use.AGAINST_CURSES for card in asked)
    return 10.0 + 40.0 * weakness(who) + (100.0 if lifts else 10.0) * who.curses


def _item_of(mind: Mind, choice: Choice) -> Item | None:
    piece = choice.points[0].piece if choice.points else ""
    held = [item for one in mind.game.characters() for item in one.items]
    lying = [item for items in mind.game.lying.values() for item in items]
    return next((item for item in (*held, *lying) if item.piece == piece), None)


def _give_up(mind: Mind, choice: Choice) -> float:
    item = _item_of(mind, choice)
    return 50.0 if item is None else 80.0 - mind.item_worth(item)


def _take(mind: Mind, choice: Choice) -> float:
    item = _item_of(mind, choice)
    return 20.0 if item is None else mind.item_worth(item)


def _offer(mind: Mind, choice: Choice) -> float:
    """Return the points of a gift: a second weapon for somebody who has none."""
    me, item = mind.me, _item_of(mind, choice)
    if me is None or item is None or item.weapon is None or len(choice.points) < 2:
        return 0.0
    name = choice.points[1].piece
    if not mind.game.is_here(name) or any(o.weapon for o in mind.game.character(name).items):
        return 0.0
    if sum(1 for one in me.items if one.weapon) < 2:
        return 0.0
    records = mind.view.records[-MEMORY:]
    given = {r.event.piece for r in records if isinstance(r.event, ItemGiven)}
    return 0.0 if item.piece in given else 40.0


def _take_from(mind: Mind, choice: Choice) -> float:
    """Return the points of an item that an ally has: it uses weapons alone."""
    item = _item_of(mind, choice)
    return 0.0 if item is None or item.weapon is not None else mind.item_worth(item)


def _try(mind: Mind, choice: Choice) -> float:
    card = str(choice.text.params[0]) if choice.text.params else ""
    return 40.0 if mind.me is not None and mind.can_open(card) else 2.0


def _leave_spot(mind: Mind, _choice: Choice) -> float:
    return 30.0 if mind.me is not None and weakness(mind.me) < 0.9 else 8.0


_WAYS = ("choice/move", "choice/row", "choice/row_alone")
_ACTIONS = (
    "choice/explore",
    "choice/deed",
    "choice/attack_with",
    "choice/attack_unarmed",
    "choice/cast_at",
    "choice/burn_corpses",
)
_JUDGES: Mapping[str, Judge] = {
    "choice/move": _move,
    "choice/drag": _drag,
    "choice/explore": _explore,
    "choice/run": _run,
    "choice/attack_with": _fight,
    "choice/attack_unarmed": _fight,
    "choice/cast_at": _fight,
    "choice/cast": _use_card,
    "choice/use_card": _use_card,
    "choice/deed": _deed,
    "choice/burn_corpses": _burn,
    "choice/spend_skill_point": _spend,
    "choice/block": _block,
    "choice/hide": _hide,
    "choice/leave_by_step": _leave_spot,
    "choice/whom": _whom,
    "choice/item": _give_up,
    "choice/take": _take,
    "choice/take_from": _take_from,
    "choice/offer": _offer,
    "choice/hand_over": _offer,
    "choice/try": _try,
    **outdoors.JUDGES,
}
_FLAT: Mapping[str, float] = {
    "choice/end_turn": END_OF_TURN,
    "choice/withdraw": -50.0,
    "choice/drop": -10.0,
    "choice/unblock": 1.0,
    "choice/leave_by_action": 8.0,
    "choice/leave_be": END_OF_TURN,
    "choice/roll": 20.0,
    "choice/accept": 60.0,
    "choice/trade_done": END_OF_TURN,
    **outdoors.FLAT,
}
