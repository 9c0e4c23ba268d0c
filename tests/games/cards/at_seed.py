"""Imported by programs of tests before all else: the card game is there, and chance is fixed."""

import hashlib
import os

from protocol.common.chance import Stream
from protocol.plugs import PLACES, Place
from server.kernel import chance

SEED = "CARDS_SEED"
"""The variable of the environment from which the chance of every game follows."""


def _keys(*_: object) -> dict[Stream, bytes]:
    seed = os.environ.get(SEED, "")
    return {one: hashlib.sha256(f"{seed}/{one.value}".encode()).digest() for one in Stream}


PLACES["cards"] = Place("{layer}.games.cards")
vars(chance)["keys_of"] = _keys
