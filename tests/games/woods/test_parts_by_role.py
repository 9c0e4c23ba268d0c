"""Parts by role: each role has its own layout, readings, brain and lessons."""

import random

import attrs
import pytest

from client.bots.brains import SENSIBLE
from client.journal.journal import Journal
from client.journal.replay_model import ReplayModel
from client.keymap.keys import AT_TABLE, Action, bind
from client.model.model import ClientModel
from client.model.viewpoints import Viewpoint
from client.plugs.brains import pick_random
from client.plugs.face import KNOWN_CARDS, GameFace, TextReading
from client.plugs.lessons import Glance, Lesson, is_asked
from client.screens.base.screen import Desk
from client.screens.review.replay import ReplayScreen
from client.screens.ui import Ui
from client.teaching.coach import Coach
from client.widgets.canvas import Pane
from client.widgets.frame import DrawnFrame, Frame
from client.widgets.layout import Layout
from client.widgets.paragraphs import Paragraph
from client.widgets.scene import Scene
from protocol.common.asks import Question
from tests.games.every import Evening, start
from tests.games.woods.protocol.table import ANIMAL, KEEPER
from tests.kit.servers.house import Client

pytestmark = pytest.mark.issue(11)


class KeepersLayout(Layout):
    """Layout of the keeper, which differs from any other."""

    def draw(self, pane: Pane, frame: Frame) -> DrawnFrame:
        """Draw the question with a word over it."""
        pane.write(0, 0, "THE KEEPER'S OWN")
        return super().draw(pane.inner(1, 0), frame)


def keepers_text(_: Scene) -> list[Paragraph]:
    """Return a text that only the keeper can read."""
    return [("", "WHERE SNARES LIE")]


def last_choice(_view: object, question: Question, rng: random.Random) -> tuple[str, ...]:
    """Pick the last choice, unlike any other brain."""
    del rng
    return (question.choices[-1].choice_id,)


SNARES = Action("snares", after=Action.CARDS)
FACE = GameFace(
    "woods",
    layout={KEEPER: KeepersLayout},
    readings={KEEPER: (TextReading(SNARES, "box.objective", keepers_text),)},
    lessons={KEEPER: (Lesson("choose", is_asked),), ANIMAL: (Lesson("mark", is_asked),)},
)


@pytest.fixture
def evening(monkeypatch: pytest.MonkeyPatch) -> Evening:
    """Return a game just begun: Ann and Ben are animals, Kim is the keeper."""
    faces = {"woods": FACE}
    keys = {"woods": (bind(SNARES, "o", within=AT_TABLE),)}
    monkeypatch.setattr("client.keymap.keys.bindings_of", lambda game: keys.get(game, ()))
    monkeypatch.setattr("client.plugs.face._installed", faces.__getitem__)
    monkeypatch.setattr(
        "client.plugs.brains._brains_of", {"woods": {KEEPER: last_choice}}.__getitem__
    )
    return start("woods")


def screen_of(client: Client) -> Ui:
    return Ui(Desk(client.model, client.port, Journal(lambda: client.model.speaker)))


def keeper(evening: Evening) -> Client:
    return evening.clients[2]


def test_the_keeper_has_the_layout_of_the_keeper(evening: Evening) -> None:
    drawn = [screen_of(one).draw(24, 80).plain() for one in evening.clients]

    assert ["THE KEEPER'S OWN" in text for text in drawn] == [False, False, True]


def test_the_keeper_reads_what_the_keeper_can_read(evening: Evening) -> None:
    """An animal has no key for this text."""
    read = []
    for client in evening.clients:
        ui = screen_of(client)
        ui.press("o")
        read.append("WHERE SNARES LIE" in ui.draw(24, 80).plain())

    assert read == [False, False, True]


def test_a_spectator_has_what_suits_any_role(evening: Evening) -> None:
    evening.house.settle(120)
    ui = screen_of(evening.wat)

    ui.press("o")

    assert "THE KEEPER'S OWN" not in ui.draw(24, 80).plain()
    assert "WHERE SNARES LIE" not in ui.draw(24, 80).plain()


def test_a_replay_is_drawn_as_its_seat_saw_it(evening: Evening) -> None:
    view = keeper(evening).model.view
    assert view is not None
    drawn = []
    for seat in (2, 0, None):
        desk = screen_of(keeper(evening)).desk
        ui = Ui(desk, ReplayScreen(desk, ReplayModel(view.records, points=(Viewpoint(seat),))))
        drawn.append("THE KEEPER'S OWN" in ui.draw(24, 80).plain())

    assert drawn == [True, False, False]


def test_a_bot_plays_with_the_brain_of_its_role(evening: Evening) -> None:
    """The keeper's brain takes the last choice; an animal plays at random."""

    def picks(model: ClientModel, seed: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        view = model.view
        question = asked(evening)
        assert view is not None
        return (
            SENSIBLE(view, question, random.Random(seed)),
            pick_random(view, question, random.Random(seed)),
        )

    last = (asked(evening).choices[-1].choice_id,)
    kims = [picks(keeper(evening).model, seed)[0] for seed in range(8)]
    anns = [picks(evening.ann.model, seed) for seed in range(8)]

    assert kims == [last] * 8
    assert all(own == at_random for own, at_random in anns)
    assert len({own for own, _ in anns}) > 1


def asked(evening: Evening) -> Question:
    view = keeper(evening).model.view
    question = view.my_question() if view is not None else None
    assert question is not None
    return question


def test_the_coach_gives_the_lessons_of_the_role(evening: Evening) -> None:
    kim = keeper(evening)
    lesson = Coach().lesson_for(Glance(kim.model.view))
    assert lesson is not None
    assert lesson.name == "choose"
    evening.people[2].act()
    evening.house.settle(0.1)

    told = Coach().lesson_for(Glance(evening.ann.model.view))

    assert told is not None
    assert told.name == "mark"


def test_who_plays_a_role_without_parts_of_its_own_has_those_of_any() -> None:
    assert FACE.readings_for(ANIMAL) == KNOWN_CARDS
    assert attrs.evolve(FACE, readings={"": ()}).readings_for(ANIMAL) == ()
