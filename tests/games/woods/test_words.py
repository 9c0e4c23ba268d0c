"""Words of the woods before those of their pack have arrived, and in plain mode."""

import pytest

from client.locale import LANGUAGES
from client.locale.speaker import Speaker
from client.locale.word_store import WordStore
from client.plain.client import PlainClient
from client.plain.talk import Environment
from client.plain.words import waiting_line
from protocol.common.table import Settings
from tests.games.woods.client.clearings import lines
from tests.games.woods.table import a_game

pytestmark = pytest.mark.issue(39)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_id_of_a_clearing_is_shown_before_its_name_has_arrived(language: str) -> None:
    party = a_game()
    ann = party.others[0]
    ann.port.set_language(language)
    party.house.settle()
    view = ann.model.view
    assert view is not None

    shown = list(lines(Speaker(ann.model.speaker.locale, WordStore()), view.table.game))

    names = {"en": "the brook, the glade, the thicket", "fr": "le ruisseau, la trouée, le fourré"}
    assert ", ".join(line.split(":")[0].strip() for line in shown) == names[language]


def test_going_back_is_refused_at_once_where_it_was_settled_so() -> None:
    party = a_game(Settings(takebacks=False))
    printed: list[str] = []
    clock = party.house.clock.seconds
    environment = Environment(lambda _name, _text: None, clock, lambda: None)
    kim = party.kim
    plain = PlainClient(kim.model, kim.port, printed.append, None, environment)
    printed.clear()

    plain.hear("back")

    assert printed == ["There is no going back at this table; that was settled when it was opened."]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_wait_says_what_is_decided(language: str) -> None:
    party = a_game()
    ann = party.others[0]
    ann.port.set_language(language)
    party.house.settle()
    view = ann.model.view
    assert view is not None

    said = {
        "en": "Waiting for Kim: the keeper lays the snare",
        "fr": "On attend Kim : le garde pose le collet",
    }
    assert waiting_line(ann.model.speaker, view).replace("\u00a0", " ") == said[language]
