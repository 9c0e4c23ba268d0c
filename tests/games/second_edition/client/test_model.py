"""Client model and port: what they receive, what they send, and what they do unasked."""

import hashlib

import attrs
import pytest

from client.journal.journal import Journal
from client.model.model import ANY_SEAT, WATCH, ClientModel
from client.model.off_log import Stops
from client.model.status import Disconnected, Online
from client.model.tables import TableView
from client.net.port import ServerPort
from protocol import messages
from protocol.common import events
from protocol.common.table import Settings
from protocol.common.text import Text
from protocol.event import Cut, hidden
from protocol.games.second_edition import events as se
from protocol.games.second_edition.table import Monster
from protocol.invitation import code_text, parse_invitation
from protocol.keys import fingerprint_text
from protocol.messages import Sender, decode_message, encode_message
from tests.games.second_edition.client.scripted import ANN, ROOM, Script, asked, lobby, playing

ONLINE = Online("haunted", fingerprint_text(b"f" * 32), "", None)


class NoLine(Exception):
    """Error of a connection that is down."""


@attrs.define
class FakeLine:
    """Connection that records the messages sent, as decoded from the wire."""

    said: list[messages.ClientMessage] = attrs.field(factory=list)
    is_down: bool = False
    serial: int = 0
    language: str = "en"

    def next_serial(self) -> int:
        self.serial += 1
        return self.serial

    def send(self, message: messages.ClientMessage) -> None:
        """Record a message, or raise if the connection is down."""
        if self.is_down:
            raise NoLine
        assert decode_message(encode_message(message), Sender.CLIENT) == message
        self.said.append(message)

    def try_again(self) -> None:
        """Do nothing."""

    def set_language(self, language: str) -> None:
        """Remember the language for the next login."""
        self.language = language

    def last(self, kind: type[messages.ClientMessage]) -> messages.ClientMessage:
        return next(said for said in reversed(self.said) if isinstance(said, kind))


@attrs.define
class Seated:
    """Client with a recording connection of its own."""

    model: ClientModel = attrs.field(factory=lambda: ClientModel("Ann", ANN))
    line: FakeLine = attrs.field(factory=FakeLine)
    port: ServerPort = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.port = ServerPort(self.model, self.line, lambda: b"r" * 32, (NoLine,))
        self.port.status_changed(ONLINE)

    def enter(self, script: Script, seat: int = 0, *, after: int = -1) -> None:
        """Enter a scripted table and receive its records."""
        self.port.enter(ROOM)
        serial = self.line.last(messages.EnterTable).serial
        self.port.received(messages.Entered(serial, ROOM, seat, len(script.stored)))
        self.port.received(messages.Records(ROOM, tuple(script.cuts(seat, after + 1))))

    @property
    def view(self) -> TableView:
        assert self.model.view is not None
        return self.model.view


def test_it_asks_what_there_is_when_it_comes_online() -> None:
    client = Seated()

    assert [type(said) for said in client.line.said] == [
        messages.ListScenarios,
        messages.ListTables,
        messages.ListReviews,
    ]


def test_it_follows_a_table() -> None:
    client, script = Seated(), asked()

    client.enter(script)

    assert client.view.my_question() is not None
    assert not client.model.is_catching_up


def test_it_asks_again_after_an_interruption() -> None:
    client, script = Seated(), asked()
    client.enter(script)
    client.port.status_changed(Disconnected(1.0))

    client.port.status_changed(ONLINE)

    said = client.line.last(messages.EnterTable)
    view = client.model.view
    assert view is not None
    assert said == messages.EnterTable(said.serial, ROOM, len(script.stored) - 1, view.head)


def test_it_says_why_there_is_no_line() -> None:
    client = Seated()

    client.port.status_changed(Disconnected(1.0, "the server went away"))
    said = client.model.bar.text
    client.port.status_changed(ONLINE)

    assert (said, client.model.bar.text) == ("the server went away", "")


def test_it_asks_again_after_a_gap() -> None:
    client, script = Seated(), asked()
    client.enter(script)
    script.emit(events.Settled(0), events.CheckpointReached())

    client.port.received(messages.Records(ROOM, tuple(script.cuts(0)[-1:])))

    said = client.line.last(messages.EnterTable)
    assert isinstance(said, messages.EnterTable)
    assert said.after == client.view.last == len(script.stored) - 3


def test_what_does_not_hold_together_is_not_followed_further() -> None:
    client, script = Seated(), asked()
    client.enter(script)
    last = client.view.last

    client.port.received(messages.Records(ROOM, (Cut(b"\x90", ()),)))

    assert client.model.fault.startswith("protocol/")
    script.emit(events.Settled(0))
    client.port.received(messages.Records(ROOM, tuple(script.cuts(0)[-1:])))
    assert client.view.last == last


def test_an_answer_is_on_its_way_until_it_is_answered() -> None:
    client = Seated()
    client.enter(asked())

    client.port.answer(0, ("1.0",))
    waited = client.model.is_answering
    said = client.line.last(messages.Answer)
    client.port.received(messages.Refusal(said.serial, "answer/stale", Text("none")))

    assert (waited, client.model.is_answering) == (True, False)
    assert client.model.bar.text == "That answer came too late, and was not used."


def test_a_code_without_words_is_said_as_it_is() -> None:
    client = Seated()

    client.port.received(messages.Refusal(99, "moon/full", Text("moon/full")))

    assert client.model.bar.text == "That cannot be done now (moon/full)."


def test_nothing_is_sent_without_a_line() -> None:
    client = Seated()
    client.enter(asked())
    client.line.is_down = True

    client.port.answer(0, ("1.0",))

    assert client.model.bar.is_wrong
    assert not client.model.is_answering


def test_it_takes_part_in_the_start() -> None:
    """The client commits its share after the server's seeds, and opens it after all shares."""
    client, script = Seated(), lobby()
    script.emit(events.StartRequested(0))
    client.enter(script)
    assert not any(isinstance(said, messages.CommitShare) for said in client.line.said)

    script.emit(events.SeedsCommitted(hidden(b"s" * 32), hidden(b"t" * 32)))
    client.enter(script, after=client.view.last)
    committed = client.line.last(messages.CommitShare)
    script.emit(events.ShareCommitted(0, hashlib.sha256(b"r" * 32).digest()))
    client.enter(script, after=client.view.last)
    assert not any(isinstance(said, messages.OpenShare) for said in client.line.said)
    script.emit(events.ShareCommitted(1, b"d" * 32))
    client.enter(script, after=client.view.last)
    client.enter(script, after=client.view.last - 1)

    assert isinstance(committed, messages.CommitShare)
    assert committed.commitment == hashlib.sha256(b"r" * 32).digest()
    opened = [said for said in client.line.said if isinstance(said, messages.OpenShare)]
    assert [said.share for said in opened] == [b"r" * 32]


def test_an_invitation_carries_address_code_and_fingerprint() -> None:
    client = Seated()
    client.model.address = "haunted.example:4470"
    code, watch = code_text(b"c" * 10), code_text(b"w" * 10)
    client.port.open_table("core/sluice", Settings(spectators=True))
    serial = client.line.last(messages.OpenTable).serial
    client.port.received(messages.TableOpened(serial, ROOM, code, watch))

    client.enter(lobby())

    for seat, expected in ((ANY_SEAT, code), (WATCH, watch)):
        invitation = parse_invitation(client.model.invitation(seat))
        assert (str(invitation.address), invitation.code) == ("haunted.example:4470", expected)
        assert invitation.fingerprint == b"f" * 32


def test_words_come_before_they_are_needed() -> None:
    client = Seated()

    client.port.received(messages.Words("en", (("item/axe", (("name", "Axe"),)),)))

    assert client.model.speaker.name("card", "item/axe") == "Axe"


def test_chat_is_made_fit_to_travel() -> None:
    client = Seated()
    client.enter(asked())

    client.port.chat("  hi\x1b[2J\n there\u202e ")
    client.port.chat("\x07\n")

    said = [message for message in client.line.said if isinstance(message, messages.Chat)]
    assert [message.words for message in said] == ["hi[2J there"]


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (lambda port: port.vote(0, ("1.0",)), messages.Vote),
        (lambda port: port.set_standing(("kind/attack",)), messages.SetStanding),
        (lambda port: port.set_stops(Stops(("kind/attack",))), messages.SetStops),
        (lambda port: port.call_tiebreak(0), messages.CallTiebreak),
        (lambda port: port.claim(("investigator/ada",)), messages.ClaimCharacters),
        (lambda port: port.set_ready(True), messages.SetReady),
        (lambda port: port.add_bot(), messages.AddBot),
        (lambda port: port.start(), messages.StartGame),
        (lambda port: port.choose_scenario("core/sluice"), messages.ChooseScenario),
        (lambda port: port.continue_campaign(), messages.ContinueCampaign),
        (lambda port: port.propose_take_back(3), messages.ProposeTakeBack),
        (lambda port: port.propose_give_up(), messages.ProposeGiveUp),
        (lambda port: port.play_again(), messages.PlayAgain),
        (lambda port: port.remove_table(), messages.RemoveTable),
        (lambda port: port.renew_invitations(), messages.RenewInvitations),
        (lambda port: port.fetch_game("room-1", lambda _: None), messages.ExportTable),
        (lambda port: port.ask_for_lost_seats(), messages.ListLostSeats),
        (lambda port: port.propose_give_seat(1, to_bot=True), messages.ProposeGiveSeat),
        (lambda port: port.consent(0, is_agreed=False), messages.Consent),
        (lambda port: port.resume(), messages.Resume),
        (lambda port: port.leave_seat(), messages.LeaveSeat),
        (lambda port: port.leave_table(), messages.LeaveTable),
        (lambda port: port.join(code_text(b"c" * 10)), messages.JoinTable),
        (lambda port: port.watch(code_text(b"c" * 10)), messages.WatchTable),
    ],
)
def test_everything_a_person_can_do_is_said(
    call: object, kind: type[messages.ClientMessage]
) -> None:
    client = Seated()
    client.enter(asked())

    call(client.port)  # type: ignore[operator]

    said = client.line.said[-1]
    assert isinstance(said, kind)
    assert getattr(said, "room_id", ROOM) == ROOM


# Languages ---------------------------------------------------------------------------------


def in_french(client: Seated) -> messages.ChooseLanguage:
    """Switch to French; return the message sent for it."""
    client.port.set_language("fr")
    said = client.line.last(messages.ChooseLanguage)
    assert isinstance(said, messages.ChooseLanguage)
    return said


def told(client: Seated) -> str:
    [journal] = [one for one in client.model.followers if isinstance(one, Journal)]
    return journal.lines[-1].text


def with_journal(client: Seated) -> Seated:
    client.model.followers.append(Journal(lambda: client.model.speaker))
    return client


def test_another_language_is_spoken_at_once_and_asked_for() -> None:
    client = with_journal(Seated())
    client.enter(asked())
    before = told(client)

    said = in_french(client)

    assert said.language == client.line.language == client.model.locale.language == "fr"
    assert told(client) != before


def test_the_journal_is_written_again_once_all_words_have_come() -> None:
    client, script = with_journal(Seated()), playing()
    client.enter(script)
    client.port.received(messages.Words("en", (("monster/tallyman", (("name", "Tallyman"),)),)))
    script.emit(se.MonsterSpawned(Monster("m9", "monster/tallyman", 0, "hall/a", 3, 2, 1, 2)))
    client.port.received(messages.Records(ROOM, tuple(script.cuts(0)[-1:])))
    said = in_french(client)
    client.port.received(messages.Words("fr", (("monster/tallyman", (("name", "Compteur"),)),)))
    early = told(client)

    client.port.received(messages.Done(said.serial))

    assert "Tallyman" in early
    assert "Compteur" in told(client)


def test_what_was_said_in_another_language_is_asked_for_again_after_an_interruption() -> None:
    """A language chosen offline holds from the next login on, also for older records."""
    client, script = Seated(), asked()
    client.enter(script)
    client.port.status_changed(Disconnected(1.0))
    client.port.set_language("fr")
    assert not any(isinstance(said, messages.ChooseLanguage) for said in client.line.said)

    client.port.status_changed(ONLINE)

    entered = client.line.last(messages.EnterTable)
    assert isinstance(entered, messages.EnterTable)
    assert (client.line.language, entered.after) == ("fr", -1)
    client.port.received(messages.Entered(entered.serial, ROOM, 0, len(script.stored)))
    client.port.received(messages.Records(ROOM, tuple(script.cuts(0))))
    fence = client.line.last(messages.ChooseLanguage)
    client.port.received(messages.Done(fence.serial))
    client.port.status_changed(Disconnected(1.0))
    client.port.status_changed(ONLINE)
    entered = client.line.last(messages.EnterTable)
    assert isinstance(entered, messages.EnterTable)
    assert entered.after == len(script.stored) - 1


def test_a_line_that_breaks_before_all_words_came_is_made_good() -> None:
    client, script = Seated(), asked()
    client.enter(script)
    in_french(client)
    client.port.status_changed(Disconnected(1.0))

    client.port.status_changed(ONLINE)

    entered = client.line.last(messages.EnterTable)
    assert isinstance(entered, messages.EnterTable)
    assert entered.after == -1


# Looking on --------------------------------------------------------------------------------


def looking_on(script: Script) -> Seated:
    """Return the client of a spectator."""
    client = Seated()
    code = code_text(b"w" * 10)
    client.port.watch(code)
    asked_for = client.line.last(messages.WatchTable)
    client.port.received(messages.Joined(asked_for.serial, ROOM, -1))
    serial = client.line.last(messages.EnterTable).serial
    client.port.received(messages.Entered(serial, ROOM, -1, len(script.stored)))
    client.port.received(messages.Records(ROOM, tuple(script.cuts(None))))
    return client


def test_whoever_looks_on_shows_their_invitation_again_after_an_interruption() -> None:
    """An invitation is good for one connection; records continue after the last one received."""
    script = asked()
    client = looking_on(script)
    client.port.status_changed(Disconnected(1.0))
    before = len(client.line.said)

    client.port.status_changed(ONLINE)

    again = client.line.last(messages.WatchTable)
    assert again in client.line.said[before:]
    client.port.received(messages.Joined(again.serial, ROOM, -1))
    entered = client.line.said[-1]
    assert isinstance(entered, messages.EnterTable)
    assert entered.after == len(script.stored) - 1


def test_whoever_had_a_seat_and_looks_on_begins_anew() -> None:
    """A spectator may be allowed to see less than the seat has already seen."""
    client, script = Seated(), asked()
    client.enter(script)

    client.port.watch(code_text(b"w" * 10))
    said = client.line.last(messages.WatchTable)
    client.port.received(messages.Joined(said.serial, ROOM, -1))

    entered = client.line.said[-1]
    assert isinstance(entered, messages.EnterTable)
    assert entered.after == -1
