"""Pictures in the docs equal the screens of the client."""

import os
from pathlib import Path

import pytest

from tests.games.second_edition.client.pictures import named_in, pictures, with_pictures
from tests.games.second_edition.client.stage import ACCEPT

ROOT = Path(__file__).parents[4]
PAGES = (ROOT / "README.md", ROOT / "docs" / "playing.md")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.name))
def test_a_page_shows_the_screens_of_a_seeded_game(page: Path) -> None:
    """Set MANSE_ACCEPT_SCREENS=1 to write them anew."""
    text = page.read_text("utf-8")
    assert named_in(text)
    shown = with_pictures(text, pictures())
    if os.environ.get(ACCEPT):
        page.write_text(shown, "utf-8")

    assert shown == page.read_text("utf-8")
