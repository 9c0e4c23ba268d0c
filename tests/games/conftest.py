"""The games that are here for the tests alone."""

from collections.abc import Iterator

import pytest

from protocol.plugs import PLACES

HERE = ("toy", "woods")


@pytest.fixture(autouse=True, scope="package")
def _games_have_a_place() -> Iterator[None]:
    """Let them be found by their names, as every game is, while the tests below here run."""
    for game in HERE:
        PLACES[game] = f"tests.games.{game}.{{layer}}"
    yield
    for game in HERE:
        del PLACES[game]
