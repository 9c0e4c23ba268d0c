"""Exports are checked before they are written, and written whole or not at all."""

from pathlib import Path

import pytest

from client.commands.export import save
from protocol.archive import BadArchive
from tests.protocol.archives import archive, finished_log

DATA = archive(finished_log())


def test_a_good_file_is_written(tmp_path: Path) -> None:
    """For its owner alone: it may hold what nobody else knows."""
    path = tmp_path / "game.manse"

    verdict = save(DATA, path, overwrite=False)

    assert verdict.report.is_whole
    assert path.read_bytes() == DATA
    assert path.stat().st_mode & 0o077 == 0
    assert [file.name for file in tmp_path.iterdir()] == ["game.manse"]


def test_a_bad_one_is_not_written(tmp_path: Path) -> None:
    """Whatever came over the line is not a game until it was checked."""
    with pytest.raises(BadArchive):
        save(DATA[:-1], tmp_path / "game.manse", overwrite=True)

    assert not list(tmp_path.iterdir())


def test_what_is_there_stays_unless_it_is_to_be_overwritten(tmp_path: Path) -> None:
    """Also if it came there a moment ago."""
    path = tmp_path / "game.manse"
    path.write_text("dear diary")

    with pytest.raises(FileExistsError):
        save(DATA, path, overwrite=False)

    assert path.read_text() == "dear diary"
    save(DATA, path, overwrite=True)
    assert path.read_bytes() == DATA
