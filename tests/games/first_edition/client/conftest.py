"""Registers the game while its client is tested."""

import pytest

from client.locale import load
from protocol.games.first_edition.words import RULESET
from protocol.plugs import PLACES, Place


@pytest.fixture(autouse=True, scope="session")
def _has_a_place() -> None:
    """Register the game, unless it is registered already."""
    if RULESET not in PLACES:
        PLACES[RULESET] = Place("{layer}.games.first_edition")
        load.cache_clear()
