"""A game of the card game, as it was written before the campaign came."""

import io
import lzma
import os
import zipfile
from pathlib import Path

import pytest

from client.keyring.identity import HOME_VARIABLE
from content.reading.files import read_files, shipped
from protocol.games.cards.words import RULESET
from server.commands.verify import main as verify
from tests.games.every import an_evening
from tests.verifying.logs import types, verifier

KEPT = Path(__file__).parents[2] / "golden" / "cards"
LOG, PACK = KEPT / "marsh.manse.xz", KEPT / "casebook.zip"

pytestmark = pytest.mark.issue(42)


@pytest.fixture(scope="module", autouse=True)
def _made_anew() -> None:
    """Play the game anew with MANSE_ACCEPT_SCREENS=1; no more once a release has the game."""
    if os.environ.get("MANSE_ACCEPT_SCREENS"):
        evening = an_evening(RULESET)
        LOG.write_bytes(lzma.compress(evening.export(evening.ann)))
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in sorted(read_files(shipped(RULESET) / "casebook").items()):
                archive.writestr(zipfile.ZipInfo(name), data)
        PACK.write_bytes(packed.getvalue())


def test_the_rules_write_every_record_of_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    log = lzma.decompress(LOG.read_bytes())
    game = tmp_path / "marsh.manse"
    game.write_bytes(log)

    assert verify(["--rules", "--pack", str(PACK), str(game)]) == 0

    assert "every record is the one that they write" in capsys.readouterr().out
    verifier().verify(log, types())
