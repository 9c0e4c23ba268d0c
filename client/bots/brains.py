"""
The brains that a bot can have, by name.

`RANDOM` gives any legal answer, with equal probabilities. `SENSIBLE` uses the brain of the game, or
`RANDOM` if the game has none.
"""

import random
from collections.abc import Mapping

from client.model.tables import TableView
from client.plugs.brains import Brain, brain_of, pick_random
from protocol.common.asks import Question


def pick_sensibly(view: TableView, question: Question, rng: random.Random) -> tuple[str, ...]:
    """Return the answer of the game's own brain for the viewer's role; see `Brain`."""
    return brain_of(view.table.room.ruleset, view.role)(view, question, rng)


RANDOM: Brain = pick_random
SENSIBLE: Brain = pick_sensibly
BRAINS: Mapping[str, Brain] = {"sensible": SENSIBLE, "random": RANDOM}
"""Brains by their names on the command line."""
