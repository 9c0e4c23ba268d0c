"""Nothing in the packages is left out of the wheel, and nothing else is in it."""

import tomllib
import zipfile
from pathlib import Path
from typing import Any, Final

import pytest

ROOT: Final = Path(__file__).parents[2]
PACKAGES: Final = ("commands", "protocol", "content", "server", "client")


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    """What pyproject.toml says."""
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


def files_of(package: str) -> list[Path]:
    """List the files of a package that are meant to be installed, relative to the checkout."""
    return sorted(
        path.relative_to(ROOT)
        for path in (ROOT / package).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts and not path.name.startswith(".")
    )


def test_every_folder_with_modules_is_listed(project: dict[str, Any]) -> None:
    """The packages stand in pyproject.toml by name, so a new one has to be added there."""
    folders = {path.parent for name in PACKAGES for path in files_of(name) if path.suffix == ".py"}

    listed = project["tool"]["setuptools"]["packages"]

    assert sorted(listed) == sorted(".".join(folder.parts) for folder in folders)


@pytest.mark.parametrize("package", PACKAGES)
def test_every_file_is_in_the_wheel(wheel: Path, package: str) -> None:
    """Modules and data alike: packs, catalogs, PROTOCOL.md, py.typed."""
    packed = zipfile.ZipFile(wheel).namelist()

    missing = [path for path in files_of(package) if path.as_posix() not in packed]

    assert missing == []


@pytest.mark.parametrize("package", PACKAGES)
def test_every_package_is_typed(package: str) -> None:
    """Whoever imports a package gets its types."""
    assert (ROOT / package / "py.typed").is_file()


def test_the_wheel_holds_nothing_else(wheel: Path, project: dict[str, Any]) -> None:
    """No tests, no tools, no leftovers."""
    tops = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}

    assert tops == {*PACKAGES, f"manse-{project['project']['version']}.dist-info"}
