"""Plain mode: the card game as lines that can be read aloud."""

from collections.abc import Callable

import attrs
import pytest

from client.games.cards.speaker import CardsSpeaker
from client.locale import LANGUAGES, load
from client.locale.word_store import WordStore
from client.model.model import ClientModel
from client.model.status import Online
from client.model.tables import TableView
from client.plain.client import PlainClient
from client.plain.talk import Environment
from protocol.common.asks import Question
from protocol.common.text import Text
from protocol.event import cut
from protocol.games.cards.words import RULESET
from server.kernel.room import Room
from tests.games.cards.client.kit import room_of, speaker_of, view_of
from tests.games.second_edition.client.stage import RecordingPort

pytestmark = pytest.mark.issue(42)
COMMANDS = {
    "en": ("look", "map", "map reed", "/hand", "party", "act", "bag", "cards", "cards 1", "status"),
    "fr": ("voir", "plan", "plan chemin", "/main", "groupe", "acte", "sac", "cartes", "cartes 1"),
}


@attrs.define(eq=False)
class Desk:
    """A plain client at a table, with everything it printed."""

    room: Room
    last: int
    seat: int | None = 0
    language: str = "en"
    printed: list[str] = attrs.field(factory=list, init=False)
    client: PlainClient = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        words = speaker_of(self.language).words
        model = ClientModel("Ann", b"a" * 16, load(self.language), "marsh.example:4470", words)
        model.status = Online("marsh", "", "marsh.example:4470", 0.012)
        model.follow(view_of(self.room, self.seat, self.last))
        assert model.view is not None
        model.update_table(next_sequence=model.view.last + 1)
        environment = Environment(lambda _name, _text: None, lambda: 0.0, lambda: None)
        self.client = PlainClient(model, RecordingPort(), self.printed.append, None, environment)
        self.client.update()

    def type(self, line: str) -> list[str]:
        self.printed.clear()
        self.client.hear(line)
        return [*self.printed]


def asked(room: Room, fits: Callable[[Question], bool], after: int = 0) -> int:
    """Return how many records lead to the first question to the first seat that fits."""
    view = TableView(room.room_id, 0)
    for last, stored in enumerate(room.log, 1):
        view.receive([cut(stored, 0)])
        question = view.my_question()
        if last > after and question is not None and fits(question):
            return last
    raise AssertionError


def turn(question: Question) -> bool:
    return question.prompt.subject == "ask/action"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("seat", [0, None])
def test_every_reading_says_something_in_words(seat: int | None, language: str) -> None:
    room = room_of(1)
    desk = Desk(room, asked(room, turn, 200), seat, language)

    for command in COMMANDS[language]:
        lines = desk.type(command)
        assert lines, command
        assert [line for line in lines if "<" in line or "{" in line] == [], command


def test_a_turn_begins_with_the_situation_and_the_hand() -> None:
    room = room_of(1)
    printed = Desk(room, asked(room, turn)).printed
    at = printed.index("In the hand of Jonah Pike:")

    assert any(line.startswith("Jonah Pike (Player 1) at: ") for line in printed[:at])
    assert printed[at + 1].startswith("- ")


def test_the_hand_of_another_is_only_counted() -> None:
    room = room_of(1)
    lines = Desk(room, asked(room, turn), None).type("hand")

    assert lines[0].startswith("In the hand of ")
    assert lines[0].endswith(" cards.")


def test_a_location_names_who_is_there_and_where_it_leads() -> None:
    room = room_of(1)
    lines = Desk(room, asked(room, turn)).type("map ferry")

    assert "Here: " in lines[0]
    assert "Leads to: Reed Lane." in lines[0]


def test_a_window_says_what_it_is_at_and_what_the_card_does() -> None:
    room = room_of(1)

    def window(question: Question) -> bool:
        return question.prompt.subject == "ask/window"

    printed = Desk(room, asked(room, window)).printed
    (line,) = (line for line in printed if "Use something now?" in line)

    assert not line.startswith("Your choice. Use something now?")


def test_one_token_of_a_kind_is_named_in_the_singular() -> None:
    # Of the cards alone that speak of it: a client is not sent the words of kinds of tokens.
    words = {"card/flask": {"name": "Flask", "unit.dram": "drams", "unit.dram.one": "dram"}}
    speaker = CardsSpeaker(load("en", game=RULESET), WordStore(words, "en"))

    assert [speaker.token("dram", number) for number in (1, 2)] == ["1 dram", "2 drams"]


@pytest.mark.parametrize(
    ("language", "typed", "kind"),
    [("en", "cards loc shr", "Location"), ("fr", "cartes lieu voi", "Lieu")],
)
def test_the_cards_are_listed_by_any_words_on_them(language: str, typed: str, kind: str) -> None:
    room = room_of(1)
    desk = Desk(room, asked(room, turn), language=language)
    every, found = desk.type(typed.partition(" ")[0]), desk.type(typed)

    assert 0 < len(found) < len(every)
    assert all(line.startswith("- ") and kind in line for line in found)


def test_a_card_whose_sentence_a_choice_has_is_not_told_above_it() -> None:
    room = room_of(0)

    def has_sentence(question: Question) -> bool:
        return question.prompt.subject.startswith("ask/window") and any(
            choice.text.subject == "choice/use_nth" for choice in question.choices
        )

    desk = Desk(room, asked(room, has_sentence))
    question = view_of(room, 0, asked(room, has_sentence)).my_question()
    assert question is not None
    codes = [
        one.text.params[1].subject
        for one in question.choices
        if one.text.subject == "choice/use_nth" and isinstance(one.text.params[1], Text)
    ]
    names = [speaker_of("en").name("card", code) for code in codes]
    assert [line for line in desk.printed for name in names if line.startswith(f"{name}: ")] == []
