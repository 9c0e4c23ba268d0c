"""Fixtures that spare the tests of author's tools a new interpreter and a load of core each."""

from collections.abc import Mapping
from typing import Final

import pytest

from content.games.second_edition.plug import SecondEditionContent
from content.games.second_edition.schema.pack import Pack
from server.packs import sandbox
from tests.games.second_edition.simulate import core
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


@pytest.fixture
def known_core(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cache the loaded core pack, which tools load along with an author's pack."""
    known, load = core(), SecondEditionContent.load

    def load_others(kind: SecondEditionContent, pack_id: str, files: Mapping[str, bytes]) -> Pack:
        return known if pack_id == known.id else load(kind, pack_id, files)

    monkeypatch.setattr(SecondEditionContent, "load", load_others)
