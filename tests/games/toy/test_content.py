"""Packs of another game go through the shelf and the tools of authors, which know neither."""

from pathlib import Path

import pytest

from content.games import packs
from content.reading.mistakes import ContentErrors
from server.authoring import simulation
from server.authoring.packs import find, scenario_of
from server.authoring.playing import trial_of
from server.authoring.starter import begin
from server.shelf import PackShelf
from server.storage.memory import MemoryStore
from tests.games.toy.content.plug import KIND, ToyPack
from tests.kernel.toy import PIECES, RULESET
from tests.server.test_shelf import done, shelf_with

SCENARIO = "woods/first"
FILES = {name: data.replace(b"NAME/", b"woods/") for name, data in KIND.starter().items()}


@pytest.fixture
def folder(tmp_path: Path) -> str:
    """A pack that was begun for the toy."""
    begin(str(tmp_path / "woods"), RULESET)
    return str(tmp_path / "woods")


def test_a_pack_is_loaded_by_its_game() -> None:
    """The one that it names."""
    assert isinstance(packs.load("woods", FILES), ToyPack)


def test_a_mistake_in_it_is_told_as_in_any() -> None:
    """By the same reader, within the bounds of its own schema."""
    with pytest.raises(ContentErrors, match="10 is out of bounds; 1 to 9 is allowed"):
        packs.load("woods", {**FILES, "days.yaml": b"- {id: first, rounds: 10}"})


def test_the_lobby_offers_it_beside_the_others() -> None:
    """With the seats and characters that its rules know."""
    card = shelf_with(MemoryStore(), ("woods", FILES)).scenarios()[-1]

    assert (card.scenario, card.ruleset, card.pieces) == (SCENARIO, RULESET, PIECES)


def test_its_words_lie_over_those_that_all_games_share() -> None:
    """In the language of whoever asks."""
    shelf = shelf_with(MemoryStore(), ("woods", FILES))
    digest = shelf.current(SCENARIO)
    assert digest is not None

    words = shelf.catalogs(digest)["fr"]

    assert words[SCENARIO] == {"name": "Le premier jour"}
    assert words["compass/north"] == packs.shared_words()["fr"]["compass/north"]


def test_a_server_that_is_started_again_still_has_it() -> None:
    """For the rooms that were opened with it."""
    store = MemoryStore()
    digest = shelf_with(store, ("woods", FILES)).current(SCENARIO)
    later = PackShelf()
    done(later.load(store))

    assert digest is not None
    assert isinstance(later.packs[digest], ToyPack)


@pytest.mark.parametrize("bots", ["random", "sensible"])
def test_bots_play_it(folder: str, bots: str) -> None:
    """By its own rules, to its end."""
    pack = find(folder).load()

    played = simulation.play(trial_of(pack, scenario_of(pack, "")), 3, 2, bots)

    assert (played.fault, played.rounds) == ("", 3)
    assert played.answers > 0
