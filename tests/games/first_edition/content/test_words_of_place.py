"""Words of the bundled pack for places: a map room is *pièce*, and shared words fit outdoors."""

import re

import pytest

from content.reading.files import read_files, shipped
from content.reading.words import LANGUAGES
from protocol.games.first_edition.words import RULESET
from tests.games.client_words import own
from tests.games.first_edition.house import manor
from tests.kit import reading_yaml

pytestmark = pytest.mark.issue(41)

FRENCH = {
    name: data.decode()
    for name, data in read_files(shipped(RULESET) / "manor").items()
    if name.startswith("words/fr/")
}
SHARED = ("role/keeper", "game/first_edition", "rule/k-decide-4", "rule/k-turn-2")


@pytest.mark.parametrize("text", FRENCH.values(), ids=FRENCH)
def test_a_map_room_is_called_salle_only_where_one_has_that_name(text: str) -> None:
    words = reading_yaml.safe(text)
    rooms = [found for key, found in words.items() if key.startswith("room/")]

    if not any("salle" in room["name"].lower() for room in rooms):
        assert re.findall(r".*\bsalles?\b.*", text, re.IGNORECASE) == []


def test_the_client_calls_a_map_room_piece() -> None:
    assert [text for text in own(RULESET, "fr").values() if re.search(r"\bsalles?\b", text)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_of_indoor_and_outdoor_stories_speak_of_no_house(language: str) -> None:
    """Keeper actions of stories of both kinds, the roles, and how a game ends."""
    pack, words = manor(), manor().catalogs[language]
    stories = [*pack.scenarios.values()]
    indoors, outdoors = (
        {id_ for story in stories if story.outdoor is is_out for id_ in story.all_actions}
        for is_out in (False, True)
    )
    shared = {*(indoors & outdoors), *SHARED, *(key for key in words if "result/" in key)}
    said = [text for key in sorted(shared) for text in words[key].values()]
    said += [text for key, text in own(RULESET, language).items() if key.startswith("ending.")]

    assert len(said) > 20
    assert [text for text in said if re.search(r"\b(house|maison)\b", text)] == []


BUILT = {
    "en": "floor|floorboards|ceiling|stairs?|walls?|wallpaper|doors?|sill|passage|lampshade",
    "fr": "plancher|plafond|escaliers?|murs?|papier peint|portes|poignée|couloir|abat-jour|âtre",
}
GROWN = {"en": "bracken|brambles?|hill|skyline|stile|bank", "fr": "fougère|ronces|colline|crête"}
REMEMBERED = {"trauma/forgotten-words"}
"""Cards that speak of another place on purpose."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_cards_drawn_in_houses_and_outdoors_speak_of_nothing_that_only_one_has(
    language: str,
) -> None:
    """Combat and trauma cards join every story; mythos cards and actions are a story's own."""
    pack, words = manor(), manor().catalogs[language]
    stories = [*pack.scenarios.values()]
    indoors, outdoors = (
        {
            id_
            for story in stories
            if story.outdoor is is_out
            for id_ in (*story.all_actions, *story.mythos)
        }
        for is_out in (False, True)
    )
    shared = {*pack.combat, *pack.traumas, *(indoors & outdoors)} - REMEMBERED
    of_place = re.compile(rf"\b({BUILT[language]}|{GROWN[language]})\b", re.IGNORECASE)
    said = {(key, words[key].get(part, "")) for key in shared for part in ("name", "mood")}

    assert len(shared) > 100
    assert {(key, text) for key, text in said if of_place.search(text)} == set()
