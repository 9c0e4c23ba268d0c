"""A release holds what git tracks, and one commit always gives the same bytes."""

import os
import shutil
import tarfile
from pathlib import Path
from typing import Final

import attrs
import pytest

from deploy.building import EPOCH, Built, build, context_of, export, pack, time_of_commit
from deploy.checking import Unfit, check_sums, pins
from tests.deploy.conftest import git, small_checkout

ROOT: Final = Path(__file__).parents[2]
AT: Final = 1_800_000_000


@pytest.fixture(scope="module")
def built_once(tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("built")
    return build(small_checkout(folder / "small"), folder / "dist", AT)


@pytest.fixture
def built(built_once: Built, tmp_path: Path) -> Built:
    """Return the release files of a small checkout, for a test to change."""
    folder = tmp_path / "dist"
    shutil.copytree(built_once.wheel.parent, folder)
    return Built(*(folder / path.name for path in attrs.astuple(built_once)))


def names_in(archive: Path) -> list[str]:
    with tarfile.open(archive) as tar:
        return tar.getnames()


def test_only_what_git_tracks_is_built(small: Path, tmp_path: Path) -> None:
    """Untracked files of a checkout may be private."""
    (small / "rooms" / "notes.py").write_text("SECRET = 1\n", "utf-8")

    export(small, tmp_path / "copy")

    assert not (tmp_path / "copy" / "rooms" / "notes.py").exists()
    assert (tmp_path / "copy" / "rooms" / "hall.py").read_text("utf-8") == "DOORS = 2\n"


@pytest.mark.long
def test_a_copy_without_a_repository_is_built_the_same(small: Path, tmp_path: Path) -> None:
    (small / ".gitignore").write_text("/.venv/\n__pycache__/\n", "utf-8")
    git(small, "add", ".gitignore")
    with_git = build(small, tmp_path / "with", AT)
    copy = tmp_path / "copy"
    shutil.copytree(small, copy, ignore=shutil.ignore_patterns(".git"))
    for folder in (".venv", "rooms/__pycache__"):
        (copy / folder).mkdir()
        (copy / folder / "left.py").write_text("SECRET = 1\n", "utf-8")

    without = build(copy, tmp_path / "without", AT)

    assert without.checksums.read_text("utf-8") == with_git.checksums.read_text("utf-8")


@pytest.mark.parametrize(("name", "mode"), [("run", 0o755), ("pyproject.toml", 0o644)])
def test_modes_are_those_of_git(small: Path, tmp_path: Path, name: str, mode: int) -> None:
    """A restrictive umask at the checkout must not reach the release."""
    (small / name).chmod(0o700 if mode & 0o100 else 0o600)

    export(small, tmp_path / "copy")

    assert (tmp_path / "copy" / name).stat().st_mode & 0o777 == mode


def test_an_archive_depends_on_names_and_bytes_alone(tmp_path: Path) -> None:
    for folder, mode, at in (("one", 0o600, 1_000), ("two", 0o664, 2_000)):
        path = tmp_path / folder / "hall"
        path.parent.mkdir()
        path.write_text("two doors", "utf-8")
        path.chmod(mode)
        os.utime(path, (at, at))
        pack(tmp_path / f"{folder}.tar.gz", path.parent, [Path("hall")], AT)

    assert (tmp_path / "one.tar.gz").read_bytes() == (tmp_path / "two.tar.gz").read_bytes()


@pytest.mark.long
def test_two_builds_have_the_same_sums(small: Path, built: Built, tmp_path: Path) -> None:
    git(tmp_path, "clone", "--quiet", str(small), "clone")
    (tmp_path / "clone" / "rooms" / "hall.py").chmod(0o600)
    before = os.umask(0o077)
    try:
        again = build(tmp_path / "clone", tmp_path / "again", AT)
    finally:
        os.umask(before)

    assert again.checksums.read_text("utf-8") == built.checksums.read_text("utf-8")
    assert len(again.checksums.read_text("utf-8").splitlines()) == 4


@pytest.mark.long
def test_the_sums_follow_the_time(small: Path, built: Built, tmp_path: Path) -> None:
    """If the time had no effect, the test above would compare equal builds in any case."""
    later = build(small, tmp_path / "later", AT + 2)

    for name in ("wheel", "sdist", "context"):
        assert getattr(later, name).read_bytes() != getattr(built, name).read_bytes()


def test_the_context_is_what_the_container_copies(built: Built) -> None:
    assert names_in(built.context) == [
        "deploy/Containerfile",
        "pyproject.toml",
        "requirements/run.txt",
        "rooms/__init__.py",
        "rooms/hall.py",
    ]


def test_the_container_copies_all_packages() -> None:
    tops = {path.parts[0] for path in context_of(ROOT)}

    assert {"client", "commands", "content", "protocol", "server", "README.md"} <= tops


def test_a_changed_file_is_seen(built: Built) -> None:
    check_sums(built.checksums)
    content = bytearray(built.wheel.read_bytes())
    content[-1] ^= 1
    built.wheel.write_bytes(content)

    with pytest.raises(Unfit, match=f"{built.wheel.name} is not the file"):
        check_sums(built.checksums)


def test_nothing_is_built_over_something(small: Path, built: Built) -> None:
    """A wheel of another version would lie beside the new one."""
    with pytest.raises(FileExistsError, match="is not empty"):
        build(small, built.wheel.parent, AT)


def test_the_time_is_of_the_commit(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_COMMITTER_DATE", f"{AT} +0000")
    git(small, "commit", "--quiet", "--amend", "--no-edit")
    monkeypatch.delenv(EPOCH, raising=False)
    assert time_of_commit(small) == AT

    monkeypatch.setenv(EPOCH, "1600000000")
    assert time_of_commit(small) == 1_600_000_000


def test_constraints_are_the_lock_without_hashes() -> None:
    """Pip refuses an archive without a hash if any requirement has one."""
    found = pins((ROOT / "requirements" / "run.txt").read_text("utf-8")).splitlines()

    assert [line for line in found if "hash" in line or line.count("==") < 1] == []
    assert {"twisted", "cryptography", "setuptools"} <= {line.partition("==")[0] for line in found}


@pytest.mark.long
def test_manse_itself_is_built_the_same_twice(tmp_path: Path) -> None:
    first, second = (build(ROOT, tmp_path / name, AT).checksums for name in ("one", "two"))

    assert first.read_text("utf-8") == second.read_text("utf-8")
