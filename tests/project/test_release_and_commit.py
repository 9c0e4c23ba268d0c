"""`manse --version` names the release and the commit, wherever the program comes from."""

import subprocess
from importlib.metadata import version
from pathlib import Path

import pytest

from commands.release import BUILT, commit_of, release_and_commit
from deploy.building import note_commit
from tests.deploy.conftest import commit, git

pytestmark = pytest.mark.issue(37)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a checkout with one commit."""
    root = tmp_path / "checkout"
    (root / "commands").mkdir(parents=True)
    (root / "commands" / "main.py").write_text("", "utf-8")
    git(root, "init", "--quiet")
    commit(root)
    return root


def head(root: Path) -> str:
    """Return the commit that git names."""
    said = subprocess.run(
        ["git", "-C", str(root), "rev-parse", "HEAD"], capture_output=True, text=True, check=True
    )
    return said.stdout.strip()


def test_the_commit_of_a_checkout_is_known(checkout: Path) -> None:
    assert commit_of(checkout) == head(checkout)
    assert release_and_commit(checkout) == f"{version('manse')} ({head(checkout)[:12]})"
    git(checkout, "pack-refs", "--all")
    assert commit_of(checkout) == head(checkout)
    git(checkout, "tag", "v1")
    git(checkout, "checkout", "--quiet", "v1")
    assert commit_of(checkout) == head(checkout)
    second = checkout.with_name("second")
    git(checkout, "worktree", "add", "--quiet", "-b", "other", str(second))
    assert commit_of(second) == head(checkout)


def test_a_build_takes_its_commit_along(checkout: Path, tmp_path: Path) -> None:
    """An installed copy has no git repository."""
    source = tmp_path / "source"
    (source / "commands").mkdir(parents=True)

    note_commit(checkout, source)

    assert commit_of(source) == head(checkout)


@pytest.mark.parametrize("text", [None, "", "main", "0" * 39])
def test_without_a_commit_the_release_stands_alone(tmp_path: Path, text: str | None) -> None:
    (tmp_path / "commands").mkdir()
    if text is not None:
        (tmp_path / "commands" / BUILT).write_text(text, "utf-8")

    assert release_and_commit(tmp_path) == version("manse")
