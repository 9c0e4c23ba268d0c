"""Plain mode: the first edition as lines that can be read aloud, for both roles."""

from collections.abc import Callable

import attrs
import pytest

from client.locale import LANGUAGES
from client.plain.client import PlainClient
from client.plain.talk import Environment
from tests.games.first_edition.client import wild
from tests.games.first_edition.client.kit import (
    ANN,
    KIM,
    Night,
    acting,
    happening,
    model_of,
    rolling,
    stepping,
)
from tests.games.second_edition.client.stage import RecordingPort

pytestmark = pytest.mark.issue(40)
COMMANDS = {
    "en": ("look", "map", "draw", "party", "cards", "monsters", "monsters 1", "objective"),
    "fr": ("voir", "plan", "dessiner", "groupe", "cartes", "monstres", "monstres 1", "objectif"),
}


@attrs.define(eq=False)
class Desk:
    """A plain client at a table, with everything it printed."""

    night: Night
    seat: int | None
    language: str = "en"
    printed: list[str] = attrs.field(factory=list, init=False)
    port: RecordingPort = attrs.field(factory=RecordingPort, init=False)
    client: PlainClient = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        model = model_of(self.night, seat=self.seat, language=self.language)
        environment = Environment(lambda _name, _text: None, lambda: 0.0, lambda: None)
        self.client = PlainClient(model, self.port, self.printed.append, None, environment)
        self.client.update()

    def type(self, line: str) -> list[str]:
        self.printed.clear()
        self.client.hear(line)
        return [*self.printed]

    @property
    def answers(self) -> list[object]:
        """The picks that were sent, in order."""
        return [said[2] for said in self.port.said if said[0] == "answer"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seat", [KIM, ANN, None])
@pytest.mark.parametrize("night", [stepping, wild.stepping])
def test_each_command_reads_the_table(
    seat: int | None, night: Callable[[], Night], language: str
) -> None:
    desk = Desk(night(), seat, language)

    told = {command: desk.type(command) for command in COMMANDS[language]}

    assert [command for command, lines in told.items() if not any(lines)] == []
    drawn = {"draw", "dessiner"}
    said = [line for command, lines in told.items() if command not in drawn for line in lines]
    assert [line for line in said if "{" in line or "<" in line] == []


@pytest.mark.parametrize(
    ("line", "answer"),
    [("fight tallyman", "1.4"), ("move chapel", "1.1"), ("walk hall 1", "1.0"), ("explore", "1.3")],
)
def test_a_choice_is_typed_by_its_kind_and_its_place(line: str, answer: str) -> None:
    desk = Desk(stepping(), ANN)

    desk.type(line)

    assert desk.answers == [(answer,)]


def test_a_space_says_what_is_in_it_and_where_it_leads() -> None:
    desk = Desk(stepping(), ANN)

    (chapel,) = desk.type("map chapel")
    assert chapel.startswith("Chapel. Here: The Choir, altar, lock, 2 exploration cards. Leads to:")
    assert chapel.endswith("Crypt (1) (door, east), Gallery (across the corner).")
    assert "Crypt (1) (ladder)" in desk.type("map pantry")[0]
    assert "barricade (against a door)" in desk.type("map hall 3")[0]


@pytest.mark.rule("K-SECRET-1", "K-SECRET-7", "K-SECRET-19")
def test_the_keeper_alone_hears_hand_guide_and_events() -> None:
    secrets = ("A Draught", "Let the River In", "A Knock at the Door", "Keep them out of it")
    heard = {}
    for seat in (KIM, ANN, None):
        desk = Desk(stepping(), seat)
        lines = " ".join([*desk.type("cards"), *desk.type("objective")])
        heard[seat] = [secret in lines for secret in secrets]

    assert heard == {KIM: [True] * 4, ANN: [False] * 4, None: [False] * 4}


def test_the_stakes_of_a_test_are_told_before_the_question() -> None:
    lines = Desk(rolling(), ANN).printed

    assert "A die of ten against dexterity: 4 or less passes (40%)." in lines
    assert "With a skill point: 6 or less (60%)." in lines


def test_the_keeper_types_an_action_by_its_name() -> None:
    desk = Desk(acting(), KIM)

    desk.type("summon")

    assert desk.answers == [("1.1",)]


def test_a_strike_is_typed_while_somebody_else_decides() -> None:
    desk = Desk(stepping(), KIM)
    assert any("Play A Draught on Ada Lorne" in line for line in desk.printed)

    desk.type("draught")

    assert desk.answers == [("2.0",)]


@pytest.mark.parametrize(
    ("language", "said"), [("en", "The keeper has won."), ("fr", "Le gardien a gagné.")]
)
def test_the_end_is_told(language: str, said: str) -> None:
    desk = Desk(happening(), ANN, language)

    assert any(said in line for line in desk.type("journal"))
