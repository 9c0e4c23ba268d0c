"""Little things that a newcomer stumbles over: keys, invitations, menus, how far a replay is."""

import attrs
import pytest

from client.journal.journal import Journal
from client.keymap.keys import Action
from client.locale import LANGUAGES
from client.model.model import ANY_SEAT, WATCH, Bar, ClientModel
from client.model.status import Online
from client.screens.proposals import proposals_menu
from client.screens.screen import Desk
from client.screens.ui import Ui
from protocol.common.events import HowClosed, RoomClosed
from protocol.invitation import code_text
from protocol.keys import fingerprint_text
from tests.games.second_edition.client.console import Console
from tests.games.second_edition.client.scripted import ROOM, Script, asked, lobby
from tests.games.second_edition.client.stage import OnStage, RecordingPort, model_of, play

pytestmark = pytest.mark.issue(14)


def inviting(script: Script) -> ClientModel:
    """Return a model of somebody who was given both invitations to a table."""
    model = model_of(script)
    model.status = Online("haunted", fingerprint_text(b"f" * 32), "haunted.example:4470")
    model.codes[ROOM] = {ANY_SEAT: code_text(b"0123456789"), WATCH: code_text(b"9876543210")}
    return model


def offered(model: ClientModel) -> list[str]:
    """Return what the menu of proposals offers."""
    assert model.view is not None
    desk = Desk(model, RecordingPort(), Journal(lambda: model.speaker))
    return [item.text for item in proposals_menu(desk, model.view).items]


def test_a_line_feed_is_enter() -> None:
    """Ctrl-J sends one, and so do some terminals and programs that type."""

    async def choose(stage: OnStage) -> None:
        await stage.press_raw("\n")

    assert play(model_of(asked()), choose).port.said == [("answer", 0, ("1.1",))]


@pytest.mark.parametrize(("language", "is_left"), [("fr", True), ("en", False)])
def test_yes_is_the_first_letter_of_its_word(language: str, *, is_left: bool) -> None:
    """In whatever language; elsewhere the letter means what it always does."""
    model = model_of(asked(), language=language)
    ended: list[bool] = []
    desk = Desk(model, RecordingPort(), Journal(lambda: model.speaker))
    desk.quit = lambda: ended.append(True)
    ui = Ui(desk)

    ui.draw(24, 80)
    ui.press("q")
    ui.press("o")

    assert bool(ended) is is_left


@pytest.mark.parametrize(("columns", "is_shown"), [(80, False), (160, True)])
def test_an_invitation_is_never_broken_in_two(columns: int, *, is_shown: bool) -> None:
    """Where it has no room in one piece, the key that shows it stands there instead."""
    model = inviting(lobby())

    async def look(stage: OnStage) -> None:
        assert (model.invitation() in stage.text) is is_shown
        assert ("manse join" in stage.text) is is_shown
        assert ("shows it" in stage.text) is True

    play(model, look, rows=24, columns=columns)


def test_the_invitation_to_watch_can_be_reached_during_the_game() -> None:
    """Among what can be proposed, as those to seats that are given away."""
    assert "Show the invitation to watch" in offered(inviting(asked()))
    assert "Show the invitation to watch" not in offered(model_of(asked()))


def test_a_table_for_one_player_offers_no_seat_to_anybody() -> None:
    """Nobody else can come there."""
    model = inviting(asked())
    assert any("Bob" in line for line in offered(model))

    model = attrs.evolve(model, is_solo=True)
    assert not any("Bob" in line or "watch" in line for line in offered(model))


def test_a_replay_counts_events_as_files_and_commands_do() -> None:
    """The same numbers everywhere, from 0 to that of the last."""

    async def step(stage: OnStage) -> None:
        await stage.press(".")
        assert "REPLAY: event 0 of " in stage.text
        await stage.press(".")
        assert "REPLAY: event 1 of " in stage.text
        await stage.press("end")
        _, _, count = stage.text.partition("REPLAY: event ")
        at, _, most = count.split()[:3]
        assert at == most.strip(",")

    play(model_of(None), step, replay=asked())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("rows", "is_whole"), [(24, True), (12, False)])
def test_a_long_message_stands_there_whole(language: str, rows: int, *, is_whole: bool) -> None:
    """On two lines or three, where the screen has room, and the hints stay below it."""
    model = model_of(asked(), language=language)
    said = model.locale.say("error.table/not_invited")
    model.bar = Bar(said, is_wrong=True)

    async def look(stage: OnStage) -> None:
        *_, last = lines = stage.text.splitlines()
        assert (said.replace("\xa0", " ") in " ".join(map(str.strip, lines))) is is_whole
        assert model.locale.say("hint.leave") in last

    play(model, look, rows=rows)


def test_giving_up_is_asked_once_more() -> None:
    """What is given up stays so."""
    model = model_of(asked())
    port = RecordingPort()
    desk = Desk(model, port, Journal(lambda: model.speaker))
    assert model.view is not None
    (give_up,) = (i for i in proposals_menu(desk, model.view).items if i.text == "Give the game up")

    give_up.run()
    assert port.said == []
    desk.boxes[-1].act(Action.YES, "")

    assert port.said == [("propose_give_up",)]


def test_plain_mode_says_first_what_giving_up_means() -> None:
    """And takes it in two words."""
    console = Console(asked())

    (said,) = console.type("concede")
    assert said.startswith("To propose that the game ends here, for good, type: concede agree.")
    assert console.port.said == []
    console.type("concede agree")

    assert console.port.said == [("propose_give_up",)]


def test_a_game_that_was_given_up_says_so_in_place_of_a_question() -> None:
    """And nothing more can be proposed."""
    script = asked()
    script.emit(RoomClosed((), HowClosed.GIVEN_UP))

    async def look(stage: OnStage) -> None:
        assert "The game was given up, as everybody agreed." in stage.text
        await stage.press("p")
        assert "┌ Proposals" not in stage.text

    play(model_of(script), look, rows=40, columns=120)
