"""Brains of the woods, one for each role."""

import random
from collections import Counter
from collections.abc import Mapping

from client.bots.weighing import pick_by_worth
from client.model.tables import TableView
from client.plugs.brains import Brain
from protocol.common.asks import Question
from tests.games.woods.protocol.events import SnareShown
from tests.games.woods.protocol.table import ANIMAL, KEEPER, WoodsTable

CROWD = 5.0
"""Points for each animal that stands in a clearing."""


def _crowds(view: TableView) -> Counter[str]:
    game = view.table.game
    assert isinstance(game, WoodsTable)
    return Counter(animal.clearing for animal in game.living())


def lie_in_wait(view: TableView, question: Question, rng: random.Random) -> tuple[str, ...]:
    """Pick a clearing where most animals stand: on the paths many of them stay."""
    crowds = _crowds(view)
    return pick_by_worth(question, [CROWD * crowds[at] for at in _clearings(question)], rng)


def slip_away(view: TableView, question: Question, rng: random.Random) -> tuple[str, ...]:
    """Pick a clearing where few animals stand and no snare has been seen."""
    crowds = _crowds(view)
    snares = Counter(
        record.event.clearing for record in view.records if isinstance(record.event, SnareShown)
    )
    worths = [-CROWD * (crowds[at] + snares[at]) for at in _clearings(question)]
    return pick_by_worth(question, worths, rng)


def _clearings(question: Question) -> list[str]:
    return [choice.points[0].piece for choice in question.choices]


BRAINS: Mapping[str, Brain] = {KEEPER: lie_in_wait, ANIMAL: slip_away}
