"""Brains of the woods, one for each role."""

import random
from collections import Counter
from collections.abc import Mapping

from client.bots.weighing import pick_by_worth
from client.model.tables import TableView
from client.plugs.brains import Brain
from protocol.common.asks import Question
from tests.games.woods.protocol.events import SnareShown, Walked
from tests.games.woods.protocol.table import ANIMAL, KEEPER, WoodsTable

WALK = 2.0
"""Points of a clearing for each walk into it, for a keeper who studies habits."""
AFRAID = 5.0
"""Points that a clearing loses for an animal, once a snare was seen there."""


def lie_in_wait(view: TableView, question: Question, rng: random.Random) -> tuple[str, ...]:
    """Pick a clearing into which animals have walked most; move the snare onto one that has."""
    game = view.table.game
    assert isinstance(game, WoodsTable)
    if not question.at_least:
        walked = [animal.clearing for animal in game.living() if animal.has_walked]
        is_held = game.snare is not None and game.snare.is_open and game.snare.value in walked
        wanted = [c for c in question.choices if c.points[0].piece in walked and not is_held]
        return (rng.choice(wanted).choice_id,) if wanted else ()
    walks = Counter(
        clearing
        for record in view.records
        if isinstance(record.event, Walked)
        for _, clearing in record.event.walks
    )
    return pick_by_worth(question, [WALK * walks[at] for at in _clearings(question)], rng)


def slip_away(view: TableView, question: Question, rng: random.Random) -> tuple[str, ...]:
    """Pick a clearing where the last snare was not seen."""
    seen = [r.event.clearing for r in view.records if isinstance(r.event, SnareShown)][-1:]
    return pick_by_worth(question, [-AFRAID * (at in seen) for at in _clearings(question)], rng)


def _clearings(question: Question) -> list[str]:
    return [choice.points[0].piece for choice in question.choices]


BRAINS: Mapping[str, Brain] = {KEEPER: lie_in_wait, ANIMAL: slip_away}
