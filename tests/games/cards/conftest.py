"""Registers the card game while its tests run, as long as no release has it."""

from collections.abc import Iterator

import pytest

from protocol.plugs import PLACES, Place

GAME = "cards"


@pytest.fixture(autouse=True, scope="package")
def _game_has_a_place() -> Iterator[None]:
    """Register the game while the tests in this folder run."""
    PLACES[GAME] = Place("{layer}.games.cards")
    yield
    del PLACES[GAME]
