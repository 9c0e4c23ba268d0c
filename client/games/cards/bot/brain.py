"""
The brain: answers a question from the information that was sent to its seat, and no other.

It adds up what each choice is worth in points: an action that draws a card is worth about 20. It
knows no rules and no printed card, only the table, and the numbers and words of the choices.
"""

import random
from collections.abc import Callable

from client.bots.weighing import END_OF_TURN, pick_by_worth
from client.games.cards.bot.commits import pick_commits
from client.games.cards.bot.mind import ATTACK, WINDOWS, Mind
from client.games.cards.bot.outcomes import evasion, first, outcome
from client.model.tables import TableView
from client.plugs.brains import pick_random
from protocol.common.asks import Choice, Question
from protocol.common.text import Text
from protocol.games.cards.table import Card
from protocol.games.cards.words import Token, Zone

Judge = Callable[[Mind, Choice], float]

EARLY = 4
"""The rounds in which assets come before everything else."""
SHARPNESS = 10.0
"""Factor by which points are told apart: half a point less is no longer nearly as good."""
MOVES = frozenset(["way/move", "way/move_to", "way/move_among"])
"""Outcomes that move the investigator."""
SAFE = 90
"""A test with such odds, in percent, needs nothing more."""


def pick_sensibly(view: TableView, question: Question, rng: random.Random) -> tuple[str, ...]:
    """Return the choices with the most points; a random answer where there is nothing to weigh."""
    mind = Mind.of(view, question)
    if mind is None or not question.choices or question.can_repeat:
        return pick_random(view, question, rng)
    asked = question.prompt.subject
    if asked == "ask/commit":
        picks = pick_commits(mind)
    elif asked == "ask/mulligan":
        picks = ()
    elif question.is_ordered:
        picks = tuple(one.choice_id for one in question.choices)[: question.at_most]
    else:
        worths = [worth(mind, choice) * SHARPNESS for choice in question.choices]
        picks = pick_by_worth(question, worths, rng)
    return picks if question.faults(picks) is None else pick_random(view, question, rng)


def worth(mind: Mind, choice: Choice) -> float:
    """Return the points of a choice."""
    asked = mind.question.prompt.subject
    judge = ANSWERS.get(choice.text.subject) if asked in WINDOWS else None
    judge = judge or JUDGES.get(choice.text.subject)
    if judge is not None:
        return judge(mind, choice)
    return END_OF_TURN if choice.ends else END_OF_TURN + 8


# Actions


def _investigate(mind: Mind, choice: Choice) -> float:
    value, against, _ = mind.numbers(choice)
    return outcome(mind, Text("way/investigate", (value, against, 1))) - mind.danger


def _fight(mind: Mind, choice: Choice) -> float:
    """Fight what holds oneself first; an enemy with a swarm after its swarm."""
    value, _, damage, _ = mind.numbers(choice)
    return outcome(mind, Text("way/fight", (value, damage)), choice.points[0].piece)


def _evade(mind: Mind, choice: Choice) -> float:
    """Evade by what the attacks would cost; an exhausted enemy does not attack."""
    piece = choice.points[0].piece
    return evasion(mind, mind.numbers(choice)[0], piece) if piece in mind.harms else 0.0


def _move(mind: Mind, choice: Choice) -> float:
    """Go where one is wanted, and away from enemies that will be ready again."""
    to = choice.points[0].piece
    left_behind = ATTACK * mind.price * len(mind.tired_at(mind.me.location))
    met = min(14.0, 7.0 * len(mind.awake_at(to)))
    if mind.me.actions == 1:
        # No action is left before they attack.
        met = ATTACK * mind.price * len(mind.met_at(to))
    steps = mind.steps_to(mind.is_goal)
    wanted = 4.0
    if not mind.is_goal_here and to in steps:
        is_best = steps[to] == min(steps.values())
        wanted = (62.0 if is_best else 20.0) - 3.0 * steps[to]
    return wanted + left_behind - met - mind.danger


def _play(mind: Mind, choice: Choice) -> float:
    """Play assets early, and not while an enemy would strike."""
    early = 84.0 if mind.table.round_number <= EARLY else 62.0
    return early - 2.0 * mind.numbers(choice)[0] - mind.danger


def _play_over(mind: Mind, choice: Choice) -> float:
    """Replace an asset only when there is more than enough to pay with."""
    del choice
    return (24.0 if mind.is_rich else 8.0) - mind.danger


def _play_event(mind: Mind, choice: Choice) -> float:
    return 42.0 - 2.0 * mind.numbers(choice)[0] - mind.danger


def _play_to(mind: Mind, choice: Choice) -> float:
    """Play an event for what it does; it provokes attacks unless it fights or evades."""
    way, cost = choice.text.params[2], mind.numbers(choice)[0]
    assert isinstance(way, Text)
    if not way.subject.startswith("way/"):
        return _play_event(mind, choice)
    return outcome(mind, way) - 2.0 * cost - mind.provoked_by(way)


def _use_to(mind: Mind, choice: Choice) -> float:
    way = choice.text.params[-1]
    assert isinstance(way, Text)
    return outcome(mind, way) + 1.0 - mind.provoked_by(way)


def _free_to(mind: Mind, choice: Choice) -> float:
    way = choice.text.params[-1]
    assert isinstance(way, Text)
    return outcome(mind, way)


def _play_free(mind: Mind, choice: Choice) -> float:
    """Play a card in the own turn for what it does, if that can be said in numbers."""
    way = choice.text.params[-1]
    is_told = isinstance(way, Text) and way.subject.startswith("way/")
    return outcome(mind, way) if isinstance(way, Text) and is_told else _play_fast(mind, choice)


def _resource(mind: Mind, choice: Choice) -> float:
    del choice
    return (32.0 if mind.is_poor else 14.0) - mind.danger


def _draw(mind: Mind, choice: Choice) -> float:
    del choice
    if mind.hand < 6 and not mind.is_poor and mind.is_rich:
        return 34.0 - mind.danger
    return (26.0 if mind.hand < 4 else 20.0 if mind.hand < 7 else 8.0) - mind.danger


# Answers


def _use(mind: Mind, choice: Choice) -> float:
    """Use abilities of assets and reactions gladly, but none for a test that is safe."""
    card = mind.card(choice)
    if choice.group == "leave":
        return 0.0
    way = choice.text.params[-1]
    if isinstance(way, Text) and first(way).subject in MOVES:
        # Only the question for an action says what there is to do elsewhere.
        return 5.0
    if mind.is_in_test_window:
        return 5.0 if mind.odds_now >= SAFE else 58.0
    if mind.question.prompt.subject != "ask/action" or card is None:
        return 58.0
    if card.at.zone is Zone.ACT:
        return 90.0
    if card.at.zone is Zone.MAP:
        return 18.0 - mind.danger
    return 24.0 - mind.danger


def _use_for(mind: Mind, choice: Choice) -> float:
    """Use for a price; take harm for something only while enough is left."""
    price = choice.text.params[1]
    harm = _harm_in(price) if isinstance(price, Text) else 0
    if harm:
        return 50.0 if mind.left - harm >= 4 else 5.0
    return _use_to(mind, choice)


def _harm_in(price: Text) -> int:
    """Return the damage and horror of a price."""
    if price.subject in ("price/damage", "price/horror"):
        return sum(one for one in price.params if isinstance(one, int))
    return sum(_harm_in(one) for one in price.params if isinstance(one, Text))


def _play_fast(mind: Mind, choice: Choice) -> float:
    """A card is played in the own turn or at its moment, not in the windows of a test."""
    del choice
    return 5.0 if mind.is_in_test_window else 52.0


def _harm(mind: Mind, choice: Choice) -> float:
    """Assign harm to an asset that outlasts it, and to any when it would soon be the end."""
    dealt, own = [one for one in mind.question.prompt.params if isinstance(one, int)]
    (room,) = mind.numbers(choice)
    return 20.0 if own - dealt <= 3 or room > dealt else 0.0


def _shared_harm(mind: Mind, choice: Choice) -> float:
    """Assign as much as the asset can take, if it outlasts it or it would soon be the end."""
    dealt, own, room = [one for one in mind.question.prompt.params if isinstance(one, int)]
    return 20.0 * mind.numbers(choice)[0] if own - dealt <= 3 or room > dealt else 0.0


def _clues(mind: Mind, choice: Choice) -> float:
    """Give what one has."""
    return 20.0 + 10.0 * mind.numbers(choice)[0]


def _person(mind: Mind, choice: Choice) -> float:
    """Vote for the investigator of a person as lead, whom the game asks most."""
    if mind.question.prompt.subject != "ask/lead_by_vote":
        return 20.0
    who = mind.table.investigators[str(choice.text.params[0])]
    return 20.0 if mind.view.table.room.seats[who.seat].is_bot else 40.0


def _level(mind: Mind, choice: Choice) -> float:
    """Play at the usual level."""
    del mind
    return 60.0 if "level/standard" in choice.text.params else 20.0


def _card(mind: Mind, choice: Choice) -> float:
    """
    Discard what is used up; of enemies take the one that is hurt most, among one's own.

    Of locations take the one from which it is not far to where one wants to be.
    """
    card = mind.card(choice)
    if card is None:
        return 20.0
    if mind.question.prompt.subject == "ask/slots":
        return 20.0 - 6.0 * bool(card.tokens) + 3.0 * card.is_exhausted
    if card.at.zone is Zone.MAP:
        steps = mind.distance(card.piece, mind.is_goal)
        return 4.0 if steps is None else 60.0 - 6.0 * steps - 7.0 * len(mind.awake_at(card.piece))
    if mind.has_swarm(card):
        # A host is not defeated while it has swarm cards.
        return 4.0
    return 20.0 + 6.0 * card.count(Token.DAMAGE) + (8.0 if _is_mine(mind, card) else 0.0)


def _is_mine(mind: Mind, card: Card) -> bool:
    host = mind.table.cards.get(card.at.of) if card.at.zone is Zone.SWARM else card
    return host is not None and mind.me.id in host.engaged


def _flat(points: float) -> Judge:
    return lambda _mind, _choice: points


HARMS = ("damage", "horror")
JUDGES: dict[str, Judge] = {
    "choice/investigate": _investigate,
    "choice/fight": _fight,
    "choice/evade": _evade,
    "choice/move": _move,
    "choice/engage": _flat(2.0),
    "choice/play": _play_fast,
    "choice/play_for": _play,
    "choice/play_over": _play_over,
    "choice/play_over_this": _play_over,
    "choice/play_event": _play_event,
    "choice/play_to": _play_to,
    "choice/use_nth": _use,
    "choice/use_for": _use_for,
    "choice/use_to": _use_to,
    "choice/use_nth_to": _use_to,
    "choice/use_nth_for": _use_to,
    "choice/use_free": _free_to,
    "choice/play_free": _play_free,
    "choice/play_fast": _play_fast,
    "choice/resource": _resource,
    "choice/draw": _draw,
    "choice/advance_act": _flat(95.0),
    "choice/show_hand": _flat(0.0),
    "choice/end_turn": _flat(END_OF_TURN),
    "choice/card": _card,
    "choice/clues": _clues,
    "choice/damage": _harm,
    "choice/horror": _harm,
    "choice/more_damage": _harm,
    "choice/more_horror": _harm,
    "choice/own_damage": _flat(10.0),
    "choice/own_horror": _flat(10.0),
    **{f"choice/{how}_{kind}": _shared_harm for how in ("all", "shared") for kind in HARMS},
    **{f"choice/own_all_{kind}": _flat(10.0) for kind in HARMS},
    "choice/level": _level,
    "choice/person": _person,
    "choice/do": _flat(30.0),
    "choice/leave": _flat(20.0),
}
"""Judges by the subject of a choice's words."""
ANSWERS: dict[str, Judge] = {
    "choice/play_for": _play_fast,
    "choice/play_to": _play_fast,
    "choice/use_to": _use,
    "choice/use_nth_to": _use,
    "choice/use_nth_for": _use,
}
"""Judges of the same words in a window, where no action is chosen."""
