"""The games that are here for the tests alone."""

from collections.abc import Iterator

import pytest

from client.locale import load
from protocol.plugs import PLACES, Place

HERE = ("toy", "woods")


@pytest.fixture(autouse=True, scope="module")
def _games_have_a_place(request: pytest.FixtureRequest) -> Iterator[None]:
    """
    Let them be found by their names, as every game is, while the tests below here run.

    Not in the tests of one installed game: what a client knows is there what a player's knows.
    """
    if "second_edition" in request.path.parts:
        yield
        return
    _place({game: Place(f"tests.games.{game}.{{layer}}") for game in HERE})
    yield
    for game in HERE:
        del PLACES[game]
    _place({})


def _place(more: dict[str, Place]) -> None:
    """Add places, and forget the words of all games that were read before."""
    PLACES.update(more)
    load.cache_clear()
