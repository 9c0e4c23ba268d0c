"""
The brain: answers a question from the information that was sent to its seat, and no other.

It looks for clues where they are, fights or evades what holds it by what an attack would cost,
commits cards that are worth it, plays what it can afford, and advances the act as soon as it can.
It knows no rules and no printed card, only the numbers that choices say and the table.
"""

import random
from collections.abc import Callable

from client.bots.weighing import END_OF_TURN, pick_by_worth
from client.games.cards.bot.odds import chance
from client.games.cards.bot.sight import Sight, is_worth_visiting
from client.model.tables import TableView
from client.plugs.brains import pick_random
from protocol.common.asks import Choice, Question
from protocol.games.cards.table import Card, Investigator
from protocol.games.cards.words import Token, Zone

Judge = Callable[[Sight, Investigator, Choice], float]

GOOD_CHANCE = 0.72
"""A test with such a chance needs no further card."""
RESOURCES = 5
"""With fewer resources a bot takes one when nothing better is there."""


def pick_sensibly(view: TableView, question: Question, rng: random.Random) -> tuple[str, ...]:
    """Return the choices with the most points; a random answer where there is nothing to weigh."""
    sight = Sight.of(view)
    if sight is None or sight.me is None or not question.choices or question.can_repeat:
        return pick_random(view, question, rng)
    asked = question.prompt.subject
    me = sight.me
    if asked == "ask/commit":
        picks = _commit(sight, question, rng)
    elif asked == "ask/mulligan":
        picks = ()
    elif question.is_ordered:
        picks = tuple(one.choice_id for one in question.choices)[: question.at_most]
    else:
        worths = [worth(sight, me, choice) for choice in question.choices]
        picks = pick_by_worth(question, worths, rng)
    return picks if question.faults(picks) is None else pick_random(view, question, rng)


def worth(sight: Sight, me: Investigator, choice: Choice) -> float:
    """Return the points of a choice."""
    judge = JUDGES.get(choice.text.subject)
    if judge is not None:
        return judge(sight, me, choice)
    return END_OF_TURN if choice.ends else END_OF_TURN + 8


def _numbers(choice: Choice) -> tuple[int, ...]:
    return tuple(one for one in choice.text.params if isinstance(one, int))


def _enemies(sight: Sight, me: Investigator) -> tuple[Card, ...]:
    return tuple(card for card in sight.engaged_with(me.id) if not card.is_exhausted)


def _investigate(sight: Sight, me: Investigator, choice: Choice) -> float:
    if not sight.clues_at(me.location):
        return 0.0
    value, difficulty = _numbers(choice)
    held = 25.0 * len(_enemies(sight, me))
    return 70.0 * chance(sight.table, value + 1, difficulty) - held


def _fight(sight: Sight, me: Investigator, choice: Choice) -> float:
    """Fight what holds oneself first, a swarm before its host, and what is hurt already."""
    value, difficulty = _numbers(choice)
    card = sight.table.cards.get(choice.points[0].piece if choice.points else "")
    if card is None or sight.swarm_of(card):
        # A host is not defeated while it has swarm cards.
        return 4.0
    host = sight.table.cards.get(card.at.of) if card.at.zone is Zone.SWARM else card
    is_mine = host is not None and me.id in host.engaged
    base = 66.0 if is_mine else 34.0
    return base * chance(sight.table, value + 1, difficulty) + 6 * card.count(Token.DAMAGE)


def _evade(sight: Sight, me: Investigator, choice: Choice) -> float:
    del me
    value, difficulty = _numbers(choice)
    card = sight.table.cards.get(choice.points[0].piece if choice.points else "")
    if card is None or card.is_exhausted:
        return 0.0
    return 46.0 * chance(sight.table, value + 1, difficulty)


def _move(sight: Sight, me: Investigator, choice: Choice) -> float:
    """Go where clues are, or where nobody has been; not with an enemy at the heels."""
    to = choice.points[0].piece
    if sight.clues_at(me.location) and not _enemies(sight, me):
        return 4.0
    goal = _goal(sight)
    steps = sight.steps_to(me.location, goal)
    if to not in steps:
        return 6.0
    danger = 12.0 * len([card for card in sight.enemies_at(to) if not card.engaged])
    held = 22.0 * len(_enemies(sight, me))
    is_best = steps[to] == min(steps.values())
    return (52.0 if is_best else 24.0) - 4.0 * steps[to] - danger - held


def _goal(sight: Sight) -> Callable[[Card], bool]:
    """Return what a bot walks toward: clues or unseen places; else where the others are needed."""
    table = sight.table
    if any(is_worth_visiting(card) for card in table.cards.values()):
        return is_worth_visiting
    fights = {
        card.at.of
        for card in table.cards.values()
        if card.at.zone is Zone.AT and card.count(Token.DAMAGE)
    }
    return lambda card: card.piece in fights


def _play(sight: Sight, me: Investigator, choice: Choice) -> float:
    cost = _numbers(choice)[0] if _numbers(choice) else 0
    if _enemies(sight, me):
        return 16.0
    left = sight.table.count(me.id, Token.RESOURCE) - cost
    early = 12.0 if sight.table.round_number <= 3 else 0.0
    return 40.0 + early + min(left, 3)


def _resource(sight: Sight, me: Investigator, choice: Choice) -> float:
    del choice
    if _enemies(sight, me):
        return 8.0
    return 30.0 if sight.table.count(me.id, Token.RESOURCE) < RESOURCES else 13.0


def _draw(sight: Sight, me: Investigator, choice: Choice) -> float:
    del choice
    hand = len(sight.table.piles.get(f"hand/{me.id}", ()))
    if _enemies(sight, me) or hand >= 7:
        return 8.0
    return 28.0 if hand < 4 else 14.0


def _resign(sight: Sight, me: Investigator, choice: Choice) -> float:
    del sight, me, choice
    return 0.0


def _use(sight: Sight, me: Investigator, choice: Choice) -> float:
    """Use abilities of assets and reactions gladly; those of places and threats on occasion."""
    card = sight.table.cards.get(choice.points[0].piece if choice.points else "")
    if card is None:
        return 40.0
    if card.at.zone is Zone.MAP:
        return 18.0
    if card.at.zone is Zone.THREAT:
        return 42.0 if not _enemies(sight, me) else 12.0
    if card.at.zone is Zone.PLAY and _enemies(sight, me):
        return 66.0
    return 58.0


def _engage(sight: Sight, me: Investigator, choice: Choice) -> float:
    card = sight.table.cards.get(choice.points[0].piece if choice.points else "")
    if card is None:
        return 0.0
    hurt = sight.table.count(me.id, Token.DAMAGE) + sight.table.count(me.id, Token.HORROR)
    is_others = any(who != me.id for who in card.engaged)
    return 14.0 if is_others and hurt < 5 else 2.0


def _harm(sight: Sight, me: Investigator, choice: Choice) -> float:
    """Assign harm to assets rather than to oneself, but do not throw allies away at once."""
    numbers = _numbers(choice)
    hurt = sight.table.count(me.id, Token.DAMAGE) + sight.table.count(me.id, Token.HORROR)
    return 20.0 + (numbers[0] if numbers else 0) * (1.0 + hurt)


def _level(sight: Sight, me: Investigator, choice: Choice) -> float:
    """Play at the usual level."""
    del sight, me
    return 60.0 if "level/standard" in choice.text.params else 20.0


def _flat(points: float) -> Judge:
    return lambda _sight, _me, _choice: points


def _commit(sight: Sight, question: Question, rng: random.Random) -> tuple[str, ...]:
    """Commit a card if it raises a middling chance; pass if the test is safe or hopeless."""
    passing = question.passing
    numbers = [one for one in question.prompt.params if isinstance(one, int)]
    test = sight.table.test
    if test is None or len(numbers) < 2:
        return passing
    value, difficulty = numbers[0], numbers[1]
    now = chance(sight.table, value, difficulty)
    then = chance(sight.table, value + 1, difficulty)
    is_mine = any(one.id == test.tester for one in sight.mine)
    wanted = then - now >= (0.12 if is_mine else 0.2) and now < GOOD_CHANCE
    offered = [choice for choice in question.choices if not choice.ends]
    if not wanted or not offered:
        return passing
    return (rng.choice(offered).choice_id,)


JUDGES: dict[str, Judge] = {
    "choice/investigate": _investigate,
    "choice/fight": _fight,
    "choice/evade": _evade,
    "choice/move": _move,
    "choice/engage": _engage,
    "choice/play": _play,
    "choice/play_for": _play,
    "choice/use": _use,
    "choice/use_nth": _use,
    "choice/use_on": _flat(60.0),
    "choice/resource": _resource,
    "choice/draw": _draw,
    "choice/resign": _resign,
    "choice/advance_act": _flat(95.0),
    "choice/end_turn": _flat(END_OF_TURN),
    "choice/damage": _harm,
    "choice/horror": _harm,
    "choice/level": _level,
    "choice/do": _flat(30.0),
    "choice/leave": _flat(20.0),
}
"""Judges by the subject of a choice's words."""
