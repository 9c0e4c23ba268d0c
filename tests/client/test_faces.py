"""What a face may leave out: how the client does without it, and what holds where it does not."""

import random

import attrs
import pytest

from client.bots.brains import SENSIBLE
from client.games.brains import pick_random
from client.games.face import GameFace, face_of
from client.games.lessons import Glance, Lesson, is_asked
from client.games.second_edition.lessons import LESSONS
from client.locale import LANGUAGES, load
from client.model.tables import TableView
from client.plain.command import Command, Place
from client.plain.commands import by_name
from client.plain.game import NO_GAME, PlainGame, plain_of
from client.plain.talk import Talk
from client.teaching.coach import Coach
from protocol.common.asks import Choice, Question
from protocol.common.table import RoomTable, Table
from protocol.common.text import Text
from tests.client.console import Console
from tests.client.scripted import asked, lobby, playing
from tests.client.test_tables import view_of

pytestmark = pytest.mark.issue(11)

UNKNOWN = "chess"


def a_view(ruleset: str) -> TableView:
    """Return a table of a game of which nothing happened yet."""
    return TableView("room", 0, Table(RoomTable(ruleset=ruleset)))


def first_choice(_: TableView, question: Question, rng: random.Random) -> tuple[str, ...]:
    """Pick the first choice: a brain that can be told from all others."""
    del rng
    return (question.choices[0].choice_id,)


# Brains ------------------------------------------------------------------------------------


def test_a_game_without_a_brain_is_played_at_random() -> None:
    """The same picks as the random brain's, from the same generator."""
    choices = tuple(Choice(f"1.{at}", Text("choice/any")) for at in range(50))
    question, view = Question(Text("ask/any"), choices), a_view(UNKNOWN)

    picks = [SENSIBLE(view, question, random.Random(seed)) for seed in range(5)]

    assert picks == [pick_random(view, question, random.Random(seed)) for seed in range(5)]
    assert len(set(picks)) > 1


def test_a_role_has_its_own_brain_or_that_of_all() -> None:
    """And where the face has neither, a random one."""
    face = GameFace("two_sides", bot={"keeper": first_choice})

    assert face.brain("keeper") is first_choice
    assert face.brain("investigator") is pick_random
    assert attrs.evolve(face, bot={"": first_choice}).brain("keeper") is first_choice


# Lessons -----------------------------------------------------------------------------------


def test_a_game_without_lessons_is_not_taught() -> None:
    """The coach says nothing, and has nothing to be put away."""
    script, coach = asked(), Coach()
    view = view_of(script, 0)
    room = attrs.evolve(view.table.room, ruleset=UNKNOWN)
    view.table = attrs.evolve(view.table, room=room)

    assert coach.look(Glance(view)) is None
    assert not coach.go_on()


def test_a_role_has_its_own_lessons_or_those_of_all() -> None:
    """As it is with brains."""
    keepers = (Lesson("choose", is_asked),)
    face = GameFace("two_sides", lessons={"": LESSONS, "keeper": keepers})

    assert face.lessons_for("keeper") == keepers
    assert face.lessons_for("investigator") == LESSONS
    assert face_of(UNKNOWN).lessons_for("keeper") == ()


# Plain mode --------------------------------------------------------------------------------


def a_command(name: str) -> Command:
    """Return a command that does nothing."""

    def run(talk: Talk, rest: str) -> None:
        del talk, rest

    return Command(name, run, frozenset({Place.GAME}))


def test_a_game_may_have_a_command_of_its_own_in_place_of_everybodys() -> None:
    """Where two are called the same, it is the game's that is done."""
    own = a_command("cards")

    assert by_name(PlainGame(readings=(own,)))["cards"] is own
    assert by_name(NO_GAME)["cards"] is not own


def test_a_game_that_brings_nothing_has_the_commands_of_every_table() -> None:
    """And none of another game."""
    known = by_name(plain_of(UNKNOWN))

    assert {"question", "why", "journal", "say", "back", "claim", "cards", "quit"} <= set(known)
    assert not {"map", "monsters", "objective", "correct"} & set(known)


def test_at_no_table_help_tells_of_the_commands_of_every_game() -> None:
    """And each of them says that it needs a table."""
    console = Console(None, is_lobby=True)

    assert any(line.startswith("monsters:") for line in console.type("help all"))
    assert console.type("map") == ["map needs a table, and you are at none: type tables."]


def test_who_can_be_played_is_read_before_the_game() -> None:
    """With the command that every table has."""
    console = Console(lobby())
    talk = console.client._talk

    by_name(NO_GAME)["cards"].run(talk, "ada")

    assert console.printed[-2:] == ["Ada Lorne", "A diver who came home with a limp."]


# Words -------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_table_has_the_words_of_its_own_game_alone(language: str) -> None:
    """At no table there are those of all games; what every game needs is there always."""
    locale = load(language)
    own = locale.for_game("second_edition")

    assert {key for key in locale.templates if not own.has(key)} == set()
    assert not locale.for_game(UNKNOWN).has("skill.lore")
    assert locale.for_game(UNKNOWN).has("plain.your_choice")


def test_a_game_keeps_its_words_in_another_language() -> None:
    """Whatever is chosen first."""
    spoken = load("en").for_game("second_edition").in_language("fr")

    assert (spoken.language, spoken.game) == ("fr", "second_edition")


def test_the_model_speaks_of_the_game_at_the_table() -> None:
    """Of all games once there is none."""
    model = Console(playing()).model

    assert model.speaker.locale.game == "second_edition"
    model.follow(None)
    assert model.speaker.locale is model.locale
