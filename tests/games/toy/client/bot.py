"""Brain of the toy: random answers, and a wish if the rules want one."""

import random
from collections.abc import Mapping

from client.model.tables import TableView
from client.plugs.brains import Brain, Preparer
from tests.kit.tables.toy_table import WEATHERS


def _wish(_: TableView, rng: random.Random) -> bytes:
    return rng.choice(WEATHERS).encode()


BRAINS: Mapping[str, Brain] = {}
PREPARERS: Mapping[str, Preparer] = {"": _wish}
