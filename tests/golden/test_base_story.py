"""A game of a base story of the first edition, as it was written before the outdoors came."""

import lzma
from pathlib import Path

import pytest

from client.keyring.identity import HOME_VARIABLE
from server.commands.verify import main as verify
from tests.verifying.logs import types, verifier

KEPT = Path(__file__).parent / "base_story"
PACK = KEPT / "manor.zip"
"""The pack of the game, which had no product."""

pytestmark = pytest.mark.issue(41)


def test_the_rules_write_every_record_of_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    log = lzma.decompress((KEPT / "six-rooms.manse.xz").read_bytes())
    game = tmp_path / "six-rooms.manse"
    game.write_bytes(log)

    assert verify(["--rules", "--pack", str(PACK), str(game)]) == 0

    assert "every record is the one that they write" in capsys.readouterr().out
    verifier().verify(log, types())
