"""Builds the game in the listings of docs/adding-a-game.md, and tests it like any other."""

import ast
import importlib
import inspect
import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import attrs
import pytest

from client.bots.brains import SENSIBLE
from client.bots.weighing import Past
from client.journal.journal import Journal
from client.keymap.keys import USUAL, Context, KeyMap, bindings_of
from client.locale import LANGUAGES
from client.plugs.face import face_of
from client.screens.base.screen import Desk
from client.screens.ui import Ui
from client.settings.preferences import Theme
from client.widgets.canvas import Canvas
from client.widgets.looks import looks_of
from client.widgets.style import style_sheet
from content.plugs import packs
from content.reading import files
from protocol import event, messages, plugs
from protocol.common.table import Settings
from server.lobby.lobby import Lobby
from server.lobby.services.seams import LobbyServices
from server.packs.shelf import PackShelf
from tests.games import every, test_every
from tests.games.toy.test_plain_mode import type_an_answer
from tests.kit.servers.house import Client, House
from tests.project.test_layering import Tree, forbidden_imports, set_loops

ROOT: Final = Path(__file__).parents[2]
PAGE: Final = ROOT / "docs" / "adding-a-game.md"
GAME: Final = "caves"
ROLE: Final = "keeper"
SCENARIO: Final = "caves/shore"
LAYERS: Final = ("protocol", "content", "server", "client")
LISTING: Final = re.compile(
    r"^`([a-z_/]+\.[a-z]+)`:\n\n```\w+\n(.*?)^```$", re.MULTILINE | re.DOTALL
)
PLACES: Final = re.compile(r"^PLACES: dict\[str, Place\] = (\{.*?^\})$", re.MULTILINE | re.DOTALL)

pytestmark = pytest.mark.issue(11)


def listings() -> Mapping[str, str]:
    """Return the page's listings by file name."""
    return dict(LISTING.findall(PAGE.read_text("utf-8")))


def build(root: Path) -> None:
    """Write the listings below a folder, with every folder of code as a package."""
    for name, text in listings().items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    for layer in LAYERS:
        (root / layer / "games" / GAME / "__init__.py").write_text('"""The caves."""\n', "utf-8")


def place() -> plugs.Place:
    """Return the page's entry for the game in `plugs.PLACES`."""
    (places,) = PLACES.findall(PAGE.read_text("utf-8"))
    entries = ast.parse(places, mode="eval").body
    assert isinstance(entries, ast.Dict)
    found = dict[str, plugs.Place]()
    for key, value in zip(entries.keys, entries.values, strict=True):
        assert isinstance(key, ast.Constant)
        assert isinstance(value, ast.Call)
        assert ast.unparse(value.func) == "Place"
        found[str(key.value)] = plugs.Place(*map(ast.literal_eval, value.args))
    assert found.items() >= {name: plugs.PLACES[name] for name in found if name != GAME}.items()
    return found[GAME]


@attrs.define(eq=False)
class CavesHouse(House):
    """A server whose only pack is that of the caves."""

    def _new_lobby(self) -> Lobby:
        shelf = PackShelf()
        shelf.add(packs.load(GAME, packs.base_files(GAME)))
        services = LobbyServices(
            store=self.store,
            shelf=shelf,
            clock=self.clock,
            now=lambda: 1_700_000_000_000 + int(self.clock.seconds() * 1000),
            entropy=self.entropy,
            make_bot=self._make_bot,
        )
        return Lobby(services, sign=self.identity.sign, public=self.identity.public)

    def open_table(self, client: Client, settings: Settings | None = None) -> str:
        """Open a table, and return the code of its invitation."""
        client.port.open_table(SCENARIO, settings or Settings())
        self.settle()
        return client.session.last(messages.TableOpened).code


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that has only the listings."""
    root = tmp_path_factory.mktemp("caves")
    build(root)
    return root


@pytest.fixture(scope="module")
def _game(built: Path) -> Iterator[None]:
    """Make the game findable in that folder, as if it were installed beside the others."""
    shipped = files.shipped

    def or_built(game: str) -> files.Folder:
        return built / "content" / "packs" / game if game == GAME else shipped(game)

    with pytest.MonkeyPatch.context() as patch:
        for layer in LAYERS:
            package = importlib.import_module(f"{layer}.games")
            path = [*package.__path__, str(built / layer / "games")]
            patch.setattr(package, "__path__", path)
        patch.setattr(files, "shipped", or_built)
        patch.setattr(packs, "shipped", or_built)
        forget()
        patch.setitem(plugs.PLACES, GAME, place())
        patch.setattr(every, "GAMES", {**every.GAMES, GAME: every.Game(CavesHouse, ROLE)})
        patch.setattr(test_every, "GAMES", every.GAMES)
        yield
    forget()


def forget() -> None:
    """Make the game unknown again for the tests that follow."""
    bindings_of.cache_clear()
    looks_of.cache_clear()
    for tag in event.kinds():
        if tag.startswith(f"{GAME}/"):
            del event._KINDS[tag]
    for name in tuple(sys.modules):
        if f".games.{GAME}." in f"{name}.":
            del sys.modules[name]


def what_every_game_passes() -> list[Any]:
    """Return each test that every game must pass, with its arguments except the game."""
    found = []
    for name, test in inspect.getmembers(test_every, inspect.isfunction):
        if not name.startswith("test_"):
            continue
        names = set(inspect.signature(test).parameters) - {"game"}
        languages = LANGUAGES if "language" in names else (None,)
        for language in languages:
            test_id = f"{name}-{language or ''}".rstrip("-")
            found.append(pytest.param(test, names, language, id=test_id))
    return found


@pytest.mark.usefixtures("_game")
@pytest.mark.parametrize(("test", "names", "language"), what_every_game_passes())
def test_the_game_of_the_page_passes_what_every_game_must(
    test: Callable[..., None],
    names: set[str],
    language: str | None,
    request: pytest.FixtureRequest,
) -> None:
    given = dict.fromkeys(names & {"language"}, language or "")
    fixtures = {name: request.getfixturevalue(name) for name in names - {"language"}}

    test(game=GAME, **given, **fixtures)


@pytest.mark.usefixtures("_game")
def test_it_is_played_in_plain_mode_by_typing_numbers() -> None:
    evening, rng = every.start(GAME), random.Random(1)

    for _ in range(40):
        for person in (evening.people[0], evening.people[2]):
            person.act()
        evening.house.settle(0.1)
        type_an_answer(evening, rng)
        evening.house.settle(0.1)

    assert evening.is_over
    assert "The game is over." in evening.printed[-1]


@pytest.mark.usefixtures("_game")
def test_every_cave_and_everybody_has_a_name() -> None:
    evening = every.an_evening(GAME)
    shown = [*(one.text for one in evening.shown), *evening.printed]

    assert shown
    assert [text for text in shown if re.search(r"(?:cave|seeker|role)/", text)] == []


@pytest.mark.usefixtures("_game")
def test_its_teller_says_who_found_the_lantern() -> None:
    printed = "\n".join(every.an_evening(GAME).printed)

    assert "Ash finds the lantern." in printed


@pytest.mark.usefixtures("_game")
def test_who_seeks_is_not_told_where_the_lantern_is() -> None:
    evening = every.start(GAME)
    evening.play(1)
    by_tag = [
        next(r.event for r in view.records if r.event.tag == "caves/lantern_hidden")
        for client in evening.clients
        if (view := client.model.view) is not None
    ]

    assert [event.cave.is_open for event in by_tag] == [False, False, True]  # type: ignore[attr-defined]  # the event of the page


@pytest.mark.usefixtures("_game")
def test_its_face_is_its_own() -> None:
    assert len(face_of(GAME).tellers) == 2


def screen_of(client: Client, rows: int = 24, columns: int = 80) -> tuple[Ui, Canvas]:
    """Return a client's full screen with one drawn frame."""
    ui = Ui(Desk(client.model, client.port, Journal(lambda: client.model.speaker)))
    return ui, ui.draw(rows, columns)


@pytest.mark.usefixtures("_game")
@pytest.mark.issue(35)
def test_its_board_is_drawn_with_what_the_viewer_knows() -> None:
    evening = every.start(GAME, seed=2)
    evening.play(1)
    seekers, keepers = (screen_of(evening.clients[at])[1].plain() for at in (0, 2))

    assert "╎" in seekers
    assert "═║ door" in seekers
    assert "A Ash" in seekers
    assert "* the lantern" in keepers
    assert "* the lantern" not in seekers
    assert "[" in seekers
    assert "the grotto" in screen_of(evening.clients[0], 30, 120)[1].plain()


@pytest.mark.usefixtures("_game")
@pytest.mark.issue(35)
def test_its_tides_lie_beside_the_board_and_are_read_by_its_key() -> None:
    evening = every.start(GAME)
    (seeking, seekers), (keeping, keepers) = (screen_of(evening.clients[at]) for at in (0, 2))

    assert keepers.plain().count("Low tide") + keepers.plain().count("High tide") == 4
    assert " tide" not in seekers.plain().replace("o tides", "")
    for ui in (seeking, keeping):
        ui.press("o")
    assert "The tides to come" in keeping.draw(24, 80).plain()
    keeping.press("enter")
    assert re.search(r"Every cave is dry|Nobody gets into the grotto", keeping.draw(24, 80).plain())
    assert "Only the keeper knows the tides." in seeking.draw(24, 80).plain()
    assert "tides" in [action.value for action in USUAL.rebindable]
    assert KeyMap.with_wishes({"tides": ["k"]}).action_for(Context.ROOM, "k") is USUAL.named(
        "tides"
    )


@pytest.mark.usefixtures("_game")
@pytest.mark.issue(35)
def test_its_lantern_has_a_colour_in_every_theme() -> None:
    looks = {
        theme: style_sheet(theme, GAME).get_attrs_for_style_str("class:lantern") for theme in Theme
    }

    assert all(look.bold for look in looks.values())
    assert [theme for theme, look in looks.items() if not look.color] == [Theme.PLAIN]
    other = style_sheet(Theme.DARK, "toy").get_attrs_for_style_str("class:lantern")
    assert not other.bold


@pytest.mark.usefixtures("_game")
@pytest.mark.issue(35)
def test_its_bots_seek_where_they_did_not_look_in_vain() -> None:
    evening = every.start(GAME)
    evening.play(4)
    client = evening.clients[0]
    view = client.model.view
    assert view is not None
    question = view.my_question()
    assert question is not None
    past = Past.from_log(view, gains=())

    picks = {SENSIBLE(view, question, random.Random(seed)) for seed in range(20)}

    assert sum(past.in_vain.values()) == 4
    assert picks <= {(choice.choice_id,) for choice in question.choices}


def test_its_imports_keep_to_the_walls(built: Path) -> None:
    tree = Tree.read(built)

    assert tree.modules
    assert forbidden_imports(tree) == []
    assert set_loops(tree) == []


def test_its_listings_are_formatted_and_clean(built: Path) -> None:
    ruff = [sys.executable, "-m", "ruff"]
    config = ["--config", str(ROOT / "pyproject.toml"), "--config", f"src=['.', '{ROOT}']"]

    for run in (["format", "--check", *config], ["check", *config]):
        done = subprocess.run(
            [*ruff, *run, "--quiet", "--no-cache", "."],
            cwd=built,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.long
def test_its_listings_are_typed(tmp_path: Path) -> None:
    for package in (*LAYERS, "commands"):
        shutil.copytree(ROOT / package, tmp_path / package, copy_function=os.symlink)
    build(tmp_path)
    modules = [f"-p{layer}.games.{GAME}" for layer in LAYERS]

    done = subprocess.run(
        [sys.executable, "-m", "mypy", f"--config-file={ROOT / 'pyproject.toml'}", *modules],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout
