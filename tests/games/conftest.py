"""The games that are here for the tests alone."""

from collections.abc import Iterator

import pytest

from protocol.plugs import PLACES


@pytest.fixture(autouse=True, scope="session")
def _toy_has_a_place() -> Iterator[None]:
    """Let the toy be found by its name, as every game is."""
    PLACES["toy"] = "tests.games.toy.{layer}"
    yield
    del PLACES["toy"]
