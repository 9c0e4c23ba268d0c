"""The map of each bundled story on a small screen: every space keeps its label."""

import pytest

from client.boards.map import Outlook
from client.games.first_edition.panes.board import outlook
from client.games.first_edition.panes.scene import FirstEditionScene
from client.locale import LANGUAGES, load
from client.locale.speaker import Speaker
from client.locale.word_store import WordStore
from client.settings.preferences import MapSize
from content.plugs.packs import shared_words
from protocol.games.first_edition.words import RULESET
from tests.games.first_edition.house import manor
from tests.games.first_edition.rules.test_stories_played import at_event

pytestmark = pytest.mark.issue(41)

STORIES = manor().scenarios
ROWS, COLUMNS = 10, 46
"""About what a terminal of 24 rows and 80 columns leaves to the map."""


def board_of(story: str, size: MapSize, language: str = "en") -> Outlook:
    """Return the board of a story after setup, with everything that lies there at the start."""
    answers = {one.id: one.options[0].id for one in STORIES[story].questions}
    table = at_event(story.partition("/")[2], 0, answers).table
    words = WordStore({**shared_words()[language], **manor().catalogs[language]})
    speaker = Speaker(load(language, game=RULESET), words)
    found = outlook(FirstEditionScene(table, 0, speaker), size)
    assert found is not None
    return found


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("story", STORIES)
def test_every_space_keeps_its_label_beside_what_lies_there(story: str, language: str) -> None:
    seen = board_of(story, MapSize.AUTO, language).within(ROWS, COLUMNS)

    assert {space: found.missing for space, found in seen.fillings.items() if found.missing} == {}
    assert [space for space, found in seen.fillings.items() if not found.name] == []


def test_a_compact_map_gives_up_labels_rather_than_grow() -> None:
    compact = board_of("manor/low-water", MapSize.COMPACT).within(ROWS, COLUMNS)
    usual = board_of("manor/low-water", MapSize.AUTO).within(ROWS, COLUMNS)

    assert compact.board.columns < usual.board.columns
    assert any(not found.name for found in compact.fillings.values())
