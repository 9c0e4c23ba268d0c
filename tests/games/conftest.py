"""Registers the games that exist only for tests."""

from collections.abc import Iterator

import pytest

from client.locale import load
from protocol.plugs import PLACES, Place

HERE = ("toy", "woods")


@pytest.fixture(autouse=True, scope="module")
def _games_have_a_place(request: pytest.FixtureRequest) -> Iterator[None]:
    """Register the test games while the tests in this folder run.

    Not for second_edition: its tests check what a client of an installed server knows.
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
    """Register games and drop the cached catalogs."""
    PLACES.update(more)
    load.cache_clear()
