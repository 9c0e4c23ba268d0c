"""Faces: what a game may leave out of its client folder, and the fallback of each part."""

import random
import subprocess
import sys
from pathlib import Path

import attrs
import pytest

from client.bots.brains import SENSIBLE
from client.games.second_edition.lessons import LESSONS
from client.keymap.keys import Action
from client.locale import LANGUAGES, load
from client.locale.speaker import Speaker
from client.locale.word_store import WordStore
from client.model.tables import TableView
from client.plain.command import Command
from client.plain.commands import by_name
from client.plain.game_commands import NO_COMMANDS, GameCommands, commands_for
from client.plain.talk import PlayerPlace, Talk
from client.plugs.brains import brain_of, pick_random
from client.plugs.face import GameFace, face_of
from client.plugs.lessons import Glance, Lesson, is_asked
from client.teaching.coach import Coach
from client.widgets.known_cards import known_cards
from client.widgets.layout import Layout
from client.widgets.scene import Scene
from protocol.common.asks import Choice, Question
from protocol.common.table import GameTable, RoomTable, Table
from protocol.common.text import Text
from protocol.event import Sealed, hidden
from protocol.plugs import PLACES, Place, games
from tests.games.second_edition.client.console import Console
from tests.games.second_edition.client.scripted import asked, lobby, playing
from tests.games.second_edition.client.stage import view_of

pytestmark = pytest.mark.issue(11)

UNKNOWN = "chess"


def a_view(ruleset: str) -> TableView:
    """Return a view of a game in which nothing has happened yet."""
    return TableView("room", 0, Table(RoomTable(ruleset=ruleset)))


def first_choice(_: TableView, question: Question, rng: random.Random) -> tuple[str, ...]:
    """Pick the first choice, unlike any other brain."""
    del rng
    return (question.choices[0].choice_id,)


# Brains ------------------------------------------------------------------------------------


def test_a_game_without_a_brain_is_played_at_random() -> None:
    choices = tuple(Choice(f"1.{at}", Text("choice/any")) for at in range(50))
    question, view = Question(Text("ask/any"), choices), a_view(UNKNOWN)

    picks = [SENSIBLE(view, question, random.Random(seed)) for seed in range(5)]

    assert picks == [pick_random(view, question, random.Random(seed)) for seed in range(5)]
    assert len(set(picks)) > 1


def test_a_role_has_its_own_brain_or_that_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    brains = {"keeper": first_choice}
    monkeypatch.setattr("client.plugs.brains._brains_of", {"two_sides": brains}.__getitem__)

    assert brain_of("two_sides", "keeper") is first_choice
    assert brain_of("two_sides", "investigator") is pick_random
    brains[""] = first_choice
    assert brain_of("two_sides", "investigator") is first_choice


def test_a_server_that_runs_bots_draws_nothing() -> None:
    """The brain of a game imports no module of screens or terminals."""
    code = (
        "import sys, server.process.bot_session\n"
        "from client.plugs.brains import brain_of\n"
        "brain_of('second_edition')\n"
        "print([m for m in sys.modules if m.startswith(('prompt_toolkit', 'client.widgets'))])"
    )

    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert told.stdout == "[]\n"


# Lessons -----------------------------------------------------------------------------------


def test_a_game_without_lessons_is_not_taught() -> None:
    script, coach = asked(), Coach()
    view = view_of(script, 0)
    room = attrs.evolve(view.table.room, ruleset=UNKNOWN)
    view.table = attrs.evolve(view.table, room=room)

    assert coach.lesson_for(Glance(view)) is None
    assert not coach.go_on()


def test_a_role_has_its_own_lessons_or_those_of_all() -> None:
    keepers = (Lesson("choose", is_asked),)
    face = GameFace("two_sides", lessons={"": LESSONS, "keeper": keepers})

    assert face.lessons_for("keeper") == keepers
    assert face.lessons_for("investigator") == LESSONS
    assert face_of(UNKNOWN).lessons_for("keeper") == ()


# Plain mode --------------------------------------------------------------------------------


def a_command(name: str) -> Command:

    def run(talk: Talk, rest: str) -> None:
        del talk, rest

    return Command(name, run, frozenset({PlayerPlace.GAME}))


def test_a_game_may_have_a_command_of_its_own_in_place_of_everybodys() -> None:
    own = a_command("cards")

    assert by_name(GameCommands(readings=(own,)))["cards"] is own
    assert by_name(NO_COMMANDS)["cards"] is not own


def test_a_game_that_brings_nothing_has_the_commands_of_every_table() -> None:
    known = by_name(commands_for(UNKNOWN))

    assert {"question", "why", "journal", "say", "back", "claim", "cards", "quit"} <= set(known)
    assert not {"map", "monsters", "objective", "correct"} & set(known)


def test_at_no_table_help_tells_of_the_commands_of_every_game() -> None:
    console = Console(None, is_lobby=True)

    assert any(line.startswith("monsters:") for line in console.type("help all"))
    assert console.type("map") == ["map needs a table, and you are at none: type tables."]


def test_who_can_be_played_is_read_before_the_game() -> None:
    console = Console(lobby())
    talk = console.client._talk

    by_name(NO_COMMANDS)["cards"].run(talk, "ada")

    assert console.printed[-2:] == ["Ada Lorne", "A diver who came home with a limp."]


# Words -------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_table_has_the_words_of_its_own_game_alone(language: str) -> None:
    locale = load(language)
    own = [locale.for_game(game) for game in games()]

    assert {key for key in locale.templates if not any(one.has(key) for one in own)} == set()
    assert not all(one.has("skill.lore") for one in own)
    assert not locale.for_game(UNKNOWN).has("skill.lore")
    assert locale.for_game(UNKNOWN).has("plain.your_choice")


def test_a_game_keeps_its_words_in_another_language() -> None:
    spoken = load("en").for_game("second_edition").in_language("fr")

    assert (spoken.language, spoken.game) == ("fr", "second_edition")


def test_the_model_speaks_of_the_game_at_the_table() -> None:
    model = Console(playing()).model

    assert model.speaker.locale.game == "second_edition"
    model.follow(None)
    assert model.speaker.locale is model.locale


# Faces that are not there -------------------------------------------------------------------


def a_game(folder: Path, name: str, **modules: str) -> None:
    """Create an installable game with these client modules, or without a client folder."""
    for at in (folder / name, *([folder / name / "client"] if modules else [])):
        at.mkdir()
        (at / "__init__.py").touch()
    for module, text in modules.items():
        (folder / name / "client" / f"{module}.py").write_text(text, "utf-8")


def place(patch: pytest.MonkeyPatch, folder: Path, name: str) -> None:
    patch.syspath_prepend(str(folder))
    patch.setitem(PLACES, name, Place(f"{name}.{{layer}}"))


def test_a_game_that_is_not_installed_has_the_face_of_any_game() -> None:
    """The name of the game may come from a stranger's server."""
    assert face_of("../elsewhere") == GameFace("../elsewhere")


def test_a_game_may_bring_nothing_to_the_client(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    a_game(tmp_path, "faceless")
    place(monkeypatch, tmp_path, "faceless")

    assert face_of("faceless") == GameFace("faceless")


def test_what_a_face_lacks_itself_is_not_hidden(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An import error inside a face is reported, and not taken for a game without a face."""
    a_game(tmp_path, "faulty", face="import faulty.client.panes")
    place(monkeypatch, tmp_path, "faulty")

    with pytest.raises(ModuleNotFoundError, match="panes"):
        face_of("faulty")


# Layouts, readings, moments -----------------------------------------------------------------


class OwnLayout(Layout):
    """Layout that differs from the default one."""


def test_a_role_has_its_own_layout_or_that_of_any_game() -> None:
    """Each call returns a new layout, since each screen needs one of its own."""
    face = GameFace("two_sides", layout={"keeper": OwnLayout})

    assert type(face.layout_for("keeper")) is OwnLayout
    assert type(face.layout_for("investigator")) is Layout
    assert face.layout_for("keeper") is not face.layout_for("keeper")


def test_a_game_without_readings_has_the_cards_by_name() -> None:
    assert [one.action for one in GameFace("plain").readings_for()] == [Action.CARDS]


def test_a_game_that_counts_nothing_is_at_no_moment() -> None:
    moment = GameFace("plain").moment(GameTable())
    speaker = Speaker(load("en"), WordStore())

    assert moment.round_number == 0
    assert moment.in_words(speaker) == ""
    assert moment.ending(speaker, 0) == ()


# Cards by name ------------------------------------------------------------------------------


def known(*piles: tuple[str, Sealed[tuple[str, ...]]]) -> list[str]:
    """Return the rows of the cards in these piles that a viewer knows."""
    game = GameTable()
    for pile, order in piles:
        game = game.mixed(pile, tuple(f"{pile}#{at}" for at in range(2)), order)
    words = WordStore({"card/oak": {"name": "Oak"}, "card/ash": {"name": "Ash"}})
    scene = Scene(Table(game=game), 0, Speaker(load("en"), words))
    return [row.text for row in known_cards(scene)]


def test_cards_that_a_viewer_knows_stand_below_their_pile() -> None:
    assert known(("hand", hidden(("card/oak", "card/ash")))) == ["hand", "Oak", "Ash"]


def test_a_pile_of_which_a_viewer_knows_nothing_is_not_listed() -> None:
    """The sealed order of a pile must not be shown."""
    cards: tuple[str, ...] = ("card/oak", "card/ash")

    assert known(("deck", hidden(cards).closed())) == []
