"""The wheel has every file of the packages and nothing else."""

import tomllib
import zipfile
from pathlib import Path
from typing import Any, Final

import pytest
from setuptools import find_packages

ROOT: Final = Path(__file__).parents[2]
PACKAGES: Final = ("commands", "protocol", "content", "server", "client")


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    """Return the content of pyproject.toml."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def files_of(package: str) -> list[Path]:
    """List the files of a package that must be installed, relative to the checkout."""
    return sorted(
        path.relative_to(ROOT)
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and not path.name.startswith(".")
    )


def missing_packages(root: Path, project: dict[str, Any]) -> list[str]:
    """Return the folders with modules that the patterns in pyproject.toml do not find."""
    patterns = project["tool"]["setuptools"]["packages"]["find"]["include"]
    found = find_packages(str(root), include=patterns)
    modules = [path.relative_to(root) for name in PACKAGES for path in (root / name).rglob("*.py")]
    return sorted({".".join(module.parent.parts) for module in modules} - set(found))


def test_every_folder_with_modules_is_found(project: dict[str, Any]) -> None:
    """A folder without an `__init__.py` would be missing from the wheel."""
    assert project["tool"]["setuptools"]["packages"]["find"]["namespaces"] is False
    assert missing_packages(ROOT, project) == []


def test_a_new_game_is_found_and_a_folder_that_is_no_package_reported(
    tmp_path: Path, project: dict[str, Any]
) -> None:
    for folder in ("protocol", "protocol/games", "protocol/games/caves"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "__init__.py").touch()
    (tmp_path / "protocol/games/caves/events").mkdir()
    (tmp_path / "protocol/games/caves/events/night.py").touch()

    assert missing_packages(tmp_path, project) == ["protocol.games.caves.events"]


@pytest.mark.parametrize("package", PACKAGES)
def test_every_file_is_in_the_wheel(wheel: Path, package: str) -> None:
    packed = zipfile.ZipFile(wheel).namelist()

    missing = [path for path in files_of(package) if path.as_posix() not in packed]

    assert missing == []


@pytest.mark.parametrize("package", PACKAGES)
def test_every_package_is_typed(package: str) -> None:
    assert (ROOT / package / "py.typed").is_file()


def test_the_wheel_holds_nothing_else(wheel: Path, project: dict[str, Any]) -> None:
    tops = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}

    assert tops == {*PACKAGES, f"manse-{project['project']['version']}.dist-info"}
