"""What most tests of author's tools need not do again: start Python, import, read the core pack."""

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
    """
    Have the children that judge packs begin with everything imported.

    Their limits, input, output and end are their own; how they are started `test_sandbox` tests.
    """
    monkeypatch.setattr(sandbox, "subprocess", warm.subprocess_with(*IMPORTS))


@pytest.fixture
def known_core(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the core pack, which tools load beside that of an author, loaded once for all tests."""
    known, load = core(), SecondEditionContent.load

    def load_others(kind: SecondEditionContent, pack_id: str, files: Mapping[str, bytes]) -> Pack:
        return known if pack_id == known.id else load(kind, pack_id, files)

    monkeypatch.setattr(SecondEditionContent, "load", load_others)
