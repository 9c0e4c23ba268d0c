"""Which game a pack is for, and the words that all games share."""

import pytest

from content.plugs import packs
from content.plugs.kind import kind_of
from content.reading.files import PACK_FILE
from content.reading.mistakes import ContentErrors
from content.reading.words import LANGUAGES
from protocol.plugs import games
from server.packs.shelf import PackShelf

OLDEST = games()[0]


@pytest.mark.parametrize("files", [{}, {PACK_FILE: f"game: {OLDEST}".encode()}])
def test_a_pack_is_for_the_game_that_it_names(files: dict[str, bytes]) -> None:
    assert packs.game_of(files) == OLDEST


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "game: tic-tac-toe",
            f"no game 'tic-tac-toe' is installed here; known: {', '.join(sorted(games()))}",
        ),
        (f"games: {OLDEST}", "unknown key 'games'; did you mean 'game'?"),
        ("game: [one, two]", "expected a text"),
        ("", "is empty"),
    ],
)
def test_a_pack_of_an_unknown_game_is_refused(text: str, told: str) -> None:
    with pytest.raises(ContentErrors) as caught:
        packs.load("x", {PACK_FILE: text.encode()})

    assert told in str(caught.value)
    assert {error.file for error in caught.value.errors} == {PACK_FILE}


def test_a_checked_pack_of_an_unknown_game_is_a_remark() -> None:
    (remark,) = packs.remarks("x", {PACK_FILE: b"game: tic-tac-toe"})

    assert (remark.file, remark.key) == (PACK_FILE, "game")


@pytest.mark.parametrize("game", games())
def test_what_comes_along_for_a_game_names_it(game: str) -> None:
    assert packs.game_of(packs.base_files(game)) == game
    assert PACK_FILE in packs.base_files(game)
    assert PACK_FILE in kind_of(game).starter()


def test_french_counts_from_two() -> None:
    """In French, zero takes the singular."""
    assert packs.shared_words()["fr"]["language"]["zero"] == "one"
    assert packs.shared_words()["en"]["language"]["zero"] != "one"


@pytest.mark.parametrize("game", games())
def test_shared_words_are_said_once(game: str) -> None:
    kind = kind_of(game)
    pack = kind.load(kind.base, packs.base_files(game))
    shelf = PackShelf()
    shelf.add(pack)

    for language in LANGUAGES:
        shared = packs.shared_words()[language]
        assert shared.keys() & pack.catalogs[language].keys() == set()
        assert shared.items() <= shelf.catalogs(pack.digest)[language].items()


def test_a_pack_may_say_shared_words_otherwise() -> None:
    """Packs that are older than the shared words have words of their own."""
    kind = kind_of(OLDEST)
    files = dict(packs.base_files(OLDEST))
    for language in LANGUAGES:
        files[f"words/{language}/own.yaml"] = b'name/numbered: "{0}, no. {1}"'
    shelf = PackShelf()
    pack = kind.load(kind.base, files)
    shelf.add(pack)

    assert shelf.catalogs(pack.digest)["en"]["name/numbered"]["text"] == "{0}, no. {1}"
