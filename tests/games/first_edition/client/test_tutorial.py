"""The tutorial of either role, played to its end by somebody who follows the coach."""

import random

import attrs
import pytest

from client.bots.brains import SENSIBLE
from client.games.first_edition.lessons import INVESTIGATORS, KEEPERS
from client.keymap.keys import Context
from client.locale import load
from client.openings.tutorial import TutorialOpening, parting_of
from client.plain.client import PlainClient
from client.plugs.lessons import Lesson
from client.screens.table.room import RoomScreen
from client.teaching.coach import Coach, words_of
from client.text.printable import printable
from protocol.common.table import Stage
from protocol.games.first_edition.words import INVESTIGATOR, KEEPER, RULESET
from tests.games.first_edition.house import RoomsHouse
from tests.games.second_edition.client.stage import OnStage, play
from tests.games.second_edition.client.typist import MOST_TURNS, Typist
from tests.games.second_edition.simulate import SeededEntropy
from tests.kit.servers.house import Client

pytestmark = pytest.mark.issue(40)

LESSONS = {KEEPER: KEEPERS, INVESTIGATOR: INVESTIGATORS}
LEARNT = {
    KEEPER: {
        *("keeper_answers", "keeper_strike", "keeper_trauma", "keeper_actions"),
        *("keeper_guide", "keeper_attacks", "keeper_hand", "keeper_monsters"),
    },
    INVESTIGATOR: {
        *("traits", "test", "turn", "board", "explore", "monsters"),
        *("cards", "clues", "keeper_near"),
    },
}
"""Lessons that each tutorial has to come to."""
THINKS = 5
"""Seconds in which a step of a bot counts beside the keeper."""


def pupil(role: str, language: str) -> Client:
    """Return a client that has run `manse tutorial`."""
    house = RoomsHouse(entropy=SeededEntropy(3), has_tutorial=True)
    client = house.client("Ann", language=language)
    client.model.locale = load(language)
    client.port.list_tables()
    house.settle()
    TutorialOpening(client.model, client.port, "tutorial", False, RULESET, role).begin()
    house.settle(1)
    return client


@attrs.define(eq=False)
class Learner(Typist):
    """Typist who records the lessons of the coach, and waits while others are asked."""

    lessons: list[str] = attrs.field(factory=list)

    def read(self) -> None:
        coach = self.stage.terminal.ui.desk.coach
        assert coach is not None
        lesson = coach._shown
        if lesson is not None and lesson.name not in self.lessons:
            self.lessons.append(lesson.name)

    async def act(self) -> None:
        self.read()
        ui = self.stage.terminal.ui
        screen = ui.base()
        if ui.context() is Context.ROOM and isinstance(screen, RoomScreen):
            answering, view = screen.answering, self.client.model.view
            lets_be = answering is None
            if answering is not None and view is not None and view.may_interrupt:
                lets_be = not self.brain(view, answering.question, self.rng)
            if lets_be:
                self.client.house.settle(THINKS)
                await self.stage.settle()
                return
        await super().act()


@pytest.mark.parametrize(
    ("role", "language"), [pytest.param(KEEPER, "en", marks=pytest.mark.long), (INVESTIGATOR, "fr")]
)
def test_whole_tutorial_by_keys(role: str, language: str) -> None:
    client = pupil(role, language)
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
    assert LEARNT[role] - set(read) == set()
    command = f"manse solo --game first-edition --as {role}"
    assert parting_of(client.model) == load(language).say("coach.next", command)


@pytest.mark.parametrize(("role", "language"), [(KEEPER, "fr"), (INVESTIGATOR, "en")])
def test_coach_of_either_role_speaks_in_plain_mode(role: str, language: str) -> None:
    """Each lesson is printed once, before the question, and names commands instead of keys."""
    client = pupil(role, language)
    printed: list[str] = []
    rng = random.Random(4)
    face = PlainClient(client.model, client.port, printed.append, Coach())
    face.update()
    face.hear("start")
    for _ in range(MOST_TURNS):
        client.house.settle(THINKS if role == KEEPER else 0.3)
        view = client.model.view
        if view is None or view.table.room.stage is Stage.OVER:
            break
        question = view.my_question()
        if question is not None:
            is_in_row = len(question.row) > 1
            picks = () if is_in_row else SENSIBLE(view, question, rng)
            choices = enumerate(question.choices, 1)
            numbers = [str(number) for number, one in choices if one.choice_id in picks]
            face.hear("1" if is_in_row else " ".join(numbers) or "0")
    client.house.settle()

    mark = printable(load(language).say("coach.line", ""))
    said = [line.removeprefix(mark) for line in printed if line.startswith(mark)]
    words = {printable(_plain(one, language)): one.name for one in LESSONS[role] if one.has_plain}
    names = [words[line] for line in said]
    assert (names[0], names[-1]) == ("lobby", "over")
    assert len(set(names)) == len(names) >= 8
    assert not [line for line in said if "F3" in line or "PgUp" in line]


def _plain(lesson: Lesson, language: str) -> str:
    return words_of(lesson, load(language, game=RULESET), is_plain=True)
