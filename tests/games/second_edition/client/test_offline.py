"""Lost server during a question: told, counted down, and nothing is lost."""

import attrs
import pytest
from twisted.internet import error
from twisted.python.failure import Failure

from client.journal.journal import Journal
from client.locale import LANGUAGES, load
from client.model.model import ClientModel
from client.model.status import Connecting, Disconnected, GaveUp, LoggingIn, Online
from client.net.causes import cause_of, cause_said, in_words
from client.net.port import ServerPort
from client.screens.base.screen import Desk
from client.screens.ui import Ui
from protocol.common import events
from protocol.messages import ClientMessage, Entered, EnterTable, Records
from tests.games.second_edition.client.scripted import ROOM, Script, asked, coding
from tests.games.second_edition.client.stage import OnStage, model_of, play

REASON = "Connection was refused by other side: 111: Connection refused."


class _NoLineError(Exception):
    """Stand-in for `client.net.connection.NotOnline`."""


@attrs.define(eq=False)
class Line:
    """Connection that records messages while it is up."""

    model: ClientModel
    said: list[ClientMessage] = attrs.field(factory=list)
    tries: int = 0

    def try_again(self) -> None:
        self.tries += 1

    def next_serial(self) -> int:
        return len(self.said) + 1

    def set_language(self, language: str) -> None:
        """Do nothing."""

    def send(self, message: ClientMessage) -> None:
        if not self.model.is_online:
            raise _NoLineError
        self.said.append(message)


@attrs.define(eq=False)
class Player:
    """Player of seat 0 at a scripted table, with a recording connection and a manual clock."""

    script: Script
    language: str = "en"
    time: float = 50.0
    model: ClientModel = attrs.field(init=False)
    line: Line = attrs.field(init=False)
    port: ServerPort = attrs.field(init=False)
    ui: Ui = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.model = model_of(self.script, language=self.language)
        self.line = Line(self.model)
        self.port = ServerPort(self.model, self.line, lambda: bytes(32), (_NoLineError,))
        desk = Desk(self.model, self.port, Journal(lambda: self.model.speaker))
        desk.now = lambda: self.time
        self.ui = Ui(desk)
        self.draw()

    def draw(self, rows: int = 24, columns: int = 80) -> str:
        return self.ui.draw(rows, columns).plain()

    def press(self, *keys: str) -> None:
        for key in keys:
            self.ui.press(key)
            self.draw()

    def come_back(self) -> None:
        """Reconnect and receive the missed records."""
        view = self.model.view
        assert view is not None
        missed = view.last + 1
        # The way back is seen on the screen, step by step.
        for status in (Connecting(2), LoggingIn(), Online("haunted", "", "")):
            self.port.status_changed(status)
            self.draw()
        (enter,) = (said for said in self.line.said if isinstance(said, EnterTable))
        self.port.received(Entered(enter.serial, ROOM, 0, len(self.script.stored)))
        self.draw()
        if cuts := self.script.cuts(0, missed):
            self.port.received(Records(ROOM, tuple(cuts)))
        self.draw()


def test_the_banner_counts_the_seconds() -> None:
    player = Player(asked())

    player.port.status_changed(Disconnected(4.0, REASON))
    lines = player.draw().split("\n")
    said = " ".join(line.strip() for line in lines[:2])
    assert said == (
        "The server cannot be reached: Connection was refused by other side: 111: "
        "Connection refused. Trying again in 4 s, or at once with r; nothing is lost."
    )
    assert player.ui.desk.due == 1.0

    player.time += 2.5
    assert "Trying again in 2 s" in player.draw()
    assert "OFFLINE, again in 2 s" in player.draw()
    assert player.ui.desk.due == 0.5


@pytest.mark.issue(14)
def test_one_key_tries_again_at_once() -> None:
    player = Player(asked())
    player.press("r")
    assert (player.line.tries, player.model.bar.text) == (0, "The server is there.")

    player.port.status_changed(Disconnected(4.0, REASON))
    player.press("r")
    assert player.line.tries == 1


def test_the_usual_causes_are_said_in_the_players_language() -> None:
    failures = [
        error.ConnectionRefusedError("111"),  # type: ignore[no-untyped-call]  # Twisted's
        error.ConnectionLost(),
        error.ConnectionDone(),
        OSError("odd."),
    ]
    wrapped = [Failure(one) for one in failures]  # type: ignore[no-untyped-call]  # the same
    said = [in_words(load("fr"), cause_of(one)) for one in wrapped]

    assert said == [
        "personne ne répond à cette adresse",
        "la connexion a été perdue",
        "la connexion a été perdue",
        "odd",
    ]


def test_a_server_that_says_a_key_of_ours_is_told_as_it_is() -> None:
    """Text of the server that equals one of our keys must not be formatted as our own template."""
    assert in_words(load("en"), cause_said("odd/code", "seat.number")) == "seat.number"


def test_the_words_of_a_cause_have_nothing_to_fill_in() -> None:
    for language in LANGUAGES:
        words = load(language).templates
        assert all("{" not in said for key, said in words.items() if key.startswith("cause."))


def test_the_reason_is_said_once() -> None:
    player = Player(asked())

    player.port.status_changed(Disconnected(4.0, REASON))

    assert player.draw(24, 120).count("refused by other side") == 1


def test_each_step_of_the_way_back_is_said() -> None:
    """The banner disappears once the client is online."""
    player = Player(asked())
    before = player.draw()

    player.port.status_changed(Disconnected(4.0, REASON))
    player.port.status_changed(Connecting(3))
    assert player.draw().startswith(" Trying to reach the server again (attempt 3)")
    assert player.ui.desk.due is None
    player.port.status_changed(LoggingIn())
    assert player.draw().startswith(" The server is back")
    player.come_back()

    assert player.draw().split("\n")[1:] == before.split("\n")[1:]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "code",
    [
        *("login/version", "login/name", "login/language", "login/signature", "login/out_of_turn"),
        *("login/key", "login/old_server", "login/old_client"),
        *("session/replaced", "protocol/malformed", "protocol/over_limit"),
    ],
)
def test_an_end_for_good_is_said_in_the_players_language(code: str, language: str) -> None:
    """The words belong to the code; the server's text is English."""
    player = Player(asked(), language)

    player.port.status_changed(GaveUp(code, "some English words of the server"))

    assert load(language).say("banner.gave_up", "")[:20] in player.draw(30, 120)
    assert "English" not in player.draw(30, 120)


def test_an_end_without_words_quotes_the_server() -> None:
    """A newer server may have a reason we do not know."""
    player = Player(asked(), "fr")

    player.port.status_changed(GaveUp("account/closed", "This account is closed."))

    shown = " ".join(player.draw(30, 200).split())
    assert "(account/closed), en disant : « This account is closed »." in shown


def test_an_end_of_our_own_is_said_as_it_is() -> None:
    player = Player(asked(), "fr")

    player.port.status_changed(GaveUp("login/trust", "Impossible de lire le fichier."))

    assert "pour de bon : Impossible de lire le fichier." in player.draw()


def test_enter_is_refused_meanwhile() -> None:
    player = Player(asked())
    player.port.status_changed(Disconnected(4.0, REASON))
    player.line.said.clear()

    player.press("down", "enter")

    assert "! Not connected to the server; nothing was sent." in player.draw()
    assert not player.line.said
    assert "> 2 Move" in player.draw() or ">2 Move" in player.draw()


def test_the_same_question_is_gone_on_with() -> None:
    player = Player(coding())
    player.press("3", "1")
    before = player.draw()
    assert "[x]" in before or "3" in before
    room = player.ui._room
    answering = room.answering
    assert answering is not None
    picks, cursor = [*answering.picks], answering.cursor
    assert picks

    player.port.status_changed(Disconnected(4.0, REASON))
    player.press("down")
    player.script.emit(
        events.PresenceChanged(0, is_present=False), events.PresenceChanged(0, is_present=True)
    )
    player.come_back()

    assert room.answering is answering
    assert (answering.picks, answering.cursor) == (picks, cursor + 1)


def test_while_catching_up_it_is_not_offered() -> None:
    """While the client catches up, the time limit may already have answered the question."""
    player = Player(coding())
    player.press("3", "1")
    player.port.status_changed(Disconnected(4.0, REASON))
    player.port.status_changed(Online("haunted", "", ""))
    enter = player.line.said[-1]
    player.port.received(Entered(enter.serial, ROOM, 0, len(player.script.stored) + 1))

    player.press("enter")

    assert "! Still catching up" in player.draw()
    assert player.ui._room.answering is None


def test_the_status_says_online_once_enter_would_answer_again() -> None:
    """Else a key that the player trusted would be lost between the login and the last record."""
    player = Player(asked())
    player.port.status_changed(Disconnected(4.0, REASON))
    player.port.status_changed(Online("haunted", "", "", delay_seconds=0.01))
    enter, after = player.line.said[-1], len(player.script.stored)
    player.script.emit(events.PresenceChanged(0, is_present=False))

    def is_taken() -> bool:
        before = len(player.line.said)
        drawn = player.draw()
        player.press("enter")
        assert ("online 10 ms" in drawn) == ("catching up" not in drawn)
        assert ("! Still catching up" in player.draw()) == ("catching up" in drawn)
        return len(player.line.said) > before

    assert not is_taken()
    player.port.received(Entered(enter.serial, ROOM, 0, len(player.script.stored)))
    assert not is_taken()
    player.port.received(Records(ROOM, tuple(player.script.cuts(0, after))))
    assert is_taken()


def test_another_question_begins_anew() -> None:
    player = Player(coding())
    player.press("3", "1")
    answering = player.ui._room.answering
    player.port.status_changed(Disconnected(4.0, REASON))
    before = player.script.table.room.ask
    assert before is not None
    question = before.questions[0].value
    player.script.emit(events.Settled(before.ask_id))
    player.script.ask({0: question}, about=before.about)
    player.come_back()

    now = player.ui._room.answering
    assert now is not None
    assert now is not answering
    assert not now.picks


def test_the_banner_is_there_on_every_screen() -> None:
    model = model_of(None, is_lobby=True, language="fr")
    model.status = Disconnected(3.0, "la ligne est coupée")

    async def look(stage: OnStage) -> None:
        first = stage.text.split("\n")[0]
        assert "Le serveur est hors d’atteinte" in first
        assert "rien n’est perdu" in stage.text
        await stage.press("n")
        assert "Le serveur est hors d’atteinte" in stage.text.split("\n")[0]
        await stage.resize(12, 60)
        assert "Le serveur est hors d’atteinte" not in stage.text

    play(model, look)
