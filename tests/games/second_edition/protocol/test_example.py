"""The session in PROTOCOL.md equals what a real server and an independent client exchange."""

from pathlib import Path

import pytest

from protocol.archive import load
from protocol.audit import audit
from protocol.describe import updated
from protocol.source_audit import compare
from tests.games.second_edition.protocol.example import LockHouse, played
from tests.protocol.readers import outsider
from tests.verifying.logs import types, verifier

DOCUMENT = Path(__file__).parents[4] / "protocol" / "PROTOCOL.md"

pytestmark = pytest.mark.issue(36)


@pytest.fixture(scope="module")
def session() -> tuple[str, bytes, bytes]:
    """Return the page, and the archives of the game and of the branch."""
    return played()


def test_the_session_is_up_to_date(session: tuple[str, bytes, bytes]) -> None:
    """To update: python -m tests.games.second_edition.protocol.example protocol/PROTOCOL.md."""
    text = DOCUMENT.read_text("utf-8")

    assert updated(text, {"example": session[0]}) == text
    assert "<!-- generated: example -->" in text


def test_its_files_are_valid(session: tuple[str, bytes, bytes]) -> None:
    """Each verifier accepts both, and the branch belongs to the game."""
    _, game, branch = session

    assert outsider.verify(game).draws
    for data in (game, branch):
        verifier().verify(data, types())
        assert audit(load(data)).is_finished
    assert compare(load(branch), load(game)) == 32


def test_its_pack_is_kept() -> None:
    """The pack is frozen, since any change to it would change the session in PROTOCOL.md."""
    assert LockHouse().content().digest.hex().startswith("b9601e07")
