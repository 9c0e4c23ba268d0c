"""
The brains that a bot can be given, by name.

`RANDOM` takes any legal answer, each as likely as every other. `SENSIBLE` plays each game with the
brain that it brings; a game that brings none is played at random.
"""

import random
from collections.abc import Mapping

from client.model.tables import TableView
from client.plugs.brains import Brain, brain_of, pick_random
from protocol.common.asks import Question


def pick_sensibly(view: TableView, question: Question, rng: random.Random) -> tuple[str, ...]:
    """Return what the game's own brain for the viewer's role picks; see `Brain`."""
    return brain_of(view.table.room.ruleset, view.role)(view, question, rng)


RANDOM: Brain = pick_random
SENSIBLE: Brain = pick_sensibly
BRAINS: Mapping[str, Brain] = {"sensible": SENSIBLE, "random": RANDOM}
"""Brains by their names on the command line."""
