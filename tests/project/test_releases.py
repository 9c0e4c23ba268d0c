"""Every release of Manse that a page names exists: in the changelog, or as today's."""

import re
from pathlib import Path
from typing import Final

import pytest

from deploy.building import version_of
from deploy.changelog import CHANGELOG, FRAGMENTS, split
from tests.project.test_docs import ROOT

TODAY: Final = version_of(ROOT)
EXISTING: Final = {*split((ROOT / CHANGELOG).read_text("utf-8"))[1], TODAY}
PAGES: Final = (
    *(ROOT / name for name in ("README.md", "ARCHITECTURE.md", "protocol/PROTOCOL.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
    *sorted((ROOT / "protocol" / "games").glob("*/PROTOCOL.md")),
    *sorted((ROOT / "tests" / "golden").rglob("*.md")),
    *sorted((ROOT / FRAGMENTS).glob("*.md")),
    *sorted(path for path in (ROOT / "deploy").glob("*[!y]") if path.is_file()),
)
RELEASE: Final = re.compile(r"(?<![\d.])0\.\d+\.\d+(?!\.?\d)")
"""Other programs on the pages have no version below 1, and addresses have four numbers."""

pytestmark = pytest.mark.issue(37)


def unknown(text: str) -> set[str]:
    """Return the releases that a text names and that do not exist."""
    return {*RELEASE.findall(text)} - EXISTING


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_a_page_names_releases_that_exist(page: Path) -> None:
    """An operator who typed another would get an error from git."""
    assert unknown(page.read_text("utf-8")) == set()


def test_a_release_that_does_not_exist_is_found() -> None:
    text = "v0.99.1, release 0.98.0. `manse-0.97.2-container`; 192.0.2.7, 0.0.0.0 and 3.14.10"

    assert unknown(text) == {"0.99.1", "0.98.0", "0.97.2"}


def test_todays_release_is_the_one_to_install() -> None:
    """An earlier release has other commands and another unit than those of the page."""
    page = (ROOT / "docs" / "operating.md").read_text("utf-8")

    assert re.findall(r"git clone --branch (\S+)", page) == [f"v{TODAY}"]
    assert {*re.findall(r"\bmanse[-:](\d+\.\d+\.\d+)", page)} == {TODAY}


def test_todays_release_is_newer_than_all_that_were_released() -> None:
    """Unreleased code must not have the name of a release."""
    numbers = sorted(EXISTING, key=lambda name: [*map(int, name.split("."))])
    has_changes = any(path.name != "README.md" for path in (ROOT / FRAGMENTS).iterdir())

    assert numbers[-1] == TODAY
    if has_changes:
        assert TODAY not in split((ROOT / CHANGELOG).read_text("utf-8"))[1]
