"""Answers that stand: set from the question, given by themselves, listed, and taken back."""

import pytest

from client.model.standing_answers import WHERE_AGAIN
from client.plain.client import PlainClient
from client.plain.talk import Environment
from client.screens.ui import Ui
from protocol.common import events
from protocol.common.asks import Choice, Question, Settle
from protocol.common.text import Text
from protocol.event import Event
from protocol.games.cards import events as c
from protocol.games.cards.words import Phase, Skill
from tests.games.cards.client.stage import (
    ADA,
    ANN,
    BOB,
    REED,
    ROOM,
    Evening,
    ask_window,
    begun,
    committing,
    reacting,
    ui_of,
)
from tests.games.second_edition.client.stage import RecordingPort

pytestmark = pytest.mark.issue(42)
SIZE = (24, 80)


def said(ui: Ui) -> list[tuple[object, ...]]:
    assert isinstance(ui.desk.port, RecordingPort)
    return ui.desk.port.said


def follow(ui: Ui, evening: Evening, seat: int = ANN) -> None:
    """Show the seat what has happened since."""
    view = ui.desk.model.view
    assert view is not None
    view.receive(evening.cuts(seat)[view.last + 1 :])
    ui.desk.model.update_table(next_sequence=view.last + 1)
    ui.draw(*SIZE)


def choose(ui: Ui, text: str) -> None:
    """Choose the item of the open menu that begins with a text."""
    for _ in range(12):
        if f"> {text}" in ui.draw(*SIZE).plain():
            ui.press("enter")
            ui.draw(*SIZE)
            return
        ui.press("down")
    raise AssertionError(ui.draw(*SIZE).plain())


def asked(ui: Ui, text: str) -> None:
    ui.draw(*SIZE)
    ui.press("a")
    choose(ui, text)


def test_a_choice_that_stands_is_made_whenever_it_is_offered() -> None:
    evening = reacting()
    ui = ui_of(evening, seat=ANN)
    asked(ui, "Always: Use: Ada Lorne")
    assert said(ui) == []

    other = Text("choice/use", ("card/lamp",))
    ask_id = ask_window(evening, ANN, other, Text("choice/use", ("card/ada",)))
    at = len(evening.stored) - 1
    follow(ui, evening)
    follow(ui, evening)

    assert said(ui) == [("answer", ask_id, (f"{at}.1",))]


def test_a_choice_that_stands_is_made_whatever_it_answers() -> None:
    evening = begun()
    ask_window(evening, ANN, Text("choice/use", (Text("about/on", ("card/ada", "card/eel")),)))
    ui = ui_of(evening, seat=ANN)
    asked(ui, "Always: Use: Ada Lorne ")

    other = Text("choice/use", (Text("about/on", ("card/ada", "card/squall")),))
    ask_id = ask_window(evening, ANN, other)
    at = len(evening.stored) - 1
    follow(ui, evening)

    assert said(ui) == [("answer", ask_id, (f"{at}.0",))]


def test_a_key_that_makes_a_free_use_stand_is_hinted() -> None:
    ui = ui_of(reacting(), seat=ANN)

    assert "a always" in ui.draw(*SIZE).plain()
    ui.press("down")
    assert "a always" not in ui.draw(*SIZE).plain()


def test_a_choice_that_is_not_offered_is_left_to_the_player() -> None:
    evening = reacting()
    ui = ui_of(evening, seat=ANN)
    asked(ui, "Always: Use: Ada Lorne")

    ask_window(evening, ANN, Text("choice/use", ("card/lamp",)))
    follow(ui, evening)

    assert said(ui) == []
    assert "Use: Storm Lamp" in ui.draw(*SIZE).plain()


def test_a_commit_cannot_stand_since_it_would_use_up_the_hand() -> None:
    ui = ui_of(committing(), seat=ANN)
    ui.draw(*SIZE)
    ui.press("a")

    screen = ui.draw(*SIZE).plain()
    assert "Answers that stand" in screen
    assert "Always:" not in screen


def vain_commits(evening: Evening, *groups: str) -> int:
    """Ask Ann for commits, one of each group; return the id of the ask."""
    at = len(evening.stored)
    text = Text("choice/commit_vain", ("card/nerve", 81))
    choices = [Choice(f"{at}.{n}", text, group=group) for n, group in enumerate(groups)]
    choices.append(Choice(f"{at}.{len(groups)}", Text("choice/pass"), ends=True))
    return evening.ask(
        {ANN: Question(Text("ask/window"), tuple(choices))},
        about=Text("about/test", (ADA,)),
        settle=Settle.FIRST_OR_ALL_PASS,
        rule="C-BTEST-3",
        kind="window/commit",
    )


@pytest.mark.parametrize(
    ("group", "is_on_passing"), [("", False), ("slight", True), ("vain", True)]
)
def test_the_cursor_begins_on_passing_where_all_on_offer_gains_little(
    group: str, is_on_passing: bool
) -> None:
    evening = begun()
    vain_commits(evening, group)
    ui = ui_of(evening, seat=ANN)

    assert (">2 Pass" in ui.draw(*SIZE).plain()) is is_on_passing


@pytest.mark.parametrize(("groups", "is_passed"), [(("vain",) * 2, True), (("vain", ""), False)])
def test_one_may_pass_wherever_nothing_on_offer_raises_the_chance(
    groups: tuple[str, ...], is_passed: bool
) -> None:
    evening = begun()
    vain_commits(evening, "vain")
    ui = ui_of(evening, seat=ANN)
    asked(ui, "Pass where nothing on offer raises the chance or does anything else")
    assert "Pass where nothing on offer raises the chance" in ui.draw(*SIZE).plain()

    ask_id = vain_commits(evening, *groups)
    at = len(evening.stored) - 1
    follow(ui, evening)

    assert said(ui) == ([("answer", ask_id, (f"{at}.2",))] if is_passed else [])


def test_one_may_be_asked_in_ones_own_tests_alone() -> None:
    evening = reacting()
    ui = ui_of(evening, seat=ANN)
    asked(ui, "Only in my own tests")

    ask_window(evening, ANN)
    follow(ui, evening)
    assert said(ui) == []

    evening.emit(c.TestEnded(), c.TestBegan(REED, Skill.COMBAT, 1, "card/eel", ""))
    ask_id = ask_window(evening, ANN)
    follow(ui, evening)
    assert said(ui) == [("answer", ask_id, (f"{len(evening.stored) - 1}.1",))]


@pytest.mark.parametrize(
    ("since", "is_passed"),
    [
        ((c.StepCame(Phase.INVESTIGATION, 3),), True),
        ((c.Remembered("memory/bell"),), False),
    ],
)
def test_one_may_pass_on_the_same_again_until_something_happens(
    since: tuple[Event, ...], is_passed: bool
) -> None:
    evening = reacting()
    ui = ui_of(evening, seat=ANN)
    asked(ui, "Pass on the same again until something happens")
    evening.emit(*since)
    ask_id = ask_window(evening, ANN)
    follow(ui, evening)

    assert said(ui) == (
        [("answer", ask_id, (f"{len(evening.stored) - 1}.1",))] if is_passed else []
    )
    assert ("As you decided: Pass" in ui.draw(*SIZE).plain()) is is_passed


def test_something_new_on_offer_is_asked_though_nothing_has_happened() -> None:
    evening = reacting()
    ui = ui_of(evening, seat=ANN)
    asked(ui, "Pass on the same again until something happens")
    ask_window(evening, ANN, Text("choice/use", ("card/ada",)), Text("choice/use", ("card/lamp",)))
    follow(ui, evening)

    assert said(ui) == []


def test_the_same_is_asked_anew_where_the_server_passed_for_the_seat() -> None:
    evening = begun()
    ui = ui_of(evening, seat=ANN)
    evening.emit(c.StepCame(Phase.INVESTIGATION, 3))
    ask_id = ask_window(evening, ANN)
    evening.emit(events.PassedStanding(ask_id, (ANN,)))
    ui.desk.model.answers[ROOM] = (WHERE_AGAIN,)
    ask_window(evening, ANN)
    follow(ui, evening)

    assert said(ui) == []


def test_one_passes_on_the_same_again_by_a_command_in_plain_mode() -> None:
    model = ui_of(reacting(), seat=ANN).desk.model
    environment = Environment(lambda _name, _text: None, lambda: 0.0, lambda: None)
    client = PlainClient(model, RecordingPort(), list[str]().append, None, environment)
    client.update()
    client.hear("always same")

    assert model.answers == {ROOM: (WHERE_AGAIN,)}


@pytest.mark.parametrize(
    ("item", "written"),
    [
        ("Never", "after/test-fails"),
        ("Pass until the end of the phase", "after/test-fails@phase"),
    ],
)
def test_passes_stand_on_the_server(item: str, written: str) -> None:
    ui = ui_of(reacting(), seat=ANN)
    asked(ui, item)

    assert said(ui) == [("set_standing", (written,))]


def test_until_the_end_of_a_test_one_passes_in_all_its_windows_and_is_told_so() -> None:
    ui = ui_of(committing(), seat=ANN)
    asked(ui, "Pass until the end of the test")

    assert said(ui) == [("set_standing", ("window@test",))]
    assert "From the next time on." in ui.draw(*SIZE).plain()


def test_one_passes_until_the_end_of_nothing_that_does_not_go_on() -> None:
    evening = begun()
    evening.emit(c.TurnEnded(ADA))
    ask_window(evening, ANN)
    ui = ui_of(evening, seat=ANN)
    ui.draw(*SIZE)
    ui.press("a")

    screen = ui.draw(*SIZE).plain()
    assert "Pass until the end of the round" in screen
    assert "end of the test" not in screen
    assert "end of the turn" not in screen


def test_all_that_stands_is_listed_and_taken_back_with_one_key() -> None:
    evening = reacting()
    ui = ui_of(evening, seat=ANN)
    asked(ui, "Always: Use: Ada Lorne")
    asked(ui, "All that stands")
    assert "[x] Always, after a test fails: Use: Ada Lorne" in ui.draw(*SIZE).plain()

    ui.press("enter")
    ask_window(evening, ANN)
    follow(ui, evening)

    assert said(ui) == []


def test_what_no_longer_stands_is_told() -> None:
    ui = ui_of(reacting(), seat=ANN)
    asked(ui, "Always: Use: Ada Lorne")
    asked(ui, "All that stands")
    ui.press("enter")

    assert "Taken back: Always, after a test fails: Use: Ada Lorne." in ui.draw(*SIZE).plain()


def test_nobody_answers_for_a_seat_that_is_not_asked() -> None:
    evening = reacting()
    ui = ui_of(evening, seat=ANN)
    asked(ui, "Always: Use: Ada Lorne")

    ask_window(evening, BOB)
    follow(ui, evening)

    assert said(ui) == []


@pytest.mark.parametrize(
    ("language", "command", "answered"),
    [
        ("en", "always choice 1", "As you decided: Use: Ada Lorne"),
        ("fr", "toujours choix 1", "Comme décidé : Utiliser : Ada Lorne"),
    ],
)
def test_in_plain_mode_an_answer_stands_by_a_command(
    language: str, command: str, answered: str
) -> None:
    evening = reacting()
    model = ui_of(evening, seat=ANN, language=language).desk.model
    printed, port = list[str](), RecordingPort()
    environment = Environment(lambda _name, _text: None, lambda: 0.0, lambda: None)
    client = PlainClient(model, port, printed.append, None, environment)
    client.update()
    client.hear(command)
    assert model.view is not None
    ask_id = ask_window(evening, ANN)

    model.view.receive(evening.cuts(ANN)[model.view.last + 1 :])
    model.update_table(next_sequence=model.view.last + 1)
    client.update()

    assert port.said == [("answer", ask_id, (f"{len(evening.stored) - 1}.0",))]
    assert printed[-1].replace("\N{NO-BREAK SPACE}", " ") == answered
    client.hear({"en": "always 1", "fr": "toujours 1"}[language])
    assert model.answers == {evening.table.room.room_id: ()}


def test_in_plain_mode_too_the_end_of_a_test_is_meant_for_all_its_windows() -> None:
    model = ui_of(committing(), seat=ANN).desk.model
    port = RecordingPort()
    environment = Environment(lambda _name, _text: None, lambda: 0.0, lambda: None)
    client = PlainClient(model, port, list[str]().append, None, environment)
    client.update()
    client.hear("always test")

    assert port.said == [("set_standing", ("window@test",))]
