"""The shelf: packs beside the core pack, and the packs that old rooms need."""

from collections.abc import Coroutine, Mapping
from importlib import resources
from typing import Any

import pytest

from content.games.second_edition.loader import load_source
from content.reading.files import read_files
from content.reading.mistakes import ContentErrors
from protocol.common.table import RoomTable
from server.packs.shelf import PackShelf
from tests.games.second_edition.content.packs import FILES
from tests.kit.compiled import loaded
from tests.kit.stores.memory import MemoryStore


def done(work: Coroutine[Any, Any, None]) -> None:
    """Run work that never waits, since the memory store answers at once."""
    with pytest.raises(StopIteration):
        work.send(None)


def shelf_with(store: MemoryStore, *packs: tuple[str, Mapping[str, bytes]]) -> PackShelf:
    """Return the shelf of a server that was started with these packs."""
    shelf = PackShelf(loaded)
    done(shelf.load(store))
    for pack_id, files in packs:
        done(shelf.keep(pack_id, files, store))
    return shelf


def test_another_pack_is_offered_after_the_core() -> None:
    cards = shelf_with(MemoryStore(), ("tiny", FILES)).scenarios()

    assert cards[0].scenario.startswith("core/")
    assert cards[-1].scenario == "tiny/cellar"
    assert cards[-1].roster.characters == ("investigator/ann", "investigator/bob")


def test_words_of_the_rules_are_there_for_every_pack() -> None:
    shelf = shelf_with(MemoryStore(), ("tiny", FILES))
    digest = shelf.current("tiny/cellar")
    assert digest is not None

    words = shelf.catalogs(digest)["en"]

    assert words["ask/move"] == {"text": "Where to, {0}?"}
    assert words["room/cellar"] == {"name": "Cellar"}
    assert "choice/end_phase" in words


def test_a_game_begun_with_an_older_core_has_the_words_of_todays_rules() -> None:
    files = dict(read_files(resources.files("content") / "packs" / "second_edition" / "core"))
    for language in ("en", "fr"):
        del files[f"words/{language}/rules_explained.yaml"]
    shelf = shelf_with(MemoryStore())
    old = load_source("core", files).pack
    shelf.packs[old.digest] = old

    words = shelf.catalogs(old.digest)["en"]

    assert "rule/turn-2" not in old.catalogs["en"]
    assert "rule/turn-2" in words


def test_the_lobby_can_name_every_scenario() -> None:
    shelf = shelf_with(MemoryStore(), ("tiny", FILES))
    digest = shelf.current(shelf.scenarios()[0].scenario)
    assert digest is not None

    assert shelf.catalogs(digest)["en"]["tiny/cellar"]["name"] == "The cellar"
    assert shelf.catalogs(digest)["en"]["ask/move"] != {"text": "Where to, {0}?"}


def test_a_room_finds_its_pack_when_the_server_has_it_no_more() -> None:
    store = MemoryStore()
    digest = shelf_with(store, ("tiny", FILES)).current("tiny/cellar")
    assert digest is not None

    later = shelf_with(store)

    room = RoomTable(scenario="tiny/cellar", content_hash=digest)
    assert later.content(room).scenario.id == "tiny/cellar"
    assert later.current("tiny/cellar") is None


def test_two_packs_of_one_name_are_refused() -> None:
    """Nobody could tell their scenarios apart."""
    store = MemoryStore()
    shelf = shelf_with(store, ("tiny", FILES))

    for name in ("tiny", "core"):
        with pytest.raises(ContentErrors, match="two packs are called that"):
            shelf.keep(name, FILES, store).send(None)
