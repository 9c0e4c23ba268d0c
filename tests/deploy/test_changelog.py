"""Changelog fragments are moved into the section of their release, each exactly once."""

from pathlib import Path

import pytest

from deploy.changelog import BadChangelog, entry, gather, split

HEAD = "# Changelog\n\nWhat is noticed.\n"


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a checkout with a changelog and three fragments."""
    (tmp_path / "CHANGELOG.md").write_text(HEAD, "utf-8")
    (tmp_path / "newsfragments").mkdir()
    (tmp_path / "newsfragments" / "README.md").write_text("How.\n", "utf-8")
    plant(tmp_path, "15.metrics.feature.md", "There are metrics.")
    plant(tmp_path, "4.bugfix.md", "A door was shut.")
    plant(tmp_path, "9.feature.md", "Doors can be opened.")
    return tmp_path


def plant(checkout: Path, name: str, text: str) -> None:
    (checkout / "newsfragments" / name).write_text(f"{text}\n", "utf-8")


def page(checkout: Path) -> str:
    return (checkout / "CHANGELOG.md").read_text("utf-8")


def test_fragments_stand_below_their_kind_by_issue(checkout: Path) -> None:
    assert gather(checkout, "0.2.0", "2026-11-23") == 3

    assert page(checkout) == (
        f"{HEAD}\n## 0.2.0 (2026-11-23)\n\n"
        "### Added\n\n- Doors can be opened. (#9)\n- There are metrics. (#15)\n\n"
        "### Fixed\n\n- A door was shut. (#4)\n\n"
    )


def test_fragments_are_gone_when_they_are_gathered(checkout: Path) -> None:
    gather(checkout, "0.2.0", "2026-11-23")

    assert [path.name for path in (checkout / "newsfragments").iterdir()] == ["README.md"]


def test_later_fragments_join_the_section_that_is_there(checkout: Path) -> None:
    gather(checkout, "0.2.0", "2026-11-23")
    plant(checkout, "16.feature.md", "More.\n\nAnd more.")

    gather(checkout, "0.2.0", "2026-11-24")

    assert page(checkout).count("\n## ") == 1
    assert "\n## 0.2.0 (2026-11-24)\n" in page(checkout)
    assert "\n- There are metrics. (#15)\n- More.\n\n  And more. (#16)\n\n" in page(checkout)


def test_the_newest_release_stands_first(checkout: Path) -> None:
    gather(checkout, "0.2.0", "2026-11-23")
    older = page(checkout).removeprefix(f"{HEAD}\n")
    plant(checkout, "16.feature.md", "More.")

    gather(checkout, "0.3.0", "2026-12-01")

    _, sections = split(page(checkout))
    assert list(sections) == ["0.3.0", "0.2.0"]
    assert sections["0.2.0"] == older


def test_an_older_release_takes_nothing(checkout: Path) -> None:
    gather(checkout, "0.2.0", "2026-11-23")
    gather(checkout, "0.3.0", "2026-12-01")
    before = page(checkout)
    plant(checkout, "16.feature.md", "More.")

    with pytest.raises(BadChangelog, match=r"newer release than 0\.2\.0"):
        gather(checkout, "0.2.0", "2026-12-02")

    assert page(checkout) == before


@pytest.mark.parametrize(
    "name", ["feature.md", "15.Metrics.feature.md", "15.news.md", "15.feature"]
)
def test_a_name_of_no_kind_is_refused(checkout: Path, name: str) -> None:
    plant(checkout, name, "What is this?")

    with pytest.raises(BadChangelog, match="is not named as"):
        gather(checkout, "0.2.0", "2026-11-23")

    assert page(checkout) == HEAD


def test_lines_of_a_fragment_belong_to_its_item() -> None:
    assert entry("One\ntwo.\n\n- three\n", "7") == "- One\n  two.\n\n  - three (#7)\n"
