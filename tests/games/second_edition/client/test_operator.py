"""What a player is told when the operator of the server pauses or ends a game."""

import re

import pytest

from client.journal.journal import Journal
from client.model.model import ClientModel
from client.terminal.notifier import is_my_turn
from protocol.common import events
from protocol.common.absence import ABSENCE_MS
from protocol.common.table import Proposal, Settings
from protocol.event import OPERATOR, Event
from tests.games.second_edition.client.console import Console
from tests.games.second_edition.client.scripted import Script, asked
from tests.games.second_edition.client.stage import OnStage, model_of, play
from tests.games.second_edition.client.test_waiting import see

pytestmark = pytest.mark.issue(15)

DAY = ABSENCE_MS // 1000
WHY = "Le serveur déménage."


def after(*acts: Event) -> Script:
    """Return a game that waits for seat 0, in which the operator has done these acts."""
    script = asked()
    for act in acts:
        script.emit(act, origin=OPERATOR)
    return script


def paused() -> events.OperatorPaused:
    return events.OperatorPaused(WHY.encode())


def closed() -> tuple[Event, Event]:
    return events.OperatorClosed(WHY.encode()), events.RoomClosed((), events.HowClosed.CLOSED)


@pytest.mark.parametrize("language", ["en", "fr"])
def test_why_a_game_stands_still_takes_the_place_of_the_question(language: str) -> None:
    seen = see(after(paused()), 0, language=language)

    text = seen.text()

    assert WHY in text
    assert ("PAUSED" if language == "en" else "PAUSE") in text
    assert seen.title() == ("Waiting" if language == "en" else "En attente")


@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_game_that_the_operator_ended_says_why(language: str) -> None:
    text = " ".join(see(after(*closed()), 0, language=language).text().split())

    assert WHY in text
    assert ("ended the game" if language == "en" else "mis fin à la partie") in text


def test_nobody_is_called_to_a_game_that_stands_still() -> None:
    assert is_my_turn(model_of(asked()))
    assert not is_my_turn(model_of(after(paused())))


def test_the_question_comes_back_when_the_game_goes_on() -> None:
    model = model_of(after(paused(), events.OperatorResumed(b"done")))

    assert model.view is not None
    assert model.view.my_question() is not None


def test_plain_mode_says_it_too() -> None:
    assert any(WHY in line for line in Console(after(paused())).fresh())
    told = Console(after(*closed())).fresh()
    assert any(WHY in line and "quit" in line for line in told)


def away(*acts: Event, by: int = 0) -> Script:
    """Return a game with a proposal to take a move back while the other player is away."""
    script = asked()
    script.emit(events.PresenceChanged(1 - by, is_present=False), origin=1 - by)
    script.emit(events.Proposed(Proposal(0, "take_back", by, max(script.table.checkpoints))))
    for act in acts:
        script.emit(act, origin=OPERATOR)
    return script


def halted(script: Script) -> ClientModel:
    """Return the model of a player to whom the server said that the game is halted."""
    model = model_of(script)
    model.update_table(is_halted=True)
    return model


async def later(stage: OnStage, seconds: int) -> None:
    """Let time pass on the client's clock."""
    desk = stage.terminal.ui.desk
    now = desk.now
    desk.now = lambda: now() + seconds
    await stage.look()


def flat(stage: OnStage) -> str:
    return " ".join(re.sub("[│┌┐└┘─]", " ", stage.text).split())


def test_who_proposed_to_go_back_can_agree_for_the_absent_after_a_day() -> None:

    async def press(stage: OnStage) -> None:
        await stage.press("y")
        assert "n: end it" in flat(stage)
        assert "agree for them n:" not in flat(stage)
        await stage.press("y")
        assert not stage.port.said
        for seconds, told in ((DAY - 7200, "have 2 hours left"), (7200, "Agree for them?")):
            await later(stage, seconds)
            assert told in flat(stage)
        await stage.press("y")

    assert play(halted(away()), press, columns=48).port.said == [("agree_for_absent", 0)]


@pytest.mark.parametrize(("is_halted", "is_offered"), [(True, True), (False, False)])
def test_a_table_without_takebacks_goes_back_only_after_a_fault(
    *, is_halted: bool, is_offered: bool
) -> None:
    """The server refuses it in a game that goes on."""
    model = halted(asked()) if is_halted else model_of(asked())
    assert model.view is not None
    model.view.table = model.view.table.with_room(settings=Settings(takebacks=False))

    async def press(stage: OnStage) -> None:
        await stage.press("p")
        assert "Give the game up" in flat(stage)
        assert ("Go back to an earlier moment" in flat(stage)) == is_offered

    play(model, press)


def test_nobody_is_offered_to_agree_for_the_absent_to_go_back_in_a_game_that_goes_on() -> None:
    """The server refuses it: they can come back and say so themselves."""

    async def press(stage: OnStage) -> None:
        await later(stage, DAY)
        await stage.press("y")
        assert "Agree for them?" not in flat(stage)
        await stage.press("y")

    assert play(model_of(away()), press).port.said == [("consent", 0, False)]


def test_nor_does_plain_mode_offer_it() -> None:
    console = Console(away())
    console.now += DAY

    assert "had a day to come back" not in " ".join(console.type("proposal"))
    console.type("agree")
    assert ("agree_for_absent", 0) not in console.port.said


@pytest.mark.parametrize("seconds", [0, DAY])
def test_who_proposed_it_can_end_it_before_and_after_that_day(seconds: int) -> None:

    async def press(stage: OnStage) -> None:
        await later(stage, seconds)
        await stage.press("y")
        await stage.press("n")

    assert play(halted(away()), press).port.said == [("consent", 0, False)]


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "Those who are away (Bob) have 24 hours left to come back; then type agree"),
        ("fr", "Les absents (Bob) ont encore 24 heures pour revenir ; ensuite, tapez accepter"),
    ],
)
def test_plain_mode_says_when_one_can_agree_and_offers_it_then(language: str, told: str) -> None:
    console = Console(away(), language=language)
    console.model.update_table(is_halted=True)
    proposal, agree = ("proposal", "agree") if language == "en" else ("proposition", "accepter")

    assert told in " ".join(console.type(proposal))
    assert told in " ".join(console.type(agree))
    assert not console.port.said
    console.now += DAY
    assert "had a day to come back" in " ".join(console.type(proposal)) or language == "fr"
    console.type(agree)

    assert console.port.said == [("agree_for_absent", 0)]


@pytest.mark.parametrize(
    ("language", "origin", "told"),
    [
        ("en", 0, "Ann agrees for those who are away: Bob."),
        ("fr", 0, "Ann donne son accord pour les absents : Bob."),
        ("en", OPERATOR, "Whoever runs this server agrees for those who are away: Bob."),
        ("fr", OPERATOR, "L’opérateur du serveur donne son accord pour les absents : Bob."),
    ],
)
def test_the_journal_tells_who_agreed_for_whom(language: str, origin: int, told: str) -> None:
    script = away()
    script.emit(events.AgreedForAbsent(0, (1,)), origin=origin)
    model = model_of(script, language=language)
    journal = Journal(lambda: model.speaker)
    assert model.view is not None
    journal.begin(model.view)

    lines = [line.text.replace("\xa0", " ") for line in journal.lines]

    assert told in lines


def test_a_reason_is_one_line() -> None:
    seen = see(after(events.OperatorPaused(b"a\nB: hello\x1b[2J")), 0)

    assert "a B: hello" in " ".join(seen.text().split())
    assert "\x1b" not in seen.text()
