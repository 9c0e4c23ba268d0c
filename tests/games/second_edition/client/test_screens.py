"""Whole screens: keys are sent through a pipe, and an emulator reads the output."""

import asyncio
import contextlib
import re
import time
from collections.abc import Callable

import attrs
import pytest

from client.journal.journal import Journal
from client.model.lobby import SOLO
from client.model.model import ClientModel
from client.model.status import Disconnected
from client.screens.base.screen import Desk
from client.screens.ui import Ui
from client.settings.appearance import Wishes, appearance_of
from protocol.common.asks import Choice, Question
from protocol.common.events import (
    Answered,
    CharactersClaimed,
    HowClosed,
    PresenceChanged,
    ProductsSwitched,
    Proposed,
    ReadySet,
    RoomClosed,
    SeatGiven,
)
from protocol.common.table import Proposal
from protocol.common.text import Text
from protocol.event import hidden
from protocol.games.second_edition.events import HarmTaken
from protocol.games.second_edition.table import Harm
from protocol.invitation import code_text
from tests.games.second_edition.client.scripted import (
    Script,
    action_question,
    agreeing,
    asked,
    coding,
    fixed,
    guessing,
    lobby,
    picturing,
    playing,
    unlocking,
)
from tests.games.second_edition.client.stage import (
    SIZES,
    OnStage,
    RecordingPort,
    inviting,
    model_of,
    play,
    same_screen,
)
from tests.kit.every_run import half_of, screens

LANGUAGES = ("en", "fr")


@attrs.frozen
class _Case:
    """Screen to compare with its snapshot."""

    name: str
    script: Callable[[], Script] | None
    keys: tuple[str, ...] = ()
    seat: int | None = 0
    is_replay: bool = False


CASES = (
    _Case("tables", None),
    _Case("opening", None, ("n",)),
    _Case("waiting_room", lobby, ("down",)),
    _Case("waiting_setup", fixed),
    _Case("waiting_setup_code", lobby, ("f", "k", "3")),
    _Case("waiting_setup_free", fixed, ("f",)),
    _Case("waiting_empty", fixed, ("X",)),
    _Case("room_asked", asked, ("down", "down", "down")),
    _Case("room_waiting", asked, seat=1),
    _Case("room_watching", asked, seat=None),
    _Case("room_agreeing", agreeing, ("2",)),
    _Case("room_coding", coding, ("1", "3")),
    _Case("room_code", guessing, ("1", "3")),
    _Case("room_map_full", asked, ("z",)),
    _Case("room_map_compact", asked, ("z", "z", "down", "down")),
    _Case("room_map_whole", asked, ("down", "w")),
    _Case("room_picture", picturing, ("2",)),
    _Case("room_lock", unlocking, ("3",)),
    _Case("room_lock_watched", unlocking, seat=1),
    _Case("room_chat", asked, ("c", "h", "i")),
    _Case("room_wrong_key", asked, ("Z",)),
    _Case("help", asked, ("?",)),
    _Case("cards", asked, ("i",)),
    _Case("objective", asked, ("o",)),
    _Case("journal", asked, ("j",)),
    _Case("proposals", playing, ("p",)),
    _Case("settings", asked, ("e", "down", "down", "right")),
    _Case("leave", asked, ("q",)),
    _Case("replay", asked, ("pagedown", "right", "right", "right"), is_replay=True),
)


@pytest.mark.parametrize(("size", "language"), screens(SIZES))
@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_it_looks_as_accepted(case: _Case, size: tuple[int, int], language: str) -> None:
    rows, columns = size
    script = case.script() if case.script is not None else None
    model = model_of(
        None if case.is_replay else script,
        seat=case.seat,
        language=language,
        is_lobby=script is None,
    )

    async def look(stage: OnStage) -> None:
        await stage.press(*case.keys)
        same_screen(f"{case.name}-{columns}x{rows}-{language}", stage.text)

    replay = script if case.is_replay else None
    play(model, look, rows=rows, columns=columns, replay=replay)


def test_an_invitation_stands_in_the_waiting_room() -> None:

    async def look(stage: OnStage) -> None:
        same_screen("invitation-80x24-en", stage.text)

    play(inviting(), look)


def test_ascii_alone_is_enough() -> None:
    model = model_of(asked())
    wishes = Wishes(appearance_of({"NO_COLOR": "1"}, "ascii"))

    async def check(stage: OnStage) -> None:
        await stage.press("down")
        assert stage.text.isascii()
        same_screen("ascii-80x24-en", stage.text)

    shown = play(model, check, wishes=wishes)

    assert not re.search(r"\x1b\[[0-9;]*[34][0-7][0-9;]*m", shown.raw)


# Answers -----------------------------------------------------------------------------------


def _said(model: ClientModel, *keys: str) -> list[tuple[object, ...]]:
    async def press(stage: OnStage) -> None:
        await stage.press(*keys)

    return play(model, press).port.said


def test_arrows_and_enter_answer() -> None:
    assert _said(model_of(asked()), "down", "enter") == [("answer", 0, ("1.2",))]


def test_a_number_goes_to_its_choice() -> None:
    assert _said(model_of(asked()), "5") == []
    assert _said(model_of(asked()), "5", "enter") == [("answer", 0, ("1.5",))]


def test_a_code_is_set_in_order_with_repeats() -> None:
    keys = ("3", "3", "1", "backspace", "2", "enter")

    assert _said(model_of(coding()), *keys) == [("answer", 0, ("7.2", "7.2", "7.1"))]


def test_a_row_that_is_not_full_is_not_sent() -> None:
    assert _said(model_of(coding()), "3", "enter") == []


def test_a_vote_is_a_vote() -> None:
    assert _said(model_of(agreeing()), "enter") == [("vote", 0, ("9.0",))]


def test_chat_is_typed_and_sent() -> None:
    said = _said(model_of(asked()), "c", "q", "1", "enter", "escape", "down", "enter")

    assert said == [("chat", "q1"), ("answer", 0, ("1.2",))]


def test_a_consent_is_asked_for() -> None:
    script = asked()
    checkpoint = max(script.table.checkpoints)
    script.emit(Proposed(Proposal(0, "take_back", by=1, checkpoint=checkpoint)), origin=1)

    assert _said(model_of(script), "y") == [("consent", 0, True)]


def test_the_host_proposes_to_go_back() -> None:
    """The menu offers going back first, and the latest moment before the present one."""
    script = playing()

    said = _said(model_of(script), "p", "enter", "enter")

    assert said == [("propose_take_back", sorted(script.table.checkpoints)[-2])]


def test_unfinished_tables_come_first() -> None:
    assert _said(model_of(None, is_lobby=True), "enter") == [("enter", "room-1")]


def test_an_invitation_can_be_entered() -> None:
    code = code_text(b"c" * 10)

    assert _said(model_of(None, is_lobby=True), "i", code, "enter") == [("join_table", code)]


def test_a_paste_is_an_invitation_or_nothing() -> None:
    code = code_text(b"c" * 10)
    paste = f"\x1b[200~{code}\r\x1b[201~"

    assert _said(model_of(None, is_lobby=True), paste) == [("join_table", code)]
    assert _said(model_of(asked()), paste) == []
    assert "! Pasted text does nothing here" in _screen(model_of(asked()), paste)


def test_an_investigator_is_claimed_and_put_back() -> None:
    assert _said(model_of(lobby()), "down", " ") == [("claim_pieces", ("investigator/amos",))]


def test_the_host_goes_on_with_a_campaign() -> None:
    assert _said(model_of(lobby()), "g") == [("continue_campaign",)]


@pytest.mark.rule("SETUP-5")
@pytest.mark.rule("APP-18")
def test_the_host_switches_products_on_and_off() -> None:
    assert _said(model_of(lobby()), "p", "enter") == [("switch_products", ("product/flood",))]
    script = lobby()
    script.emit(ProductsSwitched(("product/flood",)), origin=0)
    model = model_of(script)
    assert model.view is not None
    assert model.characters(model.view.table.room) == ("investigator/ada", "investigator/amos")
    assert _said(model, "p", "down", "enter") == [
        ("switch_products", ("product/flood", "product/ebb"))
    ]
    assert _said(model_of(script), "p", "enter") == [("switch_products", ())]


@pytest.mark.rule("SETUP-5")
def test_everybody_can_check_what_is_on() -> None:

    async def look(stage: OnStage) -> None:
        await stage.press("p")
        assert "[ ] High Flood" in stage.text
        assert "[x] Low Ebb" in stage.text
        await stage.press("enter")

    script = lobby()
    script.emit(ProductsSwitched(("product/flood",)), origin=0)

    assert play(model_of(script, seat=1), look).port.said == []


def test_nothing_is_sent_without_a_line() -> None:
    model = model_of(asked())
    model.status = Disconnected(3.0)

    async def press(stage: OnStage) -> None:
        await stage.press("enter")
        assert "! Not connected to the server" in stage.text

    assert play(model, press).port.said == []


def test_the_invitation_is_shown_whole_outside_the_screen() -> None:
    model = inviting()
    line = model.invitation()

    async def look(stage: OnStage) -> None:
        await stage.press("v")
        assert line in stage.raw
        await stage.press_outside("x")
        await stage.press("down", " ")

    assert play(model, look).port.said == [("claim_pieces", ("investigator/amos",))]


# The terminal ------------------------------------------------------------------------------


def test_it_follows_the_size_of_the_terminal() -> None:

    async def look(stage: OnStage) -> None:
        await stage.resize(40, 120)
        wide = stage.text
        await stage.resize(10, 40)
        assert "too small" in stage.text
        await stage.resize(40, 120)
        assert stage.text == wide
        same_screen("resized-120x40-en", wide)

    play(model_of(asked()), look)


@pytest.mark.parametrize(("rows", "columns"), half_of((1, 3, 16, 17, 60), (1, 5, 49, 51, 200)))
def test_no_size_breaks_it(rows: int, columns: int) -> None:
    scripts = (lobby(), asked(), agreeing(), coding(), picturing(), unlocking())
    for script in (None, *scripts):
        model = model_of(script, is_lobby=True)
        journal = Journal(lambda model=model: model.speaker)  # type: ignore[misc]
        journal.begin(model.view)
        ui = Ui(Desk(model, RecordingPort(), journal))
        for key in ("?", "escape", "i", "escape", "p", "escape", "n", "escape", "q"):
            ui.press(key)
            lines = ui.draw(rows, columns).plain().split("\n")
            assert len(lines) == rows


def test_ctrl_c_ends_it_cleanly() -> None:

    async def press(stage: OnStage) -> None:
        await stage.press("c-c")
        assert not stage.terminal.application.is_running

    shown = play(model_of(asked()), press)

    assert "\x1b[?1049l" in shown.raw
    assert "\x1b[?25h" in shown.raw


def test_being_cancelled_restores_the_terminal() -> None:
    """Cancelling the tasks of the client resets the screen and shows the cursor."""
    left: list[OnStage] = []

    async def cancel(stage: OnStage) -> None:
        left.append(stage)
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.wait(others)

    with contextlib.suppress(asyncio.CancelledError):
        play(model_of(asked()), cancel)

    assert "\x1b[?1049l" in left[0].raw
    assert "\x1b[?25h" in left[0].raw


def test_a_burst_is_drawn_once() -> None:

    async def burst(stage: OnStage) -> None:
        before = stage.terminal.application.render_counter
        for _ in range(500):
            stage.model.changed()
        await stage.settle()
        assert stage.terminal.application.render_counter == before + 1

    play(model_of(asked()), burst)


def test_a_clock_that_is_set_back_delays_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    now = time.time

    async def press(stage: OnStage) -> None:
        monkeypatch.setattr(time, "time", lambda: now() - 3600)
        before = stage.text
        await asyncio.wait_for(stage.press("down"), 5)
        assert stage.text != before

    play(model_of(asked()), press)


def test_an_old_question_is_not_offered_while_catching_up() -> None:
    model = model_of(asked())
    assert model.view is not None
    model.update_table(next_sequence=model.view.last + 2)

    async def press(stage: OnStage) -> None:
        await stage.press("enter")
        assert "! Still catching up" in stage.text

    assert play(model, press).port.said == []


def test_a_question_that_a_small_terminal_has_no_room_for_is_not_answered() -> None:
    """Enter would choose something invisible."""

    async def press(stage: OnStage) -> None:
        await stage.press("enter")

    assert play(model_of(asked()), press, rows=10, columns=40).port.said == []


def test_after_the_end_nobody_is_told_to_wait() -> None:
    """The player can read on or leave."""
    script = playing()
    script.emit(RoomClosed((), HowClosed.FINISHED))
    model = model_of(script)

    async def press(stage: OnStage) -> None:
        await stage.press("enter")
        assert "! The game is over; j reads it again, q leaves." in stage.text

    play(model, press)


def test_a_question_that_comes_under_the_finger_is_not_answered() -> None:
    """A key pressed before the question was drawn is refused with a message."""
    script = playing()
    model = model_of(script)
    ui = Ui(Desk(model, RecordingPort(), Journal(lambda: model.speaker)))
    ui.draw(22, 80)
    script.ask({0: action_question()}, about=Text("ask/action"))
    assert model.view is not None
    model.view.receive(script.cuts(0))

    ui.press("enter")

    assert model.bar.text.startswith("The question has just come")


def test_a_question_asked_again_in_the_same_words_keeps_cursor_and_marks() -> None:
    """Another seat settled it, so that only the ids are new; the player has read the rest."""
    script = playing()
    first = attrs.evolve(action_question(), at_least=0, at_most=2)
    ask_id = script.ask({0: first, 1: first}, about=Text("ask/action"))
    port, model = RecordingPort(), model_of(script)
    ui = Ui(Desk(model, port, Journal(lambda: model.speaker)))
    ui.draw(22, 80)
    ui.press("down")
    ui.press(" ")
    script.emit(Answered(1, ask_id, hidden(())))
    again = attrs.evolve(first, choices=_with_new_ids(first))
    script.ask({0: again, 1: again}, about=Text("ask/action"))
    assert model.view is not None
    model.view.receive(script.cuts(0, model.view.last + 1))

    ui.press("enter")

    assert port.said == [("answer", ask_id + 1, ("9.3",))]
    assert "[x]" in ui.draw(22, 80).plain()


@pytest.mark.parametrize("is_own", [True, False])
def test_a_question_that_differs_or_follows_an_own_answer_has_to_be_drawn_first(
    is_own: bool,
) -> None:
    script = playing()
    first = action_question()
    ask_id = script.ask({0: first, 1: first}, about=Text("ask/action"))
    model = model_of(script)
    ui = Ui(Desk(model, RecordingPort(), Journal(lambda: model.speaker)))
    ui.draw(22, 80)
    script.emit(Answered(0 if is_own else 1, ask_id, hidden(("1.1",))))
    choices = _with_new_ids(first)
    again = attrs.evolve(first, choices=choices if is_own else choices[1:])
    script.ask({0: again, 1: again}, about=Text("ask/action"))
    assert model.view is not None
    model.view.receive(script.cuts(0, model.view.last + 1))

    ui.press("enter")

    assert model.bar.text.startswith("The question has just come")


def _with_new_ids(question: Question) -> tuple[Choice, ...]:
    return tuple(
        attrs.evolve(choice, choice_id=f"9.{at}") for at, choice in enumerate(question.choices, 1)
    )


def _screen(model: ClientModel, *keys: str, rows: int = 24, columns: int = 80) -> str:
    shown: list[str] = []

    async def look(stage: OnStage) -> None:
        await stage.press(*keys)
        shown.append(stage.text)

    play(model, look, rows=rows, columns=columns)
    return shown[0]


def test_help_and_leaving_are_always_hinted() -> None:
    model = inviting()

    for columns in (50, 80):
        assert "? help  q leave" in _screen(model, columns=columns)


def test_a_spectator_is_told_so_and_can_decide_nothing() -> None:
    screen = _screen(model_of(asked(), seat=None), "enter")

    assert screen.startswith(" WATCHING")
    assert "! You are only watching" in screen
    assert "Stop watching?" in _screen(model_of(asked(), seat=None), "q")


def test_cards_that_do_not_fit_are_marked_or_folded() -> None:
    script = asked()
    script.emit(
        *(
            HarmTaken("investigator/ada", Harm.DAMAGE, f"d{number}", "damage/sprain")
            for number in (1, 2, 3)
        )
    )
    small, large = _screen(model_of(script), rows=19), _screen(model_of(script))

    assert "INSANE; faceup: Sprain, Sprai~" in small
    assert "INSANE; faceup: Sprain,\n" in large or "INSANE; faceup: Sprain, \n" in large
    assert "│   Sprain, Sprain" in large


def test_an_empty_seat_has_a_name() -> None:
    script = asked(("Ann", "Bob"))
    script.emit(SeatGiven(1, "", b"", is_bot=False, with_secrets=False))
    model = model_of(script)

    assert "V Vera Sand (the empty seat)" in _screen(model)
    assert "Bob’s seat is open for somebody new." in _screen(model, rows=40, columns=120)
    assert "Give the seat of Vera Sand to a bot" in _screen(model, "p")


def test_who_lost_their_seat_leaves_to_the_lobby() -> None:
    script = asked()
    script.emit(SeatGiven(0, "Cid", b"c" * 32, is_bot=False, with_secrets=False))
    model = model_of(script)

    assert "Your seat was given to Cid" in _screen(model)
    assert "! You are only watching" in _screen(model, "c")
    asked_for = ("list_scenarios", "list_tables", "list_reviews")
    left = [("leave_table",), *((one,) for one in asked_for)]
    assert _said(model_of(script), "q") == left


def test_alone_a_second_investigator_is_asked_for() -> None:
    script = lobby(("Ann",))
    script.emit(CharactersClaimed(0, ("investigator/ada",)), ReadySet(0, is_ready=True))

    assert "Alone, you play two characters: choose a second." in _screen(model_of(script))


def test_alone_nobody_is_invited() -> None:
    model = inviting()
    model.launch = SOLO

    assert "manse join" not in _screen(model)
    assert "! " in _screen(model, "v")


def test_a_board_that_goes_on_is_marked() -> None:
    assert "─ Map in full (w: all of it) ─────────── v > ─│" in _screen(model_of(asked()), "z")
    assert " < ─│" in _screen(model_of(asked()), *"zLLLLL")
    assert " > ─│" not in _screen(model_of(asked()), rows=60, columns=200)


def test_who_is_away_is_said_in_words() -> None:
    script = asked()
    script.emit(PresenceChanged(1, is_present=False))

    async def look(stage: OnStage) -> None:
        assert "V Vera Sand (Bob, away)" in stage.text

    play(model_of(script), look)
