"""Games are found by name; an expansion falls back to the game that it extends."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from client.locale import load
from protocol.common.laws import GameLaws, laws_of
from protocol.common.table import GameTable, claims_stand, empty_game, know_game
from protocol.plugs import (
    INSTALLED,
    PLACES,
    Place,
    UnknownGameError,
    folders,
    games,
    has_plug,
    lineage,
    part_of,
    plug,
    set_aside_faulty,
)
from server.system.command_line import parser_for

pytestmark = pytest.mark.issue(35)

FILES = {
    "isles/protocol/events.py": """
from protocol.common.table import GameTable, register_game

class IslesTable(GameTable):
    pass

register_game("isles", IslesTable)
""",
    "isles/protocol/laws.py": """
from protocol.common.laws import GameLaws, register_laws

class IslesLaws(GameLaws):
    pass

register_laws("isles", IslesLaws)
""",
    "isles/server/plug.py": "RULESET = 'isles'\n",
    "isles/client/locale/en.json": '{"isles.sea": "the sea", "isles.sky": "the sky"}',
    "isles/client/locale/fr.json": "{}",
    "reefs/server/plug.py": "RULESET = 'reefs'\n",
    "reefs/client/locale/en.json": '{"isles.sea": "the reef"}',
    "reefs/client/locale/fr.json": "{}",
    "broken/server/plug.py": "import broken.server.missing\n",
    "older/content/plug.py": "raise RuntimeError('built for another release')\n",
    "oldest/client/__init__.py": "raise RuntimeError('built for another release')\n",
    "sound/server/plug.py": "RULESET = 'sound'\n",
}
"""
Source files of a game, of a game that extends it in two layers, and of a game that cannot be
imported.
"""


@pytest.fixture(scope="module", autouse=True)
def _games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    root = tmp_path_factory.mktemp("games")
    for name, text in FILES.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        for package in path.relative_to(root).parents[:-1]:
            if package.name != "locale":
                (root / package / "__init__.py").touch()
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(root))
        patch.setitem(PLACES, "isles", Place("isles.{layer}"))
        patch.setitem(PLACES, "reefs", Place("reefs.{layer}", extends="isles"))
        patch.setitem(PLACES, "broken", Place("broken.{layer}", extends="isles"))
        yield
    load.cache_clear()


def test_an_expansion_uses_its_own_part_and_else_that_of_the_extended_game() -> None:
    assert plug("server", "reefs", "plug").RULESET == "reefs"
    assert plug("server", "isles", "plug").RULESET == "isles"
    assert plug("protocol", "reefs", "events") is plug("protocol", "isles", "events")
    assert part_of("protocol", "reefs", "laws") is plug("protocol", "isles", "laws")


def test_a_part_that_neither_game_has_is_missing() -> None:
    assert not has_plug("client", "reefs", "face")
    assert part_of("client", "reefs", "face") is None
    with pytest.raises(ModuleNotFoundError):
        plug("content", "reefs", "plug")


def test_table_and_laws_of_the_extended_game_are_found_by_the_name_of_the_expansion() -> None:
    know_game("reefs")

    assert type(empty_game("reefs")) is type(empty_game("isles")) is not GameTable
    assert claims_stand("reefs")
    laws = laws_of("reefs")
    assert type(laws) is type(laws_of("isles")) is not GameLaws


def test_words_of_an_expansion_win_over_those_of_the_extended_game() -> None:
    locale = load("en", game="reefs")

    assert locale.say("isles.sea") == "the reef"
    assert locale.say("isles.sky") == "the sky"
    assert load("en", game="isles").say("isles.sea") == "the sea"


def test_the_folders_of_a_layer_are_those_that_exist() -> None:
    assert [Path(str(folder)).parts[-2:] for folder in folders("client", "reefs")] == [
        ("reefs", "client"),
        ("isles", "client"),
    ]
    assert [Path(str(folder)).parts[-2:] for folder in folders("protocol", "reefs")] == [
        ("isles", "protocol")
    ]


def test_a_part_that_fails_to_import_is_not_replaced() -> None:
    """A bug in an expansion must not lead to the rules of the extended game."""
    with pytest.raises(ModuleNotFoundError, match=r"broken\.server\.missing"):
        plug("server", "broken", "plug")
    with pytest.raises(ModuleNotFoundError, match=r"broken\.server\.missing"):
        part_of("server", "broken", "plug")


def test_the_lineage_of_a_game_begins_with_itself() -> None:
    assert lineage("reefs") == ("reefs", "isles")
    assert lineage("isles") == ("isles",)
    for stranger in ("nowhere", ""):
        with pytest.raises(UnknownGameError):
            lineage(stranger)


@pytest.fixture
def _installed(monkeypatch: pytest.MonkeyPatch) -> None:
    for game in ("older", "oldest", "sound"):
        monkeypatch.setitem(PLACES, game, Place(f"{game}.{{layer}}"))
        monkeypatch.setitem(INSTALLED, game, game)


@pytest.mark.issue(41)
@pytest.mark.usefixtures("_installed")
def test_an_installed_game_that_raises_is_named_once_and_the_others_stay() -> None:
    before = set(games())

    assert set_aside_faulty("content", "server") == [
        ("older", "older", "RuntimeError: built for another release")
    ]
    assert set_aside_faulty("content", "server") == []
    assert set(games()) == before - {"older"}
    assert plug("server", "sound", "plug").RULESET == "sound"


@pytest.mark.issue(41)
@pytest.mark.usefixtures("_installed")
@pytest.mark.parametrize(
    "uses",
    [
        lambda: part_of("client", "oldest", "keys"),
        lambda: has_plug("client", "oldest", "keys"),
        lambda: load("en"),
    ],
)
def test_it_is_set_aside_wherever_it_is_imported_first(uses: Callable[[], object]) -> None:
    load.cache_clear()
    uses()

    assert "oldest" not in games()
    assert [faulty.package for faulty in set_aside_faulty()] == ["oldest"]


@pytest.mark.issue(41)
@pytest.mark.usefixtures("_installed")
@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "the game older is left out, because its package older cannot be imported ({0})."),
        ("fr", "le jeu older est laissé de côté : son paquet older ne peut pas être chargé ({0})."),
    ],
)
def test_a_command_says_which_package_it_leaves_out(
    language: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    parser_for("solo", ["--language", language])

    said = capsys.readouterr().err.replace("\xa0", " ").replace("\u202f", " ")
    fault = "RuntimeError: built for another release"
    assert f"manse solo: {told.format(fault)}\n" in said
