"""A release is built only from a commit that is ready."""

import shutil
from pathlib import Path

import pytest

from deploy.building import commit_of
from deploy.checking import Unfit, try_out
from deploy.release import main, named, unready
from tests.deploy.conftest import commit, git


def test_a_commit_with_its_changelog_is_ready(small: Path) -> None:
    assert unready(small) == []
    git(small, "tag", "v7.1")
    assert unready(small) == []


def test_changes_have_to_be_committed(small: Path) -> None:
    (small / "rooms" / "hall.py").write_text("DOORS = 3\n", "utf-8")

    assert unready(small) == ["- there are changes that are not committed"]


def test_fragments_have_to_be_gathered(small: Path) -> None:
    (small / "newsfragments" / "9.feature.md").write_text("Doors.\n", "utf-8")
    commit(small)

    assert unready(small) == ["- 1 fragments are in no release: make changelog"]


def test_the_changelog_has_to_tell_of_it(small: Path) -> None:
    (small / "CHANGELOG.md").write_text("# Changelog\n\n## 7.0 (2026-01-01)\n\n", "utf-8")
    commit(small)

    assert unready(small) == ["- CHANGELOG.md says nothing of 7.1"]


def test_a_version_is_released_once(small: Path) -> None:
    git(small, "tag", "v7.1")
    (small / "rooms" / "hall.py").write_text("DOORS = 3\n", "utf-8")
    commit(small)

    assert unready(small) == ["- v7.1 is another commit: give pyproject.toml a new version"]


def test_what_is_not_ready_is_not_built(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (small / "dist").mkdir()
    (small / "CHANGELOG.md").write_text("# Changelog\n", "utf-8")

    assert main(["release"], small) == 1

    said = capsys.readouterr().err
    assert "- there are changes that are not committed\n" in said
    assert "- CHANGELOG.md says nothing of 7.1\n" in said
    assert (small / "dist").exists()


def test_a_changelog_of_today(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (small / "newsfragments" / "9.feature.md").write_text("Doors.\n", "utf-8")

    assert main(["changelog"], small) == 0

    assert capsys.readouterr().out == "1 fragments went into CHANGELOG.md under 7.1.\n"
    assert "- Rooms.\n- Doors. (#9)\n" in (small / "CHANGELOG.md").read_text("utf-8")


@pytest.mark.issue(37)
def test_the_types_of_its_protocol_number_are_kept(small: Path) -> None:
    (small / "protocol").mkdir()
    (small / "protocol" / "types.json").write_text('{"versions": [8, 9]}', "utf-8")
    commit(small)
    assert unready(small) == [
        "- nothing keeps these types: cp protocol/types.json tests/golden/types/9.json"
    ]

    (small / "tests" / "golden" / "types").mkdir(parents=True)
    (small / "tests" / "golden" / "types" / "9.json").write_text("{}", "utf-8")
    commit(small)
    assert unready(small) == []


@pytest.mark.issue(37)
@pytest.mark.parametrize("said", ["7.1", "7.1 (0123456789ab)", "7.0 ({commit})"])
def test_what_is_built_names_release_and_commit(small: Path, tmp_path: Path, said: str) -> None:
    commit = commit_of(small)[:12]
    assert named(small) == f"7.1 ({commit})"
    manse = tmp_path / "manse"
    manse.write_text(f"#!/bin/sh\necho 'manse {said.format(commit=commit)}'\n", "utf-8")
    manse.chmod(0o755)

    with pytest.raises(Unfit, match=r"manse --version says .*, not 7\.1 \("):
        try_out(tmp_path, tmp_path, named(small), plays=False)


@pytest.mark.issue(37)
def test_a_copy_without_git_has_no_commit(small: Path) -> None:
    shutil.rmtree(small / ".git")

    assert named(small) == "7.1"
