"""Lessons of the woods: some for both roles, and some for one of them."""

from client.keymap.keys import Action
from client.plugs.lessons import Glance, Lesson, is_asked, is_over, is_ready, is_unready
from tests.games.woods.protocol.table import WoodsTable

MOVE = "woods/where_to_move"
"""Subject of the question by which the keeper may move the snare."""


def _may_move(at: Glance) -> bool:
    return at.interruption is not None and at.interruption.prompt.subject == MOVE


def _has_fallen(at: Glance) -> bool:
    game = at.game
    fallen = isinstance(game, WoodsTable) and any(one.has_fallen for one in game.animals.values())
    return fallen and is_asked(at)


def _is_later(at: Glance) -> bool:
    return isinstance(at.game, WoodsTable) and at.game.round_number > 0 and is_asked(at)


BEFORE = (
    Lesson("lobby", is_ready, (Action.START,), patience=0),
    Lesson("unready", is_unready, (Action.READY,), patience=0),
)
AFTER = (Lesson("over", is_over, patience=0),)

KEEPERS = (
    *BEFORE,
    Lesson("keeper_move", _may_move, stays=True),
    Lesson("keeper_lay", is_asked),
    Lesson("keeper_fallen", _has_fallen),
    Lesson("keeper_habits", _is_later, (Action.JOURNAL,)),
    *AFTER,
)
ANIMALS = (
    *BEFORE,
    Lesson("animal_walk", is_asked),
    Lesson("animal_fallen", _has_fallen),
    Lesson("animal_berries", _is_later, (Action.JOURNAL,)),
    *AFTER,
)
