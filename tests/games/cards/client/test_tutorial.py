"""The tutorial, played to its end by somebody who follows the coach."""

import functools
import re

import attrs
import pytest

from client.games.cards.keys import BINDINGS
from client.games.cards.lessons import LESSONS
from client.keymap.keys import USUAL
from client.locale import LANGUAGES, load
from client.openings.tutorial import TutorialOpening, parting_of
from client.plugs.lessons import Lesson
from client.teaching.coach import Coach, words_of
from content.games.cards.loader import load_pack
from content.games.cards.schema.pack import Pack
from content.reading.files import shipped
from protocol.common.table import Stage
from protocol.games.cards.table import CardsTable
from protocol.games.cards.words import RULESET
from server.lobby.services.seams import LobbyServices
from server.packs.shelf import PackShelf
from tests.games.cards.simulate import core
from tests.games.second_edition.client.stage import OnStage, play
from tests.games.second_edition.client.typist import Typist
from tests.games.second_edition.simulate import SeededEntropy
from tests.kit.servers.house import Client, House

pytestmark = pytest.mark.issue(42)

IN_TURN = ("turn", "board", "play", "objective", "cards")
"""Lessons of the first turns, in their order."""
STRIP = 3 * 74
"""Characters that fit the strip of the coach."""


@functools.cache
def tutorial() -> Pack:
    """Return the pack of the tutorial."""
    return load_pack(shipped(RULESET) / "tutorial")


@attrs.define(eq=False)
class CardsHouse(House):
    """Server with the bundled pack of the card game and that of its tutorial."""

    def _services(self) -> LobbyServices:
        shelf = PackShelf()
        for pack in (core(), tutorial()):
            shelf.add(pack)
        return attrs.evolve(super()._services(), shelf=shelf)


def pupil(language: str) -> Client:
    """Return a client that has run `manse tutorial`."""
    house = CardsHouse(entropy=SeededEntropy(3))
    client = house.client("Ann", language=language)
    client.model.locale = load(language)
    client.port.list_tables()
    house.settle()
    TutorialOpening(client.model, client.port, "tutorial", False, RULESET).begin()
    house.settle()
    return client


def said_by(lesson: Lesson, language: str, *, is_plain: bool) -> str:
    return words_of(lesson, load(language, game=RULESET), is_plain=is_plain)


# Words -------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: str(lesson.name))
def test_every_lesson_has_words_that_fit(lesson: Lesson, language: str) -> None:
    on_screen = said_by(lesson, language, is_plain=False)
    said = [on_screen, *([said_by(lesson, language, is_plain=True)] if lesson.has_plain else [])]

    assert [words for words in said if re.search(r"[<{]", words)] == []
    assert len(on_screen) <= STRIP


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_name_keys_that_there_are(language: str) -> None:
    templates = load(language, game=RULESET).templates
    words = " ".join(templates[f"coach.{lesson.name}"] for lesson in LESSONS)
    bound = {binding.action.value for binding in (*USUAL.bindings, *BINDINGS)}

    assert set(re.findall(r"\{key\.([a-z_]+)\}", words)) <= bound


# The game ----------------------------------------------------------------------------------


@attrs.define(eq=False)
class Learner(Typist):
    """Typist who records the lessons of the coach."""

    lessons: list[str] = attrs.field(factory=list)

    def read(self) -> None:
        coach = self.stage.terminal.ui.desk.coach
        assert coach is not None
        lesson = coach._shown
        if lesson is not None and lesson.name not in self.lessons:
            self.lessons.append(lesson.name)

    async def act(self) -> None:
        self.read()
        await super().act()


def test_the_whole_tutorial_by_keys() -> None:
    client = pupil("fr")
    read: list[str] = []

    async def game(stage: OnStage) -> None:
        stage.terminal.ui.desk.coach = Coach()
        await stage.resize(24, 80)
        learner = Learner(stage, client, lessons=read)
        learner.read()
        await learner.press("s")
        assert learner.stage_of_room() is Stage.PLAYING
        await learner.play_on()
        await learner.read_on()
        learner.read()

    shown = play(client.model, game, port=client.port)

    assert "Traceback" not in shown.raw
    assert (read[0], read[-1]) == ("lobby", "over")
    assert tuple(name for name in read if name in IN_TURN) == IN_TURN
    learnt = {"mulligan", "commit", "advance", "harm", "nested", "window", "fight", "evade", "doom"}
    assert learnt - set(read) == set()
    assert parting_of(client.model) == load("fr").say("coach.next", "manse solo --game cards")
    view = client.model.view
    assert view is not None
    assert isinstance(view.table.game, CardsTable)
    assert view.table.game.is_won
