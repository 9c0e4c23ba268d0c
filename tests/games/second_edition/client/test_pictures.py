"""The pages show the screens as they are."""

import os
from pathlib import Path

import pytest

from tests.games.second_edition.client.pictures import named_in, pictures, with_pictures
from tests.games.second_edition.client.stage import ACCEPT

ROOT = Path(__file__).parents[4]
PAGES = (ROOT / "README.md", ROOT / "docs" / "playing.md")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.name))
def test_a_page_shows_the_screens_of_a_seeded_game(page: Path) -> None:
    """Each picture by its name; MANSE_ACCEPT_SCREENS=1 writes them anew."""
    text = page.read_text("utf-8")
    assert named_in(text)
    shown = with_pictures(text, pictures())
    if os.environ.get(ACCEPT):
        page.write_text(shown, "utf-8")

    assert shown == page.read_text("utf-8")
