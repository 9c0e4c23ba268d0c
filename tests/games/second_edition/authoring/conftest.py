"""Fixture that spares the tests of author's tools a new interpreter each."""

from typing import Final

import pytest

from server.packs import sandbox
from tests.kit import warm

IMPORTS: Final = (
    "server.packs.judge",
    "content.games.second_edition.check",
    "content.games.second_edition.plug",
)


@pytest.fixture
def warm_judge(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fork pack judges from a warm process with everything imported.

    Their limits, input, output and exit stay real. `test_sandbox` tests how they are really
    started.
    """
    monkeypatch.setattr(sandbox, "subprocess", warm.subprocess_with(*IMPORTS))
